//! The dialogue of all other games: moves in the game's own notation, and commands.

use std::io::Write;
use std::ops::ControlFlow;
use std::time::Instant;

use kingme_rules::variant::Dialogue;
use kingme_rules::{Move, Position, Side};

use super::command::{Command, HELP};
use super::lines::{Line, LineSource};
use super::{Ended, Error, centred, headline};
use crate::options::Saves;
use crate::seat::{Decision, Seats};
use crate::{End, Late, Options, Table, hint, saved};

struct Talk<'a, L, O> {
    lines: L,
    out: O,
    table: Table,
    seats: Seats,
    bottom: Side,
    asked_at: Instant,
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
        table: options.table.clone(),
        seats: options.seats()?,
        bottom: !options.table.game().variant().definition().sides.top,
        asked_at: Instant::now(),
        options,
        saves: Saves::new(options),
    };
    talk.play()
}

impl<L: LineSource, O: Write> Talk<'_, L, O> {
    fn play(&mut self) -> Result<Ended, Error> {
        self.greet()?;
        loop {
            if let Some(end) = self.table.end() {
                return self.finish(&end);
            }
            self.show_turn()?;
            let side = self.table.turn();
            if !self.seats.is_person(side) {
                self.program()?;
            } else if self.person()?.is_break() {
                return Ok(Ended::Left);
            }
        }
    }

    fn is_console(&self) -> bool {
        let screen = &self.table.game().variant().definition().screen;
        screen.dialogue == Dialogue::Turns
    }

    fn side_name(&self, side: Side) -> String {
        self.table.game().variant().definition().sides.names[side].clone()
    }

    fn greet(&mut self) -> Result<(), Error> {
        let any_person = Side::BOTH.iter().any(|&side| self.seats.is_person(side));
        if any_person && !self.is_console() {
            let position = self.table.position();
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
        let position = self.table.position();
        let board = position.text_board(self.bottom);
        if let Some(line) = headline(position, self.table.moves_made(), self.options) {
            writeln!(self.out, "{}", centred(&line, &board))?;
        }
        write!(self.out, "{board}")?;
        Ok(())
    }

    /// Whose turn it is, and the board.
    fn show_turn(&mut self) -> Result<(), Error> {
        if self.is_console() {
            let side = self.table.turn();
            let colour = self.side_name(side).to_lowercase();
            writeln!(self.out, "{} turn ({colour}):", self.seats.name(side))?;
        }
        self.show_board()
    }

    fn prompt(&mut self) -> Result<(), Error> {
        if self.is_console() {
            write!(self.out, "Your move: ")?;
        } else {
            let name = self.side_name(self.table.turn());
            write!(self.out, "{name} to move: ")?;
        }
        self.out.flush()?;
        Ok(())
    }

    /// A program's move, shown as if it had typed it.
    fn program(&mut self) -> Result<(), Error> {
        std::thread::sleep(self.options.delay);
        match self.seats.decide_at(&mut self.table) {
            _ if self.table.end().is_some() => {}
            Decision::Play { mv, note, .. } => {
                if let Some(note) = note {
                    writeln!(self.out, "{note}")?;
                }
                let text = self.table.position().move_text(&mv);
                let name = self.side_name(self.table.turn());
                writeln!(self.out, "{name} plays {text}")?;
                let played = self.table.play(&mv);
                debug_assert!(played.is_ok(), "a decision is legal");
            }
            Decision::Resign | Decision::Interrupted => self.table.resign(self.table.turn()),
        }
        self.saves.save(&self.table);
        Ok(())
    }

    /// Asks a person until the board changes; breaks off if the person leaves.
    fn person(&mut self) -> Result<ControlFlow<()>, Error> {
        self.asked_at = Instant::now();
        let left = self.table.clocks().left(self.table.turn());
        let until = left.and_then(|left| self.asked_at.checked_add(left));
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
                    self.saves.save(&self.table);
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
                self.table.resign(self.table.turn());
                return Ok(Heard::Changed);
            }
            Command::Flip => {
                self.bottom = !self.bottom;
                self.show_board()?;
            }
            Command::Board => self.show_board()?,
            Command::Moves => self.list_moves()?,
            Command::Hint => self.hint()?,
            Command::Fen => writeln!(self.out, "{}", self.table.position().fen())?,
            Command::Pdn(file) => self.write_pdn(&file)?,
            Command::Help => write!(self.out, "{HELP}")?,
            Command::Nothing => {}
        }
        Ok(Heard::Again)
    }

    /// Nothing was typed, and the time is over.
    fn late(&mut self) -> Result<Heard, Error> {
        writeln!(self.out)?;
        let late = self.table.spend(self.asked_at.elapsed());
        if let (Some(Late::RandomMove), Some(mv)) = (late, self.table.game().legal_moves().first())
        {
            self.move_in_time(mv, late)?;
        }
        Ok(Heard::Changed)
    }

    fn hear_move(&mut self, text: &str) -> Result<Heard, Error> {
        match self.table.position().find_move(text) {
            Ok(mv) => {
                let late = self.table.spend(self.asked_at.elapsed());
                self.move_in_time(&mv, late)?;
                Ok(Heard::Changed)
            }
            Err(error) => self.again(&capitalised(&error.to_string())),
        }
    }

    /// Plays a person's move, or what becomes of one that comes too late.
    fn move_in_time(&mut self, mv: &Move, late: Option<Late>) -> Result<(), Error> {
        let random = match late {
            None => None,
            Some(Late::Loses) => return Ok(()),
            Some(Late::RandomMove) => self.seats.random_move(self.table.game()),
        };
        if let Some(random) = &random {
            let text = self.table.position().move_text(random);
            writeln!(self.out, "Too late: {text} is played instead.")?;
        }
        let played = self.table.play(random.as_ref().unwrap_or(mv));
        debug_assert!(played.is_ok(), "both moves are legal");
        Ok(())
    }

    fn again(&mut self, message: &str) -> Result<Heard, Error> {
        writeln!(self.out, "{message}")?;
        Ok(Heard::Again)
    }

    /// Takes back to where a person can choose again.
    fn undo(&mut self) -> Result<Heard, Error> {
        if !self.table.undo_to(|side| self.seats.is_person(side)) {
            return self.again("There is nothing to take back.");
        }
        Ok(Heard::Changed)
    }

    fn redo(&mut self) -> Result<Heard, Error> {
        if !self.table.redo_to(|side| self.seats.is_person(side)) {
            return self.again("There is nothing to play again.");
        }
        Ok(Heard::Changed)
    }

    fn list_moves(&mut self) -> Result<(), Error> {
        let texts = sorted_moves(self.table.position());
        writeln!(self.out, "{}", texts.join(" "))?;
        Ok(())
    }

    fn hint(&mut self) -> Result<(), Error> {
        match hint(self.table.game(), self.options.seed) {
            Some(mv) => writeln!(self.out, "Try {}.", self.table.position().move_text(&mv))?,
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
        match saved::export(file.as_ref(), &self.table, &self.options.players) {
            Ok(()) => writeln!(self.out, "Written to {file}.")?,
            Err(error) => writeln!(self.out, "{file}: {error}")?,
        }
        Ok(())
    }

    fn finish(&mut self, end: &End) -> Result<Ended, Error> {
        self.show_board()?;
        let winner = end.winner();
        if !self.is_console() {
            writeln!(self.out, "{}", end.in_words(self.table.position()))?;
        } else if let Some(side) = winner {
            writeln!(self.out, "The winner is {}!", self.seats.name(side))?;
        } else {
            writeln!(self.out, "The game is a draw.")?;
        }
        self.out.flush()?;
        self.seats.end_game(self.table.game(), winner);
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
