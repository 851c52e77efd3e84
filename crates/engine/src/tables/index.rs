//! The numbering of a slice's positions: own men, their men, own kings, their kings, each set
//! ranked on the squares that those before it leave free.

use kingme_rules::{BitPosition, Bits, Side};

use super::slice::Slice;
use super::view::{Choose, Geometry, View};

/// Numbers the positions of a slice without gaps.
#[derive(Clone, Debug)]
pub(super) struct SliceIndex {
    pub slice: Slice,
    /// The number of positions.
    pub len: usize,
    /// By the rank of the own men: the pairs of men's sets before it. One more than the ranks.
    pairs_before: Vec<usize>,
    own_king_ways: usize,
    /// Positions in a row: they differ in their kings only.
    pub row: usize,
}

impl SliceIndex {
    pub fn new<B: Bits>(geometry: &Geometry<B>, view: &View<B>, slice: Slice) -> SliceIndex {
        let choose = &geometry.choose;
        let their_men = usize::from(slice.their.men);
        let own_sets = Combinations::new(view.own_men.bits.len(), usize::from(slice.own.men));
        let mut pairs_before = Vec::with_capacity(own_sets.len() + 1);
        let mut pairs = 0;
        for rank in 0..own_sets.len() {
            pairs_before.push(pairs);
            let own: B = own_sets.set(rank, &view.own_men.bits);
            let free = view.their_men.bits.len() - (own & view.their_men.set).count() as usize;
            pairs += choose.of(free, their_men);
        }
        pairs_before.push(pairs);
        let free = geometry
            .squares()
            .saturating_sub(usize::from(slice.own.men) + their_men);
        let own_kings = usize::from(slice.own.kings);
        let own_king_ways = choose.of(free, own_kings);
        let row = choose.of(free.saturating_sub(own_kings), slice.their.kings.into());
        SliceIndex {
            slice,
            len: pairs * own_king_ways * row,
            pairs_before,
            own_king_ways,
            row,
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.len.checked_div(self.row).unwrap_or(0)
    }

    /// The number of a position in this slice, as the side to move numbers it.
    #[inline(always)]
    pub fn rank<B: Bits>(
        &self,
        choose: &Choose,
        view: &View<B>,
        men: [B; 2],
        kings: [B; 2],
    ) -> usize {
        let pair = self.pair(choose, view, men);
        self.within(choose, view, pair, men[0] | men[1], kings)
    }

    /// The number of a pair of men's sets, the side to move's first.
    #[inline(always)]
    pub fn pair<B: Bits>(&self, choose: &Choose, view: &View<B>, [own, their]: [B; 2]) -> usize {
        let rotated = view.side == Side::Black;
        let own_rank = rank(choose, own, rotated, |bit| view.own_men.number[bit].into());
        let blocked = own & view.their_men.set;
        let their_rank = rank(choose, their, rotated, |bit| {
            usize::from(view.their_men.number[bit]) - view.count_below(blocked, bit)
        });
        self.pairs_before[own_rank] + their_rank
    }

    /// The number of a position, given that of its pair of men's sets.
    #[inline(always)]
    pub fn within<B: Bits>(
        &self,
        choose: &Choose,
        view: &View<B>,
        pair: usize,
        men: B,
        [own, their]: [B; 2],
    ) -> usize {
        let rotated = view.side == Side::Black;
        let own_rank = rank(choose, own, rotated, |bit| {
            usize::from(view.number[bit]) - view.count_below(men, bit)
        });
        let taken = men | own;
        let their_rank = rank(choose, their, rotated, |bit| {
            usize::from(view.number[bit]) - view.count_below(taken, bit)
        });
        (pair * self.own_king_ways + own_rank) * self.row + their_rank
    }
}

/// The rank of a set among those of its size. With the board rotated, low bits have high numbers.
#[inline(always)]
fn rank<B: Bits>(choose: &Choose, set: B, rotated: bool, number: impl Fn(usize) -> usize) -> usize {
    let mut total = 0;
    let mut size = if rotated { set.count() as usize } else { 1 };
    for bit in set.members() {
        total += choose.of(number(bit), size);
        size = if rotated { size - 1 } else { size + 1 };
    }
    total
}

/// All sets of some size, in the order of their ranks.
#[derive(Clone, Debug)]
struct Combinations {
    size: usize,
    members: Vec<u16>,
    len: usize,
}

impl Combinations {
    fn new(of: usize, size: usize) -> Combinations {
        let mut all = Combinations {
            size,
            members: Vec::new(),
            len: 0,
        };
        if size > of {
            return all;
        }
        let mut set: Vec<u16> = (0..size as u16).collect();
        loop {
            all.members.extend(&set);
            all.len += 1;
            // The next set in order: the first member that has room moves up, those below it
            // start anew.
            let room = |place: usize| {
                let next = set.get(place + 1).map_or(of, |&next| usize::from(next));
                usize::from(set[place]) + 1 < next
            };
            let Some(place) = (0..size).find(|&place| room(place)) else {
                return all;
            };
            set[place] += 1;
            for (below, member) in set[..place].iter_mut().enumerate() {
                *member = below as u16;
            }
        }
    }

