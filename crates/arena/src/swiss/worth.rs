//! What a meeting in a bracket is worth: a number with a place for each criterion of the rules,
//! the most important one first.

use super::contender::{Contender, Float, Wish};
use super::dutch::Field;
use super::weight::Weight;

/// An enum of criteria, and a list of them all in their order.
macro_rules! criteria {
    ($($(#[$said:meta])* $name:ident,)*) => {
        /// The criteria, the most important first (C.04.3, C4 and C6 to C21).
        #[derive(Copy, Clone, Debug, PartialEq, Eq)]
        enum Criterion {
            $($(#[$said])* $name,)*
        }

        use Criterion::{$($name),*};

        const ALL: &[Criterion] = &[$($name),*];
    };
}

criteria! {
    /// C4: everybody below finds an opponent, too.
    Completeness,
    /// C6: pairs.
    Pairs,
    /// C7: points of those who are paired.
    Points,
    /// C8: the same in the next bracket.
    NextPairs,
    NextPoints,
    /// C9: who has the bye has played more than others.
    Unplayed,
    /// C10: no difference of three colours.
    Balance,
    /// C11: no colour three times in a row.
    Repetition,
    /// C12: colours as they should be.
    Colours,
    /// C13: the same for those who should have theirs all the more.
    StrongColours,
    /// C14 to C17: nobody floats again, down or up, after one round or two.
    Down1,
    Up1,
    Down2,
    Up2,
    /// C18 to C21: those who do nevertheless have few points.
    DownPoints1,
    UpPoints1,
    DownPoints2,
    UpPoints2,
}

/// So many bits at the low end are for the order among equals.
const ORDER: u32 = 64;

/// A bracket with all who come after it, and what meetings are worth. Players are known by their
/// places among all who are left, from 0.
pub(super) struct Worth<'a> {
    field: &'a Field,
    rest: &'a [usize],
    /// Those before this place came down from above.
    pub floaters: usize,
    /// The bracket ends here.
    pub end: usize,
    /// And the next one here.
    pub next_end: usize,
    /// Whether only the one with the bye is left over here.
    is_bye_here: bool,
    /// Where each criterion's bits begin.
    places: [u32; ALL.len()],
    /// Where, among the bits for points, those for a score begin.
    digits: Vec<(u32, u32)>,
    bits: u32,
}

impl<'a> Worth<'a> {
    pub fn new(
        field: &'a Field,
        rest: &'a [usize],
        floaters: usize,
        is_bye_here: bool,
    ) -> Worth<'a> {
        let end = end_of_group(field, rest, floaters);
        let next_end = end_of_group(field, rest, end);
        let mut worth = Worth {
            field,
            rest,
            floaters,
            end,
            next_end,
            is_bye_here,
            places: [0; ALL.len()],
            digits: Vec::new(),
            bits: 0,
        };
        worth.lay_out();
        worth
    }

    /// How many players there are, with all below.
    pub fn len(&self) -> usize {
        self.rest.len()
    }

    pub fn contender(&self, place: usize) -> &Contender {
        &self.field.contenders[self.rest[place]]
    }

    /// How many words of 64 bits a weight takes, with room for the sum of a whole bracket.
    pub fn words(&self) -> usize {
        (self.bits + 4 + bits(self.rest.len())).div_ceil(64) as usize
    }

    /// Whether the bye is for somebody with so many half points or more.
    pub fn bye_is_from(&self, halves: u32) -> bool {
        self.field.bye_halves.is_some_and(|bye| bye >= halves)
    }

    /// Gives every criterion its bits, from the low end on.
    fn lay_out(&mut self) {
        let count = bits(self.next_end);
        let mut points = 0;
        for place in (0..self.next_end).rev() {
            let halves = self.contender(place).halves;
            if self.digits.last().is_none_or(|(last, _)| *last != halves) {
                let same =
                    (0..self.next_end).filter(|&other| self.contender(other).halves == halves);
                let width = bits(same.count());
                self.digits.push((halves, points));
                points += width;
            }
        }
        let mut next = ORDER;
        for (index, criterion) in ALL.iter().enumerate().rev() {
            self.places[index] = next;
            next += match criterion {
                Completeness => 2,
                Unplayed => bits(self.next_end * (self.field.played + 1)),
                Points | NextPoints | DownPoints1 | UpPoints1 | DownPoints2 | UpPoints2 => points,
                _ => count,
            };
        }
        self.bits = next;
    }

    /// What a meeting is worth, the higher player first; nothing if it can't be.
    pub fn of<const N: usize>(&self, a: usize, b: usize) -> Weight<N> {
        let (high, low) = (self.contender(a), self.contender(b));
        let mut sum = Sum {
            worth: self,
            weight: Weight::ZERO,
        };
        // Two who came down did not meet above, for the sake of those below.
        if b < self.floaters || !self.field.may_meet(high, low) {
            return sum.weight;
        }
        sum.add(Completeness, self.field.completeness(high, low));
        if b < self.next_end && self.is_bye_here {
            sum.add(Unplayed, self.unplayed(high) + self.unplayed(low));
        }
        if b < self.end {
            sum.add(Pairs, 1);
            sum.add_points(Points, high.halves, true);
            sum.add_colours(high, low);
            sum.add_floats(high, low);
        } else if b < self.next_end {
            sum.add(NextPairs, 1);
            sum.add_points(NextPoints, high.halves, true);
        }
        sum.weight
    }

    /// How many rounds a player has not played, if it may have the bye.
    fn unplayed(&self, contender: &Contender) -> u64 {
        if self.field.bye_halves == Some(contender.halves) {
            (self.field.played - contender.games) as u64
        } else {
            0
        }
    }
}

/// Where the players end who have as many points as the one at a place.
fn end_of_group(field: &Field, rest: &[usize], start: usize) -> usize {
    let halves = |place: usize| field.contenders[rest[place]].halves;
    let same = (start..rest.len()).take_while(|&place| halves(place) == halves(start));
    start + same.count()
}

/// How many bits it takes to count up to a number.
fn bits(most: usize) -> u32 {
    usize::BITS - most.leading_zeros()
}

/// A weight in the making.
struct Sum<'a, const N: usize> {
    worth: &'a Worth<'a>,
    weight: Weight<N>,
}

impl<const N: usize> Sum<'_, N> {
    fn add(&mut self, criterion: Criterion, value: u64) {
        self.weight
            .add_at(self.worth.places[criterion as usize], value);
    }

    fn add_if(&mut self, criterion: Criterion, holds: bool) {
        self.add(criterion, u64::from(holds));
    }

    /// Counts one at the place of a score.
    fn add_points(&mut self, criterion: Criterion, halves: u32, holds: bool) {
        let digit = self.worth.digits.iter().find(|(known, _)| *known == halves);
        let (_, digit) = digit.expect("every score of the bracket has a digit");
        let place = self.worth.places[criterion as usize] + digit;
        self.weight.add_at(place, u64::from(holds));
    }

    fn add_colours(&mut self, high: &Contender, low: &Contender) {
        let is_same = high.colour.is_some() && high.colour == low.colour;
        let both = |holds: &dyn Fn(&Contender) -> bool| holds(high) && holds(low);
        let is_absolute = both(&|contender| contender.wish == Wish::Absolute);
        self.add_if(Balance, !(is_same && both(&Contender::is_unbalanced)));
        self.add_if(
            Repetition,
            !(is_same && is_absolute && one_repeats(high, low)),
        );
        self.add_if(Colours, !is_same);
        let is_strong = both(&|contender| contender.wish >= Wish::Strong);
        self.add_if(StrongColours, !(is_same && is_strong && !is_absolute));
    }

    fn add_floats(&mut self, high: &Contender, low: &Contender) {
        let goes_down = high.halves > low.halves;
        let rounds = [
            (1, Down1, Up1, DownPoints1, UpPoints1),
            (2, Down2, Up2, DownPoints2, UpPoints2),
        ];
        for (ago, down, up, down_points, up_points) in rounds {
            let [high_down, low_down] =
                [high, low].map(|contender| contender.floated(ago, Float::Down));
            let up_again = goes_down && low.floated(ago, Float::Up);
            // Whoever plays here does not float down again.
            self.add_if(down, low_down);
            self.add_if(down, high_down && !goes_down);
            self.add_if(up, !up_again);
            self.add_points(down_points, low.halves, low_down);
            self.add_points(down_points, high.halves, high_down);
            self.add_points(up_points, high.halves, !up_again);
        }
    }
}

/// Whether one of two players, who must have the same colour, would have the other colour for the
/// third time in a row: the one whose colours are more even gives way.
fn one_repeats(a: &Contender, b: &Contender) -> bool {
    match a.imbalance.cmp(&b.imbalance) {
        std::cmp::Ordering::Equal => a.repeated.is_some() && a.repeated == b.repeated,
        std::cmp::Ordering::Greater => b.repeated.is_some(),
        std::cmp::Ordering::Less => a.repeated.is_some(),
    }
}
