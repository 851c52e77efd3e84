//! Captures, followed from jump to jump without recursion.

use std::collections::HashSet;

use super::Grid;
use crate::moves::Move;
use crate::variant::{CaptureBy, Criterion, InCapture, Landing, Reach};
use crate::{Piece, Square};

/// More half-way states than this are given up on: some tenths of a second.
const MOST_STATES: usize = 100_000;

/// More squares than this in the moves found are given up on: they would fill the memory.
const MOST_SQUARES: usize = 4_000_000;

/// One jump.
#[derive(Copy, Clone)]
struct Hop {
    to: Square,
    takes: Square,
    direction: usize,
    /// What the piece is before it lands; once it goes on, as what it does.
    kind: usize,
}

/// Where a capture stands half-way: all that decides how it can go on and what it is worth.
#[derive(PartialEq, Eq, Hash)]
struct State {
    from: Square,
    at: Square,
    kind: usize,
    last: usize,
    /// Stands for the set of captured pieces; two sets share it once in 2¹²⁸.
    captured: u128,
    /// What the pieces captured so far are worth: their order may matter.
    rank: Rank,
}

/// What a capture is worth by the game's criteria, compared from the front.
type Rank = Vec<usize>;

const NO_DIRECTION: usize = 8;

/// A search for captures of one side, keeping the best by the game's criteria.
pub(super) struct Captures<'a> {
    grid: Grid<'a>,
    list: Vec<Move>,
    best: Rank,
    seen: HashSet<State>,
    /// Start, end, victims and new kind of the moves in the list.
    known: HashSet<(Square, Square, u128, usize)>,
    squares: usize,
    /// The piece that captures: its square, and the kind that it was.
    from: Square,
    was: usize,
    hops: Vec<Hop>,
    /// By square, whether its piece is captured.
    taken: Vec<bool>,
    captured: u128,
}

