//! What happens when a player is late, wrong or gone, and when a game is decided.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use kingme_rules::{Board, Position, Side};

use crate::TimeControl;

/// How a game is refereed.
#[derive(Clone, Debug)]
pub struct Policy {
    /// No answer in time, or none at all.
    pub late: OnLate,
    /// An answer that is not a legal move.
    pub illegal: OnIllegal,
    /// How much later than the limit an answer may come.
    pub grace: Duration,
    /// What a program's time is.
    pub measure: Measure,
    /// How long an answer may take where depth or positions limit it; `None`: for ever.
    pub patience: Option<Duration>,
    /// A player that had to be started again so often in one game is not asked any more.
    pub most_restarts: u32,
    /// A game of so many plies ends; for games whose rules know no draw.
    pub ply_limit: Option<u32>,
    /// Ends games that are decided.
    pub adjudication: Adjudication,
}

/// What happens without an answer in time.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum OnLate {
    /// The last legal move that the player has suggested so far, or any legal move.
    LastAnswer,
    /// Any legal move.
    Random,
    /// The game is lost.
    Lose,
}

/// What happens with an illegal answer.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum OnIllegal {
    /// The last legal move that the player has suggested so far, or any legal move.
    Random,
    /// The turn passes to the other side.
    Skip,
    /// The player is asked again, within the same time; after so many times, any legal move.
    AskAgain(u32),
    /// The game is lost.
    Lose,
}

/// What a program's time is. People's is always that of the clock on the wall.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// That of the clock on the wall.
    #[default]
    Wall,
    /// What all its processes have computed, so that a busy machine costs it nothing.
    Cpu,
}

impl Measure {
    /// How long an answer may take on the clock on the wall, if it may take so long by this
    /// measure: a program that waits in place of computing is late at some time, too.
    pub fn on_the_wall(self, time: Duration) -> Duration {
        match self {
            Measure::Wall => time,
            Measure::Cpu => time.saturating_mul(10).max(time + Duration::from_secs(1)),
        }
    }
}

impl FromStr for Measure {
    type Err = String;

    fn from_str(text: &str) -> Result<Measure, String> {
        match text {
            "wall" => Ok(Measure::Wall),
            "cpu" if cfg!(target_os = "linux") => Ok(Measure::Cpu),
            "cpu" => Err("only Linux says what programs compute".to_owned()),
            _ => Err(format!("`{text}` is none of wall and cpu")),
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Measure::Wall => "wall",
            Measure::Cpu => "cpu",
        })
    }
}

impl FromStr for OnLate {
    type Err = String;

    fn from_str(text: &str) -> Result<OnLate, String> {
        match text {
            "last-answer" => Ok(OnLate::LastAnswer),
            "random" => Ok(OnLate::Random),
            "lose" => Ok(OnLate::Lose),
            _ => Err(format!("`{text}` is none of last-answer, random and lose")),
        }
    }
}

impl fmt::Display for OnLate {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            OnLate::LastAnswer => "last-answer",
            OnLate::Random => "random",
            OnLate::Lose => "lose",
        })
    }
}

impl FromStr for OnIllegal {
    type Err = String;

    /// `ask-again:3` asks three times more, `ask-again` once.
    fn from_str(text: &str) -> Result<OnIllegal, String> {
        let times = |text: &str| text.parse().ok().filter(|&times| times > 0);
        let again = |text: &str| match text.strip_prefix("ask-again")? {
            "" => Some(1),
            number => times(number.strip_prefix(':')?),
        };
        match text {
            "random" => Ok(OnIllegal::Random),
            "skip" => Ok(OnIllegal::Skip),
            "lose" => Ok(OnIllegal::Lose),
            _ => again(text).map(OnIllegal::AskAgain).ok_or_else(|| {
                format!("`{text}` is none of random, skip, ask-again, ask-again:3 and lose")
            }),
        }
    }
}

impl fmt::Display for OnIllegal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            OnIllegal::Random => f.write_str("random"),
            OnIllegal::Skip => f.write_str("skip"),
            OnIllegal::AskAgain(times) => write!(f, "ask-again:{times}"),
            OnIllegal::Lose => f.write_str("lose"),
        }
    }
}

/// When a game ends before its rules end it. Off by default.
#[derive(Clone, Debug, Default)]
pub struct Adjudication {
    /// Won, when both players say so.
    pub win: Option<Agreement>,
    /// Drawn, when both players say so.
    pub draw: Option<Agreement>,
    /// Won or drawn, when endgame tables say so.
    pub tables: Option<Arc<dyn Verdicts>>,
}

/// Something that knows how positions end, such as endgame tables. They take no notice of draws by
/// counting moves.
pub trait Verdicts: fmt::Debug + Send + Sync {
    /// Who wins a position, `Some(None)` for a draw; `None` if it is not known.
    fn winner(&self, position: &Position) -> Option<Option<Side>>;
}

/// Both players' scores agree for a while.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Agreement {
    /// At least (for a win) or at most (for a draw) so many men.
    pub score: f32,
    /// In so many plies one after the other.
    pub plies: usize,
    /// After so many plies of the game at the earliest.
    pub from: usize,
    /// With so many pieces on the board at the most; `None`: with any number.
    pub pieces: Option<u32>,
}

impl FromStr for Agreement {
    type Err = String;

