//! The dialogue of the worksheets Stupid Checkers and Pown Chess: squares are asked for, and who
//! can't type forfeits the turn.

use std::io::Write;
use std::time::Instant;

use kingme_play::EndReason;
use kingme_rules::variant::Dialogue;
use kingme_rules::{Move, Side, Square, Turn};

use super::lines::{Line, LineSource};
use super::{Ended, Error, centred, headline};
use crate::options::Saves;
use crate::seat::Seats;
use crate::{LocalGame, Options};

/// What came of asking for a move.
enum Asked {
    Move(Move),
    Invalid,
    /// A program has moved, or given up.
    Done,
    EndOfInput,
}

struct Worksheet<'a, L, O> {
    lines: L,
    out: O,
    game: LocalGame,
    seats: Seats,
    options: &'a Options,
    saves: Saves<'a>,
}

/// Plays a game in this dialogue.
pub fn run(lines: impl LineSource, output: impl Write, options: &Options) -> Result<Ended, Error> {
    let mut worksheet = Worksheet {
        lines,
        out: output,
        game: options.game.clone(),
        seats: options.seats()?,
        options,
        saves: Saves::new(options),
    };
    worksheet.play()
}

impl<L: LineSource, O: Write> Worksheet<'_, L, O> {
    fn play(&mut self) -> Result<Ended, Error> {
        while self.game.end().is_none() {
            self.show_board()?;
            match self.ask()? {
                Asked::Move(mv) => self.make(&mv)?,
                Asked::Invalid => self.refuse()?,
                Asked::Done => {}
                Asked::EndOfInput => {
                    writeln!(self.out)?;
                    return Ok(Ended::Left);
                }
            }
        }
        self.finish()
    }

    fn dialogue(&self) -> Dialogue {
        self.game.game().variant().definition().screen.dialogue
    }

    fn letter(&self, side: Side) -> char {
        self.game.game().variant().definition().sides.letters[side]
    }

    fn name(&self, square: Square) -> String {
        self.game.game().variant().board().name(square)
    }

    fn show_board(&mut self) -> Result<(), Error> {
        let position = self.game.position();
        let board = position.text_board(!position.variant().definition().sides.top);
        if let Some(line) = headline(position, self.game.moves_made(), self.options) {
            writeln!(self.out, "{}", centred(&line, &board))?;
        }
        write!(self.out, "{board}")?;
        Ok(())
    }

    fn ask(&mut self) -> Result<Asked, Error> {
        if self.seats.is_person(self.game.turn()) {
            self.ask_person()
        } else {
            self.ask_program()
        }
    }

    fn ask_person(&mut self) -> Result<Asked, Error> {
        let both = self.dialogue() == Dialogue::FromTo;
        let Some(from) = self.ask_square(if both { "move from" } else { "move" })? else {
            return Ok(Asked::EndOfInput);
        };
        let mut moves = self.game.game().legal_moves();
        moves.retain(|mv| self.is_square(&from, mv.from));
        // Where only the start is asked for, it says all, unless a variant gives it a choice.
        if both || moves.len() > 1 {
            let Some(to) = self.ask_square("move to")? else {
                return Ok(Asked::EndOfInput);
            };
            moves.retain(|mv| self.is_square(&to, mv.to));
        }
        Ok(moves.into_iter().next().map_or(Asked::Invalid, Asked::Move))
    }

    fn ask_square(&mut self, what: &str) -> Result<Option<String>, Error> {
        write!(self.out, "{} {what}: ", self.letter(self.game.turn()))?;
        self.out.flush()?;
        Ok(match self.lines.next(None)? {
            Line::Text(line) => Some(line),
            Line::End | Line::Late => None,
        })
    }

    /// Whether a person has typed this square: to the letter, unless we are nice.
    fn is_square(&self, typed: &str, square: Square) -> bool {
        let name = self.name(square);
        if self.options.nice {
            typed.trim().eq_ignore_ascii_case(&name)
        } else {
            typed == name
        }
    }

    /// A program's answer, shown as if it had typed it.
    fn ask_program(&mut self) -> Result<Asked, Error> {
        std::thread::sleep(self.options.delay);
        let side = self.game.turn();
        let turns = self.game.game().plies();
        self.seats.answer(&mut self.game);
        let Some(mv) = self
            .game
            .game()
            .turns()
            .get(turns)
            .and_then(Turn::as_move)
            .cloned()
        else {
            self.game.resign(side, Instant::now());
            return Ok(Asked::Done);
        };
        let (letter, from, to) = (self.letter(side), self.name(mv.from), self.name(mv.to));
        if self.dialogue() == Dialogue::FromTo {
            writeln!(
                self.out,
                "{letter} move from: {from}\n{letter} move to: {to}"
            )?;
        } else {
            writeln!(self.out, "{letter} move: {from}")?;
        }
        self.made(side, &mv)?;
        Ok(Asked::Done)
    }

    fn make(&mut self, mv: &Move) -> Result<(), Error> {
        let side = self.game.turn();
        let played = self.game.play(mv, Instant::now());
        debug_assert!(played.is_ok(), "only legal moves are asked for");
        self.made(side, mv)
    }

    fn made(&mut self, side: Side, mv: &Move) -> Result<(), Error> {
        if self.dialogue() == Dialogue::From {
            self.announce(side, mv)?;
        }
        self.saves.save(&self.game);
        Ok(())
    }

    fn announce(&mut self, side: Side, mv: &Move) -> Result<(), Error> {
        let (mover, other) = (self.letter(side), self.letter(!side));
        // Only the first player's line has an exclamation mark in the worksheet.
        let first = self.game.game().variant().definition().sides.first;
        let mark = if side == first { "!" } else { "" };
        writeln!(
            self.out,
            "{mover} moves from {} to {}{mark}",
            self.name(mv.from),
            self.name(mv.to)
        )?;
        if mv.is_capture() {
            writeln!(self.out, "{mover} powns a {other}")?;
        }
        Ok(())
    }

    fn refuse(&mut self) -> Result<(), Error> {
        writeln!(self.out, "INVALID MOVE")?;
        if !self.options.nice {
            self.game.pass(Instant::now());
            self.saves.save(&self.game);
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<Ended, Error> {
        match self.dialogue() {
            Dialogue::From => self.count_pieces()?,
            _ => self.show_board()?,
        }
        let winner = self.game.end().and_then(|end| end.winner);
        match winner {
            Some(side) => writeln!(self.out, "{} wins!!", self.letter(side))?,
            None => writeln!(self.out, "It's a tie!!")?,
        }
        writeln!(self.out, "GAME OVER")?;
        self.out.flush()?;
        self.seats.end_game(self.game.game(), winner);
        Ok(Ended::Over(winner))
    }

    fn count_pieces(&mut self) -> Result<(), Error> {
        let first = self.game.game().variant().definition().sides.first;
        let stuck = self.letter(self.game.turn());
        match self.game.end() {
            Some(end) if end.reason == EndReason::Rules => {
                writeln!(self.out, "There are no more moves for {stuck}")?;
            }
            // Only a program can leave the game like this.
            _ => writeln!(self.out, "{stuck} gives up")?,
        }
        for side in [!first, first] {
            let count = self.game.position().count(side);
            writeln!(self.out, "{} has {count} pieces", self.letter(side))?;
        }
        Ok(())
    }
}
