//! The dialogue of all other games: moves in the game's own notation, and commands.

use std::io::Write;
use std::ops::ControlFlow;
use std::time::Instant;

use kingme_play::End;
use kingme_players::plainly;
use kingme_rules::variant::Dialogue;
use kingme_rules::{Position, Side};

use super::command::{Command, HELP};
use super::lines::{Line, LineSource};
use super::{Ended, Error, centred, headline};
use crate::options::Saves;
use crate::seat::Seats;
use crate::{LocalGame, Options, hint, saved};

struct Talk<'a, L, O> {
    lines: L,
    out: O,
    game: LocalGame,
    seats: Seats,
    bottom: Side,
    options: &'a Options,
    saves: Saves<'a>,
}

/// What a person's turn came to.
enum Heard {
    /// Something has changed: show the board.
    Changed,
    /// Ask again.
    Again,
    /// Leave.
    Left,
}

/// Plays a game in this dialogue.
pub fn run(lines: impl LineSource, output: impl Write, options: &Options) -> Result<Ended, Error> {
    let mut talk = Talk {
        lines,
        out: output,
        game: options.game.clone(),
        seats: options.seats()?,
        bottom: options.bottom(),
        options,
        saves: Saves::new(options),
    };
    talk.play()
}

impl<L: LineSource, O: Write> Talk<'_, L, O> {
    fn play(&mut self) -> Result<Ended, Error> {
        self.greet()?;
        loop {
            if let Some(end) = self.game.end().cloned() {
                return self.finish(&end);
            }
            self.show_turn()?;
            let side = self.game.turn();
            if !self.seats.is_person(side) {
                self.program()?;
            } else if self.person()?.is_break() {
                return Ok(Ended::Left);
            }
        }
    }

    fn is_console(&self) -> bool {
        let screen = &self.game.game().variant().definition().screen;
        screen.dialogue == Dialogue::Turns
    }

    fn side_name(&self, side: Side) -> String {
        self.game.game().variant().definition().sides.names[side].clone()
    }

    fn greet(&mut self) -> Result<(), Error> {
        let any_person = Side::BOTH.iter().any(|&side| self.seats.is_person(side));
        if any_person && !self.is_console() {
            let position = self.game.position();
            let title = &position.variant().definition().title;
            let example = position
                .legal_moves()
                .first()
                .map(|mv| position.move_text(mv));
            let example = example.map_or_else(String::new, |text| format!(" such as {text}"));
            writeln!(self.out, "{title}. Type a move{example}, or help.")?;
        }
        Ok(())
    }

    fn show_board(&mut self) -> Result<(), Error> {
        let position = self.game.position();
        if let Some(huffed) = self.game.game().last_move().and_then(|mv| mv.huffed) {
            let square = position.variant().board().name(huffed);
            writeln!(self.out, "{square} is taken off: it could have captured.")?;
        }
        let board = position.text_board(self.bottom);
        if let Some(line) = headline(position, self.game.moves_made(), self.options) {
            writeln!(self.out, "{}", centred(&line, &board))?;
        }
        write!(self.out, "{board}")?;
        Ok(())
    }

    /// Whose turn it is, and the board.
    fn show_turn(&mut self) -> Result<(), Error> {
        if self.is_console() {
            let side = self.game.turn();
            let colour = self.side_name(side).to_lowercase();
            writeln!(self.out, "{} turn ({colour}):", self.seats.name(side))?;
        }
        self.show_board()
    }

    fn prompt(&mut self) -> Result<(), Error> {
        if self.is_console() {
            write!(self.out, "Your move: ")?;
        } else {
            let name = self.side_name(self.game.turn());
            write!(self.out, "{name} to move: ")?;
        }
        self.out.flush()?;
        Ok(())
    }

    /// A program's move, shown as if it had typed it.
    fn program(&mut self) -> Result<(), Error> {
        std::thread::sleep(self.options.delay);
        let name = self.side_name(self.game.turn());
        let side = self.game.turn();
        let plies = self.game.game().plies();
        if let Some(note) = self.seats.answer(&mut self.game) {
            writeln!(self.out, "{note}")?;
        }
        if self.game.game().plies() > plies {
            let text = self.game.game().move_texts().pop().unwrap_or_default();
            writeln!(self.out, "{name} plays {text}")?;
        } else {
            // Whoever gives no answer at all gives up.
            self.game.resign(side, Instant::now());
        }
        self.saves.save(&self.game);
        Ok(())
    }

    /// Asks a person until the board changes; breaks off if the person leaves.
    fn person(&mut self) -> Result<ControlFlow<()>, Error> {
        self.game.start_clock(Instant::now());
        let until = self.game.deadline();
        loop {
            self.prompt()?;
            let heard = match self.lines.next(until)? {
                Line::Text(line) => self.hear(Command::parse(&line))?,
                Line::Late => self.late()?,
                Line::End => {
                    writeln!(self.out)?;
                    return Ok(ControlFlow::Break(()));
                }
            };
            match heard {
                Heard::Again => {}
                Heard::Left => return Ok(ControlFlow::Break(())),
                Heard::Changed => {
                    self.saves.save(&self.game);
                    return Ok(ControlFlow::Continue(()));
                }
            }
        }
    }

    fn hear(&mut self, command: Command) -> Result<Heard, Error> {
        match command {
            Command::Move(text) => return self.hear_move(&text),
            Command::Undo => return self.undo(),
            Command::Redo => return self.redo(),
            Command::Quit => return Ok(Heard::Left),
            Command::Resign => {
                self.game.resign(self.game.turn(), Instant::now());
                return Ok(Heard::Changed);
            }
            Command::Flip => {
                self.bottom = !self.bottom;
                self.show_board()?;
            }
            Command::Board => self.show_board()?,
            Command::Moves => self.list_moves()?,
            Command::Hint => self.hint()?,
            Command::Fen => writeln!(self.out, "{}", self.game.position().fen())?,
            Command::Pdn(file) => self.write_pdn(&file)?,
            Command::Help => write!(self.out, "{HELP}")?,
            Command::Nothing => {}
        }
        Ok(Heard::Again)
    }

    /// Nothing was typed, and the time is over.
    fn late(&mut self) -> Result<Heard, Error> {
        writeln!(self.out)?;
        self.run_out()
    }

    fn run_out(&mut self) -> Result<Heard, Error> {
        let played = self.game.run_out(&mut self.seats.chance, Instant::now());
        if let Some(text) = played {
            writeln!(self.out, "Too late: {text} is played instead.")?;
        }
        Ok(Heard::Changed)
    }

    fn hear_move(&mut self, text: &str) -> Result<Heard, Error> {
        let now = Instant::now();
        match self.game.position().find_move(text) {
            Ok(_) if self.game.is_late(now) => self.run_out(),
            Ok(mv) => {
                let played = self.game.play(&mv, now);
                debug_assert!(played.is_ok(), "it is legal, and in time");
                Ok(Heard::Changed)
            }
            Err(error) => self.again(&capitalised(&error.to_string())),
        }
    }

    fn again(&mut self, message: &str) -> Result<Heard, Error> {
        writeln!(self.out, "{message}")?;
        Ok(Heard::Again)
    }

    /// Takes back to where a person can choose again.
    fn undo(&mut self) -> Result<Heard, Error> {
        if !self
            .game
            .undo_to(|side| self.seats.is_person(side), Instant::now())
        {
            return self.again("There is nothing to take back.");
        }
        Ok(Heard::Changed)
    }

    fn redo(&mut self) -> Result<Heard, Error> {
        if !self
            .game
            .redo_to(|side| self.seats.is_person(side), Instant::now())
        {
            return self.again("There is nothing to play again.");
        }
        Ok(Heard::Changed)
    }

    fn list_moves(&mut self) -> Result<(), Error> {
        let texts = sorted_moves(self.game.position());
        writeln!(self.out, "{}", texts.join(" "))?;
        Ok(())
    }

    fn hint(&mut self) -> Result<(), Error> {
        match hint(self.game.game(), self.options.seed) {
            Some(mv) => writeln!(self.out, "Try {}.", self.game.position().move_text(&mv))?,
            None => writeln!(self.out, "There is no hint for this position.")?,
        }
        Ok(())
    }

    fn write_pdn(&mut self, file: &str) -> Result<(), Error> {
        if file.is_empty() {
            writeln!(
                self.out,
                "Which file? Type it after `pdn`, as in `pdn game.pdn`."
            )?;
            return Ok(());
        }
        match saved::export(file.as_ref(), &self.game, &self.options.players) {
            Ok(()) => writeln!(self.out, "Written to {file}.")?,
            Err(error) => writeln!(self.out, "{file}: {}", plainly(&error))?,
        }
        Ok(())
    }

    fn finish(&mut self, end: &End) -> Result<Ended, Error> {
        self.show_board()?;
        let winner = end.winner;
        if !self.is_console() {
            writeln!(self.out, "{}", end.words)?;
        } else if let Some(side) = winner {
            writeln!(self.out, "The winner is {}!", self.seats.name(side))?;
        } else {
            writeln!(self.out, "The game is a draw.")?;
        }
        self.out.flush()?;
        self.seats.end_game(self.game.game(), winner);
        Ok(Ended::Over(winner))
    }
}

/// The legal moves as text, sorted.
fn sorted_moves(position: &Position) -> Vec<String> {
    let mut texts = position.move_texts(&position.legal_moves());
    texts.sort();
    texts
}

fn capitalised(sentence: &str) -> String {
    let mut chars = sentence.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect::<String>() + "."
}
