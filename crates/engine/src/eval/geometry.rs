//! Windows of four by two playable squares, made from any board.

use kingme_rules::variant::Squares;
use kingme_rules::{Board, Side, Square, Variant};

/// Squares of a window.
pub(crate) const WINDOW: usize = 8;
/// What a window can look like: each square empty, with a white man or with a black man.
pub(crate) const PATTERNS: usize = 3_usize.pow(WINDOW as u32);
/// Windows overlap as much as this number allows.
const MANY: usize = 40;

/// The windows of a board, and its symmetry.
#[derive(Clone, Debug)]
pub(crate) struct Geometry {
    /// The squares of each window, four rows of two; missing ones are `None`.
    pub(crate) windows: Vec<[Option<Square>; WINDOW]>,
    /// Each window's place after half a turn of the board.
    pub(crate) partner: Vec<usize>,
    /// Each square's place after half a turn, if the board looks the same then.
    pub(crate) turned: Option<Vec<Square>>,
    /// Number of squares.
    pub(crate) squares: usize,
}

impl Geometry {
    /// The geometry of a game's board.
    pub fn new(variant: &Variant) -> Geometry {
        let board = variant.board();
        let turned = half_turn(board);
        let corners = corners(board);
        let windows: Vec<_> = corners
            .iter()
            .map(|&corner| window(board, corner))
            .collect();
        let partner = match &turned {
            Some(turned) => partners(&windows, turned),
            None => (0..windows.len()).collect(),
        };
        Geometry {
            windows,
            partner,
            turned,
            squares: board.len(),
        }
    }

    /// How a pattern of a window looks to the other side: half a turn and the colours swapped.
    pub(crate) fn swapped(pattern: usize) -> usize {
        let mut rest = pattern;
        let mut swapped = 0;
        for _ in 0..WINDOW {
            let colour = match rest % 3 {
                1 => 2,
                2 => 1,
                _ => 0,
            };
            // The last square becomes the first.
            swapped = swapped * 3 + colour;
            rest /= 3;
        }
        swapped
    }

    /// What a man of a side adds to the pattern at a place in its window.
    pub(crate) fn digit(side: Side, place: usize) -> u16 {
        let colour = match side {
            Side::White => 1,
            Side::Black => 2,
        };
        colour * 3_u16.pow(place as u32)
    }
}

/// Columns of playable squares.
fn playable_columns(board: &Board) -> usize {
    let columns = usize::from(board.columns());
    match board.kind() {
        Squares::All => columns,
        Squares::Even | Squares::Odd => columns.div_ceil(2),
    }
}

fn square_at(board: &Board, row: usize, column: usize) -> Option<Square> {
    match board.kind() {
        Squares::All => board.at(row, column),
        Squares::Even | Squares::Odd => board
            .at(row, 2 * column)
            .or_else(|| board.at(row, 2 * column + 1)),
    }
}

fn window(board: &Board, (row, column): (usize, usize)) -> [Option<Square>; WINDOW] {
    std::array::from_fn(|place| square_at(board, row + place / 2, column + place % 2))
}

/// The first squares of the windows: as many as are wanted, covering the board.
fn corners(board: &Board) -> Vec<(usize, usize)> {
    let (rows, columns) = (usize::from(board.rows()), playable_columns(board));
    let with_steps = |(row_step, column_step)| {
        let mut corners = Vec::new();
        for row in offsets(rows, 4, row_step) {
            for column in offsets(columns, 2, column_step) {
                corners.push((row, column));
            }
        }
        corners
    };
    [(1, 1), (2, 1), (2, 2), (4, 2)]
        .into_iter()
        .map(with_steps)
        .find(|corners| corners.len() <= MANY)
        .unwrap_or_else(|| with_steps((4, 2)))
}

/// Where windows of a length begin, the last one at the edge.
fn offsets(length: usize, window: usize, step: usize) -> Vec<usize> {
    let last = length.saturating_sub(window);
    let mut offsets: Vec<usize> = (0..last).step_by(step).collect();
    offsets.push(last);
    offsets
}

/// Each square's place after half a turn, if the board looks the same then.
pub(super) fn half_turn(board: &Board) -> Option<Vec<Square>> {
    board
        .squares()
        .map(|square| {
            let (row, column) = board.row_column(square);
            board.at(
                usize::from(board.rows()) - 1 - row,
                usize::from(board.columns()) - 1 - column,
            )
        })
        .collect()
}

fn partners(windows: &[[Option<Square>; WINDOW]], turned: &[Square]) -> Vec<usize> {
    windows
        .iter()
        .enumerate()
        .map(|(index, window)| {
            let mut image = window.map(|square| square.map(|square| turned[square.index()]));
            image.reverse();
            // Windows that are not spread evenly may have no partner; they stand alone.
            let partner = windows.iter().position(|other| *other == image);
            partner.unwrap_or(index)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn geometry(name: &str) -> Geometry {
        Geometry::new(&Variant::named(name).unwrap())
    }

    #[test]
    fn windows_of_well_known_boards() {
        assert_eq!(geometry("english").windows.len(), 15);
        assert_eq!(geometry("international").windows.len(), 28);
        assert_eq!(geometry("turkish").windows.len(), 35);
    }

    #[test]
    fn every_square_of_every_game_is_in_a_window() {
        for name in Variant::names() {
            let geometry = geometry(name);
            let mut seen = vec![false; geometry.squares];
            for square in geometry.windows.iter().flatten().flatten() {
                seen[square.index()] = true;
            }
            assert!(seen.iter().all(|&seen| seen), "{name}");
        }
    }

    #[test]
    fn the_largest_board_has_few_enough_windows() {
        let stupid = Variant::named("turkish").unwrap();
        let mut definition = stupid.definition().clone();
        definition.board.columns = 26;
        definition.board.rows = 26;
        let large = Variant::from_definition(definition).unwrap();
        let checkered = Variant::named("english").unwrap().sized(36).unwrap();
        assert!(checkered.has_bits());
        for variant in [large, checkered] {
            assert!(Geometry::new(&variant).windows.len() <= super::super::lanes::LANES);
        }
    }

    #[test]
    fn partners_are_mutual_and_patterns_turn_back() {
        let geometry = geometry("international");
        for (index, &partner) in geometry.partner.iter().enumerate() {
            assert_eq!(geometry.partner[partner], index);
        }
        for pattern in [0, 1, 17, 6560, 4321] {
            assert_eq!(Geometry::swapped(Geometry::swapped(pattern)), pattern);
        }
        assert_eq!(Geometry::swapped(1), 2 * 3_usize.pow(7));
    }
}
