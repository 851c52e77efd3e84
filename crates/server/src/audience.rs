//! Many who hear the same thing, told a few at a time: when ten thousand watch a game, whoever plays
//! it or asks for something else never waits until all of them have heard.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Utf8Bytes;
use tokio::sync::{broadcast, mpsc};
use tokio::task::yield_now;

/// How many are told at a time.
const GROUP: usize = 64;
/// How many messages somebody may be behind.
const BEHIND: usize = 32;

/// Everybody who watches one thing.
#[derive(Debug, Default)]
pub struct Audience(Mutex<Vec<broadcast::Sender<Utf8Bytes>>>);

impl Audience {
    fn groups(&self) -> MutexGuard<'_, Vec<broadcast::Sender<Utf8Bytes>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All that is told from now on.
    pub fn subscribe(&self) -> broadcast::Receiver<Utf8Bytes> {
        let mut groups = self.groups();
        let roomy = groups.iter().find(|group| group.receiver_count() < GROUP);
        if let Some(group) = roomy {
            return group.subscribe();
        }
        let (group, receiver) = broadcast::channel(BEHIND);
        groups.push(group);
        receiver
    }

    /// How many they are.
    pub fn len(&self) -> usize {
        let groups = self.groups();
        groups.iter().map(broadcast::Sender::receiver_count).sum()
    }

    /// Tells everybody, group by group.
    async fn tell(&self, text: Utf8Bytes) {
        self.groups().retain(|group| group.receiver_count() > 0);
        let groups = self.groups().clone();
        for group in groups {
            // They may all have left.
            group.send(text.clone()).unwrap_or_default();
            yield_now().await;
        }
    }
}

/// Tells audiences what others have to say, one thing after the other.
#[derive(Debug)]
pub struct Crier(mpsc::UnboundedSender<(Arc<Audience>, Utf8Bytes)>);

impl Crier {
    /// A crier on this runtime, who goes with this value.
    pub fn new() -> Crier {
        let (said, mut to_say) = mpsc::unbounded_channel::<(Arc<Audience>, Utf8Bytes)>();
        tokio::spawn(async move {
            while let Some((audience, text)) = to_say.recv().await {
                audience.tell(text).await;
            }
        });
        Crier(said)
    }

    /// Has an audience told something; does not wait.
    pub fn tell(&self, audience: &Arc<Audience>, text: impl FnOnce() -> Utf8Bytes) {
        if audience.len() > 0 {
            // The crier is gone only with its runtime, and everybody with it.
            self.0.send((audience.clone(), text())).unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn others_have_their_turn_before_a_crowd_has_heard() {
        let audience = Arc::new(Audience::default());
        let mut crowd: Vec<_> = (0..10 * GROUP).map(|_| audience.subscribe()).collect();
        let crier = Crier::new();
        crier.tell(&audience, || "news".into());
        // One turn of this task is one of the crier's.
        yield_now().await;
        yield_now().await;
        let heard = |crowd: &mut [broadcast::Receiver<Utf8Bytes>]| {
            let heard = crowd.iter_mut().filter_map(|one| one.try_recv().ok());
            heard.count()
        };
        let first = heard(&mut crowd);
        assert!((GROUP..=2 * GROUP).contains(&first), "{first}");
        for _ in 0..10 {
            yield_now().await;
        }
        assert_eq!(first + heard(&mut crowd), 10 * GROUP);
    }

    #[tokio::test]
    async fn places_of_those_who_left_are_taken_again() {
        let audience = Audience::default();
        let crowd: Vec<_> = (0..3 * GROUP).map(|_| audience.subscribe()).collect();
        assert_eq!(audience.groups().len(), 3);
        drop(crowd);
        let _one = audience.subscribe();
        assert_eq!(audience.len(), 1);
        audience.tell("news".into()).await;
        assert_eq!(audience.groups().len(), 1);
    }
}
