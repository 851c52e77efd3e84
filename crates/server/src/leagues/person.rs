//! A person at a browser as a player of a league: the game is a table in the hall, where the person
//! moves as in any other game, and the league's referee is told.

use std::sync::Arc;
use std::time::Duration;

use arena::{Answer, Player, PlayerFault, Reply, Turn};
use rules::{Game, Side, Variant};
use tokio::runtime::Handle;

use super::Leagues;
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
    /// The server's tasks.
    pub runtime: Handle,
}

/// A person who has an account by this name.
#[derive(Debug)]
pub struct WebPerson {
    place: Place,
    name: String,
    side: Side,
    table: Option<(PlayerId, Arc<Live>)>,
}

impl WebPerson {
    /// The person with an account by this name; it need not exist yet.
    pub fn new(place: Place, name: String) -> WebPerson {
        WebPerson {
            place,
            name,
            side: Side::White,
            table: None,
        }
    }

    /// The table, once the person has an account. It gets the moves that it does not have yet.
    fn table(&mut self, game: &Game) -> Option<Arc<Live>> {
        let _tasks = self.place.runtime.enter();
        if self.table.is_none() {
            let (player, _) = self.place.hall.store.account(&self.name).ok()??;
            let id = secret::new_id();
            let settings = settings(game, &self.place.league, self.side, (player.id, &self.name))?;
            let live = self.place.hall.open(id.clone(), settings).ok()?;
            self.place.leagues.seat(&self.place.league, player.id, id);
            self.table = Some((player.id, live));
        }
        let (_, live) = self.table.as_ref()?;
        loop {
            let known = live.table().game.moves().len();
            let Some(mv) = game.moves().get(known) else {
                return Some(live.clone());
            };
            let text = game.position_after(known)?.squares_text(mv);
            self.place.hall.note(live, Event::Moved { text }).ok()?;
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
    let moves = game.moves().iter().enumerate();
    let text = |(ply, mv): (usize, &rules::Move)| Some(game.position_after(ply)?.squares_text(mv));
    moves.filter_map(text).collect()
}

/// The person's table; `None` for a game that only the league's own file knows.
fn settings(game: &Game, league: &str, side: Side, person: (PlayerId, &str)) -> Option<Settings> {
    let seat = |player, name: &str| Seat::Person {
        player,
        name: name.to_owned(),
    };
    let mut both = [seat(OPPONENT, league), seat(OPPONENT, league)];
    both[side] = seat(person.0, person.1);
    let variant = game.variant();
    let wanted = size_of(variant)?;
    let start = (*game.start() != variant.start()).then(|| game.start().fen());
    Some(Settings {
        variant: variant.name().to_owned(),
        toml: None,
        size: wanted,
        fen: start,
        seats: both,
        clock: None,
        public: false,
        invite: None,
        moves: squares_texts(game),
        rated: false,
        league: Some(league.to_owned()),
    })
}

/// The size that makes a game that we know this one: `Some(None)` is its usual size.
fn size_of(variant: &Variant) -> Option<Option<u32>> {
    let known = Variant::named(variant.name()).ok()?;
    if known.definition() == variant.definition() {
        return Some(None);
    }
    let size = u32::from(variant.board().columns());
    let sized = known.sized(size).ok()?;
    (sized.definition() == variant.definition()).then_some(Some(size))
}

impl Player for WebPerson {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn new_game(&mut self, game: &Game, side: Side) -> Result<(), PlayerFault> {
        self.leave(Event::Stopped);
        self.side = side;
        self.table(game);
        Ok(())
    }

    fn choose(&mut self, game: &Game, turn: &Turn) -> Result<Answer, PlayerFault> {
        let made = game.moves().len();
        while !turn.is_over() {
            if let Some(live) = self.table(game) {
                let table = live.table();
                if let Some(mv) = table.game.moves().get(made) {
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