    fn len(&self) -> usize {
        self.len
    }

    /// The set of a rank, its members taken from a list of bits.
    #[inline(always)]
    fn set<B: Bits>(&self, rank: usize, bits: &[u16]) -> B {
        let members = &self.members[rank * self.size..(rank + 1) * self.size];
        members.iter().fold(B::EMPTY, |set, &member| {
            set | B::bit(bits[usize::from(member)].into())
        })
    }
}

/// The sets that the positions of a slice are made of; shared by its cursors.
pub(super) struct Unrank<'a, B> {
    pub index: &'a SliceIndex,
    view: &'a View<B>,
    own_men: Combinations,
    own_kings: Combinations,
    their_kings: Combinations,
    /// By the number of squares that are free for their men.
    their_men: Vec<Combinations>,
}

impl<'a, B: Bits> Unrank<'a, B> {
    pub fn new(geometry: &Geometry<B>, view: &'a View<B>, index: &'a SliceIndex) -> Self {
        let Slice { own, their } = index.slice;
        let free = geometry
            .squares()
            .saturating_sub(usize::from(own.men + their.men));
        let most = view.their_men.bits.len();
        let fewest = most.saturating_sub(own.men.into());
        Unrank {
            index,
            view,
            own_men: Combinations::new(view.own_men.bits.len(), own.men.into()),
            own_kings: Combinations::new(free, own.kings.into()),
            their_kings: Combinations::new(
                free.saturating_sub(own.kings.into()),
                their.kings.into(),
            ),
            their_men: (fewest..=most)
                .map(|free| Combinations::new(free, their.men.into()))
                .collect(),
        }
    }
}

/// Walks through the rows of a slice.
pub(super) struct Cursor<'a, B> {
    unrank: &'a Unrank<'a, B>,
    own_rank: usize,
    pair: usize,
    pub own_men: B,
    pub their_men: B,
    pub own_kings: B,
    man_room: Vec<u16>,
    king_room: Vec<u16>,
    rest: Vec<u16>,
}

impl<'a, B: Bits> Cursor<'a, B> {
    pub fn new(unrank: &'a Unrank<'a, B>) -> Self {
        Cursor {
            unrank,
            own_rank: usize::MAX,
            pair: usize::MAX,
            own_men: B::EMPTY,
            their_men: B::EMPTY,
            own_kings: B::EMPTY,
            man_room: Vec::new(),
            king_room: Vec::new(),
            rest: Vec::new(),
        }
    }

    /// Goes to a row; returns whether the men are others than before.
    pub fn seek(&mut self, row: usize) -> bool {
        let ways = self.unrank.index.own_king_ways;
        let (pair, own_kings) = (row / ways, row % ways);
        let men_change = pair != self.pair;
        if men_change {
            self.seek_pair(pair);
        }
        self.own_kings = self.unrank.own_kings.set(own_kings, &self.king_room);
        if self.unrank.their_kings.size > 0 {
            fill(&mut self.rest, &self.king_room, self.own_kings);
        }
        men_change
    }

    fn seek_pair(&mut self, pair: usize) {
        self.pair = pair;
        let before = &self.unrank.index.pairs_before;
        let view = self.unrank.view;
        let here = |rank: usize| before[rank] <= pair && pair < before[rank + 1];
        if self.own_rank == usize::MAX || !here(self.own_rank) {
            self.own_rank = before.partition_point(|&first| first <= pair) - 1;
            self.own_men = self.unrank.own_men.set(self.own_rank, &view.own_men.bits);
            fill(&mut self.man_room, &view.their_men.bits, self.own_men);
        }
        let taken = view.their_men.bits.len() - self.man_room.len();
        let sets = &self.unrank.their_men[self.unrank.their_men.len() - 1 - taken];
        self.their_men = sets.set(pair - before[self.own_rank], &self.man_room);
        if self.unrank.own_kings.size + self.unrank.their_kings.size > 0 {
            fill(
                &mut self.king_room,
                &view.bits,
                self.own_men | self.their_men,
            );
        }
    }

    /// Their kings in a position of the row.
    #[inline(always)]
    pub fn their_kings(&self, place: usize) -> B {
        self.unrank.their_kings.set(place, &self.rest)
    }

    /// A position of the row.
    #[inline(always)]
    pub fn position(&self, place: usize) -> BitPosition<B> {
        let side = self.unrank.view.side;
        let order = |own: B, their: B| match side {
            Side::White => [own, their],
            Side::Black => [their, own],
        };
        let men = order(self.own_men, self.their_men);
        let kings = order(self.own_kings, self.their_kings(place));
        BitPosition::unhashed(side, men, kings)
    }
}

/// The bits of a list that are not in a set.
fn fill<B: Bits>(into: &mut Vec<u16>, from: &[u16], without: B) {
    into.clear();
    into.extend(from.iter().copied().filter(|&bit| !without.has(bit.into())));
}
