//! What lies over the board: help, the menu, and questions.

use kingme_rules::Side;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::symbols::border;
use ratatui::widgets::{Block, Clear, Widget};

use super::app::{App, Overlay};
use super::draw::write;
use super::menu::{Field, Menu};

const HELP: [(&str, &str); 17] = [
    ("arrows, h j k l", "move the cursor"),
    ("Enter, Space, click", "select a piece, then its squares"),
    ("m, or a digit", "type a move"),
    ("Esc", "deselect, or take a begun move back"),
    ("u / r", "take back / play again"),
    ("t", "a hint"),
    ("f", "turn the board round"),
    ("e", "show how a program sees its chances"),
    ("s / o", "save / open a PDN file"),
    ("n", "a new game"),
    ("R", "resign"),
    ("q, Ctrl-C", "quit; `kingme play --resume` goes on"),
    ("Ctrl-Z", "back to the shell; `fg` goes on"),
    ("", ""),
    ("< >  selected", "( )  it can go there"),
    ("! !  must capture", "x x  is captured on the way"),
    ("[ ]  the cursor", "? ?  the hint"),
];

/// Draws what lies over the board.
pub fn draw(buffer: &mut Buffer, area: Rect, overlay: &Overlay, app: &App) {
    match overlay {
        Overlay::Help => help(buffer, area, app),
        Overlay::Menu(menu) => draw_menu(buffer, area, menu, app),
        Overlay::Save(text) => question(buffer, area, app, "Save the game as PDN", text),
        Overlay::Open(text) => question(buffer, area, app, "Open a PDN file", text),
        Overlay::Move(text) => question(buffer, area, app, &move_title(app), text),
        Overlay::Resign => question(buffer, area, app, "Give the game up? y / n", ""),
    }
}

/// How a move is written here, by one that is possible.
fn move_title(app: &App) -> String {
    let position = app.sitting.game.position();
    match position.legal_moves().first() {
        Some(mv) => format!("Your move, such as {}", position.move_text(mv)),
        None => "Your move".to_owned(),
    }
}

/// A border of ASCII characters.
const ASCII: border::Set = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// An empty box in the middle; what is inside its border.
fn open_box(buffer: &mut Buffer, area: Rect, size: (u16, u16), title: &str, app: &App) -> Rect {
    let (width, height) = (size.0.min(area.width), size.1.min(area.height));
    let outer = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    let set = if app.look.ascii {
        ASCII
    } else {
        border::ROUNDED
    };
    let block = Block::bordered()
        .border_set(set)
        .title(format!(" {title} "));
    let inner = block.inner(outer);
    Clear.render(outer, buffer);
    block.render(outer, buffer);
    Rect::new(
        inner.x + 1,
        inner.y,
        inner.width.saturating_sub(2),
        inner.height,
    )
}

fn row(area: Rect, row: usize) -> Rect {
    Rect::new(area.x, area.y + row as u16, area.width, 1).intersection(area)
}

fn help(buffer: &mut Buffer, area: Rect, app: &App) {
    let inner = open_box(buffer, area, (66, HELP.len() as u16 + 2), "Keys", app);
    for (at, (keys, what)) in HELP.iter().enumerate() {
        write(
            buffer,
            row(inner, at),
            &format!("{keys:<22} {what}"),
            Style::new(),
        );
    }
}

fn question(buffer: &mut Buffer, area: Rect, app: &App, title: &str, text: &str) {
    let inner = open_box(buffer, area, (60, 3), title, app);
    // The end of a long name is what is being typed.
    let hidden = text
        .chars()
        .count()
        .saturating_sub(usize::from(inner.width).saturating_sub(1));
    let shown: String = text.chars().skip(hidden).collect();
    write(buffer, row(inner, 0), &format!("{shown}_"), Style::new());
}

fn draw_menu(buffer: &mut Buffer, area: Rect, menu: &Menu, app: &App) {
    let inner = open_box(buffer, area, (72, 22), "New game", app);
    let title = format!("Game: {}_", menu.filter);
    write(
        buffer,
        row(inner, 0),
        &title,
        field_style(menu, Field::Game),
    );
    let list = Rect {
        y: inner.y + 1,
        height: inner.height.saturating_sub(9),
        ..inner
    };
    games(buffer, list, menu);
    summary(buffer, inner, menu);
    let below = usize::from(inner.height).saturating_sub(5);
    if let Some(size) = menu.size() {
        let text = format!("Size:   {size} x {size}");
        write(
            buffer,
            row(inner, below),
            &text,
            field_style(menu, Field::Size),
        );
    }
    for (at, side, field) in [
        (1, Side::White, Field::White),
        (2, Side::Black, Field::Black),
    ] {
        let name = side_name(menu, side);
        let text = format!("{:<7} {}", format!("{name}:"), menu.player(side));
        write(
            buffer,
            row(inner, below + at),
            &text,
            field_style(menu, field),
        );
    }
    let keys = "type to search, up/down game, Tab field, left/right change, Enter";
    write(
        buffer,
        row(inner, below + 4),
        keys,
        Style::new().add_modifier(Modifier::DIM),
    );
}

fn side_name(menu: &Menu, side: Side) -> String {
    let fallback = ["White", "Black"][side];
    let variant = menu.variant();
    variant.map_or_else(
        || fallback.to_owned(),
        |variant| variant.definition().sides.names[side].clone(),
    )
}

fn field_style(menu: &Menu, field: Field) -> Style {
    if menu.field == field {
        Style::new().add_modifier(Modifier::REVERSED)
    } else {
        Style::new()
    }
}

fn games(buffer: &mut Buffer, area: Rect, menu: &Menu) {
    let games = menu.games();
    let seen = usize::from(area.height);
    let first = menu
        .marked()
        .saturating_sub(seen / 2)
        .min(games.len().saturating_sub(seen));
    if games.is_empty() {
        write(
            buffer,
            row(area, 0),
            "  No game is called so.",
            Style::new(),
        );
    }
    for (at, variant) in games.iter().enumerate().skip(first).take(seen) {
        let text = format!("{:<16} {}", variant.name(), variant.definition().title);
        let marked = at == menu.marked();
        let sign = if marked { "> " } else { "  " };
        let style = if marked {
            Style::new().add_modifier(Modifier::BOLD)
        } else {
            Style::new()
        };
        write(
            buffer,
            row(area, at - first),
            &format!("{sign}{text}"),
            style,
        );
    }
}

/// What is special about the marked game, in two lines.
fn summary(buffer: &mut Buffer, inner: Rect, menu: &Menu) {
    let Some(variant) = menu.variant() else {
        return;
    };
    let mut lines = vec![String::new()];
    for word in variant.definition().summary.split_whitespace() {
        let line = lines.last_mut().expect("there is a line");
        if line.chars().count() + 1 + word.chars().count() > inner.width.into() {
            lines.push(word.to_owned());
        } else {
            line.push(' ');
            line.push_str(word);
        }
    }
    let from = usize::from(inner.height).saturating_sub(8);
    for (at, line) in lines.iter().take(2).enumerate() {
        write(buffer, row(inner, from + at), line.trim(), Style::new());
    }
}
