//! Beside the board: who plays, clocks, and the moves.

use std::time::{Duration, Instant};

use kingme_rules::Side;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::app::App;
use super::draw::write;

/// Draws the panel: the player on top, the moves, the player at the bottom.
pub fn draw(buffer: &mut Buffer, area: Rect, app: &App, now: Instant) {
    if area.height < 6 {
        return;
    }
    let bottom = app.sitting.bottom;
    let line = |row: u16| Rect::new(area.x, area.y + row, area.width, 1);
    player(buffer, line(0), app, !bottom, now);
    let last = area.height - 1;
    player(buffer, line(last), app, bottom, now);
    let mut moves_area = Rect::new(area.x, area.y + 2, area.width, area.height - 4);
    if let Some((side, score)) = app.sitting.score.filter(|_| app.score) {
        let names = &app.sitting.game.game().variant().definition().sides.names;
        let text = view(&names[side], score);
        write(buffer, line(last - 1), &text, Style::new());
        moves_area.height -= 1;
    }
    moves(buffer, moves_area, app);
}

fn player(buffer: &mut Buffer, area: Rect, app: &App, side: Side, now: Instant) {
    let sitting = &app.sitting;
    let position = sitting.game.position();
    let name = &position.variant().definition().sides.names[side];
    let is_turn = sitting.game.end().is_none() && position.turn() == side;
    let arrow = if is_turn { "> " } else { "  " };
    let (count, player) = (position.count(side), &sitting.players[side]);
    // The clock may cover the end of a long player's name, and nothing else.
    let text = format!("{arrow}{name} {count}  {player}");
    let style = if is_turn {
        Style::new().add_modifier(Modifier::BOLD)
    } else {
        Style::new()
    };
    write(buffer, area, &text, style);
    if let Some(left) = sitting.game.left(side, now) {
        let clock = clock(left);
        let mut right = area;
        right.x = area.right().saturating_sub(clock.len() as u16 + 1);
        right.width = area.right() - right.x;
        write(buffer, right, &format!(" {clock}"), style);
    }
}

/// A program's scores beyond this are proven ends.
const PROVEN: f32 = 100.0;

/// How a side's program sees its chances.
fn view(name: &str, score: f32) -> String {
    match score {
        _ if score > PROVEN => format!("{name} sees a win"),
        _ if score < -PROVEN => format!("{name} sees a loss"),
        _ => format!("{name}'s view: {score:+.2} men"),
    }
}

/// A clock: `4:58`, with tenths at the end.
fn clock(left: Duration) -> String {
    let seconds = left.as_secs();
    if seconds < 10 {
        format!("0:{seconds:02}.{}", left.subsec_millis() / 100)
    } else {
        format!("{}:{:02}", seconds / 60, seconds % 60)
    }
}

/// The last moves that fit, in two columns, the last one marked.
fn moves(buffer: &mut Buffer, area: Rect, app: &App) {
    let game = app.sitting.game.game();
    let texts = game.move_texts();
    let skipped = usize::from(game.start().turn() != game.variant().definition().sides.first);
    let lines = (texts.len() + skipped).div_ceil(2);
    let hidden = lines.saturating_sub(area.height.into());
    let width = (area.width.saturating_sub(5) / 2).clamp(1, 16);
    for line in hidden..lines {
        let y = area.y + (line - hidden) as u16;
        let number = format!("{:>3}.", line + 1);
        write(
            buffer,
            Rect::new(area.x, y, 4, 1),
            &number,
            Style::new().add_modifier(Modifier::DIM),
        );
        for half in 0..2_u16 {
            let ply = (line * 2 + usize::from(half)).checked_sub(skipped);
            let Some((ply, text)) = ply.and_then(|ply| Some((ply, texts.get(ply)?))) else {
                continue;
            };
            let style = if ply + 1 == texts.len() {
                Style::new().add_modifier(Modifier::REVERSED)
            } else {
                Style::new()
            };
            let x = area.x + 5 + half * width;
            let place = Rect::new(x, y, width - 1, 1).intersection(area);
            write(buffer, place, text, style);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_say_whose_they_are_and_call_a_win_a_win() {
        assert_eq!(view("Black", -0.254), "Black's view: -0.25 men");
        assert_eq!(view("Black", -198.0), "Black sees a loss");
        assert_eq!(view("White", 197.0), "White sees a win");
    }

    #[test]
    fn clocks_show_tenths_at_the_end() {
        assert_eq!(clock(Duration::from_secs(298)), "4:58");
        assert_eq!(clock(Duration::from_millis(9_870)), "0:09.8");
        assert_eq!(clock(Duration::ZERO), "0:00.0");
    }
}
