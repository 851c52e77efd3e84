//! The time on the wall.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use kingme_play::Moment;

/// Tells the time on the wall, since 1970. It may jump, and no game's clock follows it.
pub struct Wall(Box<dyn Fn() -> Moment + Send + Sync>);

impl Wall {
    /// This machine's.
    pub fn system() -> Wall {
        Wall::new(|| {
            let since = SystemTime::now().duration_since(UNIX_EPOCH);
            let millis = since.map_or(0, |since| since.as_millis() as u64);
            Duration::from_millis(millis)
        })
    }

    /// Any other.
    pub fn new(now: impl Fn() -> Moment + Send + Sync + 'static) -> Wall {
        Wall(Box::new(now))
    }

    /// The time.
    pub fn now(&self) -> Moment {
        (self.0)()
    }
}

impl std::fmt::Debug for Wall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Wall")
    }
}
