//! Games of a league that other machines play.

use std::time::Duration;

use kingme_play::{End, EndReason, Event, Moment, Session, read_ply};
use serde::{Deserialize, Serialize};

use super::{LeagueError, LeagueFile};

/// A game that another machine is to play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Errand {
    /// Its number in the league.
    pub game: u64,
    /// Its round.
    pub round: u32,
    /// Games with the same number begin alike.
    pub pair: u64,
    /// The names of White's and Black's player.
    pub names: [String; 2],
    /// The FEN that it begins with and the moves of its opening, with tabs between them.
    pub opening: String,
}

/// A game that another machine says it has played.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Its number.
    pub game: u64,
    /// A line for each turn; see [`kingme_play::write_ply`].
    pub plies: String,
    /// How it ended.
    pub end: End,
    /// What White's and Black's program said they are.
    pub versions: [Option<String>; 2],
    /// Who says so.
    pub worker: String,
    /// For how long that one had it.
    pub took: Duration,
    /// How many positions a second its engine looks at.
    pub speed: f64,
}

/// Machines that play games of a league.
pub trait Elsewhere: std::fmt::Debug + Send + Sync {
    /// The league goes on by this file.
    ///
    /// # Errors
    ///
    /// If it can't be handed out.
    fn begin(&self, file: &LeagueFile) -> Result<(), LeagueError>;

    /// Whether all games between programs are played there, and none here.
    fn plays_all(&self) -> bool;

    /// How many more openings are wanted there.
    ///
    /// # Errors
    ///
    /// If nobody can tell.
    fn room(&self) -> Result<usize, LeagueError>;

    /// Hands out games; those of one opening go to one machine.
    ///
    /// # Errors
    ///
    /// If they can't be handed out.
    fn post(&self, errands: &[Vec<Errand>]) -> Result<(), LeagueError>;

    /// Waits a while for games that were played.
    ///
    /// # Errors
    ///
    /// If nobody can tell.
    fn collect(&self) -> Result<Vec<Played>, LeagueError>;

    /// A game can't be right: whoever says that it was played so gets nothing more to play, and
    /// another one plays it again.
    ///
    /// # Errors
    ///
    /// If it can't be handed out again.
    fn refuse(&self, played: &Played, errand: &Errand, why: &str) -> Result<(), LeagueError>;

    /// Takes back what nobody has begun there; the numbers of those games.
    ///
    /// # Errors
    ///
    /// If it can't be reached.
    fn take_back(&self) -> Result<Vec<u64>, LeagueError>;

    /// Takes everything back that was handed out.
    ///
    /// # Errors
    ///
    /// If it can't be reached.
    fn withdraw(&self) -> Result<(), LeagueError>;
}

/// A machine may look at more positions than in its trial, in positions of another kind; not at so
/// many times more.
const MUCH_QUICKER: f64 = 30.0;

impl Played {
    /// Plays its turns in the session that it is of.
    ///
    /// # Errors
    ///
    /// What can't be right with them.
    pub(super) fn check(&self, mut session: Session) -> Result<Session, String> {
        for (number, line) in (1..).zip(self.plies.lines()) {
            let ply = read_ply(line).ok_or_else(|| format!("turn {number} can't be read"))?;
            self.check_speed(number, ply.nodes, ply.time)?;
            if session.end().is_some() {
                return Err(format!("turn {number} comes after the end"));
            }
            let applied = session.apply(&Event::Turn(ply), Moment::ZERO);
            applied.map_err(|unfit| format!("turn {number}: {unfit}"))?;
        }
        let used: Duration = session.plies().filter_map(|(_, ply)| ply.time).sum();
        if used > self.took + Duration::from_secs(1) {
            return Err(format!(
                "its players thought for {used:.1?}, and it took {:.1?}",
                self.took
            ));
        }
        self.check_end(&session)?;
        if session.end().is_none() {
            let ended = session.apply(&Event::Ended(self.end.clone()), Moment::ZERO);
            ended.map_err(|unfit| unfit.to_string())?;
        }
        Ok(session)
    }

    fn check_speed(
        &self,
        number: u32,
        nodes: Option<u64>,
        time: Option<Duration>,
    ) -> Result<(), String> {
        let (Some(nodes), Some(time)) = (nodes, time) else {
            return Ok(());
        };
        // What takes less than the clock shows can't be told.
        let possible = self.speed * MUCH_QUICKER * (time.as_secs_f64() + 0.01);
        if nodes as f64 > possible {
            return Err(format!(
                "turn {number}: {nodes} positions in {time:.1?} is more than that machine can look at"
            ));
        }
        Ok(())
    }

    /// The rules say how a game ended that ended by them.
    fn check_end(&self, session: &Session) -> Result<(), String> {
        let by_rules = session.end();
        let same = by_rules
            .is_none_or(|end| (end.winner, end.reason) == (self.end.winner, self.end.reason));
        let says_rules = self.end.reason == EndReason::Rules;
        if same && self.end.reason != EndReason::Aborted && says_rules == by_rules.is_some() {
            return Ok(());
        }
        let end = by_rules.map_or_else(|| "it is not over".to_owned(), |end| end.words.clone());
        Err(format!("it says `{}`, and {end}", self.end.words))
    }
}
