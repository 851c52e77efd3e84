//! Who sits at a game: people at this terminal, and programs that are asked.

use std::time::Instant;

use kingme_play::{Answer, Chance, Stop};
use kingme_players::{OpenError, Player, PlayerFault, PlayerSpec, Question};
use kingme_rules::{Game, Side, Variant};

use crate::LocalGame;

/// One side of a game.
enum Sitter {
    /// A person at this terminal.
    Person(String),
    /// A program.
    Program(Box<dyn Player>),
}

impl Sitter {
    fn open(spec: &PlayerSpec, variant: &Variant, seed: u64) -> Result<Sitter, OpenError> {
        match spec {
            PlayerSpec::Human { name } => Ok(Sitter::Person(
                name.clone().unwrap_or_else(|| "human".to_owned()),
            )),
            program => program.open(variant, seed).map(Sitter::Program),
        }
    }
}

/// Both sides of a game.
pub struct Seats {
    seats: [Sitter; 2],
    /// For what is left to chance.
    pub chance: Chance,
}

impl Seats {
    /// Seats the players of a game.
    ///
    /// # Errors
    ///
    /// If one is a program that can't be started.
    pub fn open(specs: &[PlayerSpec; 2], game: &Game, seed: u64) -> Result<Seats, OpenError> {
        let [white, black] = specs;
        let mut seats = [
            Sitter::open(white, game.variant(), seed)?,
            Sitter::open(black, game.variant(), seed.wrapping_add(1))?,
        ];
        for side in Side::BOTH {
            if let Sitter::Program(player) = &mut seats[side] {
                // A program that can't begin is asked nevertheless, and gets a substitute.
                player.new_game(game, side).unwrap_or_default();
            }
        }
        Ok(Seats {
            seats,
            chance: Chance::new(seed),
        })
    }

    /// Whether a person plays a side.
    pub fn is_person(&self, side: Side) -> bool {
        matches!(self.seats[side], Sitter::Person(_))
    }

    /// Who plays a side.
    pub fn name(&self, side: Side) -> String {
        match &self.seats[side] {
            Sitter::Person(name) => name.clone(),
            Sitter::Program(player) => player.name(),
        }
    }

    /// Asks the program whose turn it is; a person is never asked here.
    ///
    /// # Errors
    ///
    /// Why there is no answer.
    pub fn ask(&mut self, game: &Game, question: &Question) -> Result<Answer, PlayerFault> {
        match &mut self.seats[game.turn()] {
            Sitter::Program(player) => player.choose(game, question),
            Sitter::Person(_) => Err(PlayerFault::Interrupted),
        }
    }

    /// Asks the program whose turn it is, and does what its answer leads to. What is said of it, if
    /// the move is not its own.
    pub fn answer(&mut self, game: &mut LocalGame) -> Option<String> {
        game.start_clock(Instant::now());
        let side = game.turn();
        let question = Question::of(game.session(), Stop::new());
        let answer = self.ask(game.game(), &question);
        let suggestion = question.suggestion();
        let now = Instant::now();
        let words = game.answered(&answer, suggestion.as_ref(), &mut self.chance, now)?;
        Some(complaint(&self.name(side), &words))
    }

    /// Tells the programs that the game is over.
    pub fn end_game(&mut self, game: &Game, winner: Option<Side>) {
        for seat in &mut self.seats {
            if let Sitter::Program(player) = seat {
                player.end_game(game, winner);
            }
        }
    }
}

/// What is said when a program's move is not its own.
pub fn complaint(name: &str, words: &str) -> String {
    format!("{name}: {words}. A random move is played instead.")
}
