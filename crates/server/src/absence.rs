//! Who of a game's players has its page open, and since when somebody has not.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kingme_play::PlayerId;
use tokio::time::Instant;

/// The players of a game who have come to it. Whoever plays without a page never did.
#[derive(Debug, Default)]
pub struct Absence(Mutex<HashMap<PlayerId, Look>>);

#[derive(Copy, Clone, Debug)]
enum Look {
    /// So many pages are open.
    Here(usize),
    /// The last was closed then.
    Gone(Instant),
}

impl Absence {
    fn looks(&self) -> MutexGuard<'_, HashMap<PlayerId, Look>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A page is opened; whether that is news.
    pub fn come(&self, player: PlayerId) -> bool {
        let mut looks = self.looks();
        let look = looks.entry(player).or_insert(Look::Here(0));
        match look {
            Look::Here(pages) => {
                *pages += 1;
                *pages == 1
            }
            Look::Gone(_) => {
                *look = Look::Here(1);
                true
            }
        }
    }

    /// A page is closed; whether it was the last.
    pub fn go(&self, player: PlayerId) -> bool {
        let mut looks = self.looks();
        match looks.get_mut(&player) {
            Some(Look::Here(pages)) if *pages > 1 => {
                *pages -= 1;
                false
            }
            _ => {
                looks.insert(player, Look::Gone(Instant::now()));
                true
            }
        }
    }

    /// For how long somebody has had no page open.
    pub fn away(&self, player: PlayerId) -> Option<Duration> {
        match self.looks().get(&player)? {
            Look::Here(_) => None,
            Look::Gone(since) => Some(since.elapsed()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn who_closes_the_last_page_is_away_until_the_next() {
        let absence = Absence::default();
        assert_eq!(absence.away(1), None, "who never came is not away");
        assert!(absence.come(1));
        assert!(!absence.come(1), "a second page is no news");
        assert!(!absence.go(1));
        assert_eq!(absence.away(1), None);
        assert!(absence.go(1));
        tokio::time::advance(Duration::from_secs(61)).await;
        assert_eq!(absence.away(1), Some(Duration::from_secs(61)));
        assert!(absence.come(1));
        assert_eq!(absence.away(1), None);
    }
}
