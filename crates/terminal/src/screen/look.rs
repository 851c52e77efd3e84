//! How pieces and squares look: colours, and signs for those who don't see them.

use kingme_rules::{Piece, Position};
use ratatui::style::{Color, Modifier, Style};

/// Characters and colours of a screen.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Nothing but ASCII characters.
    pub ascii: bool,
}

/// What a square is to the player, the most important first.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// The piece that is moving.
    Selected,
    /// Where it can go.
    Target,
    /// A piece that is captured on the way.
    Taken,
    /// A piece that must capture.
    MustCapture,
    /// The hint.
    Hint,
    /// The last move.
    LastMove,
    /// Nothing special.
    Plain,
}

impl Mark {
    /// The colour of the square; `shade` alternates on boards where all squares are played on.
    pub fn background(self, shade: bool) -> Color {
        match self {
            Mark::Selected => Color::Indexed(34),
            Mark::Target => Color::Indexed(71),
            Mark::Taken => Color::Indexed(131),
            Mark::MustCapture => Color::Indexed(117),
            Mark::Hint => Color::Indexed(176),
            Mark::LastMove => Color::Indexed(143),
            Mark::Plain if shade => Color::Indexed(137),
            Mark::Plain => Color::Indexed(94),
        }
    }

    /// Signs at the left and right edge of the square.
    pub fn edges(self) -> Option<(&'static str, &'static str)> {
        match self {
            Mark::Selected => Some(("<", ">")),
            Mark::Target => Some(("(", ")")),
            Mark::Taken => Some(("x", "x")),
            Mark::MustCapture => Some(("!", "!")),
            Mark::Hint => Some(("?", "?")),
            Mark::LastMove | Mark::Plain => None,
        }
    }
}

/// The cursor's colour, and its signs at the edges.
pub const CURSOR: (Color, (&str, &str)) = (Color::Indexed(214), ("[", "]"));

/// Squares that nobody plays on.
pub const UNUSED: Color = Color::Indexed(180);

/// The name of a free square, where there is room for it: faint, except on a marked square.
pub fn square_name(background: Color) -> Style {
    let plain = [false, true].map(|shade| Mark::Plain.background(shade));
    let colour = if plain.contains(&background) { 223 } else { 16 };
    Style::new().fg(Color::Indexed(colour)).bg(background)
}

/// Signs on any square.
pub fn sign(background: Color) -> Style {
    let style = Style::new().fg(Color::Indexed(16)).bg(background);
    style.add_modifier(Modifier::BOLD)
}

/// The colour of a piece: what its side is called by a letter, else white or black.
pub fn piece_colour(position: &Position, piece: Piece) -> Color {
    match position.variant().definition().sides.letters[piece.side] {
        'r' | 'R' => Color::Indexed(160),
        'w' | 'W' => Color::Indexed(255),
        _ => Color::Indexed(16),
    }
}

/// A colour that is seen on a piece.
pub fn emblem_colour(piece: Color) -> Color {
    match piece {
        Color::Indexed(16) => Color::Indexed(214),
        Color::Indexed(160) => Color::Indexed(231),
        _ => Color::Indexed(124),
    }
}

impl Look {
    /// A piece in one character.
    pub fn small(self, position: &Position, piece: Piece) -> String {
        let kind = &position.variant().definition().kinds[piece.kind];
        match piece.kind {
            _ if self.ascii => kind.letters[piece.side].to_string(),
            Piece::MAN => "●".to_owned(),
            Piece::KING => "♛".to_owned(),
            _ => kind.letters[piece.side].to_uppercase().to_string(),
        }
    }

    /// What is drawn on a piece of two rows or more, two columns wide; nothing on a man.
    pub fn emblem(self, position: &Position, piece: Piece) -> String {
        let kind = &position.variant().definition().kinds[piece.kind];
        let letter = kind.letters[piece.side];
        match piece.kind {
            _ if self.ascii => format!("{letter}{letter}"),
            Piece::MAN => "██".to_owned(),
            Piece::KING => "▙▟".to_owned(),
            _ => format!("{0}{0}", letter.to_uppercase()),
        }
    }

    /// The row of a piece that is `width` columns wide and `height` rows high.
    pub fn disc(self, width: usize, height: usize, row: usize) -> String {
        let inner = |c: &str| c.repeat(width - 2);
        if self.ascii {
            return " ".repeat(width);
        }
        match (height, row) {
            (2, 0) => format!("▗{}▖", inner("█")),
            (2, _) => format!("▝{}▘", inner("█")),
            (_, 0) => format!("▗{}▖", inner("▄")),
            (height, row) if row + 1 == height => format!("▝{}▘", inner("▀")),
            _ => format!("▐{}▌", inner("█")),
        }
    }
}
