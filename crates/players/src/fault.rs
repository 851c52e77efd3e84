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
            words: fault.to_string(),
        }
    }
}

impl PlayerFault {
    /// Whether the player has to be started again before it can answer.
    pub fn is_fatal(&self) -> bool {
        !matches!(self, PlayerFault::Late | PlayerFault::Interrupted)
    }
}
