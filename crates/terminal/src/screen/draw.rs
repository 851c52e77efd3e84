//! Drawing the screen. Nothing here changes it.

use std::time::Instant;

use kingme_rules::variant::{SquareNames, Squares};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use super::app::App;
use super::layout::Layout;
use super::look::{self, CURSOR, Mark, UNUSED};
use super::sitting::Marks;
use super::{overlay, panel};

/// Draws everything.
pub fn draw(frame: &mut Frame, app: &App, now: Instant) {
    let area = frame.area();
    let layout = app.layout(area);
    let buffer = frame.buffer_mut();
    title(buffer, &layout, app);
    board(buffer, &layout, app);
    labels(buffer, &layout, app);
    if let Some(area) = layout.panel {
        panel::draw(buffer, area, app, now);
    }
    message(buffer, &layout, app);
    keys(buffer, &layout);
    if let Some(open) = &app.overlay {
        overlay::draw(buffer, area, open, app);
    }
}

/// Writes a line, cut off where the area or the screen ends.
pub fn write(buffer: &mut Buffer, area: Rect, text: &str, style: Style) {
    let area = area.intersection(buffer.area);
    if !area.is_empty() {
        buffer.set_stringn(area.x, area.y, text, area.width.into(), style);
    }
}

fn title(buffer: &mut Buffer, layout: &Layout, app: &App) {
    let position = app.sitting.game.position();
    let definition = position.variant().definition();
    let state = match app.sitting.game.end() {
        Some(end) => end.words.clone(),
        None => format!("{} to move", definition.sides.names[position.turn()]),
    };
    let style = Style::new().add_modifier(Modifier::BOLD);
    write(
        buffer,
        layout.title,
        &format!(" {}: {state}", definition.title),
        style,
    );
}

fn message(buffer: &mut Buffer, layout: &Layout, app: &App) {
    let style = Style::new().fg(Color::Yellow);
    write(
        buffer,
        layout.message,
        &format!(" {}", app.sitting.message),
        style,
    );
}

/// The keys that are shown where there is room, the most important first.
const KEYS: [&str; 9] = [
    "arrows move",
    "Enter selects",
    "u undo",
    "t hint",
    "f flip",
    "n new",
    "m type a move",
    "s save",
    "R resign",
];

/// What is always shown: the way to all other keys.
const MORE_KEYS: &str = "? help  q quit";

fn keys(buffer: &mut Buffer, layout: &Layout) {
    let room = usize::from(layout.keys.width);
    let mut text = " ".to_owned();
    for key in KEYS {
        if text.len() + key.len() + 3 + MORE_KEYS.len() <= room {
            text = text + key + "   ";
        }
    }
    let dim = Style::new().add_modifier(Modifier::DIM);
    write(buffer, layout.keys, &(text + MORE_KEYS), dim);
}

fn board(buffer: &mut Buffer, layout: &Layout, app: &App) {
    let marks = app.sitting.marks();
    for row in layout.first.0..layout.first.0 + layout.seen.0 {
        for column in layout.first.1..layout.first.1 + layout.seen.1 {
            if let Some(area) = layout.cell_at(row, column) {
                cell(buffer, area, app, (row, column), &marks);
            }
        }
    }
}

/// A square: its colour, its name or its piece, and its signs.
fn cell(buffer: &mut Buffer, area: Rect, app: &App, place: (usize, usize), marks: &Marks) {
    let sitting = &app.sitting;
    let has_cursor = sitting.cursor == place && sitting.game.end().is_none();
    let square = sitting.square_at(place);
    let mark = square.map_or(Mark::Plain, |square| sitting.mark(square, marks));
    let background = match square {
        _ if has_cursor => CURSOR.0,
        None => UNUSED,
        Some(_) => mark.background(is_shaded(app, place)),
    };
    fill(buffer, area, background);
    let piece = square.and_then(|square| sitting.piece(square));
    if let Some(piece) = piece {
        draw_piece(buffer, area, app, piece, background);
    } else if let Some(square) = square {
        let name = sitting.game.game().variant().board().name(square);
        if area.height > 1 && name.len() < area.width.into() {
            write(
                buffer,
                row_of(area, 0),
                &name,
                look::square_name(background),
            );
        }
        if mark == Mark::Target {
            centred(
                buffer,
                area,
                if app.look.ascii { "." } else { "•" },
                background,
            );
        }
    }
    let edges = if has_cursor {
        Some(CURSOR.1)
    } else {
        mark.edges()
    };
    if let Some(edges) = edges {
        draw_edges(buffer, area, edges, background);
    }
}

/// Where all squares are played on, neighbours differ.
fn is_shaded(app: &App, (row, column): (usize, usize)) -> bool {
    let board = app.sitting.game.game().variant().board();
    board.kind() == Squares::All && (row + column).is_multiple_of(2)
}

