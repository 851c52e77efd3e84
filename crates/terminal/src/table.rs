//! The table: a game that is being played, with what was taken back and how it ended.

use std::time::Duration;

use kingme_arena::TimeControl;
use kingme_rules::{Game, IllegalMove, Move, MoveError, Outcome, Position, Side, Turn};

use crate::clocks::{Clocks, Late};

/// How a game at a terminal ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// By the rules.
    Rules(Outcome),
    /// A side gave up.
    Resigned(Side),
    /// A side's time ran out.
    Time(Side),
}

/// A game that is being played.
#[derive(Clone, Debug)]
pub struct Table {
    game: Game,
    undone: Vec<Move>,
    moves_before: usize,
    given_up: Option<End>,
    clocks: Clocks,
}

impl Table {
    /// A table with a game, new or begun.
    pub fn new(game: Game) -> Table {
        Table {
            game,
            undone: Vec::new(),
            moves_before: 0,
            given_up: None,
            clocks: Clocks::new(TimeControl::Free),
        }
    }

    /// The same table with other clocks.
    #[must_use]
    pub fn with_clocks(self, clocks: Clocks) -> Table {
        Table { clocks, ..self }
    }

    /// The same table, where so many moves were made before the game's first position.
    #[must_use]
    pub fn after(self, moves_before: usize) -> Table {
        Table {
            moves_before,
            ..self
        }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// How it stands.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Side {
        self.game.turn()
    }

    /// How many moves were completed; forfeited turns are none.
    pub fn moves_made(&self) -> usize {
        self.moves_before + self.game.plies()
    }

    /// How many of them were made before the game's first position.
    pub fn moves_before(&self) -> usize {
        self.moves_before
    }

    /// How the game ended, if it did.
    pub fn end(&self) -> Option<End> {
        let by_rules = || self.game.outcome().cloned().map(End::Rules);
        self.given_up.clone().or_else(by_rules)
    }

    /// The clocks.
    pub fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// The side to move has thought for so long. If that is too long, a random move is what it
    /// needs, or the game is over.
    pub fn spend(&mut self, used: Duration) -> Option<Late> {
        let side = self.turn();
        let late = self.clocks.late(side, used);
        match late {
            Some(Late::Loses) => self.given_up = Some(End::Time(side)),
            _ => self.clocks.spend(side, used),
        }
        late
    }

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// If it is not legal.
    pub fn play(&mut self, mv: &Move) -> Result<(), IllegalMove> {
        self.game.play(mv)?;
        // To play again what was taken back is to redo it.
        if self.undone.last() == Some(mv) {
            self.undone.pop();
        } else {
            self.undone.clear();
        }
        Ok(())
    }

    /// Plays a move given as text.
    ///
    /// # Errors
    ///
    /// If the text is no move, or the move is not legal.
    pub fn play_text(&mut self, text: &str) -> Result<Move, MoveError> {
        let mv = self.game.position().find_move(text)?;
        self.play(&mv)?;
        Ok(mv)
    }

    /// Takes the last move back, and with it any resignation; `false` if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(Turn::Move(mv)) = self.game.undo() else {
            return false;
        };
        self.given_up = None;
        self.undone.push(mv);
        true
    }

    /// Plays again what was taken back last; `false` if there is nothing.
    pub fn redo(&mut self) -> bool {
        let Some(mv) = self.undone.last().cloned() else {
            return false;
        };
        self.play(&mv).is_ok()
    }

    /// Takes back to the last turn of a side that may choose again; `false` if it never had one.
    pub fn undo_to(&mut self, may_choose: impl Fn(Side) -> bool) -> bool {
        let played = self.game.plies();
        let turn_after = |plies: usize| self.game.position_after(plies).map(Position::turn);
        let back = (0..played)
            .rev()
            .find(|&plies| turn_after(plies).is_some_and(&may_choose));
        let Some(plies) = back else {
            return false;
        };
        (plies..played).all(|_| self.undo())
    }

    /// Plays again what was taken back, up to the next turn of a side that may choose; `false` if
    /// there is nothing.
    pub fn redo_to(&mut self, may_choose: impl Fn(Side) -> bool) -> bool {
        let redone = self.redo();
        while redone && !may_choose(self.turn()) && self.redo() {}
        redone
    }

    /// The side to move forfeits its turn. The game goes on from here; what was played before
    /// can't be taken back.
    pub fn pass(&mut self) {
        let mut setup = self.position().setup();
        setup.turn = !setup.turn;
        // The pieces stay where they are, so the position stays as sound as it was.
        if let Ok(position) = Position::new(self.game.variant(), &setup) {
            let moves_before = self.moves_made();
            let clocks = self.clocks.clone();
            *self = Table::new(Game::from_position(position))
                .after(moves_before)
                .with_clocks(clocks);
        }
    }

    /// A side gives up.
    pub fn resign(&mut self, side: Side) {
        self.given_up = Some(End::Resigned(side));
    }
}

impl End {
    /// Who won; `None` for a draw.
    pub fn winner(&self) -> Option<Side> {
        match self {
            End::Rules(outcome) => outcome.winner,
            End::Resigned(side) | End::Time(side) => Some(!*side),
        }
    }

    /// The end as a sentence, with the names of a position's sides.
    pub fn in_words(&self, position: &Position) -> String {
        let names = &position.variant().definition().sides.names;
        match self {
            End::Rules(outcome) => outcome.in_words(position.variant()),
            End::Resigned(side) => format!("{} wins: {} resigns.", names[!*side], names[*side]),
            End::Time(side) => {
                format!(
                    "{} wins: {} has run out of time.",
                    names[!*side], names[*side]
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use kingme_rules::Variant;

    use super::*;

    fn table(name: &str) -> Table {
        Table::new(Game::new(&Variant::named(name).unwrap()))
    }

    #[test]
    fn a_move_taken_back_can_be_played_again() {
        let mut table = table("english");
        table.play_text("11-15").unwrap();
        table.play_text("22-18").unwrap();
        assert!(table.undo() && table.undo() && !table.undo());
        assert!(table.redo());
        table.play_text("22-18").unwrap();
        assert!(!table.redo());
        assert_eq!(table.game().move_texts(), ["11-15", "22-18"]);
    }

    #[test]
    fn another_move_forgets_what_was_taken_back() {
        let mut table = table("english");
        table.play_text("11-15").unwrap();
        table.undo();
        table.play_text("11-16").unwrap();
        assert!(!table.redo());
    }

    #[test]
    fn a_forfeited_turn_is_no_move() {
        let mut table = table("stupid-checkers");
        table.play_text("B2-B6").unwrap();
        table.pass();
        assert_eq!((table.turn(), table.moves_made()), (Side::White, 1));
    }

    #[test]
    fn who_resigns_loses() {
        let mut table = table("english");
        table.resign(Side::Black);
        let end = table.end().unwrap();
        assert_eq!(end.winner(), Some(Side::White));
        assert_eq!(end.in_words(table.position()), "White wins: Black resigns.");
    }
}
