//! How often one address may do something.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::time::Instant as Now;

/// Addresses that are remembered before those with nothing against them are forgotten.
const SWEEP: usize = 10_000;

/// A limit for each address, or whatever else is asked for: a burst at once, and then one request an interval.
///
/// An address is remembered by the moment at which it will have its whole burst again, so that one
/// number says it all (the generic cell rate algorithm).
#[derive(Debug)]
pub struct RateLimit<K = IpAddr> {
    interval: Duration,
    burst: Duration,
    rested: Mutex<HashMap<K, Instant>>,
}

impl<K: Eq + Hash> RateLimit<K> {
    /// So many requests in a period, of which `burst` may come at once.
    pub fn new(requests: NonZeroU32, period: Duration, burst: NonZeroU32) -> RateLimit<K> {
        let interval = period / requests.get();
        RateLimit {
            interval,
            burst: interval.saturating_mul(burst.get()),
            rested: Mutex::default(),
        }
    }

    /// Counts a request.
    ///
    /// # Errors
    ///
    /// If there were too many: how long to wait. Such a request does not count.
    pub fn check(&self, from: K, now: Instant) -> Result<(), Duration> {
        let mut rested = self.rested.lock().unwrap_or_else(PoisonError::into_inner);
        if rested.len() >= SWEEP {
            rested.retain(|_, at| *at > now);
        }
        let at = rested.get(&from).copied().unwrap_or(now).max(now) + self.interval;
        let wait = at.duration_since(now).saturating_sub(self.burst);
        if wait > Duration::ZERO {
            return Err(wait);
        }
        rested.insert(from, at);
        Ok(())
    }
}

/// How much work an address may ask of something that all share: a tenth of its time, and a burst.
///
/// An address is remembered by the moment until which its work so far is paid for. The time is
/// tokio's, which a simulation can hold.
#[derive(Debug, Default)]
pub struct WorkBudget {
    paid: Mutex<HashMap<IpAddr, Now>>,
}

impl WorkBudget {
    /// Nine times as long as its work took, an address lets the others have it.
    const SHARE: u32 = 10;

    /// Work that is paid for later than this has to wait.
    const BURST: Duration = Duration::from_secs(3);

    /// Whether an address may ask for more.
    ///
    /// # Errors
    ///
    /// If not: how long to wait.
    pub fn check(&self, from: IpAddr, now: Now) -> Result<(), Duration> {
        let paid = self.paid.lock().unwrap_or_else(PoisonError::into_inner);
        let ahead = paid.get(&from).map(|at| at.saturating_duration_since(now));
        match ahead.unwrap_or_default().checked_sub(WorkBudget::BURST) {
            Some(wait) if !wait.is_zero() => Err(wait),
            _ => Ok(()),
        }
    }

    /// Takes note of work that was done for an address.
    pub fn spend(&self, from: IpAddr, now: Now, time: Duration) {
        let mut paid = self.paid.lock().unwrap_or_else(PoisonError::into_inner);
        if paid.len() >= SWEEP {
            paid.retain(|_, at| *at > now);
        }
        let at = paid.entry(from).or_insert(now);
        *at = (*at).max(now) + time.saturating_mul(WorkBudget::SHARE);
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn number(number: u32) -> NonZeroU32 {
        NonZeroU32::new(number).unwrap()
    }

    /// Ten a second, three at once.
    fn limit() -> RateLimit {
        RateLimit::new(number(10), Duration::from_secs(1), number(3))
    }

    #[test]
    fn a_burst_and_then_one_an_interval() {
        let (limit, start) = (limit(), Instant::now());
        let check = |millis| limit.check(HERE, start + Duration::from_millis(millis));
        assert_eq!([check(0), check(0), check(0)], [Ok(()); 3]);
        assert_eq!(check(0), Err(Duration::from_millis(100)));
        assert_eq!(check(40), Err(Duration::from_millis(60)));
        assert_eq!(check(100), Ok(()));
        assert_eq!(check(100), Err(Duration::from_millis(100)));
        assert_eq!([check(5_000), check(5_000), check(5_000)], [Ok(()); 3]);
        assert!(check(5_000).is_err());
    }

    #[test]
    fn an_address_has_a_tenth_of_the_time_and_a_burst() {
        let (budget, start) = (WorkBudget::default(), Now::now());
        let at = |millis| start + Duration::from_millis(millis);
        let other = IpAddr::V4(Ipv4Addr::BROADCAST);
        // Ordinary moves, thirty a second for ten seconds: nobody waits.
        for number in 0..300 {
            let now = at(number * 33);
            assert_eq!(budget.check(HERE, now), Ok(()), "{number}");
            budget.spend(HERE, now, Duration::from_micros(500));
        }
        // Half a second of work at once is paid for in five.
        budget.spend(HERE, at(10_000), Duration::from_millis(500));
        assert_eq!(budget.check(HERE, at(10_000)), Err(Duration::from_secs(2)));
        assert_eq!(budget.check(other, at(10_000)), Ok(()));
        assert_eq!(budget.check(HERE, at(12_000)), Ok(()));
    }

    #[test]
    fn addresses_count_each_for_itself_and_are_forgotten_at_rest() {
        let (limit, start) = (limit(), Instant::now());
        for address in 0..SWEEP as u32 {
            let from = IpAddr::V4(Ipv4Addr::from_bits(address));
            assert_eq!(limit.check(from, start), Ok(()));
        }
        assert_eq!(limit.check(HERE, start + Duration::from_secs(1)), Ok(()));
        assert_eq!(limit.rested.lock().unwrap().len(), 1);
    }
}
