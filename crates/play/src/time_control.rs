//! Time controls, as they are written: `1s`, `500ms`, `5m+3s`, `40/5m`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// What the players may use in a game.
///
/// ```
/// use kingme_play::TimeControl;
/// use std::time::Duration;
///
/// assert_eq!("500ms".parse(), Ok(TimeControl::Move(Duration::from_millis(500))));
/// assert_eq!("5m+3s".parse::<TimeControl>().unwrap().to_string(), "5m+3s");
/// assert_eq!(
///     "5 minutes".parse::<TimeControl>().unwrap_err().to_string(),
///     "`5 minutes` is no time; write 1s or 500ms for a move, 5m+3s for a game and an increment, \
///      or 40/5m",
/// );
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// So long for each move.
    Move(Duration),
    /// A clock for each side.
    Game {
        /// What it starts with.
        time: Duration,
        /// What each move adds.
        increment: Duration,
        /// After so many moves the time is added again; `None`: never.
        moves: Option<u32>,
    },
    /// So many plies deep.
    Depth(u32),
    /// So many positions a move.
    Nodes(u64),
    /// No limit.
    Free,
}

/// A text that is no time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeError {
    /// It can't be read.
    #[error(
        "`{0}` is no time; write 1s or 500ms for a move, 5m+3s for a game and an increment, or 40/5m"
    )]
    Unreadable(String),
    /// It leaves no time at all.
    #[error("`{0}` leaves no time to think; the least is 1ms")]
    Zero(String),
}

impl FromStr for TimeControl {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<TimeControl, TimeError> {
        let control = read(text).ok_or_else(|| TimeError::Unreadable(text.to_owned()))?;
        match control {
            TimeControl::Move(time) | TimeControl::Game { time, .. } if time.is_zero() => {
                Err(TimeError::Zero(text.to_owned()))
            }
            control => Ok(control),
        }
    }
}

impl TimeControl {
    /// The same with so many times the time; depths and nodes stay as they are.
    #[must_use]
    pub fn at_pace(self, pace: f64) -> TimeControl {
        match self {
            TimeControl::Move(time) => TimeControl::Move(time.mul_f64(pace)),
            TimeControl::Game {
                time,
                increment,
                moves,
            } => TimeControl::Game {
                time: time.mul_f64(pace),
                increment: increment.mul_f64(pace),
                moves,
            },
            other => other,
        }
    }
}

fn read(text: &str) -> Option<TimeControl> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (
            Some(moves.parse().ok().filter(|&moves: &u32| moves > 0)?),
            rest,
        ),
        None => (None, text),
    };
    let (time, increment) = match rest.split_once('+') {
        Some((time, increment)) => (duration(time)?, Some(duration(increment)?)),
        None => (duration(rest)?, None),
    };
    if moves.is_none() && increment.is_none() {
        return Some(TimeControl::Move(time));
    }
    let increment = increment.unwrap_or_default();
    Some(TimeControl::Game {
        time,
        increment,
        moves,
    })
}

/// A length of time such as `1s`, `500ms`, `1.5s`, `1m30s` or `2h`.
///
/// ```
/// # use std::time::Duration;
/// assert_eq!(kingme_play::duration("1m30s"), Some(Duration::from_secs(90)));
/// assert_eq!(kingme_play::duration("90"), None);
/// ```
pub fn duration(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut total = Duration::ZERO;
    while !rest.is_empty() {
        let number_end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, tail) = rest.split_at(number_end);
        let unit_end = tail
            .find(|c: char| c.is_ascii_digit() || c == '.')
            .unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(unit_end);
        let seconds = number.parse::<f64>().ok()? * unit_seconds(unit)?;
        total = total.checked_add(Duration::try_from_secs_f64(seconds).ok()?)?;
        rest = tail;
    }
    // A year is enough, and deadlines can still be added up.
    (!text.is_empty() && total <= Duration::from_hours(365 * 24)).then_some(total)
}

fn unit_seconds(unit: &str) -> Option<f64> {
    match unit {
        "ms" => Some(0.001),
        "s" => Some(1.0),
        "m" => Some(60.0),
        "h" => Some(3600.0),
        _ => None,
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            TimeControl::Move(time) => f.write_str(&short(time)),
            TimeControl::Game {
                time,
                increment,
                moves,
            } => {
                if let Some(moves) = moves {
                    write!(f, "{moves}/")?;
                }
                f.write_str(&short(time))?;
                if moves.is_none() || !increment.is_zero() {
                    write!(f, "+{}", short(increment))?;
                }
                Ok(())
            }
            TimeControl::Depth(depth) => write!(f, "depth {depth}"),
            TimeControl::Nodes(nodes) => write!(f, "{nodes} nodes"),
            TimeControl::Free => f.write_str("no limit"),
        }
    }
}

fn short(time: Duration) -> String {
    let ms = time.as_millis();
    match ms {
        0 => "0s".to_owned(),
        _ if ms.is_multiple_of(3_600_000) => format!("{}h", ms / 3_600_000),
        _ if ms.is_multiple_of(60_000) => format!("{}m", ms / 60_000),
        _ if ms.is_multiple_of(1000) => format!("{}s", ms / 1000),
        _ => format!("{ms}ms"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_they_are_written() {
        for text in [
            "1s",
            "500ms",
            "5m+3s",
            "40/5m",
            "40/5m+1s",
            "10s+100ms",
            "1h+0s",
        ] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn fractions_and_sums() {
        assert_eq!(duration("1.5s"), Some(Duration::from_millis(1500)));
        assert_eq!(duration("1h30m"), Some(Duration::from_mins(90)));
    }

    #[test]
    fn bad_times_are_refused() {
        for text in [
            "", "s", "1", "1x", "-1s", "1s+", "/1s", "0/1s", "1.2.3s", "1e9h", "ä", "1s 2s",
        ] {
            let error = text.parse::<TimeControl>().unwrap_err();
            assert_eq!(error, TimeError::Unreadable(text.to_owned()), "{text}");
        }
    }

    #[test]
    fn no_time_is_refused() {
        for text in ["0s", "0ms", "0s+1s", "40/0m"] {
            assert_eq!(
                text.parse::<TimeControl>().unwrap_err(),
                TimeError::Zero(text.to_owned())
            );
        }
    }
}
