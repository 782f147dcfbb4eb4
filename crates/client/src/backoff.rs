//! When to try again: later and later, and not all devices at once.

use std::time::Duration;

use rand_core::Rng;
use reticent_privacy::{EntropyError, NoiseRng};
use reticent_store::Moment;

/// The first wait.
const FIRST: u64 = 2;
/// No wait is longer, whatever a server asks for: a wrong answer must not silence a device for good.
const LONGEST: u64 = 6 * 3600;
/// After so many failures waits do not grow any more: about half an hour.
const MOST_DOUBLINGS: u32 = 10;

/// Failures in a row, and until when nothing is tried.
#[derive(Debug, Default)]
pub(crate) struct Backoff {
    failures: u32,
    until: Option<Moment>,
}

impl Backoff {
    /// How long to wait still.
    pub(crate) fn wait(&self, now: Moment) -> Option<Duration> {
        let seconds = self.until?.unix() - now.unix();
        u64::try_from(seconds).ok().filter(|&seconds| seconds > 0).map(Duration::from_secs)
    }

    /// It worked: the next failure is the first again.
    pub(crate) fn worked(&mut self) {
        *self = Backoff::default();
    }

    /// It did not. A server's own wish is a lower end; the rest is between one and two times the wait that is due,
    /// so that devices that failed together do not come back together.
    pub(crate) fn failed(&mut self, now: Moment, wish: Option<Duration>) -> Result<Duration, EntropyError> {
        let due = FIRST << self.failures.min(MOST_DOUBLINGS);
        self.failures = self.failures.saturating_add(1);
        let least = wish.map_or(due, |wish| wish.as_secs().max(1)).min(LONGEST);
        // Jitter decides nothing but when: a remainder is even enough.
        let jitter = NoiseRng::from_os()?.next_u64() % (least.min(due.max(60)) + 1);
        let wait = least + jitter;
        self.until = Some(Moment::from_unix(now.unix().saturating_add(wait.cast_signed())));
        Ok(Duration::from_secs(wait))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Moment {
        Moment::from_unix(0)
    }

    #[test]
    fn waits_grow_are_jittered_and_end_with_success() {
        let mut backoff = Backoff::default();
        for doublings in 0..20_u32 {
            let due = FIRST << doublings.min(MOST_DOUBLINGS);
            let wait = backoff.failed(now(), None).unwrap().as_secs();
            assert!((due..=2 * due).contains(&wait), "{wait} of {due}");
            assert_eq!(backoff.wait(now()), Some(Duration::from_secs(wait)));
        }
        backoff.worked();
        assert_eq!(backoff.wait(now()), None);
        assert!(backoff.failed(now(), None).unwrap().as_secs() <= 2 * FIRST);
    }

    #[test]
    fn devices_that_failed_together_do_not_come_back_together() {
        let waits: Vec<_> = (0..200)
            .map(|_| Backoff::default().failed(now(), Some(Duration::from_secs(100))).unwrap().as_secs())
            .collect();
        assert!(waits.iter().all(|wait| (100..=200).contains(wait)));
        let mut different = waits.clone();
        different.sort_unstable();
        different.dedup();
        // 200 draws of 61 waits: fewer than 40 different ones happen less than once in a million.
        assert!(different.len() >= 40, "{}", different.len());
    }

    #[test]
    fn a_server_cannot_silence_a_device_for_good() {
        let wait = Backoff::default().failed(now(), Some(Duration::from_secs(u64::MAX))).unwrap();
        assert!(wait.as_secs() <= 2 * LONGEST);
    }
}
