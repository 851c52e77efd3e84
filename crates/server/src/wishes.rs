//! What players ask for, and whether the game allows it.

use kingme_rules::Side;

use crate::error::ApiError;
use crate::event::{Event, Offer};
use crate::said::Said;
use crate::table::{Ending, PlayerId, Seat, Table};

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

impl Table {
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
            return Err(ApiError::Forbidden(Said::new(
                "only_players",
                "only the players can do that",
            )));
        };
        self.fits_the_game(wish)?;
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

    /// In rated games what is played stays played; games of a league follow the league's rules.
    fn fits_the_game(&self, wish: &Wish) -> Result<(), ApiError> {
        let league = self.settings.league.is_some();
        let said = match wish {
            Wish::TakeBack if self.settings.rated => {
                Said::new("rated_stays", "in a rated game nothing is taken back")
            }
            Wish::TakeBack | Wish::Draw | Wish::Rematch if league => {
                Said::new("not_in_league", "that is not possible in a league's game")
            }
            _ => return Ok(()),
        };
        Err(ApiError::Refused(said))
    }

    fn unless_over(&self, event: Event) -> Result<Event, ApiError> {
        match self.ending {
            Some(_) => Err(ApiError::Refused(Said::new(
                "game_over",
                "the game is over",
            ))),
            None => Ok(event),
        }
    }

    fn grant_move(&self, side: Side, text: &str) -> Result<Event, ApiError> {
        let variant = self.game.variant();
        let name = &variant.definition().sides.names[self.game.turn()];
        self.unless_over(Event::Declined)?;
        if self.open_side().is_some() {
            return Err(not_here());
        }
        if side != self.game.turn() {
            let said = Said::new("not_turn", format!("it is {name}'s turn"));
            return Err(ApiError::Refused(said.with("turn", name)));
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
            let said = Said::new("nothing_to_take_back", "there is nothing to take back");
            return Err(ApiError::Refused(said));
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
        let plies = self.game.plies();
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
            Seat::Computer { .. } => Err(plays_on()),
            Seat::Open => Err(not_here()),
        }
    }

    fn grant_rematch(&self, side: Side) -> Result<Event, ApiError> {
        if self.ending.is_none() {
            let said = Said::new("not_over", "the game is not over");
            return Err(ApiError::Refused(said));
        }
        if self.rematch.is_some() {
            let said = Said::new("next_begun", "the next game has begun");
            return Err(ApiError::Conflict(said));
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
            let said = Said::new("other_accepts", "the other side has to accept it");
            return Err(ApiError::Refused(said));
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
}

fn nothing_offered() -> ApiError {
    ApiError::Conflict(Said::new("nothing_offered", "nothing is offered"))
}

fn not_here() -> ApiError {
    let text = "the other player is not here yet";
    ApiError::Refused(Said::new("not_here", text))
}

/// The computer's answer to an offer of a draw that it does not like.
pub fn plays_on() -> ApiError {
    ApiError::Refused(Said::new("plays_on", "the computer wants to play on"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Settings;

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
            moves: Vec::new(),
            rated: false,
            league: None,
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
        assert_eq!(table.game.plies(), 0);
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
            .in_words(table.game.variant())
            .to_string();
        assert_eq!(words, "White wins: Black resigned.");
    }

    #[test]
    fn in_a_rated_game_nothing_is_taken_back() {
        let mut table = table(person(1), person(2));
        table.settings.rated = true;
        wish(&mut table, 2, &mv("11-15")).unwrap();
        let refused = wish(&mut table, 2, &Wish::TakeBack);
        assert_eq!(refused, Err("in a rated game nothing is taken back".into()));
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
