//! A table: one game with its seats, its clock and its offers. It changes by events only.

use kingme_rules::{Game, Outcome, Position, Side, Variant};
use serde::{Deserialize, Serialize};

use crate::clock::{Clock, Millis, TimeControl};
use crate::error::ApiError;
use crate::event::{Event, Offer};
use crate::said::{self, Said};

/// A player's number in the data base.
pub type PlayerId = i64;

/// Who sits on one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Seat {
    /// Nobody yet: whoever has the link.
    Open,
    /// A person, or a person's bot.
    Person {
        /// Who.
        player: PlayerId,
        /// By what name.
        name: String,
    },
    /// The computer.
    Computer {
        /// From 1 to 10; 0 moves at random.
        level: u8,
    },
}

impl Seat {
    /// Whose rating the game changes: people by their number, the computer's levels below zero.
    pub fn rated_as(&self) -> Option<PlayerId> {
        match self {
            Seat::Open => None,
            Seat::Person { player, .. } => Some(*player),
            Seat::Computer { level } => Some(-1 - PlayerId::from(*level)),
        }
    }
}

/// What a game is begun with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Name of the game.
    pub variant: String,
    /// Its file, if it does not come with the program.
    pub toml: Option<String>,
    /// Size of the board, if it is not the usual one.
    pub size: Option<u32>,
    /// Where it starts, if not at the start.
    pub fen: Option<String>,
    /// The seats, White's first.
    pub seats: [Seat; 2],
    /// The time, if it is limited.
    pub clock: Option<TimeControl>,
    /// Whether anybody may watch.
    pub public: bool,
    /// Hash of the secret that opens the open seat.
    pub invite: Option<String>,
    /// Moves that were made elsewhere, before the game came here.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Whether it counts for the players' ratings.
    #[serde(default)]
    pub rated: bool,
    /// The league that it is a game of: its log keeps the result.
    #[serde(default)]
    pub league: Option<String>,
}

impl Settings {
    /// The game that is played.
    pub fn variant(&self) -> Result<Variant, ApiError> {
        load_variant(&self.variant, self.toml.as_deref(), self.size)
    }
}

/// A game by name or file, on a board of some size.
pub fn load_variant(
    name: &str,
    toml: Option<&str>,
    size: Option<u32>,
) -> Result<Variant, ApiError> {
    let variant = match toml {
        Some(text) => Variant::from_toml(text)?,
        None => {
            Variant::named(name).map_err(|error| ApiError::Missing(error.to_string().into()))?
        }
    };
    match size {
        Some(size) => variant
            .sized(size)
            .map_err(|error| ApiError::Bad(error.to_string().into())),
        None => Ok(variant),
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By its rules.
    Rules(Outcome),
    /// A side gave up.
    Resigned(Side),
    /// Both wanted a draw.
    Agreed,
    /// A side had no time left.
    Time(Side),
    /// A league stopped it and will play it again.
    Stopped,
    /// The referee of a league decided it.
    Decided(Option<Side>),
}

impl Ending {
    /// Who won; `None` for a draw.
    pub fn winner(&self) -> Option<Side> {
        match self {
            Ending::Rules(outcome) => outcome.winner,
            Ending::Resigned(side) | Ending::Time(side) => Some(!*side),
            Ending::Decided(winner) => *winner,
            Ending::Agreed | Ending::Stopped => None,
        }
    }

    /// The ending as a sentence, and why it came for pages in other languages.
    pub fn in_words(&self, variant: &Variant) -> Said {
        let name = |side: Side| &variant.definition().sides.names[side];
        let lost = |key, side: Side, how: &str| {
            let text = format!("{} wins: {} {how}.", name(!side), name(side));
            Said::new(key, text).with("side", name(side))
        };
        match self {
            Ending::Rules(outcome) => said::why(outcome, variant),
            Ending::Resigned(side) => lost("resigned", *side, "resigned"),
            Ending::Time(side) => lost("out_of_time", *side, "ran out of time"),
            Ending::Agreed => Said::new("agreed", "Draw: both sides agreed."),
            Ending::Stopped => {
                Said::new("stopped", "Draw: the league stopped and plays this again.")
            }
            Ending::Decided(Some(side)) => {
                let text = format!("{} wins: the league's referee decided.", name(*side));
                Said::new("decided", text)
            }
            Ending::Decided(None) => Said::new("decided", "Draw: the league's referee decided."),
        }
    }
}

/// One game with all that belongs to it.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its identifier.
    pub id: String,
    /// What it was begun with.
    pub settings: Settings,
    /// Who sits where, White first.
    pub seats: [Seat; 2],
    /// The game.
    pub game: Game,
    /// The clock, if time is limited.
    pub clock: Option<Clock>,
    /// What one side has offered the other.
    pub offer: Option<(Side, Offer)>,
    /// How it ended, if it has.
    pub ending: Option<Ending>,
    /// The next game of the same two.
    pub rematch: Option<String>,
    /// How many events there were.
    pub seq: u64,
}

