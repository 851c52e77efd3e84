//! A game on the screen: the table, the cursor, and what is being chosen.

use std::time::Instant;

use kingme_play::{Answer, Chance};
use kingme_players::{PlayerFault, PlayerSpec, plainly};
use kingme_rules::variant::Obligation;
use kingme_rules::{Board, Move, Piece, Side, Square};

use super::choice::{Choice, Chosen, sentence};
use super::look::Mark;
use crate::saved::Journal;
use crate::seat::complaint;
use crate::{LocalGame, Options};

/// A game on the screen.
#[derive(Clone, Debug)]
pub struct Sitting {
    /// The game.
    pub game: LocalGame,
    /// Who plays, White first.
    pub players: [PlayerSpec; 2],
    /// Where the cursor is, as row and column of the screen.
    pub cursor: (usize, usize),
    /// Who sits at the bottom.
    pub bottom: Side,
    /// What is chosen so far.
    pub choice: Choice,
    /// What the player is told.
    pub message: String,
    /// The move that was proposed.
    pub hint: Option<Move>,
    /// Which program has said last how it sees its chances, in men.
    pub score: Option<(Side, f32)>,
    /// Counts changes: an answer to an older question is not wanted any more.
    pub version: u64,
    journal: Option<Journal>,
}

impl Sitting {
    /// A game on the screen.
    pub fn new(options: &Options, now: Instant) -> Sitting {
        let board = options.game.game().variant().board();
        let mut sitting = Sitting {
            game: options.game.clone(),
            players: options.players.clone(),
            cursor: middle(board),
            bottom: options.bottom(),
            choice: Choice::default(),
            message: String::new(),
            hint: None,
            score: None,
            version: 0,
            journal: options.journal.clone(),
        };
        sitting.begin_turn(now);
        sitting
    }

    /// Whether a person is to move.
    pub fn is_persons_turn(&self) -> bool {
        self.game.end().is_none() && self.is_person(self.game.turn())
    }

    /// Whether a person plays a side.
    pub fn is_person(&self, side: Side) -> bool {
        matches!(self.players[side], PlayerSpec::Human { .. })
    }

    /// Whether a program is to move.
    pub fn is_programs_turn(&self) -> bool {
        self.game.end().is_none() && !self.is_person(self.game.turn())
    }

    fn is_flipped(&self) -> bool {
        self.game.game().variant().definition().sides.top == self.bottom
    }

    /// The place on the board that is at a row and a column of the screen, or the other way round.
    pub fn turned(&self, (row, column): (usize, usize)) -> (usize, usize) {
        let board = self.game.game().variant().board();
        if self.is_flipped() {
            let (rows, columns) = (usize::from(board.rows()), usize::from(board.columns()));
            (rows - 1 - row, columns - 1 - column)
        } else {
            (row, column)
        }
    }

    /// The square at a row and a column of the screen.
    pub fn square_at(&self, place: (usize, usize)) -> Option<Square> {
        let (row, column) = self.turned(place);
        self.game.game().variant().board().at(row, column)
    }

    /// Moves the cursor; it stops at the edges.
    pub fn move_cursor(&mut self, rows: isize, columns: isize) {
        let board = self.game.game().variant().board();
        let step = |at: usize, by: isize, end: u8| {
            at.saturating_add_signed(by)
                .min(usize::from(end).saturating_sub(1))
        };
        self.cursor = (
            step(self.cursor.0, rows, board.rows()),
            step(self.cursor.1, columns, board.columns()),
        );
    }

    /// Puts the cursor on a square.
    pub fn cursor_to(&mut self, square: Square) {
        let place = self.game.game().variant().board().row_column(square);
        self.cursor = self.turned(place);
    }

    /// Tells the player something.
    pub fn tell(&mut self, message: &str) {
        message.clone_into(&mut self.message);
    }

