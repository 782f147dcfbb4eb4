//! The largest optimistic index, found without looking at all arms each time.
//!
//! Indices grow with the log of time, and only the played arm's counts change between two choices, so the
//! scan over all arms can wait until the leader could be overtaken. After a scan at time s we fix a level
//! between the best and the second-best index; the leader stays the argmax as long as its index with the
//! budget of time s is above the level and no rival's index has reached it. Both are known without
//! logarithms. A margin of 10^-9 keeps rounding from ever changing the choice: a test compares with the naive
//! argmax.

mod leader;

use leader::Leader;

/// An optimistic index.
pub trait Rule {
    /// The index of an arm with `pulls` answers of mean `mean`, with exploration budget ln(t).
    fn index(&self, pulls: f64, mean: f64, log_t: f64) -> f64;

    /// The least budget ln(t) with which this index would reach `level`: the inverse of [`index`](Self::index).
    fn cost(&self, pulls: f64, mean: f64, level: f64) -> f64;

    /// An arm with at most this many pulls must be played before any index is looked at (Ren et al. 2020,
    /// Agent 2, line 5), in terms of ln(t + 1): pulls <= `forced` * ln(t + 1). Zero for none.
    fn forced(&self) -> f64 {
        0.0
    }
}

/// The arm with the largest index, lazily.
#[derive(Debug)]
pub struct LazyArgmax<R> {
    rule: R,
    views: Vec<View>,
    total: u64,
    leader: Option<Leader>,
}

/// What the scan reads of an arm.
#[derive(Debug, Clone, Copy)]
struct View {
    pulls: f64,
    mean: f64,
}

impl<R: Rule> LazyArgmax<R> {
    /// From pulls and mean of each arm so far. The lazy leader is not part of the state: it never changes a choice.
    pub fn new(rule: R, arms: impl IntoIterator<Item = (u64, f64)>) -> Self {
        let (mut views, mut total) = (Vec::new(), 0);
        for (pulls, mean) in arms {
            views.push(View { pulls: pulls as f64, mean });
            total += pulls;
        }
        LazyArgmax { rule, views, total, leader: None }
    }

    /// The arm with the largest index, the first of equals; before that any arm that must be played.
    #[inline]
    pub fn choose(&mut self) -> usize {
        match &self.leader {
            Some(leader) if leader.still_leads(&self.rule, &self.views, self.total) => leader.arm,
            _ => self.scan(),
        }
    }

    /// The arms of so many draws, which together stand for `people` people: each as if those before it had
    /// shown the arms' means again. An arm without answers is taken to be in the middle.
    pub fn foreseen(&self, people: u64, draws: u64) -> Vec<u32> {
        let step = people as f64 / draws as f64;
        let mut views: Vec<View> = self.views.clone();
        let mut total = self.total as f64;
        let mut next = || {
            let forced = self.rule.forced() * libm::log(total + 1.0);
            let due = views.iter().position(|view| view.pulls <= forced.max(0.0));
            let log_t = libm::log(total.max(1.0));
            let index = |view: &View| self.rule.index(view.pulls, view.mean, log_t);
            let arm = due.unwrap_or_else(|| {
                let mut best = (0, f64::NEG_INFINITY);
                for (arm, view) in views.iter().enumerate() {
                    let index = index(view);
                    if index > best.1 {
                        best = (arm, index);
                    }
                }
                best.0
            });
            let view = &mut views[arm];
            if view.pulls == 0.0 {
                view.mean = 0.5;
            }
            view.pulls += step;
            total += step;
            arm as u32
        };
        (0..draws).map(|_| next()).collect()
    }

    /// An arm has so many pulls of this mean now.
    #[inline]
    pub fn update(&mut self, arm: usize, pulls: u64, mean: f64) {
        let before = self.views[arm].pulls as u64;
        self.views[arm] = View { pulls: pulls as f64, mean };
        self.total = (self.total + pulls).saturating_sub(before);
        // A late report for a rival may lift it above the level, and a lease is for budgets that grow.
        if pulls < before || self.leader.as_ref().is_some_and(|leader| leader.arm != arm) {
            self.leader = None;
        }
    }

    /// The naive argmax, and the leader's lease.
    fn scan(&mut self) -> usize {
        self.leader = None;
        if let Some(arm) = self.forced_arm() {
            return arm;
        }
        let log_t = libm::log(self.total as f64);
        let (arm, lease) = Leader::elect(&self.rule, &self.views, log_t);
        self.leader = lease.map(|lease| lease.limit_by_forced_pulls(self.rule.forced(), &self.views));
        arm
    }

    /// The first arm without an answer, or the first with too few of them.
    fn forced_arm(&self) -> Option<usize> {
        // Most rules force none, and need no logarithm to know it.
        let forced = self.rule.forced();
        let bound = if forced > 0.0 { forced * libm::log(self.total as f64 + 1.0) } else { 0.0 };
        self.views.iter().position(|view| view.pulls <= bound)
    }
}

#[cfg(test)]
mod tests;