impl Table {
    /// A new table.
    ///
    /// # Errors
    ///
    /// If there is no such game or the position is not one of it.
    pub fn new(id: String, settings: Settings) -> Result<Table, ApiError> {
        let variant = settings.variant()?;
        let start = match &settings.fen {
            Some(fen) => Position::from_fen(&variant, fen)
                .map_err(|error| ApiError::Bad(error.to_string().into()))?,
            None => variant.start(),
        };
        let mut game = Game::from_position(start);
        for text in &settings.moves {
            game.play_text(text)?;
        }
        let ending = game.outcome().cloned().map(Ending::Rules);
        Ok(Table {
            id,
            seats: settings.seats.clone(),
            clock: settings.clock.map(Clock::new),
            settings,
            game,
            offer: None,
            ending,
            rematch: None,
            seq: 0,
        })
    }

    /// The sides that a player holds.
    pub fn sides_of(&self, player: PlayerId) -> Vec<Side> {
        let holds = |side: &Side| matches!(&self.seats[*side], Seat::Person { player: p, .. } if *p == player);
        Side::BOTH.into_iter().filter(holds).collect()
    }

    /// Whether somebody may see the game.
    pub fn is_visible_to(&self, player: Option<PlayerId>) -> bool {
        self.settings.public || player.is_some_and(|player| !self.sides_of(player).is_empty())
    }

    /// The side that still has nobody.
    pub fn open_side(&self) -> Option<Side> {
        let open = |side: &Side| self.seats[*side] == Seat::Open;
        Side::BOTH.into_iter().find(open)
    }

    /// The level of the computer, if it is to move.
    pub fn computer_to_move(&self) -> Option<u8> {
        match self.seats[self.game.turn()] {
            Seat::Computer { level } if self.ending.is_none() && self.open_side().is_none() => {
                Some(level)
            }
            _ => None,
        }
    }

    /// Takes note of an event that was granted.
    ///
    /// # Errors
    ///
    /// If a move of the log is not legal: the log is not this game's.
    pub fn apply(&mut self, event: &Event, now: Millis) -> Result<(), ApiError> {
        match event {
            Event::Joined { side, player, name } => {
                let (player, name) = (*player, name.clone());
                self.seats[Side::from(*side)] = Seat::Person { player, name };
            }
            Event::Moved { text } => self.moved(text, now)?,
            Event::TakenBack { plies } => self.taken_back(*plies, now),
            Event::Offered { side, offer } => self.offer = Some(((*side).into(), *offer)),
            Event::Declined => self.offer = None,
            Event::Resigned { side } => self.end(Ending::Resigned((*side).into()), now),
            Event::TimeOut { side } => self.end(Ending::Time((*side).into()), now),
            Event::DrawAgreed => self.end(Ending::Agreed, now),
            Event::Stopped => self.end(Ending::Stopped, now),
            Event::Decided { winner } => {
                self.end(Ending::Decided(winner.map(Side::from)), now);
            }
            Event::Rematched { game } => {
                self.offer = None;
                self.rematch = Some(game.clone());
            }
            Event::Resumed => {
                if let Some(clock) = &mut self.clock {
                    clock.resume(now);
                }
            }
        }
        self.seq += 1;
        Ok(())
    }

    fn moved(&mut self, text: &str, now: Millis) -> Result<(), ApiError> {
        let mover = self.game.turn();
        self.game.play_text(text)?;
        if let Some(clock) = &mut self.clock {
            clock.press(mover, now);
        }
        // Whoever moves on has declined.
        self.offer = self.offer.filter(|(side, _)| *side == mover);
        if let Some(outcome) = self.game.outcome().cloned() {
            self.end(Ending::Rules(outcome), now);
        }
        Ok(())
    }

    fn taken_back(&mut self, plies: usize, now: Millis) {
        for _ in 0..plies {
            self.game.undo();
        }
        self.offer = None;
        self.ending = None;
        let turn = self.game.turn();
        if let Some(clock) = &mut self.clock {
            clock.hand_to(turn, now);
        }
    }

    fn end(&mut self, ending: Ending, now: Millis) {
        self.ending = Some(ending);
        self.offer = None;
        if let Some(clock) = &mut self.clock {
            clock.stop(now);
        }
    }

    /// What a rematch is begun with: the same, colours swapped.
    pub fn rematch_settings(&self) -> Settings {
        let [white, black] = self.seats.clone();
        Settings {
            seats: [black, white],
            invite: None,
            fen: self.settings.fen.clone(),
            moves: Vec::new(),
            ..self.settings.clone()
        }
    }
}