    /// Chooses the square under the cursor.
    pub fn press(&mut self, now: Instant) {
        self.message.clear();
        if self.game.end().is_some() {
            return;
        }
        if !self.is_persons_turn() {
            return self.tell("It is not your turn.");
        }
        let Some(square) = self.square_at(self.cursor) else {
            return self.tell("Nobody plays on this square.");
        };
        match self.choice.choose(self.game.game(), square) {
            Chosen::Changed => {}
            Chosen::MayStop => self.tell("Go on, or choose this square again to stop here."),
            Chosen::Refused(why) => self.message = why,
            Chosen::Move(mv) => self.person_moves(&mv, now),
        }
    }

    /// Takes the piece that is moving back to its square, or deselects it.
    pub fn cancel(&mut self) {
        self.message.clear();
        if self.is_persons_turn() {
            self.choice.cancel(self.game.game());
        }
    }

    /// Plays a move that was typed.
    pub fn play_text(&mut self, text: &str, now: Instant) {
        self.message.clear();
        if !self.is_persons_turn() {
            return self.tell("It is not your turn.");
        }
        match self.game.position().find_move(text) {
            Ok(mv) => self.person_moves(&mv, now),
            Err(error) => self.message = sentence(&error.to_string()),
        }
    }

    fn person_moves(&mut self, mv: &Move, now: Instant) {
        // What comes too late is for the next tick to deal with.
        if !self.game.is_late(now) {
            let played = self.game.play(mv, now);
            debug_assert!(played.is_ok(), "only legal moves get here");
            self.turn_taken(now);
        }
    }

    fn turn_taken(&mut self, now: Instant) {
        self.begin_turn(now);
        self.save();
    }

    /// A program's answer to the question of this version, or its best so far for want of one.
    pub fn answered(
        &mut self,
        answer: &Result<Answer, PlayerFault>,
        suggestion: Option<&Answer>,
        chance: &mut Chance,
        now: Instant,
    ) {
        if matches!(answer, Err(PlayerFault::Interrupted)) {
            return;
        }
        let side = self.game.turn();
        let name = self.players[side].to_string();
        let score = answer.as_ref().ok().and_then(|answer| answer.score);
        self.score = score.map(|score| (side, score)).or(self.score);
        let note = self.game.answered(answer, suggestion, chance, now);
        self.turn_taken(now);
        if let Some(words) = note {
            self.message = complaint(&name, &words);
        }
    }

    /// A move was proposed.
    pub fn hinted(&mut self, mv: Option<Move>) {
        self.message = match &mv {
            Some(mv) => format!("Try {}.", self.game.position().move_text(mv)),
            None => "There is no hint for this position.".to_owned(),
        };
        self.hint = mv;
    }

    /// The programs can't be had: people play, and are told why.
    pub fn without_programs(&mut self, why: String) {
        let person = PlayerSpec::Human { name: None };
        self.players = [person.clone(), person];
        self.choice = Choice::forced(self.game.game());
        self.message = why;
    }

    /// Time passes. What a person should have done by now is done by chance, or the game is lost.
    pub fn tick(&mut self, now: Instant, chance: &mut Chance) {
        if !self.is_persons_turn() || !self.game.is_late(now) {
            return;
        }
        let played = self.game.run_out(chance, now);
        self.turn_taken(now);
        if let Some(text) = played {
            self.message = format!("Too late: {text} is played instead.");
        }
    }

    /// Takes back to a turn where a person can choose again.
    pub fn undo(&mut self, now: Instant) {
        let persons = Side::BOTH.map(|side| self.is_person(side));
        let done = self
            .game
            .undo_to(|side| persons[side] || persons == [false, false], now);
        self.changed(done, "There is nothing to take back.", now);
    }

    /// Plays again what was taken back.
    pub fn redo(&mut self, now: Instant) {
        let persons = Side::BOTH.map(|side| self.is_person(side));
        let done = self
            .game
            .redo_to(|side| persons[side] || persons == [false, false], now);
        self.changed(done, "There is nothing to play again.", now);
    }

