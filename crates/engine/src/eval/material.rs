//! What every game knows before it has learned anything: pieces, steps forward and mobility.

use kingme_rules::variant::{Range, Stuck};
use kingme_rules::{Piece, Position, Side, Variant};

use super::parameters::Parameters;
use super::weights::{Form, STEPS, Weights};
use crate::score::Score;

/// A man's worth.
const MAN: i32 = 100;
/// A man's worth more for each row it has gone.
const STEP: i32 = 2;
/// Worth of a move more.
const MOBILITY: i32 = 2;

/// Pieces and steps forward, counted piece by piece: for boards that are too large for bits.
pub(crate) struct Material {
    variant: Variant,
    /// By kind.
    worth: Vec<i32>,
}

impl Material {
    pub fn new(variant: &Variant) -> Material {
        let kinds = 0..variant.definition().kinds.len();
        Material {
            variant: variant.clone(),
            worth: kinds
                .map(|kind| sign(variant) * worth(variant, kind))
                .collect(),
        }
    }

    /// What a position is worth to the side to move.
    pub fn of(&self, position: &Position) -> Score {
        let mut points = 0;
        position.each_piece(&mut |square, piece| {
            let mut worth = self.worth[piece.kind];
            if piece.kind == Piece::MAN {
                worth += STEP * rows_gone(&self.variant, piece.side, square);
            }
            points += if piece.side == position.turn() {
                worth
            } else {
                -worth
            };
        });
        Score::points(points)
    }
}

impl Weights {
    /// Material and mobility, for games that nobody has trained.
    pub fn material(variant: &Variant) -> Weights {
        let definition = variant.definition();
        let parameters = Parameters::new(variant, Form::Squares);
        let sign = sign(variant);
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

/// Where being stuck wins, pieces are a burden.
fn sign(variant: &Variant) -> i32 {
    match variant.definition().end.stuck {
        Stuck::Wins => -1,
        Stuck::Loses | Stuck::MostPieces => 1,
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
