//! How long to think: `level depth=… nodes=… move-time=…`, `level time=… inc=… moves=…`,
//! `level infinite`.

use std::time::Duration;

use kingme_engine::{GameTime, Limit};

use super::line::{Line, LineWriter};

/// How long a move may take when nobody says: long enough to play well, and it ends.
const USUAL: Duration = Duration::from_secs(1);

/// The limit of a `level` line. What can't be read is as if it were not there.
pub(super) fn read_level(line: Line) -> Limit {
    Limit {
        depth: number(line, "depth").map(|depth: u32| depth.max(1)),
        nodes: number(line, "nodes").map(|nodes: u64| nodes.max(1)),
        move_time: seconds(line, "move-time"),
        game_time: seconds(line, "time").map(|left| GameTime {
            left,
            increment: seconds(line, "inc").unwrap_or_default(),
            moves: number(line, "moves").filter(|&moves| moves > 0),
        }),
        ..Limit::INFINITE
    }
}

/// The line of a limit.
pub(super) fn write_level(limit: &Limit) -> String {
    let game = limit.game_time;
    let increment = game.map(|game| game.increment);
    let mut line = LineWriter::new("level")
        .with_some("depth", limit.depth)
        .with_some("nodes", limit.nodes)
        .with_some("move-time", limit.move_time.map(in_seconds))
        .with_some("moves", game.and_then(|game| game.moves))
        .with_some("time", game.map(|game| in_seconds(game.left)));
    if let Some(increment) = increment.filter(|increment| !increment.is_zero()) {
        line = line.with("inc", in_seconds(increment));
    }
    if !limit.ends() {
        line = line.flag("infinite");
    }
    line.finish()
}

/// The limit of a question. Without one many engines would think for ever.
pub(super) fn or_usual(limit: Limit) -> Limit {
    if limit.ends() {
        limit
    } else {
        Limit::move_time(USUAL)
    }
}

/// The limit of the next move, after one that took so long.
pub(super) fn after(limit: Limit, used: Duration) -> Limit {
    Limit {
        game_time: limit.game_time.map(|game| GameTime {
            left: game.left.saturating_sub(used) + game.increment,
            moves: game.moves.map(|moves| moves.saturating_sub(1).max(1)),
            ..game
        }),
        ..limit
    }
}

/// Both limits together; where both say the same thing, the later counts.
pub(super) fn both(limit: Limit, later: Limit) -> Limit {
    Limit {
        depth: later.depth.or(limit.depth),
        nodes: later.nodes.or(limit.nodes),
        move_time: later.move_time.or(limit.move_time),
        game_time: later.game_time.or(limit.game_time),
        ..limit
    }
}

fn number<T: std::str::FromStr>(line: Line, name: &str) -> Option<T> {
    line.get(name)?.parse().ok()
}

/// A year: more time than anybody has.
const MOST_SECONDS: f64 = 365.0 * 86_400.0;

fn seconds(line: Line, name: &str) -> Option<Duration> {
    let seconds: f64 = number(line, name)?;
    // A clock that has run out is still a limit.
    (!seconds.is_nan()).then(|| Duration::from_secs_f64(seconds.clamp(0.0, MOST_SECONDS)))
}

/// Seconds with as many digits as are needed.
fn in_seconds(time: Duration) -> String {
    let text = format!("{}.{:06}", time.as_secs(), time.subsec_micros());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Limit {
        read_level(Line::new(text))
    }

    fn check(text: &str) -> Limit {
        let limit = read(text);
        assert_eq!(write_level(&limit), format!("{text}\n"));
        limit
    }

    #[test]
    fn levels_are_read_as_they_are_written() {
        assert_eq!(check("level infinite").longest(), None);
        assert_eq!(check("level depth=9").longest(), None);
        check("level nodes=100000");
        check("level depth=9 nodes=100000 move-time=0.25");
        check("level moves=9 time=291.587");
        check("level time=60 inc=0.5");
    }

    #[test]
    fn no_flag_falls_however_generous_the_increment() {
        let longest = |text: &str| check(text).longest().unwrap().as_secs_f64();
        assert!(longest("level move-time=0.25") <= 0.25);
        assert!(longest("level moves=10 time=100") < 50.0);
        assert!(longest("level time=0.5 inc=10") < 0.5);
        assert!(longest("level move-time=1 time=3000") <= 1.0);
    }

    #[test]
    fn rubbish_does_not_limit() {
        let limit = read("level depth=deep move-time=soon moves=0 time=NaN");
        assert_eq!(limit, Limit::INFINITE);
    }

    #[test]
    fn a_clock_that_has_run_out_is_a_limit() {
        for text in [
            "level time=-0.25",
            "level move-time=-1",
            "level time=0 inc=0",
        ] {
            assert_eq!(read(text).longest(), Some(Duration::ZERO), "{text}");
        }
        let limit = read("level depth=0 nodes=0");
        assert_eq!((limit.depth, limit.nodes), (Some(1), Some(1)));
        assert!(read("level time=inf").game_time.is_some());
    }

    #[test]
    fn limits_of_several_lines_add_up() {
        let together = both(read("level depth=9"), read("level moves=3 time=60"));
        assert_eq!(together, read("level depth=9 moves=3 time=60"));
        let later = both(read("level time=60 inc=1"), read("level time=50"));
        assert_eq!(later, read("level time=50"));
    }

    #[test]
    fn a_bot_without_a_limit_still_ends() {
        let line = |limit| write_level(&or_usual(limit));
        assert_eq!(line(Limit::INFINITE), "level move-time=1\n");
        assert_eq!(line(Limit::nodes(5000)), "level nodes=5000\n");
    }
}