    fn changed(&mut self, done: bool, otherwise: &str, now: Instant) {
        self.message.clear();
        if done {
            self.begin_turn(now);
            self.save();
        } else {
            self.tell(otherwise);
        }
    }

    /// A side gives up.
    pub fn resign(&mut self, side: Side, now: Instant) {
        self.game.resign(side, now);
        self.version += 1;
        self.save();
    }

    /// The person who would give up now: the one to move, or the only one there is.
    pub fn who_resigns(&self) -> Option<Side> {
        let turn = self.game.turn();
        let mut sides = [turn, !turn].into_iter();
        sides.find(|&side| self.game.end().is_none() && self.is_person(side))
    }

    /// Turns the board round.
    pub fn flip(&mut self) {
        let square = self.square_at(self.cursor);
        self.bottom = !self.bottom;
        if let Some(square) = square {
            self.cursor_to(square);
        }
    }

    /// A new turn: nothing is chosen, unless there is but one piece to choose.
    fn begin_turn(&mut self, now: Instant) {
        self.version += 1;
        self.game.start_clock(now);
        self.hint = None;
        self.choice = Choice::default();
        self.message.clear();
        if self.is_persons_turn() {
            self.choice = Choice::forced(self.game.game());
            if let Some(square) = self.choice.last() {
                self.cursor_to(square);
            }
        }
    }

    fn save(&mut self) {
        let Some(journal) = &self.journal else { return };
        if let Err(error) = journal.save(&self.game, &self.players) {
            self.message = format!(
                "The game can't be saved: {}: {}",
                journal.path.display(),
                plainly(&error)
            );
        }
    }

    /// The piece on a square, the one that is moving where it has gone so far.
    pub fn piece(&self, square: Square) -> Option<Piece> {
        let squares = self.choice.squares();
        let position = self.game.position();
        match squares {
            [from, .., last] if square == *last => position.piece(*from),
            [from, _, ..] if square == *from => None,
            _ => position.piece(square),
        }
    }

    /// What a square is to the player.
    pub fn mark(&self, square: Square, marks: &Marks) -> Mark {
        if self.choice.last() == Some(square) {
            Mark::Selected
        } else if marks.targets.contains(&square) {
            Mark::Target
        } else if marks.taken.contains(&square) {
            Mark::Taken
        } else if marks.must_capture.contains(&square) {
            Mark::MustCapture
        } else if self
            .hint
            .as_ref()
            .is_some_and(|mv| mv.squares().contains(&square))
        {
            Mark::Hint
        } else if marks.last_move.contains(&square) {
            Mark::LastMove
        } else {
            Mark::Plain
        }
    }

    /// The squares that are marked, computed once for a picture.
    pub fn marks(&self) -> Marks {
        let game = self.game.game();
        let last_move = game.last_move().map(Move::squares).unwrap_or_default();
        if !self.is_persons_turn() {
            return Marks {
                last_move,
                ..Marks::default()
            };
        }
        let must = game.variant().definition().capture.obligation != Obligation::May;
        let captures = game
            .legal_moves()
            .into_iter()
            .filter(|mv| must && mv.is_capture());
        Marks {
            targets: self.choice.targets(game),
            taken: self.choice.taken(game),
            must_capture: captures.map(|mv| mv.from).collect(),
            last_move,
        }
    }
}

/// The squares that are marked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    targets: Vec<Square>,
    taken: Vec<Square>,
    must_capture: Vec<Square>,
    last_move: Vec<Square>,
}

/// A square in the middle of the board, one that is played on.
fn middle(board: &Board) -> (usize, usize) {
    let (row, column) = (
        usize::from(board.rows()) / 2,
        usize::from(board.columns()) / 2,
    );
    match board.at(row, column) {
        Some(_) => (row, column),
        None => (row, column.saturating_sub(1)),
    }
}
