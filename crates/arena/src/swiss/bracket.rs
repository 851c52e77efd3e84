//! One bracket: of all pairings that are equally good, the first in the order of the rules.

use super::matching::Matcher;
use super::weight::Weight;
use super::worth::Worth;

/// What became of a bracket. Players are known by their places among all who were left.
pub(super) struct Paired {
    pub pairs: Vec<[usize; 2]>,
    /// Those who are left, those of this bracket first.
    pub rest: Vec<usize>,
    /// How many of them are of this bracket.
    pub floaters: usize,
    /// Whether the next bracket leaves nobody over but the one with the bye.
    pub is_bye_next: bool,
}

/// Pairs a bracket.
pub(super) fn pair(worth: &Worth) -> Paired {
    match worth.words() {
        0..=4 => Bracket::<4>::new(worth).pair(),
        5..=8 => Bracket::<8>::new(worth).pair(),
        9..=16 => Bracket::<16>::new(worth).pair(),
        17..=32 => Bracket::<32>::new(worth).pair(),
        // More than a hundred different scores in one bracket: it can't be.
        _ => Bracket::<256>::new(worth).pair(),
    }
}

/// A bracket that is being paired.
struct Bracket<'a, const N: usize> {
    worth: &'a Worth<'a>,
    matcher: Matcher<N>,
    /// What meetings in the bracket and the next one are worth without the order among equals;
    /// nothing once they are out of the question.
    base: Vec<Weight<N>>,
    mates: Vec<usize>,
    is_paired: Vec<bool>,
    pairs: Vec<[usize; 2]>,
}

