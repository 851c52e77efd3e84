//! What every game knows before it has learned anything: pieces, steps forward and mobility.

use kingme_rules::variant::{Range, Stuck};
use kingme_rules::{Piece, Side, Variant};

use super::parameters::Parameters;
use super::weights::{Form, STEPS, Weights};

/// A man's worth.
const MAN: i32 = 100;
/// A man's worth more for each row it has gone.
const STEP: i32 = 2;
/// Worth of a move more.
const MOBILITY: i32 = 2;

impl Weights {
    /// Material and mobility, for games that nobody has trained.
    pub fn material(variant: &Variant) -> Weights {
        let definition = variant.definition();
        let parameters = Parameters::new(variant, Form::Squares);
        // Where being stuck wins, pieces are a burden.
        let sign = if definition.end.stuck == Stuck::Wins {
            -1
        } else {
            1
        };
        let mut values = vec![0; 2 * parameters.count()];
        for kind in 0..definition.kinds.len() {
            for square in variant.board().squares() {
                for side in Side::BOTH {
                    let points = sign * worth(variant, kind)
                        + if kind == Piece::MAN {
                            STEP * rows_gone(variant, side, square)
                        } else {
                            0
                        };
                    let weight = parameters.piece(side, kind, square).weight as usize;
                    values[2 * weight..2 * weight + 2].fill((points * STEPS) as i16);
                }
            }
        }
        Weights {
            variant: variant.name().to_owned(),
            form: Form::Squares,
            date: String::new(),
            positions: 0,
            result: "untrained".to_owned(),
            values,
            mobility: sign * MOBILITY,
        }
    }
}

fn worth(variant: &Variant, kind: usize) -> i32 {
    let kinds = &variant.definition().kinds;
    if kind == Piece::MAN {
        return MAN;
    }
    match kinds[kind].range {
        Range::Slide => 3 * MAN,
        Range::Step | Range::Leap => 3 * MAN / 2,
        Range::Anywhere => 2 * MAN,
    }
}

fn rows_gone(variant: &Variant, side: Side, square: kingme_rules::Square) -> i32 {
    let (row, _) = variant.board().row_column(square);
    if side == variant.definition().sides.top {
        row as i32
    } else {
        i32::from(variant.board().rows()) - 1 - row as i32
    }
}
