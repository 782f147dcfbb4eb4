//! How much one visitor may ask for, and all together. Upload keys are public in pages, so that it is counted by key
//! and visitor: nobody can use up what is others'.

use std::hash::Hasher;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use axum::http::HeaderName;
use rand_core::Rng;
use reticent_privacy::NoiseRng;
use reticent_store::Moment;
use serde::Deserialize;
use siphasher::sip::SipHasher13;

/// What may be asked of a server. All of it can be set in its configuration.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Bytes of one request.
    pub request_bytes: usize,
    /// Requests that are worked on at the same time.
    pub requests_at_once: usize,
    /// Open connections, and those of one visitor.
    pub connections: usize,
    /// Open connections of one visitor.
    pub connections_of_one: usize,
    /// Requests a second that one visitor may make with one key, and without any.
    pub visitor_requests_per_second: u32,
    /// Seconds that a request may take to come.
    pub request_seconds: u64,
    /// A header that a trusted proxy sets to the visitor's address: without one the connection's is taken.
    pub visitor_header: Option<String>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            request_bytes: 1 << 20,
            requests_at_once: 512,
            connections: 4_096,
            connections_of_one: 256,
            visitor_requests_per_second: 200,
            request_seconds: 15,
            visitor_header: None,
        }
    }
}

/// More than anybody waits for, and more than this at once no machine has.
const MOST_SECONDS: u64 = 3_600;
const MOST_AT_ONCE: usize = 1 << 20;

impl Limits {
    /// Why nobody could be served within them.
    pub fn fault(&self) -> Option<String> {
        let sizes = [self.request_bytes, self.requests_at_once, self.connections, self.connections_of_one];
        let of_header = |name: &String| HeaderName::try_from(name).is_err();
        if sizes.contains(&0) || self.visitor_requests_per_second == 0 || self.request_seconds == 0 {
            Some("a limit of 0 lets nobody in: say at least 1".into())
        } else if self.request_seconds > MOST_SECONDS || self.requests_at_once > MOST_AT_ONCE {
            Some(format!(
                "request_seconds is at most {MOST_SECONDS}, requests_at_once at most {MOST_AT_ONCE}"
            ))
        } else if self.visitor_header.as_ref().is_some_and(of_header) {
            Some("visitor_header cannot be the name of a header".into())
        } else {
            None
        }
    }
}

/// Files that the store and everything else may have open: connections leave them alone.
const KEPT_FILES: usize = 400;

/// So many connections at most, or as many as the system lets this process have open beside its store.
pub(crate) fn connections(wanted: usize) -> usize {
    let told = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    open_files(&told)
        .map_or(wanted, |files| wanted.min(files.saturating_sub(KEPT_FILES).max(KEPT_FILES / 10)))
}

/// What Linux says of a process's limits.
fn open_files(limits: &str) -> Option<usize> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Counts of this second and of what was saved, by visitor and key. A fixed number of places: memory does not grow,
/// and who shares a place with whom is drawn anew by each process.
pub(crate) struct Visitors {
    secret: (u64, u64),
    usual: u32,
    places: Mutex<Vec<Place>>,
}

#[derive(Clone, Copy, Default)]
struct Place {
    second: i64,
    /// What was used up, and comes back with time.
    used: u32,
}

const PLACES: usize = 1 << 16;
/// Somebody who was quiet may ask for so many seconds' worth at once.
const BURST: u32 = 2;
/// What a wrong key costs.
pub(crate) const WRONG_KEY: u32 = 10;

impl Visitors {
    pub(crate) fn new(limits: &Limits) -> Visitors {
        // Without entropy places are known beforehand; nothing private depends on them.
        let mut secret = (0, 0);
        if let Ok(mut rng) = NoiseRng::from_os() {
            secret = (rng.next_u64(), rng.next_u64());
        }
        let usual = limits.visitor_requests_per_second.max(1);
        Visitors { secret, usual, places: Mutex::new(vec![Place::default(); PLACES]) }
    }