impl<'a> Captures<'a> {
    pub fn new(grid: Grid<'a>) -> Captures<'a> {
        Captures {
            grid,
            list: Vec::new(),
            best: Rank::new(),
            seen: HashSet::new(),
            known: HashSet::new(),
            squares: 0,
            from: Square(0),
            was: 0,
            hops: Vec::new(),
            taken: vec![false; grid.rules.squares()],
            captured: 0,
        }
    }

    /// Whether there is a capture.
    pub fn any(mut self) -> bool {
        self.grid.own().any(|(from, kind)| {
            self.lift(from, kind);
            match self.grid.rules.kind(kind).by {
                CaptureBy::Jump => self.can_jump(from, kind, NO_DIRECTION),
                CaptureBy::Replacement => !self.replaceable(from, kind).is_empty(),
            }
        })
    }

    /// All captures, and whether they are too many to list, so that some are missing.
    pub fn all(mut self) -> (Vec<Move>, bool) {
        for (from, kind) in self.grid.own() {
            self.lift(from, kind);
            match self.grid.rules.kind(kind).by {
                CaptureBy::Jump => self.follow(),
                CaptureBy::Replacement => self.replace(),
            }
        }
        let too_many = self.gave_up();
        (self.list, too_many)
    }

    fn gave_up(&self) -> bool {
        self.seen.len() > MOST_STATES || self.squares > MOST_SQUARES
    }

    fn lift(&mut self, from: Square, kind: usize) {
        self.from = from;
        self.was = kind;
    }

    /// Adds all captures by jumping of the piece that is lifted.
    fn follow(&mut self) {
        // Jumps to go on with, each after so many others.
        let mut open = Vec::new();
        self.extend(self.from, self.was, NO_DIRECTION, &mut open);
        while let Some((depth, hop)) = open.pop() {
            self.back_to(depth);
            self.jump(hop);
            self.extend(hop.to, hop.kind, hop.direction, &mut open);
        }
        self.back_to(0);
    }

    fn jump(&mut self, hop: Hop) {
        self.hops.push(hop);
        self.flip(hop.takes);
    }

    fn back_to(&mut self, depth: usize) {
        while self.hops.len() > depth {
            if let Some(hop) = self.hops.pop() {
                self.flip(hop.takes);
            }
        }
    }

    /// Captures a piece, or gives it back.
    fn flip(&mut self, victim: Square) {
        self.taken[victim.index()] ^= true;
        self.captured ^= self.grid.rules.hashes.member(victim.index());
    }

    /// Adds every move that ends with the next jump, and notes every jump to go on with.
    fn extend(&mut self, at: Square, kind: usize, last: usize, open: &mut Vec<(usize, Hop)>) {
        if self.gave_up() || !self.is_new(at, kind, last) {
            return;
        }
        for direction in self.directions(kind, last) {
            if let Some((takes, to)) = self.prey(at, kind, direction) {
                let hop = Hop {
                    to,
                    takes,
                    direction,
                    kind,
                };
                self.land(&self.landings(hop), open);
            }
        }
    }

    /// Adds what follows from one jump, on each of its landing squares.
    fn land(&mut self, landings: &[Hop], open: &mut Vec<(usize, Hop)>) {
        let depth = self.hops.len();
        let before = open.len();
        for &hop in landings {
            self.jump(hop);
            open.extend(self.goes_on_with(hop).map(|hop| (depth, hop)));
            self.back_to(depth);
        }
        if open.len() > before && self.grid.rules.keys.chain_must_go_on {
            return;
        }
        for &hop in self.stops(landings) {
            self.jump(hop);
            self.finish(hop.to, hop.kind);
            self.back_to(depth);
        }
    }

    /// A jump that was made, as what the piece goes on, if there is another after it.
    fn goes_on_with(&self, hop: Hop) -> Option<Hop> {
        let kind = self.goes_on_as(hop.kind, hop.to)?;
        self.can_jump(hop.to, kind, hop.direction)
            .then_some(Hop { kind, ..hop })
    }

    /// Where the move may end.
    fn stops<'l>(&self, landings: &'l [Hop]) -> &'l [Hop] {
        let after_king = |hop: &Hop| {
            let landing = self.grid.rules.kind(hop.kind).landing;
            landing == Landing::NextAfterKing && self.is_king(hop.takes)
        };
        match landings {
            [first, ..] if after_king(first) => &landings[..1],
            _ => landings,
        }
    }

    /// Whether a half-way state was not there before.
    fn is_new(&mut self, at: Square, kind: usize, last: usize) -> bool {
        let keys = &self.grid.rules.keys;
        let state = State {
            from: self.from,
            at,
            kind,
            last: if keys.turn_back { NO_DIRECTION } else { last },
            captured: self.captured,
            rank: if keys.looks_at(Criterion::KingsFirst) {
                self.rank()
            } else {
                Rank::new()
            },
        };
        self.seen.insert(state)
    }

    /// The directions in which a kind may jump after a jump in another.
    fn directions(&self, kind: usize, last: usize) -> impl Iterator<Item = usize> + use<> {
        let rules = self.grid.rules;
        let turn_back = rules.keys.turn_back;
        let directions = rules.absolute(rules.kind(kind).captures, self.grid.us());
        directions.filter(move |direction| turn_back || last != direction ^ 1)
    }

    fn can_jump(&self, at: Square, kind: usize, last: usize) -> bool {
        self.directions(kind, last)
            .any(|direction| self.prey(at, kind, direction).is_some())
    }

    /// The piece that a jump takes, and the square right behind it.
    fn prey(&self, at: Square, kind: usize, direction: usize) -> Option<(Square, Square)> {
        let rules = self.grid.rules;
        let mut ray = rules.ray(at, direction);
        let victim = match rules.kind(kind).reach {
            Reach::Long => ray.find(|&square| !self.is_free(square))?,
            Reach::Short | Reach::Anywhere => ray.next()?,
        };
        let landing = ray.next()?;
        let possible = self.may_take(kind, victim) && self.is_free(landing);
        possible.then_some((victim, landing))
    }

    /// The jump that lands right behind its prey, and those that land beyond.
    fn landings(&self, first: Hop) -> Vec<Hop> {
        let rules = self.grid.rules;
        let mut landings = vec![first];
        if rules.kind(first.kind).landing != Landing::Next {
            let beyond = rules.ray(first.to, first.direction);
            let free = beyond.take_while(|&square| self.is_free(square));
            landings.extend(free.map(|to| Hop { to, ..first }));
        }
        landings
    }

    fn is_free(&self, square: Square) -> bool {
        let removed = self.grid.rules.keys.remove_at_once && self.taken[square.index()];
        removed || square == self.from || self.grid.position.is_empty(square)
    }

    fn may_take(&self, kind: usize, victim: Square) -> bool {
        let takes = self.grid.rules.kind(kind).takes;
        let enemy = self.grid.position.piece(victim);
        let enemy = enemy.filter(|piece| piece.side != self.grid.us());
        enemy.is_some_and(|piece| takes >> piece.kind & 1 == 1) && !self.taken[victim.index()]
    }

    /// As what a piece goes on that lands on a square, if it may go on.
    fn goes_on_as(&self, kind: usize, at: Square) -> Option<usize> {
        let new = self.grid.arrived(kind, at);
        if new == kind {
            return Some(kind);
        }
        match self.grid.rules.keys.in_capture {
            InCapture::Ends => None,
            InCapture::GoesOnAsMan => Some(kind),
            // A piece that captures by replacement can't jump on.
            InCapture::GoesOnAsKing => {
                (self.grid.rules.kind(new).by == CaptureBy::Jump).then_some(new)
            }
        }
    }

    /// Adds the captures by moving onto a square of the piece that is lifted.
    fn replace(&mut self) {
        for to in self.replaceable(self.from, self.was) {
            self.jump(Hop {
                to,
                takes: to,
                direction: NO_DIRECTION,
                kind: self.was,
            });
            self.finish(to, self.was);
            self.back_to(0);
        }
    }

    /// The pieces that can be captured by moving onto them.
    fn replaceable(&self, from: Square, kind: usize) -> Vec<Square> {
        let rules = self.grid.rules;
        let directions = self.directions(kind, NO_DIRECTION);
        let mut targets: Vec<Square> = match rules.kind(kind).reach {
            Reach::Short => directions.filter_map(|d| rules.next(from, d)).collect(),
            Reach::Long => directions
                .filter_map(|d| rules.ray(from, d).find(|&square| !self.is_free(square)))
                .collect(),
            Reach::Anywhere => self.grid.position.pieces().map(|(at, _)| at).collect(),
        };
        targets.retain(|&square| self.may_take(kind, square));
        targets
    }

    /// Keeps the jumps made so far as a move, unless others are better.
    fn finish(&mut self, to: Square, kind: usize) {
        let rank = self.rank();
        if rank < self.best || self.gave_up() {
            return;
        }
        if rank > self.best {
            self.list.clear();
            self.known.clear();
            self.best = rank;
        }
        let becomes = self.grid.arrived(kind, to);
        if self.known.insert((self.from, to, self.captured, becomes)) {
            self.squares += self.hops.len();
            self.list.push(Move {
                from: self.from,
                to,
                path: self.hops.iter().map(|hop| hop.to).collect(),
                captured: self.hops.iter().map(|hop| hop.takes).collect(),
                huffed: None,
                kind: self.was,
                becomes,
            });
        }
    }

    /// What the jumps made so far are worth; more is better.
    fn rank(&self) -> Rank {
        let keys = &self.grid.rules.keys;
        let is_king = |hop: &Hop| self.is_king(hop.takes);
        let pieces = self.hops.len();
        let kings = if keys.looks_at_victims() {
            self.hops.iter().filter(|hop| is_king(hop)).count()
        } else {
            0
        };
        let mut rank = Rank::new();
        for criterion in keys.priority.order.into_iter().flatten() {
            match criterion {
                Criterion::MostPieces => rank.push(pieces),
                Criterion::ByKing => rank.push(usize::from(self.was == Piece::KING)),
                Criterion::MostKings => rank.push(kings),
                // A king is worth the more the earlier it is taken; 0 ends the list.
                Criterion::KingsFirst => {
                    let hops = self.hops.iter().enumerate();
                    let earlier = |(index, hop)| is_king(hop).then_some(usize::MAX - index);
                    rank.extend(hops.filter_map(earlier));
                    rank.push(0);
                }
                // A king counts two, less a hundredth: two men beat one king.
                Criterion::MostValue => rank.push((pieces + kings) * 100 - kings),
            }
        }
        rank
    }

    fn is_king(&self, square: Square) -> bool {
        let piece = self.grid.position.piece(square);
        piece.is_some_and(|piece| piece.kind == Piece::KING)
    }
}
