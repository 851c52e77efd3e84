//! What a session is asked to do.

use std::time::Duration;

use kingme_players::{OpenError, PlayerSpec};
use kingme_rules::Side;

use crate::LocalGame;
use crate::saved::Journal;
use crate::seat::Seats;

/// What a session is asked to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// The game, new or begun.
    pub game: LocalGame,
    /// Who plays, White first.
    pub players: [PlayerSpec; 2],
    /// Let a player who has typed something wrong try again, where the game is mean to them.
    pub nice: bool,
    /// Show the numbers of pieces above the board.
    pub score: bool,
    /// Show the number of moves and of pieces above the board.
    pub counter: bool,
    /// How long to wait before each move of a program, for those who watch.
    pub delay: Duration,
    /// Draw with nothing but ASCII: pieces are letters.
    pub ascii: bool,
    /// Draw with colours.
    pub colour: bool,
    /// For everything that is left to chance.
    pub seed: u64,
    /// Where the game is saved after every move; `None`: nowhere.
    pub journal: Option<Journal>,
    /// Says what went wrong beside the game, where a game is played line by line.
    pub warn: fn(&str),
}

impl Options {
    /// Who sits at the bottom: the side there, unless only the other one is a person.
    pub(crate) fn bottom(&self) -> Side {
        let bottom = !self.game.game().variant().definition().sides.top;
        let is_person = |side: Side| matches!(self.players[side], PlayerSpec::Human { .. });
        if is_person(!bottom) && !is_person(bottom) {
            !bottom
        } else {
            bottom
        }
    }

    /// A game between two people at this terminal.
    pub fn new(game: LocalGame) -> Options {
        let person = PlayerSpec::Human { name: None };
        Options {
            game,
            players: [person.clone(), person],
            nice: false,
            score: false,
            counter: false,
            delay: Duration::ZERO,
            ascii: false,
            colour: true,
            seed: 0,
            journal: None,
            warn: |_| {},
        }
    }

    /// Seats the players.
    pub(crate) fn seats(&self) -> Result<Seats, OpenError> {
        Seats::open(&self.players, self.game.game(), self.seed)
    }
}

/// Saves a game after every move. One that can't be saved can still be played; that is said once.
pub(crate) struct Saves<'a> {
    options: &'a Options,
    complained: bool,
}

impl<'a> Saves<'a> {
    pub fn new(options: &'a Options) -> Saves<'a> {
        Saves {
            options,
            complained: false,
        }
    }

    pub fn save(&mut self, game: &LocalGame) {
        let Some(journal) = &self.options.journal else {
            return;
        };
        if let Err(error) = journal.save(game, &self.options.players)
            && !self.complained
        {
            self.complained = true;
            let file = journal.path.display();
            (self.options.warn)(&format!("the game can't be saved: {file}: {error}"));
        }
    }
}
