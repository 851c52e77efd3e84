//! A person at a browser as a player of a league: the game is a table in the hall, where the person
//! moves as in any other game, and the league's referee is told.

use std::sync::Arc;
use std::time::Duration;

use kingme_arena::{Answer, Player, PlayerFault, Reply, Turn};
use kingme_rules::{Game, Position, Side, Turn as Played};
use tokio::runtime::Handle;

use super::Leagues;
use crate::cards::VariantChoice;
use crate::event::Event;
use crate::hall::{Hall, Live};
use crate::secret;
use crate::table::{Ending, PlayerId, Seat, Settings};

/// How often a waiting league looks whether the person has moved.
const GLANCE: Duration = Duration::from_millis(25);

/// The seat of whoever the person plays against: nobody has this number.
const OPPONENT: PlayerId = 0;

/// What a person's seat needs.
#[derive(Clone, Debug)]
pub struct Place {
    /// The games.
    pub hall: Arc<Hall>,
    /// Where people find their seats.
    pub leagues: Arc<Leagues>,
    /// The league's name on pages.
    pub league: String,
    /// The league's game.
    pub rules: VariantChoice,
    /// The server's tasks.
    pub runtime: Handle,
}

/// A person who has an account by this name.
#[derive(Debug)]
pub struct WebPerson {
    place: Place,
    name: String,
    opponent: String,
    side: Side,
    table: Option<(PlayerId, Arc<Live>)>,
}

impl WebPerson {
    /// The person with an account by this name; it need not exist yet.
    pub fn new(place: Place, name: String) -> WebPerson {
        WebPerson {
            place,
            name,
            opponent: String::new(),
            side: Side::White,
            table: None,
        }
    }

    /// The table, once the person has an account. It gets the moves that it does not have yet.
    fn table(&mut self, game: &Game) -> Option<Arc<Live>> {
        let _tasks = self.place.runtime.enter();
        if self.table.is_none() {
            let account = self.place.hall.store.account(&self.name).ok()?;
            let Place {
                leagues, league, ..
            } = &self.place;
            leagues.expect(league, &self.name, account.is_some());
            let (player, _) = account?;
            let id = secret::new_id();
            let live = self
                .place
                .hall
                .open(id.clone(), self.settings(game, player.id));
            let live = live.ok()?;
            self.place.leagues.seat(&self.place.league, player.id, id);
            self.table = Some((player.id, live));
        }
        let (_, live) = self.table.as_ref()?;
        loop {
            let known = live.table().game.plies();
            let Some(mv) = game.turns().get(known).and_then(Played::as_move) else {
                return Some(live.clone());
            };
            let text = game.position_after(known)?.squares_text(mv);
            self.place.hall.note(live, Event::Moved { text }).ok()?;
        }
    }

    /// What the person's table is begun with.
    fn settings(&self, game: &Game, player: PlayerId) -> Settings {
        let seat = |player, name: &str| Seat::Person {
            player,
            name: name.to_owned(),
        };
        let mut seats = [(); 2].map(|()| seat(OPPONENT, &self.opponent));
        seats[self.side] = seat(player, &self.name);
        let VariantChoice {
            variant,
            toml,
            size,
        } = self.place.rules.clone();
        let moved = *game.start() != game.variant().start();
        Settings {
            variant,
            toml,
            size,
            fen: moved.then(|| game.start().fen()),
            seats,
            clock: None,
            public: false,
            invite: None,
            moves: squares_texts(game),
            rated: false,
            league: Some(self.place.league.clone()),
        }
    }

    fn leave(&mut self, event: Event) {
        let _tasks = self.place.runtime.enter();
        if let Some((player, live)) = self.table.take() {
            self.place.leagues.leave(&self.place.league, player);
            if live.table().ending.is_none() {
                let _ = self.place.hall.note(&live, event);
            }
        }
    }
}

/// The moves of a game with every square they land on.
fn squares_texts(game: &Game) -> Vec<String> {
    let text =
        |(position, turn): (&Position, &Played)| Some(position.squares_text(turn.as_move()?));
    game.history().filter_map(text).collect()
}

impl Player for WebPerson {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn meet(&mut self, opponent: &str) {
        opponent.clone_into(&mut self.opponent);
    }

    fn new_game(&mut self, game: &Game, side: Side) -> Result<(), PlayerFault> {
        self.leave(Event::Stopped);
        self.side = side;
        self.table(game);
        Ok(())
    }

    fn choose(&mut self, game: &Game, turn: &Turn) -> Result<Answer, PlayerFault> {
        let made = game.plies();
        while !turn.is_over() {
            if let Some(live) = self.table(game) {
                let table = live.table();
                if let Some(mv) = table.game.turns().get(made).and_then(Played::as_move) {
                    return Ok(mv.clone().into());
                }
                if matches!(table.ending, Some(Ending::Resigned(_))) {
                    return Ok(Answer::new(Reply::Resign));
                }
            }
            std::thread::sleep(GLANCE);
        }
        Err(PlayerFault::Interrupted)
    }

    fn opponent_moved(&mut self, game: &Game) {
        self.table(game);
    }

    fn end_game(&mut self, game: &Game, winner: Option<Side>) {
        self.table(game);
        self.leave(Event::Decided {
            winner: winner.map(Into::into),
        });
    }
}

impl Drop for WebPerson {
    fn drop(&mut self) {
        self.leave(Event::Stopped);
    }
}
