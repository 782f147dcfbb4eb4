//! The one test, looked at while it is under way: a clear leak need not be run to the end.
//!
//! Each look has a part of the error probability of its own, fixed before the first run, so that the union bound makes
//! all looks together as sure as one test.

use std::ops::Range;

use super::bound::{Seen, Terms};
use super::clopper_pearson::upper_limit;
use super::draw::CHUNK;
use crate::AuditError;

/// Early looks: after this part of the runs, with this share of the error probability. The last look has the rest.
const EARLY: [(usize, f64); 2] = [(16, 0.1), (4, 0.1)];
/// How often a disclosure of the stated size is missed.
const MISSED: f64 = 0.05;

/// When the test is looked at: runs of each input so far, and what the bound allows for.
pub(super) struct Looks(Vec<(usize, Terms)>);

/// What the test came to.
pub(super) struct Tested {
    /// The largest bound of all looks; never negative.
    pub(super) measured: f64,
    /// Runs that it took, of both inputs.
    pub(super) fresh: u64,
}

impl Looks {
    pub(super) fn new(samples: usize, beta: f64, delta: f64) -> Looks {
        let terms = |share: f64| Terms { level: share * beta / 2.0, delta };
        let early = EARLY.into_iter().map(|(part, share)| (samples / part / CHUNK * CHUNK, share));
        let early: Vec<(usize, f64)> = early.filter(|(runs, _)| *runs > 0).collect();
        let rest = 1.0 - early.iter().map(|(_, share)| share).sum::<f64>();
        let early = early.into_iter().map(|(runs, share)| (runs, terms(share)));
        Looks(early.chain([(samples, terms(rest))]).collect())
    }

    /// What the last look allows for.
    pub(super) fn last(&self) -> Terms {
        self.0[self.0.len() - 1].1
    }

    /// Looks until a bound exceeds the claim; `count` says how often the event was seen in a stretch of fresh runs of
    /// the first or second neighbour.
    pub(super) fn test(
        &self,
        claimed: f64,
        count: impl Fn(usize, Range<usize>) -> Result<u64, AuditError>,
    ) -> Result<Tested, AuditError> {
        let (mut done, mut hits, mut measured) = (0, [0_u64; 2], 0.0_f64);
        for &(runs, terms) in &self.0 {
            for (input, hits) in hits.iter_mut().enumerate() {
                *hits += count(input, done..runs)?;
            }
            done = runs;
            let [likelier, other] = hits.map(|hits| Seen { hits, runs: runs as u64 });
            measured = measured.max(terms.bound(likelier, other));
            if measured > claimed {
                break;
            }
        }
        Ok(Tested { measured, fresh: 2 * done as u64 })
    }

    /// The least probability of an event, never seen under the other neighbour, that the last look calls a leak but
    /// for one in twenty times; none if not even an event of every run is enough.
    pub(super) fn smallest_leak(&self, claimed: f64) -> Option<f64> {
        let (runs, terms) = self.0[self.0.len() - 1];
        let runs = runs as u64;
        let never = Seen { hits: 0, runs };
        let seen = |hits: u64| terms.bound(Seen { hits, runs }, never) > claimed;
        if !seen(runs) {
            return None;
        }
        let (mut too_few, mut enough) = (0, runs);
        while enough - too_few > 1 {
            let middle = u64::midpoint(too_few, enough);
            if seen(middle) { enough = middle } else { too_few = middle }
        }
        Some(upper_limit(too_few, runs, MISSED))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 200,000 runs: about 76 disclosures are a leak at epsilon 1 and 935 at 4, of which 95 % of audits have as many.
    #[test]
    fn the_smallest_leak_is_stated() {
        let looks = Looks::new(200_000, 1e-6, 0.0);
        let least = |claimed| looks.smallest_leak(claimed).unwrap();
        assert!((3.8e-4..5.2e-4).contains(&least(1.0)), "{}", least(1.0));
        assert!((4.7e-3..5.2e-3).contains(&least(4.0)), "{}", least(4.0));
        assert!(Looks::new(800_000, 1e-6, 0.0).smallest_leak(1.0).unwrap() < 0.3 * least(1.0));
        assert!(Looks::new(100, 1e-6, 0.0).smallest_leak(4.0).is_none());
        // A delta hides disclosures up to itself.
        assert!(Looks::new(200_000, 1e-6, 0.01).smallest_leak(1.0).unwrap() > 0.01);
    }

    #[test]
    fn a_clear_leak_ends_the_test() {
        let looks = Looks::new(200_000, 1e-6, 0.0);
        let all_of =
            |input: usize, stretch: Range<usize>| Ok(if input == 0 { stretch.len() as u64 } else { 0 });
        let clear = looks.test(1.0, all_of).unwrap();
        assert!(clear.fresh == 2 * 12_288 && clear.measured > 6.0, "{}", clear.measured);
        let none = looks.test(1.0, |_, stretch| Ok(stretch.len() as u64 / 2)).unwrap();
        assert!(none.fresh == 400_000 && none.measured == 0.0);
        // Too few for early looks: one test with the whole error probability.
        assert_eq!(Looks::new(1_000, 0.05, 0.0).0.len(), 1);
        assert!((Looks::new(1_000, 0.05, 0.0).last().level - 0.025).abs() < 1e-15);
    }
}
