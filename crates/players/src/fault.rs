//! What can go wrong with a player.

use kingme_play::{EndReason, Incident};

/// Why a player gave no answer. Illegal answers are not among them: a player's answer is just a
/// claim, and the referee finds out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerFault {
    /// The deadline passed; the player is ready for the next question.
    #[error("no answer in time")]
    Late,
    /// The deadline passed and the player does not react; a process has been ended.
    #[error("no reaction")]
    Stalled,
    /// It ended by itself or could not be started; the text says how.
    #[error("crashed: {0}")]
    Crashed(String),
    /// It said something that is not in its protocol, or far too much.
    #[error("broke the protocol: {0}")]
    Protocol(String),
    /// It used more memory, processes or disk than it may.
    #[error("used too much: {0}")]
    Resources(String),
    /// We asked it to stop; nobody is to blame.
    #[error("interrupted")]
    Interrupted,
}

impl From<&PlayerFault> for Incident {
    fn from(fault: &PlayerFault) -> Incident {
        let reason = match fault {
            PlayerFault::Late => EndReason::Time,
            PlayerFault::Stalled => EndReason::Stall,
            PlayerFault::Crashed(_) => EndReason::Crash,
            PlayerFault::Protocol(_) => EndReason::Protocol,
            PlayerFault::Resources(_) => EndReason::Resources,
            PlayerFault::Interrupted => EndReason::Aborted,
        };
        Incident {
            reason,
            words: plainly(fault),
        }
    }
}

impl PlayerFault {
    /// Whether the player has to be started again before it can answer.
    pub fn is_fatal(&self) -> bool {
        !matches!(self, PlayerFault::Late | PlayerFault::Interrupted)
    }
}

/// What went wrong, without the numbers that systems have for it.
pub fn plainly(error: &dyn std::fmt::Display) -> String {
    let text = error.to_string();
    let mut parts = text.split(" (os error ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |words, part| {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        words + rest.strip_prefix(')').unwrap_or(rest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_systems_are_not_said() {
        let error = std::io::Error::from_raw_os_error(2);
        let words = format!("`nosuch`: {error}; or so: {error}");
        let plain = "`nosuch`: No such file or directory; or so: No such file or directory";
        assert_eq!(plainly(&words), plain);
        let fault = PlayerFault::Crashed(words);
        assert_eq!(Incident::from(&fault).words, format!("crashed: {plain}"));
        assert_eq!(plainly(&"42 (what?)"), "42 (what?)");
    }
}
