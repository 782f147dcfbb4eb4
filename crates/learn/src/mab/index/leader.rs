//! The lease of the leading arm: how long it stays the argmax without a look at its rivals.

use super::{Rule, View};

/// Relative slack for rounding: far above the error of a dozen floating-point operations, far below any real change.
const MARGIN: f64 = 1e-9;

#[derive(Debug)]
pub(super) struct Leader {
    pub(super) arm: usize,
    /// Above every rival's index until `until`.
    level: f64,
    /// The budget at the time of the scan, less the margin; budgets only grow.
    log_t: f64,
    /// The first number of answers at which a rival may have reached the level.
    until: u64,
}

impl Leader {
    /// The argmax of the index (the first, if several), and its lease if there is a gap to live on.
    pub(super) fn elect<R: Rule>(rule: &R, views: &[View], log_t: f64) -> (usize, Option<Leader>) {
        let (mut arm, mut best, mut second) = (0, f64::NEG_INFINITY, f64::NEG_INFINITY);
        for (i, view) in views.iter().enumerate() {
            let index = rule.index(view.pulls, view.mean, log_t);
            if index > best {
                (arm, second, best) = (i, best, index);
            } else if index > second {
                second = index;
            }
        }
        let level = if second.is_finite() { 0.5 * (best + second) } else { best - 1.0 };
        let rivals = views.iter().enumerate().filter(|&(i, _)| i != arm);
        let soonest = rivals.map(|(_, v)| rule.cost(v.pulls, v.mean, level)).fold(f64::INFINITY, f64::min)
            * (1.0 - MARGIN);
        let until = libm::exp(soonest.min(42.0)) as u64;
        let lease = (soonest > log_t).then_some(Leader { arm, level, log_t: log_t * (1.0 - MARGIN), until });
        (arm, lease)
    }

    /// Forced pulls come first: the lease ends before the earliest of them.
    pub(super) fn limit_by_forced_pulls(mut self, forced: f64, views: &[View]) -> Leader {
        if forced > 0.0 {
            let fewest = views.iter().map(|view| view.pulls).fold(f64::INFINITY, f64::min);
            let first = libm::exp((fewest / forced * (1.0 - MARGIN)).min(42.0)) - 1.0;
            self.until = self.until.min(first as u64);
        }
        self
    }

    #[inline]
    pub(super) fn still_leads<R: Rule>(&self, rule: &R, views: &[View], total: u64) -> bool {
        let view = &views[self.arm];
        total < self.until && rule.cost(view.pulls, view.mean, self.level) < self.log_t
    }
}
