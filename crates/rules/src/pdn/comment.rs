//! What programs write into comments: clocks and evaluations.

use std::time::Duration;

use super::MoveNode;

/// The clocks after a move.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenClock {
    /// Time left for White.
    pub white: Option<Duration>,
    /// Time left for Black.
    pub black: Option<Duration>,
    /// Time left for the player who moved, where no colour is given.
    pub mover: Option<Duration>,
}

// These are read from the comments on demand, so that the two can never disagree.
impl MoveNode {
    /// The clocks of `[%clock w0:09:57 B0:09:58]` or `[%clk 0:09:57]`.
    pub fn clock(&self) -> Option<WrittenClock> {
        let text = self.command("clock").or_else(|| self.command("clk"))?;
        let mut clock = WrittenClock::default();
        for word in text.split_whitespace() {
            match word.split_at_checked(1) {
                Some(("w" | "W", time)) => clock.white = duration(time),
                Some(("b" | "B", time)) => clock.black = duration(time),
                _ => clock.mover = duration(word),
            }
        }
        (clock != WrittenClock::default()).then_some(clock)
    }

    /// The time spent on the move: `[%emt 0:00:03]`.
    pub fn elapsed(&self) -> Option<Duration> {
        duration(self.command("emt")?)
    }

    /// The evaluation: `[%eval -0.048]`.
    pub fn eval(&self) -> Option<f64> {
        let word = self.command("eval")?.split([' ', ',']).next()?;
        word.parse().ok().filter(|eval: &f64| eval.is_finite())
    }

    /// The text after `[%name` in the first comment that has it.
    pub fn command(&self, name: &str) -> Option<&str> {
        self.comments
            .iter()
            .find_map(|comment| command(comment, name))
    }
}

fn command<'a>(comment: &'a str, name: &str) -> Option<&'a str> {
    comment.split("[%").skip(1).find_map(|part| {
        let text = part.split(']').next()?.strip_prefix(name)?;
        (text.is_empty() || text.starts_with(' ')).then(|| text.trim())
    })
}

/// Reads `1:02:03.5`, `2:03` or `3`.
fn duration(text: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    for part in text.split(':') {
        let part: f64 = part.parse().ok()?;
        seconds = seconds * 60.0 + part;
    }
    Duration::try_from_secs_f64(seconds).ok()
}