    /// `5,8`: five men, in eight plies in a row. `0.1,8,from=60,pieces=12`: not before 60 plies
    /// were played and 12 pieces are left.
    fn from_str(text: &str) -> Result<Agreement, String> {
        let mut parts = text.split(',').map(str::trim);
        let score = parts.next().and_then(|score| score.parse().ok());
        let plies = parts.next().and_then(|plies| plies.parse().ok());
        let begin = || {
            Some(Agreement {
                score: score.filter(|score: &f32| score.is_finite() && *score >= 0.0)?,
                plies: plies.filter(|plies| *plies > 0)?,
                from: 0,
                pieces: None,
            })
        };
        let read = parts.try_fold(begin(), |so_far, part| {
            let mut agreement = so_far?;
            match part.split_once('=')? {
                ("from", plies) => agreement.from = plies.parse().ok()?,
                ("pieces", pieces) => agreement.pieces = Some(pieces.parse().ok()?),
                _ => return None,
            }
            Some(Some(agreement))
        });
        read.flatten().ok_or_else(|| {
            format!(
                "`{text}` should be a score in men and a number of plies, as in `5,8` or \
                 `5,8,from=60,pieces=12`"
            )
        })
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{},{}", self.score, self.plies)?;
        if self.from > 0 {
            write!(f, ",from={}", self.from)?;
        }
        match self.pieces {
            Some(pieces) => write!(f, ",pieces={pieces}"),
            None => Ok(()),
        }
    }
}

impl Policy {
    /// After how many plies a game between programs is a draw if nobody says: 1000, and ten a
    /// square on boards beyond 26×26.
    pub fn usual_ply_limit(board: &Board) -> u32 {
        if board.columns().max(board.rows()) <= 26 {
            1000
        } else {
            10 * board.len() as u32
        }
    }

    /// A random legal move for whoever is late or wrong: the league's way.
    pub fn lenient() -> Policy {
        Policy {
            late: OnLate::LastAnswer,
            illegal: OnIllegal::Random,
            grace: Duration::from_millis(50),
            measure: Measure::Wall,
            patience: Some(Duration::from_mins(10)),
            most_restarts: 3,
            ply_limit: Some(1000),
            adjudication: Adjudication::default(),
        }
    }

    /// Whoever is late or wrong loses.
    pub fn strict() -> Policy {
        Policy {
            late: OnLate::Lose,
            illegal: OnIllegal::Lose,
            ..Policy::lenient()
        }
    }

    /// For people at one screen with clocks of their own: whoever has used up the time for a move
    /// gets a random one, whoever has used up that of the game loses, and what can't be played is
    /// asked for again.
    pub fn patient(time: TimeControl) -> Policy {
        Policy {
            late: match time {
                TimeControl::Game { .. } => OnLate::Lose,
                _ => OnLate::LastAnswer,
            },
            grace: Duration::ZERO,
            ply_limit: None,
            ..Policy::lenient()
        }
    }
}

impl Default for Policy {
    fn default() -> Policy {
        Policy::lenient()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happens_is_said_in_a_word() {
        assert_eq!("last-answer".parse(), Ok(OnLate::LastAnswer));
        assert_eq!("lose".parse(), Ok(OnLate::Lose));
        assert_eq!("skip".parse(), Ok(OnIllegal::Skip));
        assert_eq!("ask-again".parse(), Ok(OnIllegal::AskAgain(1)));
        assert_eq!("ask-again:3".parse(), Ok(OnIllegal::AskAgain(3)));
    }

    #[test]
    fn whoever_computes_nothing_is_late_too() {
        let [short, long] = [Duration::from_millis(10), Duration::from_mins(1)];
        assert_eq!(Measure::Wall.on_the_wall(short), short);
        assert_eq!(
            Measure::Cpu.on_the_wall(short),
            Duration::from_millis(1_010)
        );
        assert_eq!(Measure::Cpu.on_the_wall(long), Duration::from_mins(10));
    }

    #[test]
    fn agreements_are_read() {
        let agreement = Agreement {
            score: 0.1,
            plies: 8,
            from: 60,
            pieces: Some(12),
        };
        assert_eq!("0.1, 8,from=60,pieces=12".parse(), Ok(agreement));
        assert_eq!(agreement.to_string(), "0.1,8,from=60,pieces=12");
        for text in [
            "",
            "5",
            "5,0",
            "-1,8",
            "5,8,",
            "5,8,9",
            "5,8,to=3",
            "5,8,from=x",
        ] {
            let message = text.parse::<Agreement>().unwrap_err();
            assert!(
                message.starts_with(&format!("`{text}` should be")),
                "{message}"
            );
        }
    }

    #[test]
    fn other_words_are_refused() {
        for text in ["", "ask-again:", "ask-again:0", "ask-againx", "Skip"] {
            let message =
                format!("`{text}` is none of random, skip, ask-again, ask-again:3 and lose");
            assert_eq!(text.parse::<OnIllegal>(), Err(message));
        }
        let message = "`sun` is none of wall and cpu".to_owned();
        assert_eq!("sun".parse::<Measure>(), Err(message));
        let message = "`skip` is none of last-answer, random and lose".to_owned();
        assert_eq!("skip".parse::<OnLate>(), Err(message));
    }
}