    /// Whether a visitor may go on, with a key or none, at so many requests a second.
    pub(crate) fn allows(
        &self,
        visitor: IpAddr,
        key: &str,
        rate: Option<u32>,
        cost: u32,
        clock: impl FnOnce() -> Moment,
    ) -> bool {
        let rate = rate.unwrap_or(self.usual).max(1);
        let most = rate.saturating_mul(BURST);
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        let place = &mut places[self.place(visitor, key)];
        let now = clock();
        let passed = u32::try_from(now.unix().saturating_sub(place.second).max(0)).unwrap_or(u32::MAX);
        place.used = place.used.saturating_sub(rate.saturating_mul(passed));
        // A clock that is put back gives nothing back, and is believed from then on: one that was wrong for a moment
        // shuts nobody out.
        place.second = now.unix();
        let allowed = place.used.saturating_add(cost) <= most;
        if allowed {
            place.used += cost;
        }
        allowed
    }

    fn place(&self, visitor: IpAddr, key: &str) -> usize {
        let mut hasher = SipHasher13::new_with_keys(self.secret.0, self.secret.1);
        hasher.write(&network(visitor));
        hasher.write(key.as_bytes());
        hasher.finish() as usize % PLACES
    }
}

/// A household has one address, or one network of version 6.
pub(crate) fn network(visitor: IpAddr) -> [u8; 8] {
    let mut bytes = [0; 8];
    match visitor {
        IpAddr::V4(address) => bytes[..4].copy_from_slice(&address.octets()),
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(address) => bytes[..4].copy_from_slice(&address.octets()),
            None => bytes.copy_from_slice(&address.octets()[..8]),
        },
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_visitor_cannot_use_up_what_is_others() {
        let limits = Limits { visitor_requests_per_second: 5, ..Limits::default() };
        let visitors = Visitors::new(&limits);
        let (one, other): (IpAddr, IpAddr) = ("10.0.0.1".parse().unwrap(), "10.0.0.2".parse().unwrap());
        let at = |second| move || Moment::from_unix(second);
        let asked = (0..100).filter(|_| visitors.allows(one, "k", None, 1, at(50))).count();
        assert_eq!(asked, 10);
        assert!(visitors.allows(other, "k", None, 1, at(50)));
        assert!(visitors.allows(one, "other key", None, 1, at(50)));
        let later = (0..100).filter(|_| visitors.allows(one, "k", None, 1, at(51))).count();
        assert_eq!(later, 5);
        assert!(!visitors.allows(one, "k", None, 1, at(20)), "the clock went back");
        let after = (0..100).filter(|_| visitors.allows(one, "k", None, 1, at(21))).count();
        assert_eq!(after, 5, "and goes on from there");
        let much = (0..100).filter(|_| visitors.allows(one, "k", None, 1, at(99))).count();
        assert_eq!(much, 10, "quiet time is saved for two seconds");
    }

    #[test]
    fn limits_that_let_nobody_in_are_none() {
        let usual = Limits::default;
        let header = |name: &str| Limits { visitor_header: Some(name.into()), ..usual() };
        let faulty = [
            Limits { request_bytes: 0, ..usual() },
            Limits { requests_at_once: 0, ..usual() },
            Limits { requests_at_once: usize::MAX, ..usual() },
            Limits { connections: 0, ..usual() },
            Limits { connections_of_one: 0, ..usual() },
            Limits { visitor_requests_per_second: 0, ..usual() },
            Limits { request_seconds: 0, ..usual() },
            Limits { request_seconds: u64::MAX, ..usual() },
            header("two words"),
        ];
        assert!(faulty.iter().all(|limits| limits.fault().is_some()));
        assert_eq!((usual().fault(), header("x-forwarded-for").fault()), (None, None));
    }

    #[test]
    fn connections_leave_files_for_the_store() {
        let told = "Max processes  95  95  processes\nMax open files            1024                 524288               files\n";
        assert_eq!(open_files(told), Some(1024));
        assert_eq!(open_files("Max open files  unlimited  unlimited  files"), None);
        assert!(connections(1) == 1 && connections(usize::MAX) > 0);
    }

    #[test]
    fn a_network_of_version_6_is_one_visitor() {
        let address = |text: &str| network(text.parse().unwrap());
        assert_eq!(address("2001:db8:1:2::1"), address("2001:db8:1:2:ffff::9"));
        assert_ne!(address("2001:db8:1:2::1"), address("2001:db8:1:3::1"));
        assert_eq!(address("::ffff:10.0.0.1"), address("10.0.0.1"));
    }
}
