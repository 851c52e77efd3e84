//! A table: one game with its seats, its clock and its offers. It changes by events only.

use rules::{Game, Outcome, Position, Side, Variant};
use serde::{Deserialize, Serialize};

use crate::clock::{Clock, Millis, TimeControl};
use crate::error::ApiError;
use crate::event::{Event, Offer};

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
        /// From 1 to 10.
        level: u8,
    },
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
        None => Variant::named(name).map_err(|error| ApiError::Missing(error.to_string()))?,
    };
    match size {
        Some(size) => variant
            .sized(size)
            .map_err(|error| ApiError::Bad(error.to_string())),
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
}

impl Ending {
    /// Who won; `None` for a draw.
    pub fn winner(&self) -> Option<Side> {
        match self {
            Ending::Rules(outcome) => outcome.winner,
            Ending::Resigned(side) | Ending::Time(side) => Some(!*side),
            Ending::Agreed => None,
        }
    }

    /// The ending as a sentence.
    pub fn in_words(&self, variant: &Variant) -> String {
        let name = |side: Side| &variant.definition().sides.names[side];
        match self {
            Ending::Rules(outcome) => outcome.in_words(variant),
            Ending::Resigned(side) => format!("{} wins: {} resigned.", name(!*side), name(*side)),
            Ending::Time(side) => {
                format!("{} wins: {} ran out of time.", name(!*side), name(*side))
            }
            Ending::Agreed => "Draw: both sides agreed.".to_owned(),
        }
    }
}

/// What a player wants to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Play this move.
    Move(String),
    /// Take the last move back.
    TakeBack,
    /// Give up.
    Resign,
    /// Offer a draw.
    Draw,
    /// Offer another game.
    Rematch,
    /// Accept what the other side offers.
    Accept,
    /// Decline it.
    Decline,
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
                .map_err(|error| ApiError::Bad(error.to_string()))?,
            None => variant.start(),
        };
        let game = Game::from_position(start);
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

    /// The event that a player's wish leads to, as the game stands.
    ///
    /// # Errors
    ///
    /// Why it can't be granted.
    pub fn grant(&self, player: PlayerId, wish: &Wish) -> Result<Event, ApiError> {
        let sides = self.sides_of(player);
        let Some(&side) = sides
            .iter()
            .find(|side| **side == self.game.turn())
            .or(sides.first())
        else {
            return Err(ApiError::Forbidden("only the players can do that".into()));
        };
        match wish {
            Wish::Move(text) => self.grant_move(side, text),
            Wish::Resign => self.unless_over(Event::Resigned { side: side.into() }),
            Wish::TakeBack => self.grant_take_back(side),
            Wish::Draw => self.grant_draw(side),
            Wish::Rematch => self.grant_rematch(side),
            Wish::Accept => self.grant_accept(&sides),
            Wish::Decline => match self.offer {
                Some(_) => Ok(Event::Declined),
                None => Err(nothing_offered()),
            },
        }
    }

    fn unless_over(&self, event: Event) -> Result<Event, ApiError> {
        match self.ending {
            Some(_) => Err(ApiError::Refused("the game is over".into())),
            None => Ok(event),
        }
    }

    fn grant_move(&self, side: Side, text: &str) -> Result<Event, ApiError> {
        let variant = self.game.variant();
        let name = &variant.definition().sides.names[self.game.turn()];
        self.unless_over(Event::Declined)?;
        if self.open_side().is_some() {
            let message = "the other player is not here yet";
            return Err(ApiError::Refused(message.into()));
        }
        if side != self.game.turn() {
            return Err(ApiError::Refused(format!("it is {name}'s turn")));
        }
        let position = self.game.position();
        let mv = position.find_move(text)?;
        Ok(Event::Moved {
            text: position.squares_text(&mv),
        })
    }

    /// Whether the two seats belong to different people, who must agree on things.
    fn has_two_people(&self) -> bool {
        match &self.seats {
            [
                Seat::Person { player: one, .. },
                Seat::Person { player: two, .. },
            ] => one != two,
            _ => false,
        }
    }

    fn grant_take_back(&self, side: Side) -> Result<Event, ApiError> {
        let by_rules = |ending: &Ending| matches!(ending, Ending::Rules(_));
        let plies = self.plies_to_take_back(side);
        if plies == 0 || self.ending.as_ref().is_some_and(|ending| !by_rules(ending)) {
            return Err(ApiError::Refused("there is nothing to take back".into()));
        }
        Ok(if self.has_two_people() {
            let (side, offer) = (side.into(), Offer::TakeBack);
            Event::Offered { side, offer }
        } else {
            Event::TakenBack { plies }
        })
    }

    /// How many plies lead back to this side's last decision; 0 if it made none.
    fn plies_to_take_back(&self, side: Side) -> usize {
        let plies = self.game.moves().len();
        let alone = matches!(
            self.seats,
            [Seat::Person { .. }, Seat::Person { .. }] if !self.has_two_people()
        );
        let back = if alone || self.game.turn() != side {
            1
        } else {
            2
        };
        if back <= plies { back } else { 0 }
    }

    fn grant_draw(&self, side: Side) -> Result<Event, ApiError> {
        self.unless_over(Event::DrawAgreed)?;
        if self.has_two_people() {
            let (side, offer) = (side.into(), Offer::Draw);
            return Ok(Event::Offered { side, offer });
        }
        match self.seats[!side] {
            Seat::Person { .. } => Ok(Event::DrawAgreed),
            // Whether it accepts is asked of the engine, not of the rules.
            Seat::Computer { .. } => Err(ApiError::Refused("the computer wants to play on".into())),
            Seat::Open => Err(ApiError::Refused("the other player is not here yet".into())),
        }
    }

    fn grant_rematch(&self, side: Side) -> Result<Event, ApiError> {
        if self.ending.is_none() {
            return Err(ApiError::Refused("the game is not over".into()));
        }
        if self.rematch.is_some() {
            return Err(ApiError::Conflict("the next game has begun".into()));
        }
        let side = side.into();
        let offer = Offer::Rematch;
        Ok(if self.has_two_people() {
            Event::Offered { side, offer }
        } else {
            Event::Rematched {
                game: crate::secret::new_id(),
            }
        })
    }

    fn grant_accept(&self, sides: &[Side]) -> Result<Event, ApiError> {
        let Some((side, offer)) = self.offer else {
            return Err(nothing_offered());
        };
        if sides == [side] {
            let message = "the other side has to accept it";
            return Err(ApiError::Refused(message.into()));
        }
        Ok(match offer {
            Offer::Draw => Event::DrawAgreed,
            Offer::TakeBack => Event::TakenBack {
                plies: self.plies_to_take_back(side),
            },
            Offer::Rematch => Event::Rematched {
                game: crate::secret::new_id(),
            },
        })
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
            ..self.settings.clone()
        }
    }
}

