//! Who of a game's players has its page open, and since when somebody has not.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kingme_play::PlayerId;
use tokio::time::Instant;

/// The players of a game who have come to it. Whoever plays without a page never did.
#[derive(Debug, Default)]
pub struct Absence(Mutex<HashMap<PlayerId, Look>>);

/// What is known of a player.
#[derive(Debug, Default)]
struct Look {
    /// So many pages are open at this server.
    pages: usize,
    /// Other servers where pages are open.
    elsewhere: Vec<i64>,
    /// When the last of all was closed.
    gone: Option<Instant>,
}

impl Look {
    fn is_here(&self) -> bool {
        self.pages > 0 || !self.elsewhere.is_empty()
    }
}

impl Absence {
    fn looks(&self) -> MutexGuard<'_, HashMap<PlayerId, Look>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A page is opened; whether that is news.
    pub fn come(&self, player: PlayerId) -> bool {
        self.change(player, |look| look.pages += 1)
    }

    /// A page is closed; whether it was the last.
    pub fn go(&self, player: PlayerId) -> bool {
        self.change(player, |look| look.pages = look.pages.saturating_sub(1))
    }

    /// A page is opened at another server; whether that is news.
    pub fn come_elsewhere(&self, player: PlayerId, server: i64) -> bool {
        self.change(player, |look| {
            if !look.elsewhere.contains(&server) {
                look.elsewhere.push(server);
            }
        })
    }

    /// The last page at another server is closed; whether it was the last of all.
    pub fn go_elsewhere(&self, player: PlayerId, server: i64) -> bool {
        self.change(player, |look| {
            look.elsewhere.retain(|other| *other != server);
        })
    }

    /// Other servers are gone, with all pages there; whether that is news.
    pub fn forget(&self, servers: &[i64]) -> bool {
        let players: Vec<PlayerId> = self.looks().keys().copied().collect();
        let mut news = false;
        for player in players {
            news |= self.change(player, |look| {
                look.elsewhere.retain(|other| !servers.contains(other));
            });
        }
        news
    }

    /// The players who have pages open at this server.
    pub fn here(&self) -> Vec<PlayerId> {
        let looks = self.looks();
        let here = looks.iter().filter(|(_, look)| look.pages > 0);
        here.map(|(player, _)| *player).collect()
    }

    /// Takes note of something; whether somebody is here or gone by it.
    fn change(&self, player: PlayerId, change: impl FnOnce(&mut Look)) -> bool {
        let mut looks = self.looks();
        let known = looks.contains_key(&player);
        let look = looks.entry(player).or_default();
        let was_here = look.is_here();
        change(look);
        let is_here = look.is_here();
        if is_here {
            look.gone = None;
        } else if was_here || !known {
            look.gone = Some(Instant::now());
        }
        was_here != is_here || (!known && !is_here)
    }

    /// For how long somebody has had no page open.
    pub fn away(&self, player: PlayerId) -> Option<Duration> {
        let gone = self.looks().get(&player)?.gone;
        gone.map(|since| since.elapsed())
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

    #[tokio::test(start_paused = true)]
    async fn who_has_a_page_at_another_server_is_not_away() {
        let absence = Absence::default();
        assert!(absence.come(1));
        assert!(!absence.come_elsewhere(1, 7), "here already");
        assert!(!absence.go(1), "still at the other");
        assert_eq!(absence.away(1), None);
        assert!(absence.go_elsewhere(1, 7));
        assert_eq!(absence.away(1), Some(Duration::ZERO));
        assert!(absence.come_elsewhere(1, 8));
        assert!(!absence.forget(&[7]));
        assert!(absence.forget(&[8]), "a server has died");
        assert!(absence.away(1).is_some());
        assert!(
            absence.go_elsewhere(2, 7),
            "who was there before we looked is away now"
        );
        assert!(absence.away(2).is_some());
    }
}
