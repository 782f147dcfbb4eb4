//! Index agents: play the arm with the largest optimistic index, which grows with the log of time.
//!
//! Only the played arm changes between two choices, so the scan over all arms can wait until the leader could be
//! overtaken. After a scan at time s we fix a level between the best and the second-best index; the leader stays the
//! argmax as long as its index with the budget of time s is above the level and no rival's index has reached it. Both are
//! known without logarithms. A margin of 10^-9 keeps rounding from ever changing the choice: a test compares with
//! the naive argmax.

mod leader;

use reticent_protocol::mab::{Channel, Policy, Report, Spec, Squash};

use super::arm::Arm;
use super::{AbsorbError, Agent, check};
use leader::Leader;

/// An optimistic index.
pub trait Rule {
    /// The index of an arm with `pulls` answers of mean `mean`, with exploration budget ln(t).
    fn index(&self, pulls: f64, mean: f64, log_t: f64) -> f64;

    /// The least budget ln(t) with which this index would reach `level`: the inverse of [`index`](Self::index).
    fn cost(&self, pulls: f64, mean: f64, level: f64) -> f64;

    /// An arm with at most this many pulls must be played before any index is looked at (Agent 2, line 5), in terms of
    /// ln(t + 1): pulls <= `forced` * ln(t + 1). Zero for none.
    fn forced(&self) -> f64;
}

/// An agent that plays the arm with the largest index.
#[derive(Debug)]
pub struct IndexAgent<R> {
    rule: R,
    spec: Spec,
    squash: Squash,
    pub(super) arms: Vec<Arm>,
    views: Vec<View>,
    total: u64,
    leader: Option<Leader>,
}

/// What the scan reads of an arm, kept beside the integers.
#[derive(Debug, Clone, Copy)]
struct View {
    pulls: f64,
    mean: f64,
}

impl<R: Rule> IndexAgent<R> {
    /// From the counts so far. The lazy leader is not part of the state: it never changes a choice.
    pub(super) fn resume(spec: Spec, squash: Squash, rule: R, arms: Vec<Arm>) -> Self {
        let views = arms.iter().map(|arm| View::of(arm, spec.channel())).collect();
        let total = arms.iter().map(|arm| arm.pulls).sum();
        IndexAgent { rule, spec, squash, arms, views, total, leader: None }
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

impl<R: Rule> Agent for IndexAgent<R> {
    #[inline]
    fn policy(&mut self) -> Policy {
        let arm = match &self.leader {
            Some(leader) if leader.still_leads(&self.rule, &self.views, self.total) => leader.arm,
            _ => self.scan(),
        };
        Policy { arm: arm as u32, stage: 0, squash: self.squash }
    }

    #[inline]
    fn absorb(&mut self, report: &Report) -> Result<(), AbsorbError> {
        let arm = check(report, self.arms.len(), 0)?;
        self.arms[arm].add(report.response, self.spec.channel())?;
        self.views[arm] = View::of(&self.arms[arm], self.spec.channel());
        self.total += 1;
        // A late report for a rival may lift it above the level.
        if self.leader.as_ref().is_some_and(|leader| leader.arm != arm) {
            self.leader = None;
        }
        Ok(())
    }

    fn spec(&self) -> &Spec {
        &self.spec
    }
}

impl View {
    #[inline]
    fn of(arm: &Arm, channel: Channel) -> View {
        View { pulls: arm.pulls as f64, mean: arm.mean(channel) }
    }
}

#[cfg(test)]
mod tests;
