//! A request to stop that can be waited for.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// A request to stop, shared by the one who makes it and those who heed it. Cloning gives another
/// handle to the same request.
///
/// Whoever does something else meanwhile looks at [`Stop::is_requested`]; whoever waits uses
/// [`Stop::wait_until`]; whoever waits for something else is woken by [`Stop::on_request`].
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Shared>);

#[derive(Default)]
struct Shared {
    requested: AtomicBool,
    wakers: Mutex<Wakers>,
    changed: Condvar,
}

#[derive(Default)]
struct Wakers {
    next: u64,
    list: Vec<(u64, Box<dyn Fn() + Send>)>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_tuple("Stop").field(&self.requested).finish()
    }
}

impl Stop {
    /// Not requested yet.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Requests to stop; this can't be undone.
    pub fn request(&self) {
        let wakers = self.wakers();
        if !self.0.requested.swap(true, Ordering::AcqRel) {
            for (_, wake) in &wakers.list {
                wake();
            }
            self.0.changed.notify_all();
        }
    }

    /// Whether it was requested.
    pub fn is_requested(&self) -> bool {
        self.0.requested.load(Ordering::Acquire)
    }

    /// Waits for the request, until a moment at the most; returns whether it came.
    pub fn wait_until(&self, deadline: Option<Instant>) -> bool {
        let mut wakers = self.wakers();
        while !self.is_requested() {
            let Some(deadline) = deadline else {
                let woken = self.0.changed.wait(wakers);
                wakers = woken.unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let woken = self.0.changed.wait_timeout(wakers, left);
            wakers = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    /// Calls `wake` when the request comes, or at once if it has come, for as long as the returned
    /// value is kept. `wake` must not wait for anything.
    #[must_use = "it is forgotten when this is dropped"]
    pub fn on_request(&self, wake: impl Fn() + Send + 'static) -> OnStop {
        let mut wakers = self.wakers();
        if self.is_requested() {
            wake();
        }
        let number = wakers.next;
        wakers.next += 1;
        wakers.list.push((number, Box::new(wake)));
        OnStop {
            stop: self.clone(),
            number,
        }
    }

    fn wakers(&self) -> MutexGuard<'_, Wakers> {
        let wakers = self.0.wakers.lock();
        wakers.unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is called when a stop is requested, until this is dropped.
#[derive(Debug)]
pub struct OnStop {
    stop: Stop,
    number: u64,
}

impl OnStop {
    /// Whether it is called for this request.
    pub fn is_of(&self, stop: &Stop) -> bool {
        Arc::ptr_eq(&self.stop.0, &stop.0)
    }
}

impl Drop for OnStop {
    fn drop(&mut self) {
        let mut wakers = self.stop.wakers();
        wakers.list.retain(|(number, _)| *number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;
    use std::time::Duration;

    use super::*;

    fn counter(stop: &Stop) -> (Arc<AtomicU32>, OnStop) {
        let count = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&count);
        let on_stop = stop.on_request(move || {
            counted.fetch_add(1, Ordering::Relaxed);
        });
        (count, on_stop)
    }

    #[test]
    fn whoever_waits_is_woken() {
        let stop = Stop::new();
        let requested = stop.clone();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(move || stop.wait_until(None));
            requested.request();
            assert!(waiting.join().unwrap());
        });
    }

    #[test]
    fn a_wait_has_an_end() {
        let soon = Instant::now() + Duration::from_millis(1);
        assert!(!Stop::new().wait_until(Some(soon)));
    }

    #[test]
    fn wakers_are_called_once_and_only_while_they_are_kept() {
        let stop = Stop::new();
        let (kept, _on_stop) = counter(&stop);
        let (dropped, gone) = counter(&stop);
        drop(gone);
        stop.request();
        stop.request();
        let (late, _on_stop) = counter(&stop);
        let counts = [&kept, &dropped, &late].map(|count| count.load(Ordering::Relaxed));
        assert_eq!(counts, [1, 0, 1]);
    }
}