impl<'a, const N: usize> Bracket<'a, N> {
    fn new(worth: &'a Worth<'a>) -> Bracket<'a, N> {
        let mut matcher = Matcher::new(worth.len());
        let everybody: Vec<usize> = (0..worth.len()).collect();
        matcher.change(&everybody, |a, b| (a < b).then(|| worth.of(a, b)));
        let inside = worth.next_end;
        let mut base = Vec::with_capacity(inside * inside);
        for a in 0..inside {
            base.extend((0..inside).map(|b| matcher.weight(a, b)));
        }
        Bracket {
            worth,
            mates: matcher.solve(),
            matcher,
            base,
            is_paired: vec![false; worth.len()],
            pairs: Vec::new(),
        }
    }

    fn pair(mut self) -> Paired {
        let floaters = self.choose_floaters();
        for floater in floaters {
            self.choose_opponent(floater, self.worth.floaters, self.much());
        }
        let remainder: Vec<usize> = (self.worth.floaters..self.worth.end)
            .filter(|&place| !self.is_paired[place])
            .collect();
        if self.is_first_as_good(&remainder) {
            return self.end();
        }
        self.choose_halves(&remainder);
        for &place in &remainder {
            if !self.is_paired[place] && self.is_upper(place) {
                self.choose_opponent(place, place + 1, 0);
            }
        }
        self.end()
    }

    /// Whether the first pairing of the rules' order, the upper half against the lower one as they
    /// stand, is as good as the best: then it is taken. In first rounds it always is.
    fn is_first_as_good(&mut self, remainder: &[usize]) -> bool {
        let uppers: Vec<usize> = remainder
            .iter()
            .copied()
            .filter(|&p| self.is_upper(p))
            .collect();
        let (upper, lower) = remainder.split_at(uppers.len());
        let (lower, left) = lower.split_at(uppers.len());
        // Whoever is left over must be so in both, or could be anybody: nobody else is concerned.
        let is_left = |place: &usize| {
            !remainder.contains(&self.mates[*place]) || self.mates[*place] == *place
        };
        let now: Vec<usize> = remainder.iter().copied().filter(is_left).collect();
        if now != left && now.iter().any(|&place| self.mates[place] != place) {
            return false;
        }
        let pairs: Vec<[usize; 2]> = upper.iter().zip(lower).map(|(&a, &b)| [a, b]).collect();
        let can_be = |&[a, b]: &[usize; 2]| !self.base(a, b).is_zero();
        let sum = |pairs: &mut dyn Iterator<Item = [usize; 2]>| {
            pairs.fold(Weight::ZERO, |sum, [a, b]| sum + self.base(a, b))
        };
        let best = sum(&mut uppers.iter().map(|&place| [place, self.mates[place]]));
        if !pairs.iter().all(can_be) || sum(&mut pairs.iter().copied()) != best {
            return false;
        }
        if now != left {
            for &place in left {
                self.mates[place] = place;
            }
        }
        for &[a, b] in &pairs {
            self.is_paired[a] = true;
            self.is_paired[b] = true;
        }
        self.pairs.extend(pairs);
        true
    }

    /// More than all additions for the order of opponents.
    fn much(&self) -> u64 {
        4 * (self.worth.len() as u64 + 1)
    }

    fn is_in_group(&self, place: usize) -> bool {
        (self.worth.floaters..self.worth.end).contains(&place)
    }

    /// Whether a player of the group has an opponent of the group who is lower.
    fn is_upper(&self, place: usize) -> bool {
        (place + 1..self.worth.end).contains(&self.mates[place])
    }

    fn solve(&mut self) {
        self.mates = self.matcher.solve();
    }

    fn base(&self, a: usize, b: usize) -> Weight<N> {
        self.base[a * self.worth.next_end + b]
    }

    /// Rules a meeting out.
    fn ban(&mut self, a: usize, b: usize) {
        self.base[a * self.worth.next_end + b] = Weight::ZERO;
        self.base[b * self.worth.next_end + a] = Weight::ZERO;
    }

    /// Sets what a player's meetings with some others are worth, with an addition for each.
    fn favour(&mut self, place: usize, others: &[usize], addition: impl Fn(usize) -> u64) {
        let weights: Vec<Weight<N>> = others
            .iter()
            .map(|&other| with(self.base(place, other), addition(other)))
            .collect();
        let find = |other: usize| others.iter().position(|&known| known == other);
        self.matcher
            .change(&[place], |_, other| find(other).map(|index| weights[index]));
    }

    /// Those of the group who have no opponent yet, from a place on.
    fn open_from(&self, start: usize) -> Vec<usize> {
        (start.max(self.worth.floaters)..self.worth.end)
            .filter(|&place| !self.is_paired[place])
            .collect()
    }

    /// Which of those from above meet somebody here: of those with the same points, the higher.
    fn choose_floaters(&mut self) -> Vec<usize> {
        let mut chosen = Vec::new();
        let mut start = 0;
        while start < self.worth.floaters {
            let halves = self.worth.contender(start).halves;
            let same = (start..self.worth.floaters)
                .take_while(|&place| self.worth.contender(place).halves == halves);
            let end = start + same.count();
            self.choose_among(start..end, &mut chosen);
            start = end;
        }
        chosen
    }

    fn choose_among(&mut self, places: std::ops::Range<usize>, chosen: &mut Vec<usize>) {
        let with_opponent = places
            .clone()
            .filter(|&place| self.is_in_group(self.mates[place]));
        let mut wanted = with_opponent.count();
        let group = self.open_from(0);
        for place in places.clone() {
            let is_forced = places.end - place <= wanted;
            if wanted > 0 && !is_forced && !self.is_in_group(self.mates[place]) {
                self.favour(place, &group, |_| 1);
                self.solve();
            }
            if wanted > 0 && (is_forced || self.is_in_group(self.mates[place])) {
                chosen.push(place);
                wanted -= 1;
                let much = self.much();
                self.favour(place, &group, |_| much);
                self.solve();
            }
        }
    }

    /// Pairs a player with the highest of the group from a place on that leaves the rest as good.
    fn choose_opponent(&mut self, place: usize, start: usize, addition: u64) {
        let others = self.open_from(start);
        let end = self.worth.end;
        self.favour(place, &others, |other| addition + (end - other) as u64);
        self.solve();
        let opponent = self.mates[place];
        debug_assert!(
            self.is_in_group(opponent),
            "the pairs of the bracket stay as many"
        );
        self.matcher
            .change(&[place, opponent], |_, _| Some(Weight::ZERO));
        self.is_paired[place] = true;
        self.is_paired[opponent] = true;
        self.pairs.push([place, opponent]);
    }

    /// Which of the group are the upper half, who meet those of the lower: the higher ones, and if
    /// that can't be, as few exchanged as possible, near the border.
    fn choose_halves(&mut self, remainder: &[usize]) {
        let pairs = remainder
            .iter()
            .filter(|&&place| self.is_upper(place))
            .count();
        self.order_all(remainder, |index| {
            by_exchange(index, pairs, remainder.len())
        });
        let exchanged = remainder[..pairs]
            .iter()
            .filter(|&&place| !self.is_upper(place))
            .count();
        if exchanged > 0 {
            self.choose_leaving(remainder, pairs, exchanged);
            self.choose_rising(remainder, pairs, exchanged);
        }
        for (index, &a) in remainder.iter().enumerate() {
            for &b in &remainder[index + 1..] {
                if !self.is_upper(a) || self.is_upper(b) {
                    self.ban(a, b);
                }
            }
        }
        self.order_all(remainder, |_| 0);
    }

    /// Sets what all meetings in the remainder are worth, by the place of the higher one in it.
    fn order_all(&mut self, remainder: &[usize], addition: impl Fn(usize) -> u64) {
        let mut index = vec![None; self.worth.len()];
        for (number, &place) in remainder.iter().enumerate() {
            index[place] = Some(number);
        }
        let weights = |a: usize, b: usize| {
            let higher = index[a]?.min(index[b]?);
            let base = self.base[a * self.worth.next_end + b];
            Some(with(base, addition(higher)))
        };
        self.matcher.change(remainder, weights);
        self.solve();
    }

    /// Those of the upper half who leave it: the lowest that can.
    fn choose_leaving(&mut self, remainder: &[usize], pairs: usize, mut left: usize) {
        for index in (0..pairs).rev() {
            if left == 0 {
                return;
            }
            let (place, later) = (remainder[index], &remainder[index + 1..]);
            let usual = by_exchange(index, pairs, remainder.len());
            let was_upper = self.is_upper(place);
            if was_upper {
                self.favour(place, later, |_| usual - 1);
                self.solve();
            }
            let leaves = !self.is_upper(place);
            if leaves {
                left -= 1;
                for &other in later {
                    self.ban(place, other);
                }
            }
            if leaves || was_upper {
                self.favour(place, later, |_| usual);
                self.solve();
            }
        }
    }

    /// Those of the lower half who rise: the highest that can.
    fn choose_rising(&mut self, remainder: &[usize], pairs: usize, mut left: usize) {
        for index in pairs..remainder.len() {
            if left == 0 {
                return;
            }
            let (place, later) = (remainder[index], &remainder[index + 1..]);
            let usual = by_exchange(index, pairs, remainder.len());
            let was_upper = self.is_upper(place);
            if !was_upper {
                self.favour(place, later, |_| usual + 1);
                self.solve();
            }
            if self.is_upper(place) {
                left -= 1;
                self.only_upper(place, &remainder[..index]);
            }
            if !was_upper {
                self.favour(place, later, |_| usual);
                self.solve();
            }
        }
    }

    /// Rules out that a player meets any of the higher ones, or somebody below the bracket.
    fn only_upper(&mut self, place: usize, higher: &[usize]) {
        let below = self.worth.end..self.worth.next_end;
        let banned: Vec<usize> = higher.iter().copied().chain(below).collect();
        for &other in &banned {
            self.ban(place, other);
        }
        self.favour(place, &banned, |_| 0);
        self.solve();
    }

    fn end(self) -> Paired {
        let worth = self.worth;
        let rest: Vec<usize> = (0..worth.len())
            .filter(|&place| !self.is_paired[place])
            .collect();
        let floaters = rest.iter().filter(|&&place| place < worth.end).count();
        let is_bye_next = worth.end < worth.next_end && {
            let halves = worth.contender(worth.end).halves;
            let next = rest.iter().filter(|&&place| place < worth.next_end);
            let stays = |&place: &usize| worth.contender(self.mates[place]).halves >= halves;
            worth.bye_is_from(halves) && next.copied().all(|place| stays(&place))
        };
        Paired {
            pairs: self.pairs,
            rest,
            floaters,
            is_bye_next,
        }
    }
}

/// A weight with an addition for the order among equals; what can't be stays so.
fn with<const N: usize>(base: Weight<N>, addition: u64) -> Weight<N> {
    let mut weight = base;
    if !base.is_zero() {
        weight.add_at(0, addition);
    }
    weight
}

/// What it adds to a meeting that the higher one is at a place of the remainder: those of the upper
/// half first, then the highest; odd, so that there is room for one more and one less.
fn by_exchange(index: usize, pairs: usize, size: usize) -> u64 {
    let is_upper = u64::from(index < pairs);
    (is_upper << 40) + 2 * (size - index) as u64 + 1
}
