//! Work that strangers ask for, off the async workers: so much at a time, and everybody in turn.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, oneshot};

use crate::error::ApiError;

/// A room in which so many work at a time. Who waits is served address by address, in turn: however
/// much one address asks for, the next one waits for a single piece of it.
#[derive(Clone, Debug)]
pub struct Workroom(Arc<Room>);

#[derive(Debug)]
struct Room {
    places: Mutex<Places>,
    /// Rings when somebody has to wait.
    bell: Notify,
}

#[derive(Debug)]
struct Places {
    free: usize,
    /// Who waits, by address; the first is next.
    waiting: VecDeque<(IpAddr, VecDeque<oneshot::Sender<Turn>>)>,
    /// So many may wait from one address.
    longest: usize,
}

/// A place in a workroom, until it is dropped.
#[derive(Debug)]
pub struct Turn(Option<Workroom>);

impl Workroom {
    /// A room with so many places, where so many may wait from one address.
    pub fn new(places: usize, longest: usize) -> Workroom {
        Workroom(Arc::new(Room {
            places: Mutex::new(Places {
                free: places.max(1),
                waiting: VecDeque::new(),
                longest,
            }),
            bell: Notify::new(),
        }))
    }

    fn places(&self) -> MutexGuard<'_, Places> {
        let places = self.0.places.lock();
        places.unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until somebody waits for a place: whoever could go on for ever then makes room.
    pub async fn wanted(&self) {
        loop {
            let mut rings = pin!(self.0.bell.notified());
            // From here on no ring is missed.
            rings.as_mut().enable();
            if self.waiting() > 0 {
                return;
            }
            rings.await;
        }
    }

    /// How many wait for a place.
    pub fn waiting(&self) -> usize {
        let places = self.places();
        let lines = places.waiting.iter().flat_map(|(_, line)| line);
        // Who has hung up does not count.
        lines.filter(|waiting| !waiting.is_closed()).count()
    }

    /// Waits for a place.
    ///
    /// # Errors
    ///
    /// If too much from this address waits already.
    pub async fn turn(&self, from: IpAddr) -> Result<Turn, ApiError> {
        let called = {
            let mut places = self.places();
            if places.free > 0 {
                places.free -= 1;
                return Ok(Turn(Some(self.clone())));
            }
            places.wait(from).ok_or(ApiError::TooMany { after: 1 })?
        };
        self.0.bell.notify_waiters();
        called.await.map_err(|_| ApiError::Internal)
    }

    /// Does some work in turn. It keeps its place to its end, even if whoever asked is gone by then.
    ///
    /// # Errors
    ///
    /// If too much from this address waits already, or the work has panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        from: IpAddr,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let turn = self.turn(from).await?;
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(turn);
            done
        });
        done.await.map_err(|error| {
            tracing::error!("work for a request: {error}");
            ApiError::Internal
        })
    }
}

impl Places {
    /// Lines up behind the others of an address, if there is room.
    fn wait(&mut self, from: IpAddr) -> Option<oneshot::Receiver<Turn>> {
        let at = self.waiting.iter().position(|(other, _)| *other == from);
        let at = at.unwrap_or_else(|| {
            self.waiting.push_back((from, VecDeque::new()));
            self.waiting.len() - 1
        });
        let line = &mut self.waiting[at].1;
        // Who has hung up does not count.
        line.retain(|waiting| !waiting.is_closed());
        (line.len() < self.longest).then(|| {
            let (call, called) = oneshot::channel();
            line.push_back(call);
            called
        })
    }

    /// Who is next: one of an address, which then waits behind all others.
    fn next(&mut self) -> Option<oneshot::Sender<Turn>> {
        while let Some((address, mut line)) = self.waiting.pop_front() {
            let next = line.pop_front();
            if !line.is_empty() {
                self.waiting.push_back((address, line));
            }
            if next.is_some() {
                return next;
            }
        }
        None
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let Some(room) = self.0.take() else { return };
        loop {
            let mut places = room.places();
            let Some(next) = places.next() else {
                places.free += 1;
                return;
            };
            drop(places);
            match next.send(Turn(Some(room.clone()))) {
                Ok(()) => return,
                // Gone meanwhile: the place is for whoever comes after.
                Err(mut unwanted) => unwanted.0 = None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    const ANN: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 2));
    const BOB: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 3));

    #[tokio::test]
    async fn addresses_are_served_in_turn() {
        let room = Workroom::new(1, 10);
        let first = room.turn(ANN).await.unwrap();
        let mut ann = Box::pin(room.turn(ANN));
        let mut late = Box::pin(room.turn(ANN));
        assert!(ann.as_mut().now_or_never().is_none());
        assert!(late.as_mut().now_or_never().is_none());
        let mut bob = Box::pin(room.turn(BOB));
        assert!(bob.as_mut().now_or_never().is_none());
        drop(first);
        let ann = ann.now_or_never().unwrap().unwrap();
        assert!(bob.as_mut().now_or_never().is_none());
        drop(ann);
        let bob = bob.now_or_never().unwrap().unwrap();
        assert!(late.as_mut().now_or_never().is_none());
        drop(bob);
        assert!(late.now_or_never().unwrap().is_ok());
    }

    #[tokio::test]
    async fn whoever_hangs_up_leaves_the_line_and_too_long_a_line_is_refused() {
        let room = Workroom::new(1, 2);
        let first = room.turn(ANN).await.unwrap();
        let mut gone = Box::pin(room.turn(ANN));
        assert!(gone.as_mut().now_or_never().is_none());
        let mut kept = Box::pin(room.turn(ANN));
        assert!(kept.as_mut().now_or_never().is_none());
        let refused = room.turn(ANN).now_or_never().unwrap();
        assert!(matches!(refused, Err(ApiError::TooMany { after: 1 })));
        drop(gone);
        drop(first);
        assert!(kept.now_or_never().unwrap().is_ok());
        assert!(room.turn(BOB).now_or_never().unwrap().is_ok());
    }

    #[tokio::test]
    async fn work_keeps_its_place_when_nobody_waits_for_it_any_more() {
        let room = Workroom::new(1, 10);
        let (starts, started) = std::sync::mpsc::channel();
        let (finish, finished) = std::sync::mpsc::channel::<()>();
        let mut work = Box::pin(room.run(ANN, move || {
            starts.send(()).unwrap();
            finished.recv().unwrap();
        }));
        assert!(work.as_mut().now_or_never().is_none());
        started.recv().unwrap();
        drop(work);
        let mut next = Box::pin(room.turn(BOB));
        assert!(next.as_mut().now_or_never().is_none());
        finish.send(()).unwrap();
        assert!(next.await.is_ok());
    }

    #[tokio::test]
    async fn whoever_works_is_told_that_somebody_waits() {
        let room = Workroom::new(1, 10);
        let first = room.turn(ANN).await.unwrap();
        let mut wanted = Box::pin(room.wanted());
        assert!(wanted.as_mut().now_or_never().is_none());
        let mut bob = Box::pin(room.turn(BOB));
        assert!(bob.as_mut().now_or_never().is_none());
        wanted.await;
        drop(first);
        let _bob = bob.await.unwrap();
        assert!(room.wanted().now_or_never().is_none());
    }

    #[tokio::test]
    async fn work_that_panics_gives_its_place_back() {
        let room = Workroom::new(1, 10);
        let done = room.run(ANN, || panic!("on purpose")).await;
        assert!(matches!(done, Err(ApiError::Internal)));
        assert!(room.turn(BOB).now_or_never().unwrap().is_ok());
    }
}
