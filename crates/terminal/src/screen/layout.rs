//! Where everything is on the screen.

use kingme_rules::Board;
use ratatui::layout::{Position as Place, Rect};

/// Columns at the left for the names of rows.
const LABELS: u16 = 4;
/// Columns that the panel needs, and those it is given at most.
const PANEL: (u16, u16) = (24, 40);
/// Sizes of a square, the best first.
const SIZES: [(u16, u16); 4] = [(8, 4), (6, 3), (4, 2), (3, 1)];

/// The parts of the screen, computed from nothing but its size and the board's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The line on top.
    pub title: Rect,
    /// The squares that are seen.
    pub board: Rect,
    /// Size of a square.
    pub cell: (u16, u16),
    /// The first row and the first column that are seen.
    pub first: (usize, usize),
    /// How many rows and columns are seen.
    pub seen: (usize, usize),
    /// Moves and clocks; `None` if there is no room.
    pub panel: Option<Rect>,
    /// The line for messages.
    pub message: Rect,
    /// The line for keys.
    pub keys: Rect,
}

impl Layout {
    /// The layout of a screen, scrolled so that the cursor is seen.
    pub fn new(area: Rect, board: &Board, cursor: (usize, usize)) -> Layout {
        let (rows, columns) = (usize::from(board.rows()), usize::from(board.columns()));
        let height = area.height.saturating_sub(4);
        let width = area.width.saturating_sub(LABELS + 1);
        let beside = width.saturating_sub(PANEL.0);
        let fits = |width: u16| {
            let fit =
                |&(w, h): &(u16, u16)| columns as u16 * w <= width && rows as u16 * h <= height;
            SIZES.into_iter().find(fit)
        };
        let wide = fits(beside);
        let smallest = SIZES[SIZES.len() - 1];
        let cell = wide.or_else(|| fits(width)).unwrap_or(smallest);
        let has_panel = wide.is_some() || beside / cell.0 >= 8;
        let room = (
            height / cell.1,
            (if has_panel { beside } else { width }) / cell.0,
        );
        let seen = (rows.min(room.0.into()), columns.min(room.1.into()));
        let board = Rect {
            x: area.x + LABELS,
            y: area.y + 1,
            width: seen.1 as u16 * cell.0,
            height: seen.0 as u16 * cell.1,
        };
        let line = |y: u16| Rect::new(area.x, area.y + y, area.width, 1).intersection(area);
        Layout {
            title: line(0),
            board,
            cell,
            first: (
                scrolled(cursor.0, seen.0, rows),
                scrolled(cursor.1, seen.1, columns),
            ),
            seen,
            panel: has_panel.then(|| panel(area, board)),
            message: line(area.height.saturating_sub(2)),
            keys: line(area.height.saturating_sub(1)),
        }
    }

    /// The square on the screen at a place, as row and column.
    pub fn at(&self, column: u16, row: u16) -> Option<(usize, usize)> {
        self.board.contains(Place::new(column, row)).then(|| {
            let row = (row - self.board.y) / self.cell.1;
            let column = (column - self.board.x) / self.cell.0;
            (
                self.first.0 + usize::from(row),
                self.first.1 + usize::from(column),
            )
        })
    }

    /// Where a square is drawn, if it is seen.
    pub fn cell_at(&self, row: usize, column: usize) -> Option<Rect> {
        let (row, column) = (
            row.checked_sub(self.first.0)?,
            column.checked_sub(self.first.1)?,
        );
        (row < self.seen.0 && column < self.seen.1).then(|| Rect {
            x: self.board.x + column as u16 * self.cell.0,
            y: self.board.y + row as u16 * self.cell.1,
            width: self.cell.0,
            height: self.cell.1,
        })
    }
}

fn panel(area: Rect, board: Rect) -> Rect {
    let x = board.right() + 5;
    let width = area.right().saturating_sub(x).min(PANEL.1);
    Rect::new(x, area.y + 1, width, area.height.saturating_sub(3)).intersection(area)
}

/// The first line that is seen, so that the cursor is in the middle where possible.
fn scrolled(cursor: usize, seen: usize, all: usize) -> usize {
    cursor
        .saturating_sub(seen / 2)
        .min(all.saturating_sub(seen))
}

#[cfg(test)]
mod tests {
    use kingme_rules::Variant;

    use super::*;

    fn layout(width: u16, height: u16, size: u32, cursor: (usize, usize)) -> Layout {
        let variant = Variant::named("league").unwrap().sized(size).unwrap();
        Layout::new(Rect::new(0, 0, width, height), variant.board(), cursor)
    }

    #[test]
    fn a_large_terminal_is_used() {
        for size in [8, 10, 12] {
            let layout = layout(120, 40, size, (0, 0));
            assert!(layout.board.height >= 30, "{size}: {layout:?}");
            let panel = layout.panel.unwrap();
            assert!(panel.right() >= 108, "{size}: {layout:?}");
        }
    }

    #[test]
    fn common_boards_are_whole_on_a_common_terminal() {
        for size in [8, 10] {
            let layout = layout(80, 24, size, (0, 0));
            assert_eq!(layout.seen, (size as usize, size as usize));
            assert_eq!(layout.cell, (4, 2));
            assert!(layout.panel.unwrap().width >= 24, "{layout:?}");
        }
    }

    #[test]
    fn large_boards_shrink_and_small_terminals_scroll() {
        assert_eq!(layout(80, 24, 12, (0, 0)).cell, (3, 1));
        let end = layout(80, 24, 26, (25, 25));
        assert_eq!(
            (end.first.0 + end.seen.0, end.first.1 + end.seen.1),
            (26, 26)
        );
        assert!(end.cell_at(25, 25).is_some());
        assert!(end.cell_at(0, 0).is_none());
        assert!(layout(30, 10, 8, (7, 7)).cell_at(7, 7).is_some());
    }

    #[test]
    fn large_terminals_have_large_squares() {
        assert_eq!(layout(160, 50, 10, (0, 0)).cell, (8, 4));
    }

    #[test]
    fn no_terminal_is_too_small() {
        for width in 0..40 {
            for height in 0..12 {
                let layout = layout(width, height, 10, (9, 9));
                let screen = Rect::new(0, 0, width, height);
                assert_eq!(layout.keys.intersection(screen), layout.keys);
            }
        }
    }

    #[test]
    fn clicks_find_their_square() {
        let layout = layout(80, 24, 8, (0, 0));
        assert_eq!(layout.at(4, 1), Some((0, 0)));
        assert_eq!(layout.at(4 + 31, 16), Some((7, 7)));
        assert_eq!(layout.at(3, 1), None);
        assert_eq!(layout.at(4 + 32, 1), None);
    }
}
