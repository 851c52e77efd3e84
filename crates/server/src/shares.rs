//! Places for everybody: so many in all, and nobody takes them all.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One address may have a place more while it has at most one for every so many that are free. So
/// few addresses, however greedy, leave more than half of the places to others.
const FREE_FOR_ONE: usize = 4;

/// Places for connections or sockets.
#[derive(Clone, Debug)]
pub struct Shares(Arc<Mutex<Counts>>);

#[derive(Debug)]
struct Counts {
    free: usize,
    by: HashMap<IpAddr, usize>,
    /// Whether one address may have them all: a proxy's.
    unshared: bool,
}

/// A place that somebody has, until they go.
#[derive(Debug)]
pub struct Place {
    address: IpAddr,
    shares: Shares,
}

impl Shares {
    /// So many places, of which one address has its share.
    pub fn new(places: usize) -> Shares {
        Shares::of(places, false)
    }

    /// So many places for whoever comes first.
    pub fn unshared(places: usize) -> Shares {
        Shares::of(places, true)
    }

    fn of(free: usize, unshared: bool) -> Shares {
        let by = HashMap::new();
        Shares(Arc::new(Mutex::new(Counts { free, by, unshared })))
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for somebody from this address, if there is one.
    pub fn take(&self, address: IpAddr) -> Option<Place> {
        let mut counts = self.counts();
        let (free, unshared) = (counts.free, counts.unshared);
        let own = counts.by.get(&address).copied().unwrap_or_default();
        if free == 0 || (!unshared && own > free / FREE_FOR_ONE) {
            return None;
        }
        counts.free -= 1;
        counts.by.insert(address, own + 1);
        let shares = self.clone();
        Some(Place { address, shares })
    }

    /// How many places are taken.
    pub fn taken(&self) -> usize {
        self.counts().by.values().sum()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.shares.counts();
        counts.free += 1;
        let own = counts.by.get_mut(&self.address);
        if let Some(own) = own {
            *own -= 1;
            if *own == 0 {
                counts.by.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(number: u8) -> IpAddr {
        IpAddr::from([127, 0, 0, number])
    }

    fn take_all(shares: &Shares, address: IpAddr) -> Vec<Place> {
        std::iter::from_fn(|| shares.take(address)).collect()
    }

    #[test]
    fn three_greedy_addresses_leave_room_for_newcomers() {
        let shares = Shares::new(12_000);
        let greedy: Vec<_> = (1..=3)
            .map(|number| take_all(&shares, address(number)))
            .collect();
        let taken: usize = greedy.iter().map(Vec::len).sum();
        assert!(taken < 6_500, "{taken} of 12,000 are taken");
        assert_eq!(shares.taken(), taken);
        let newcomers = take_all(&shares, address(4));
        assert!(newcomers.len() > 1_000, "{}", newcomers.len());
    }

    #[test]
    fn a_proxy_may_have_all_and_places_come_back() {
        let shares = Shares::unshared(100);
        let all = take_all(&shares, address(1));
        assert_eq!(all.len(), 100);
        assert!(shares.take(address(2)).is_none());
        drop(all);
        assert_eq!(shares.taken(), 0);
        assert!(shares.take(address(2)).is_some());
    }
}
