//! A lower bound on epsilon from how often an event was seen under two neighbours.

use super::clopper_pearson::{lower_limit, upper_limit};

/// What the bound allows for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms {
    /// The probability with which either limit may fail.
    pub(super) level: f64,
    /// The claimed delta.
    pub(super) delta: f64,
}

/// How often an event was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) hits: u64,
    pub(super) runs: u64,
}

impl Terms {
    /// ln((p - delta) / q) with the lower limit of p and the upper limit of q; minus infinity where there is none.
    pub(super) fn bound(self, likelier: Seen, other: Seen) -> f64 {
        let p = lower_limit(likelier.hits, likelier.runs, self.level);
        self.log_ratio(p, upper_limit(other.hits, other.runs, self.level))
    }

    /// Nearly the same by Wilson's (1927) limits, for choosing among thousands of events; no finding rests on it.
    pub(super) fn quick_bound(self, likelier: Seen, other: Seen) -> f64 {
        let z = self.quantile();
        self.log_ratio(wilson(likelier, -z), wilson(other, z))
    }

    fn log_ratio(self, p: f64, q: f64) -> f64 {
        let above = p - self.delta;
        if above > 0.0 { libm::log(above / q) } else { f64::NEG_INFINITY }
    }

    /// About the normal quantile: the first terms of its expansion in the tail.
    fn quantile(self) -> f64 {
        let double = -2.0 * libm::log(self.level);
        (double - libm::log(double.max(1.0)) - 1.84).max(0.25).sqrt()
    }
}

fn wilson(seen: Seen, z: f64) -> f64 {
    let (n, p) = (seen.runs as f64, seen.hits as f64 / seen.runs as f64);
    let middle = p + z * z / (2.0 * n);
    let spread = (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    (middle + z * spread) / (1.0 + z * z / n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_is_close_to_exact() {
        for level in [5e-7, 0.025] {
            let terms = Terms { level, delta: 0.0 };
            for (a, b) in [(100_000, 37_000), (199_000, 900), (5_000, 1_000)] {
                let (a, b) = (Seen { hits: a, runs: 200_000 }, Seen { hits: b, runs: 200_000 });
                assert!((terms.bound(a, b) - terms.quick_bound(a, b)).abs() < 0.03, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn an_event_rarer_than_delta_bounds_nothing() {
        let terms = Terms { level: 0.01, delta: 0.1 };
        let (rare, never) = (Seen { hits: 50, runs: 1000 }, Seen { hits: 0, runs: 1000 });
        assert_eq!(terms.bound(rare, never), f64::NEG_INFINITY);
        assert!(Terms { delta: 0.0, ..terms }.bound(rare, never) > 1.0);
    }
}
