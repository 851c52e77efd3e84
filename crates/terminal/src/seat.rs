//! Who sits at the table, and what a program at it decides.

use std::time::Instant;

use kingme_arena::{Answer, Chance, OpenError, Player, PlayerFault, PlayerSpec, Reply, Stop, Turn};
use kingme_rules::{Game, Move, MoveError, Side, Variant};

use crate::Table;

/// One side of the table.
enum Seat {
    /// A person at this terminal.
    Person(String),
    /// A program.
    Program(Box<dyn Player>),
}

impl Seat {
    fn open(spec: &PlayerSpec, variant: &Variant, seed: u64) -> Result<Seat, OpenError> {
        match spec {
            PlayerSpec::Human { name } => Ok(Seat::Person(
                name.clone().unwrap_or_else(|| "human".to_owned()),
            )),
            program => program.open(variant, seed).map(Seat::Program),
        }
    }

    fn name(&self) -> String {
        match self {
            Seat::Person(name) => name.clone(),
            Seat::Program(player) => player.name(),
        }
    }
}

/// Both sides of the table.
pub struct Seats {
    seats: [Seat; 2],
    chance: Chance,
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
            Seat::open(white, game.variant(), seed)?,
            Seat::open(black, game.variant(), seed.wrapping_add(1))?,
        ];
        for side in Side::BOTH {
            if let Seat::Program(player) = &mut seats[side] {
                // A program that can't begin is asked nevertheless, and gets a substitute.
                let _ = player.new_game(game, side);
            }
        }
        Ok(Seats {
            seats,
            chance: Chance::new(seed),
        })
    }

    /// Whether a person plays a side.
    pub fn is_person(&self, side: Side) -> bool {
        matches!(self.seats[side], Seat::Person(_))
    }

    /// Who plays a side.
    pub fn name(&self, side: Side) -> String {
        self.seats[side].name()
    }

    /// Asks the program whose turn it is; a person is never asked here.
    pub fn decide(&mut self, game: &Game, turn: &Turn) -> Decision {
        match &mut self.seats[game.turn()] {
            Seat::Program(player) => consult(&mut **player, game, turn, &mut self.chance),
            Seat::Person(_) => Decision::Interrupted,
        }
    }

    /// As [`Seats::decide`], by the table's clocks.
    pub fn decide_at(&mut self, table: &mut Table) -> Decision {
        let turn = Turn::new(table.clocks().clock(table.turn()), Stop::new());
        let asked_at = Instant::now();
        let decision = self.decide(table.game(), &turn);
        // A late program has got its substitute already, or loses.
        table.spend(asked_at.elapsed());
        decision
    }

    /// Any legal move, for a person who has let the time for a move pass.
    pub fn random_move(&mut self, game: &Game) -> Option<Move> {
        self.chance.pick(&game.legal_moves()).cloned()
    }

    /// Tells the programs that the game is over.
    pub fn end_game(&mut self, game: &Game, winner: Option<Side>) {
        for seat in &mut self.seats {
            if let Seat::Program(player) = seat {
                player.end_game(game, winner);
            }
        }
    }
}

/// What becomes of a program's turn.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// It plays.
    Play {
        /// A legal move.
        mv: Move,
        /// What went wrong, if the move is not the program's own.
        note: Option<String>,
        /// How the program sees its chances, in men.
        score: Option<f32>,
    },
    /// It gives up.
    Resign,
    /// It was told to stop.
    Interrupted,
}

/// Asks a program for its move and never trusts it: whatever is not a legal move gets a random
/// one in its place, as in the league's rules. The game must not be over.
pub fn consult(player: &mut dyn Player, game: &Game, turn: &Turn, chance: &mut Chance) -> Decision {
    let answer = match player.choose(game, turn) {
        Err(PlayerFault::Interrupted) => return Decision::Interrupted,
        Ok(answer) => Ok(answer),
        Err(fault) => turn.take_suggestion().ok_or_else(|| fault.to_string()),
    };
    answer
        .and_then(|answer| decide(game, &answer).map_err(|error| error.to_string()))
        .unwrap_or_else(|why| substitute(player, game, chance, &why))
}

fn decide(game: &Game, answer: &Answer) -> Result<Decision, MoveError> {
    let mv = match &answer.reply {
        Reply::Resign => return Ok(Decision::Resign),
        Reply::Text(text) => game.position().find_move(text)?,
        Reply::Move(mv) => {
            game.position().play(mv)?;
            mv.clone()
        }
    };
    Ok(Decision::Play {
        mv,
        note: None,
        score: answer.score,
    })
}

fn substitute(player: &dyn Player, game: &Game, chance: &mut Chance, why: &str) -> Decision {
    let legal = game.legal_moves();
    match chance.pick(&legal) {
        None => Decision::Resign,
        Some(mv) => Decision::Play {
            mv: mv.clone(),
            note: Some(format!(
                "{}: {why}. A random move is played instead.",
                player.name()
            )),
            score: None,
        },
    }
}

#[cfg(test)]
mod tests {
    use kingme_arena::Clock;

    use super::*;

    /// A program that always gives the same answer.
    struct Parrot(Result<Answer, PlayerFault>);

    impl Player for Parrot {
        fn name(&self) -> String {
            "parrot".to_owned()
        }

        fn choose(&mut self, _: &Game, _: &Turn) -> Result<Answer, PlayerFault> {
            self.0.clone()
        }
    }

    fn ask(answer: Result<Reply, PlayerFault>) -> Decision {
        let game = Game::new(&Variant::named("english").unwrap());
        let turn = Turn::new(Clock::free(), Stop::new());
        consult(
            &mut Parrot(answer.map(Answer::new)),
            &game,
            &turn,
            &mut Chance::new(1),
        )
    }

    fn note(answer: Result<Reply, PlayerFault>) -> String {
        match ask(answer) {
            Decision::Play { note, .. } => note.unwrap_or_default(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_answer_in_words_is_as_good_as_a_move() {
        assert_eq!(note(Ok(Reply::Text("11-15".to_owned()))), "");
    }

    #[test]
    fn a_wrong_answer_gets_a_random_move() {
        assert_eq!(
            note(Ok(Reply::Text("1-5".to_owned()))),
            "parrot: 1-5 is not possible: the man on 1 can't move. A random move is played instead."
        );
        assert_eq!(
            note(Err(PlayerFault::Late)),
            "parrot: no answer in time. A random move is played instead."
        );
    }

    #[test]
    fn an_interrupted_program_plays_nothing() {
        assert_eq!(ask(Err(PlayerFault::Interrupted)), Decision::Interrupted);
        assert_eq!(ask(Ok(Reply::Resign)), Decision::Resign);
    }
}
