//! An evaluation made ready for search: its lanes are kept up to date move by move, and judged
//! where a score is wanted.

use kingme_rules::{BitMove, BitPosition, Bits, Ruleset, RulesetVisitor, Side, Square, Variant};

use super::geometry::Geometry;
use super::lanes::{self, GROUP, Group, LANES, Lanes};
use super::linear::Linear;
use super::net::{Net, Shape};
use super::weights::{Form, Weights};
use crate::score::Score;

/// An evaluation made ready for search in one game.
pub(crate) struct Evaluator {
    /// Groups of lanes in use.
    groups: usize,
    /// Kinds of pieces that have rows; men come first.
    kinds: usize,
    bits: usize,
    /// What a piece adds to the lanes: by kind, then bit, then side.
    rows: Vec<Group>,
    /// The lanes of an empty board.
    empty: Lanes,
    judge: Judge,
}

/// What becomes of the lanes.
enum Judge {
    Linear(Linear),
    Net(Net),
}

impl Evaluator {
    /// Makes weights ready for a game, whose positions must have bits.
    pub fn new(variant: &Variant, weights: &Weights) -> Evaluator {
        struct Build<'a>(&'a Variant, &'a Weights);
        impl RulesetVisitor for Build<'_> {
            type Output = Evaluator;
            fn visit<R: Ruleset>(self, rules: R) -> Evaluator {
                let bit = |square| rules.layout().bit(square);
                match self.1.form {
                    Form::Net => Evaluator::net(self.0, self.1, R::Bits::WIDTH, &bit),
                    Form::Squares | Form::Windows => {
                        Evaluator::linear(self.0, self.1, R::Bits::WIDTH, &bit)
                    }
                }
            }
        }
        let evaluator = variant.visit_loaded(Build(variant, weights));
        evaluator.expect("a game in bits")
    }

    fn linear(
        variant: &Variant,
        weights: &Weights,
        bits: usize,
        bit: &dyn Fn(Square) -> usize,
    ) -> Evaluator {
        let geometry = Geometry::new(variant);
        let groups = geometry.windows.len().div_ceil(GROUP);
        let mut evaluator = Evaluator {
            groups,
            kinds: 1,
            bits,
            rows: vec![Group::default(); bits * 2 * groups],
            empty: Lanes::default(),
            judge: Judge::Linear(Linear::new(variant, weights, bits, bit)),
        };
        for square in variant.board().squares() {
            for side in Side::BOTH {
                let row = Linear::row(&geometry, side, square);
                evaluator.fill_row(0, bit(square), side, row);
            }
        }
        evaluator
    }

    fn net(
        variant: &Variant,
        weights: &Weights,
        bits: usize,
        bit: &dyn Fn(Square) -> usize,
    ) -> Evaluator {
        let shape = Shape::new(variant);
        let kinds = variant.definition().kinds.len();
        let groups = LANES / GROUP;
        let mut evaluator = Evaluator {
            groups,
            kinds,
            bits,
            rows: vec![Group::default(); kinds * bits * 2 * groups],
            empty: Net::empty(&shape, weights),
            judge: Judge::Net(Net::new(variant, weights)),
        };
        for square in variant.board().squares() {
            for (kind, side) in (0..kinds).flat_map(|kind| Side::BOTH.map(|side| (kind, side))) {
                let row = Net::row(&shape, weights, side, kind, square);
                evaluator.fill_row(kind, bit(square), side, row);
            }
        }
        evaluator
    }

    fn fill_row(&mut self, kind: usize, bit: usize, side: Side, row: impl Iterator<Item = i16>) {
        let at = self.row_at(kind, bit, side);
        let lanes = Lanes::new(row);
        self.rows[at..at + self.groups].copy_from_slice(&lanes.0[..self.groups]);
    }

    #[inline(always)]
    fn row_at(&self, kind: usize, bit: usize, side: Side) -> usize {
        ((kind * self.bits + bit) * 2 + side as usize) * self.groups
    }

    /// What a piece adds to the lanes, if its kind has rows.
    #[inline(always)]
    fn row(&self, kind: u8, bit: usize, side: Side) -> Option<&[Group]> {
        let at = self.row_at(kind.into(), bit, side);
        (usize::from(kind) < self.kinds).then(|| &self.rows[at..at + self.groups])
    }

    /// The lanes of a position.
    pub fn lanes<R: Ruleset>(&self, position: &BitPosition<R::Bits>) -> Lanes {
        let mut lanes = self.empty.clone();
        for side in Side::BOTH {
            for bit in position.side(side).members() {
                if let Some(row) = self.row(position.kind_at(bit), bit, side) {
                    lanes::add(&mut lanes.0[..self.groups], row);
                }
            }
        }
        lanes
    }

    /// The lanes after a move in `position`, whose lanes are `before`.
    #[inline(always)]
    pub fn update<R: Ruleset>(
        &self,
        rules: R,
        position: &BitPosition<R::Bits>,
        mv: &BitMove<R::Bits>,
        before: &Lanes,
        after: &mut Lanes,
    ) {
        let us = position.turn();
        let before = &before.0[..self.groups];
        let after = &mut after.0[..self.groups];
        let from = self.row(mv.kind, mv.from.into(), us);
        let (to, off) = if mv.huffs_mover(rules) {
            (None, R::Bits::EMPTY)
        } else {
            (self.row(mv.becomes, mv.to.into(), us), mv.captured)
        };
        if let (Some(from), Some(to)) = (from, to) {
            lanes::exchange(after, before, to, from);
        } else {
            after.copy_from_slice(before);
            if let Some(from) = from {
                lanes::subtract(after, from);
            }
            if let Some(to) = to {
                lanes::add(after, to);
            }
        }
        let owner = if position.is_huff(rules, mv) { us } else { !us };
        for bit in off.members() {
            if let Some(row) = self.row(position.kind_at(bit), bit, owner) {
                lanes::subtract(after, row);
            }
        }
    }

    /// How good a position is for the side to move.
    #[inline(always)]
    pub fn evaluate<R: Ruleset>(
        &self,
        rules: R,
        position: &BitPosition<R::Bits>,
        lanes: &Lanes,
    ) -> Score {
        match &self.judge {
            Judge::Linear(linear) => linear.judge(rules, position, lanes),
            Judge::Net(net) => {
                let pieces = position.occupied().count() as usize;
                net.judge(lanes, position.turn(), pieces)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use kingme_rules::{Game, Position, Visitor};

    use super::*;
    use crate::random::Random;

    /// Weights of a form with no meaning at all.
    fn weights(variant: &Variant, form: Form) -> Weights {
        let count = form.count(variant) as i32;
        let values = (0..count).map(|index| (index * 7_919 % 61 - 30) as i16);
        Weights {
            form,
            values: values.collect(),
            mobility: 0,
            ..Weights::material(variant)
        }
    }

    /// The lanes of a position and its evaluation.
    struct Look<'a>(&'a Evaluator);

    impl Visitor for Look<'_> {
        type Output = (Lanes, Score);
        fn visit<R: Ruleset>(self, rules: R, position: &BitPosition<R::Bits>) -> Self::Output {
            let lanes = self.0.lanes::<R>(position);
            let score = self.0.evaluate(rules, position, &lanes);
            (lanes, score)
        }
    }

    /// Plays a random game in bits and compares the lanes that are kept with those made anew.
    struct Follow<'a>(&'a Evaluator, u64);

    impl Visitor for Follow<'_> {
        type Output = ();
        fn visit<R: Ruleset>(self, rules: R, start: &BitPosition<R::Bits>) {
            let mut random = Random::new(self.1);
            let mut position = *start;
            let mut lanes = self.0.lanes::<R>(&position);
            for _ in 0..120 {
                let mut list = kingme_rules::movegen::MoveList::new();
                kingme_rules::movegen::moves(rules, &position, &mut list);
                let Some(mv) = random.choose(&list) else {
                    return;
                };
                let mut after = Lanes::default();
                self.0.update(rules, &position, mv, &lanes, &mut after);
                position = position.play(rules, mv);
                lanes = after;
                assert_eq!(lanes.0, self.0.lanes::<R>(&position).0);
            }
        }
    }

    #[test]
    fn lanes_kept_move_by_move_are_those_made_anew() {
        for name in [
            "english",
            "frisian",
            "turkish",
            "stupid-checkers",
            "canadian",
            "malaysian",
        ] {
            let variant = Variant::named(name).unwrap();
            for form in [Form::Windows, Form::Net] {
                let evaluator = Evaluator::new(&variant, &weights(&variant, form));
                for seed in 0..4 {
                    variant.start().visit(Follow(&evaluator, seed)).unwrap();
                }
            }
        }
    }

    #[test]
    fn both_sides_see_the_same_board_from_their_own_end() {
        let variant = Variant::named("english").unwrap();
        let position = |fen: &str| Position::from_fen(&variant, fen).unwrap();
        for form in [Form::Squares, Form::Windows, Form::Net] {
            let evaluator = Evaluator::new(&variant, &weights(&variant, form));
            let look = |fen: &str| position(fen).visit(Look(&evaluator)).unwrap().1;
            let white = look("W:W21,22,K9:B5,K13,14");
            let black = look("B:B12,11,K24:W28,K20,19");
            assert_eq!(white, black, "{form}");
        }
    }

    #[test]
    fn every_form_searches() {
        let variant = Variant::named("english").unwrap();
        for form in [Form::Squares, Form::Windows, Form::Net] {
            let mut engine = crate::Engine::new(crate::Options::default());
            engine.set_weights(weights(&variant, form));
            let limit = crate::Limit::nodes(3_000);
            let choice = engine.search(&Game::new(&variant), &limit, &mut |_| {
                ControlFlow::Continue(())
            });
            assert!(choice.is_some(), "{form}");
        }
    }
}
