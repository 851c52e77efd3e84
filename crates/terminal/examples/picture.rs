//! Prints the real screen as an SVG, for the README:
//! `cargo run -p kingme-terminal --example picture > docs/images/terminal.svg`.

use std::fmt::Write;
use std::time::Instant;

use kingme_rules::{Game, Variant};
use kingme_terminal::screen::{App, draw};
use kingme_terminal::{LocalGame, Options};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

const SIZE: (u16, u16) = (80, 24);
/// Width and height of a character.
const CHARACTER: (u16, u16) = (9, 18);
/// Colours of a terminal that says nothing.
const DEFAULT: (&str, &str) = ("#d8d8d8", "#1c1c1c");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Game::new(&Variant::named("international")?);
    for mv in [
        "32-28", "19-23", "28x19", "14x23", "37-32", "10-14", "41-37", "14-19", "33-29", "5-10",
        "34-30",
    ] {
        game.play_text(mv)?;
    }
    let table = LocalGame::new(game).with_time("5m+3s".parse()?);
    let mut options = Options::new(table);
    options.players = ["human:Ada".parse()?, "human:Bob".parse()?];
    let now = Instant::now();
    let app = App::new(&options, false, Rect::new(0, 0, SIZE.0, SIZE.1), now);
    let mut terminal = Terminal::new(TestBackend::new(SIZE.0, SIZE.1))?;
    terminal.draw(|frame| draw(frame, &app, now))?;
    print!("{}", svg(terminal.backend().buffer()));
    Ok(())
}

fn svg(buffer: &Buffer) -> String {
    let (width, height) = (SIZE.0 * CHARACTER.0, SIZE.1 * CHARACTER.1);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"DejaVu Sans Mono, monospace\" font-size=\"15\" xml:space=\"preserve\">\n\
         <title>International draughts in a terminal</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
        DEFAULT.1
    );
    for row in 0..SIZE.1 {
        for column in 0..SIZE.0 {
            character(&mut text, &buffer[(column, row)], column, row);
        }
    }
    text + "</svg>\n"
}

fn character(text: &mut String, cell: &Cell, column: u16, row: u16) {
    let (x, y) = (column * CHARACTER.0, row * CHARACTER.1);
    let (mut front, mut back) = (colour(cell.fg, DEFAULT.0), colour(cell.bg, DEFAULT.1));
    if cell.modifier.contains(Modifier::REVERSED) {
        std::mem::swap(&mut front, &mut back);
    }
    if back != DEFAULT.1 {
        let (width, height) = CHARACTER;
        let _ = writeln!(
            text,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{back}\" shape-rendering=\"crispEdges\"/>"
        );
    }
    match blocks(cell.symbol()) {
        Some(quarters) => block(text, quarters, (x, y), &front),
        None if cell.symbol().trim().is_empty() => {}
        None => letter(text, cell, (x, y), &front),
    }
}

fn letter(text: &mut String, cell: &Cell, (x, y): (u16, u16), front: &str) {
    let weight = if cell.modifier.contains(Modifier::BOLD) {
        " font-weight=\"bold\""
    } else {
        ""
    };
    let opacity = if cell.modifier.contains(Modifier::DIM) {
        " opacity=\"0.6\""
    } else {
        ""
    };
    let symbol = cell.symbol().replace('&', "&amp;").replace('<', "&lt;");
    let y = y + 14;
    let _ = writeln!(
        text,
        "<text x=\"{x}\" y=\"{y}\" fill=\"{front}\"{weight}{opacity}>{symbol}</text>"
    );
}

/// Which quarters of its cell a block character fills: upper left, upper right, lower left, lower
/// right. Drawn as shapes they fit together in every font.
fn blocks(symbol: &str) -> Option<[bool; 4]> {
    let filled = match symbol {
        "█" => 0b1111,
        "▟" => 0b0111,
        "▙" => 0b1011,
        "▜" => 0b1101,
        "▛" => 0b1110,
        "▄" => 0b0011,
        "▀" => 0b1100,
        "▗" => 0b0001,
        "▖" => 0b0010,
        "▝" => 0b0100,
        "▘" => 0b1000,
        "▐" => 0b0101,
        "▌" => 0b1010,
        _ => return None,
    };
    Some([3, 2, 1, 0].map(|bit| filled >> bit & 1 == 1))
}

fn block(text: &mut String, quarters: [bool; 4], (x, y): (u16, u16), front: &str) {
    let (width, height) = (f32::from(CHARACTER.0) / 2.0, f32::from(CHARACTER.1) / 2.0);
    for (quarter, _) in quarters.iter().enumerate().filter(|(_, filled)| **filled) {
        let left = f32::from(x) + width * (quarter % 2) as f32;
        let top = f32::from(y) + height * (quarter / 2) as f32;
        let _ = writeln!(
            text,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"{front}\" shape-rendering=\"crispEdges\"/>"
        );
    }
}

fn colour(colour: Color, default: &str) -> String {
    match colour {
        Color::Indexed(index @ 16..=231) => {
            let level = |step: u8| {
                if step == 0 {
                    0
                } else {
                    55 + 40 * u32::from(step)
                }
            };
            let cube = index - 16;
            let [red, green, blue] = [cube / 36, cube / 6 % 6, cube % 6].map(level);
            format!("#{red:02x}{green:02x}{blue:02x}")
        }
        Color::Indexed(index @ 232..) => {
            let grey = 8 + 10 * u32::from(index - 232);
            format!("#{grey:02x}{grey:02x}{grey:02x}")
        }
        Color::Yellow => "#d7af00".to_owned(),
        _ => default.to_owned(),
    }
}
