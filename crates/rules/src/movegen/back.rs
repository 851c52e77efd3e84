//! Quiet moves backwards: what may have led to a position, for tables of solved endings.

use super::is_up;
use super::step::{Mover, back, each_direction, each_kind, step};
use crate::Side;
use crate::bit_position::BitPosition;
use crate::bits::Bits;
use crate::keys::Keys;
use crate::ruleset::Ruleset;
use crate::variant::Range;

/// Calls `visit(kind, from, to)` for every quiet move, promotions left out, that the side not to
/// move may have just made: its piece stands on `to` now and stood on `from`.
///
/// Whether the move was legal where it was made is not asked: a capture may have been compulsory.
/// Limits of quiet moves in a row are not looked at.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn unquiets<R: Ruleset>(
    rules: R,
    position: &BitPosition<R::Bits>,
    visit: impl FnMut(u8, usize, usize),
) {
    // `UP` is about the side to move, and here the other one has side.
    if is_up(rules.keys(), position) {
        unquiets_of::<R, true>(rules, position, visit);
    } else {
        unquiets_of::<R, false>(rules, position, visit);
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn unquiets_of<R: Ruleset, const UP: bool>(
    rules: R,
    position: &BitPosition<R::Bits>,
    mut visit: impl FnMut(u8, usize, usize),
) {
    let mover = Mover::<R, UP>::new(rules, position);
    let side: Side = !position.turn();
    each_kind!(R::UNROLL, mover.keys().kinds, kind => {
        let keys = mover.keys();
        let promotes = mover.kind(kind).becomes != kind;
        let room = if promotes {
            mover.empty & !rules.layout().promotion[side]
        } else {
            mover.empty
        };
        let directions = Keys::absolute(mover.kind(kind).moves, !UP);
        for to in position.pieces(rules, side, kind).members() {
            let piece = R::Bits::bit(to);
            let mut origins = R::Bits::EMPTY;
            match mover.kind(kind).range {
                Range::Step => each_direction!(R::UNROLL, directions, direction => {
                    origins = origins | step(keys, piece, back(direction));
                }),
                Range::Slide => each_direction!(R::UNROLL, directions, direction => {
                    let mut at = step(keys, piece, back(direction)) & mover.empty;
                    while !at.is_empty() {
                        origins = origins | at;
                        at = step(keys, at, back(direction)) & mover.empty;
                    }
                }),
                Range::Leap => each_direction!(R::UNROLL, directions, direction => {
                    let over = step(keys, piece, back(direction)) & mover.enemy;
                    origins = origins | step(keys, over, back(direction));
                }),
                Range::Anywhere => origins = mover.empty,
            }
            for from in (origins & room).members() {
                visit(kind, from, to);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crate::movegen::{self, MoveList};
    use crate::{Bits, Position, Ruleset, Side, Variant, Visitor};

    /// Every quiet move of a position is among the un-moves of the position after it.
    struct Undoes;

    impl Visitor for Undoes {
        type Output = usize;
        fn visit<R: Ruleset>(self, rules: R, position: &crate::BitPosition<R::Bits>) -> usize {
            let mut list = MoveList::new();
            movegen::quiets(rules, position, &mut list);
            let quiet: Vec<_> = list.iter().filter(|mv| !mv.is_promotion()).collect();
            for mv in &quiet {
                let next = position.play(rules, mv);
                let mut found = HashSet::new();
                movegen::unquiets(rules, &next, |kind, from, to| {
                    assert!(found.insert((kind, from as u16, to as u16)), "twice");
                });
                assert!(found.contains(&(mv.kind, mv.from, mv.to)), "{mv:?}");
                assert!(
                    found
                        .iter()
                        .all(|(_, from, _)| !next.occupied().has((*from).into()))
                );
            }
            quiet.len()
        }
    }

    #[test]
    fn every_quiet_move_has_its_un_move() {
        for name in Variant::names() {
            let variant = Variant::named(name).unwrap();
            let mut position = variant.start();
            let mut seen = 0;
            for ply in 0..60 {
                seen += position.visit(Undoes).unwrap();
                let moves = position.legal_moves();
                let Some(mv) = moves.get(ply * 7 % moves.len().max(1)) else {
                    break;
                };
                position = position.play(mv).unwrap();
            }
            assert!(seen > 0, "{name}");
        }
    }

    #[test]
    fn a_man_does_not_come_from_its_promotion_row() {
        struct Origins;
        impl Visitor for Origins {
            type Output = Vec<String>;
            fn visit<R: Ruleset>(
                self,
                rules: R,
                position: &crate::BitPosition<R::Bits>,
            ) -> Vec<String> {
                let mut origins = Vec::new();
                movegen::unquiets(rules, position, |_, from, _| {
                    origins.push((rules.layout().square(from).index() + 1).to_string());
                });
                origins
            }
        }
        let turkish = Variant::named("turkish").unwrap();
        let position = Position::from_fen(&turkish, "B:Wc7:Bh8").unwrap();
        assert_eq!(position.turn(), Side::Black);
        // c6 behind it, b7 and d7 beside it; c8 is where men promote.
        assert_eq!(position.visit(Origins).unwrap(), ["10", "12", "19"]);
    }
}