fn fill(buffer: &mut Buffer, area: Rect, background: Color) {
    for row in 0..area.height {
        let blank = " ".repeat(area.width.into());
        write(
            buffer,
            row_of(area, row),
            &blank,
            Style::new().bg(background),
        );
    }
}

fn row_of(area: Rect, row: u16) -> Rect {
    Rect::new(area.x, area.y + row, area.width, 1)
}

fn centred(buffer: &mut Buffer, area: Rect, text: &str, background: Color) {
    let mut place = row_of(area, area.height / 2);
    place.x += area.width.saturating_sub(1) / 2;
    place.width = 1;
    write(buffer, place, text, look::sign(background));
}

fn draw_piece(
    buffer: &mut Buffer,
    area: Rect,
    app: &App,
    piece: kingme_rules::Piece,
    background: Color,
) {
    let position = app.sitting.game.position();
    let colour = look::piece_colour(position, piece);
    let style = Style::new()
        .fg(colour)
        .bg(background)
        .add_modifier(Modifier::BOLD);
    if area.height == 1 {
        let mut middle = area;
        middle.x += 1;
        write(buffer, middle, &app.look.small(position, piece), style);
        return;
    }
    // Large squares leave a margin around their piece.
    let disc = if area.width >= 6 { shrunk(area) } else { area };
    for row in 0..disc.height {
        let text = app
            .look
            .disc(disc.width.into(), disc.height.into(), row.into());
        write(buffer, row_of(disc, row), &text, style);
    }
    let mut middle = row_of(disc, (disc.height - 1) / 2);
    middle.x += disc.width / 2 - 1;
    middle.width = 2;
    let emblem = if app.look.ascii {
        style
    } else {
        style.fg(emblem_or_piece(colour, piece)).bg(colour)
    };
    write(buffer, middle, &app.look.emblem(position, piece), emblem);
}

fn emblem_or_piece(colour: Color, piece: kingme_rules::Piece) -> Color {
    if piece.kind == kingme_rules::Piece::MAN {
        colour
    } else {
        look::emblem_colour(colour)
    }
}

fn shrunk(area: Rect) -> Rect {
    Rect::new(area.x + 1, area.y, area.width - 2, area.height)
}

fn draw_edges(buffer: &mut Buffer, area: Rect, edges: (&str, &str), background: Color) {
    let mut left = row_of(area, area.height / 2);
    left.width = 1;
    let mut right = left;
    right.x = area.right() - 1;
    write(buffer, left, edges.0, look::sign(background));
    write(buffer, right, edges.1, look::sign(background));
}

/// Names of rows at both sides and of columns below.
fn labels(buffer: &mut Buffer, layout: &Layout, app: &App) {
    let style = Style::new().add_modifier(Modifier::DIM);
    for row in layout.first.0..layout.first.0 + layout.seen.0 {
        let Some(cell) = layout.cell_at(row, layout.first.1) else {
            continue;
        };
        let (left, right) = row_names(app, row);
        let y = cell.y + cell.height / 2;
        let text = format!("{left:>3}");
        write(
            buffer,
            Rect::new(layout.board.x.saturating_sub(4), y, 3, 1),
            &text,
            style,
        );
        write(
            buffer,
            Rect::new(layout.board.right() + 1, y, 3, 1),
            &right,
            style,
        );
    }
    for column in layout.first.1..layout.first.1 + layout.seen.1 {
        let Some(cell) = layout.cell_at(layout.first.0, column) else {
            continue;
        };
        let x = cell.x + (cell.width - 1) / 2;
        let place = Rect::new(x, layout.board.bottom(), 2, 1);
        if place.y < layout.message.y {
            write(buffer, place, &column_name(app, column), style);
        }
    }
}

fn row_names(app: &App, row: usize) -> (String, String) {
    let variant = app.sitting.game.game().variant();
    let board = variant.board();
    let (row_on_board, _) = app.sitting.turned((row, 0));
    match variant.definition().notation.squares {
        SquareNames::Numbers => {
            let places = (0..board.columns().into()).map(|column| (row, column));
            let squares: Vec<_> = places
                .filter_map(|place| app.sitting.square_at(place))
                .collect();
            let name = |square: Option<&kingme_rules::Square>| {
                square.map_or_else(String::new, |&square| board.number(square).to_string())
            };
            (name(squares.first()), name(squares.last()))
        }
        SquareNames::RowColumn => (row_on_board.to_string(), String::new()),
        SquareNames::Letters | SquareNames::Capitals => {
            (board.rank(row_on_board).to_string(), String::new())
        }
    }
}

fn column_name(app: &App, column: usize) -> String {
    let variant = app.sitting.game.game().variant();
    let (_, column) = app.sitting.turned((0, column));
    match variant.definition().notation.squares {
        SquareNames::Numbers => String::new(),
        SquareNames::RowColumn => column.to_string(),
        SquareNames::Letters => variant.board().file('a', column).to_string(),
        SquareNames::Capitals => variant.board().file('A', column).to_string(),
    }
}