fn nothing_offered() -> ApiError {
    ApiError::Conflict("nothing is offered".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(player: PlayerId) -> Seat {
        Seat::Person {
            player,
            name: String::new(),
        }
    }

    fn table(white: Seat, black: Seat) -> Table {
        let settings = Settings {
            variant: "english".into(),
            toml: None,
            size: None,
            fen: None,
            seats: [white, black],
            clock: None,
            public: false,
            invite: None,
        };
        Table::new("game".into(), settings).unwrap()
    }

    fn wish(table: &mut Table, player: PlayerId, wish: &Wish) -> Result<(), String> {
        let event = table.grant(player, wish).map_err(|e| e.to_string())?;
        table.apply(&event, 0).map_err(|e| e.to_string())
    }

    fn mv(text: &str) -> Wish {
        Wish::Move(text.into())
    }

    #[test]
    fn nobody_moves_for_another() {
        let mut table = table(person(1), person(2));
        assert_eq!(
            wish(&mut table, 1, &mv("11-15")),
            Err("it is Black's turn".into())
        );
        assert_eq!(
            wish(&mut table, 3, &mv("11-15")),
            Err("only the players can do that".into())
        );
        assert_eq!(wish(&mut table, 2, &mv("11-15")), Ok(()));
    }

    #[test]
    fn a_refusal_says_why() {
        let mut table = table(person(1), person(1));
        let refused = |table: &mut Table, text| wish(table, 1, &mv(text)).unwrap_err();
        assert_eq!(refused(&mut table, "15-15"), "there is no piece on 15");
        assert_eq!(
            refused(&mut table, "22-18"),
            "the piece on 22 is White's, and it is Black's turn"
        );
        assert_eq!(refused(&mut table, "1-1"), "the man on 1 can't move");
    }

    #[test]
    fn an_offer_needs_the_other_side() {
        let mut table = table(person(1), person(2));
        wish(&mut table, 1, &Wish::Draw).unwrap();
        let own = wish(&mut table, 1, &Wish::Accept);
        assert_eq!(own, Err("the other side has to accept it".into()));
        wish(&mut table, 2, &Wish::Accept).unwrap();
        assert_eq!(table.ending, Some(Ending::Agreed));
    }

    #[test]
    fn moving_on_declines_an_offer() {
        let mut table = table(person(1), person(2));
        wish(&mut table, 1, &Wish::Draw).unwrap();
        wish(&mut table, 2, &mv("11-15")).unwrap();
        assert_eq!(table.offer, None);
    }

    #[test]
    fn against_the_computer_a_take_back_goes_to_ones_own_last_move() {
        let mut table = table(Seat::Computer { level: 1 }, person(2));
        wish(&mut table, 2, &mv("11-15")).unwrap();
        let answer = Event::Moved {
            text: "22-18".into(),
        };
        table.apply(&answer, 0).unwrap();
        wish(&mut table, 2, &Wish::TakeBack).unwrap();
        assert_eq!(table.game.moves().len(), 0);
        let again = wish(&mut table, 2, &Wish::TakeBack);
        assert_eq!(again, Err("there is nothing to take back".into()));
    }

    #[test]
    fn a_finished_game_takes_no_moves() {
        let mut table = table(person(1), person(2));
        wish(&mut table, 2, &Wish::Resign).unwrap();
        assert_eq!(
            wish(&mut table, 2, &mv("11-15")),
            Err("the game is over".into())
        );
        let words = table
            .ending
            .as_ref()
            .unwrap()
            .in_words(table.game.variant());
        assert_eq!(words, "White wins: Black resigned.");
    }

    #[test]
    fn a_rematch_swaps_the_colours() {
        let mut table = table(Seat::Computer { level: 3 }, person(2));
        wish(&mut table, 2, &Wish::Resign).unwrap();
        wish(&mut table, 2, &Wish::Rematch).unwrap();
        assert!(table.rematch.is_some());
        let seats = table.rematch_settings().seats;
        assert_eq!(seats, [person(2), Seat::Computer { level: 3 }]);
    }
}
