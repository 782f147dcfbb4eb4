//! UCB1 and the paper's private UCB agents, with the printed constants.

use reticent_protocol::mab::{Channel, Spec, Squash};

use super::arm::Arm;
use super::index::{IndexAgent, Rule};

/// UCB1 (Auer et al. 2002) on what the channel lets through: `ucb1`, `ldp-ucb-l` (Agent 2), `ldp-ucb-b` (Agent 4), and their
/// versions with the sigmoid in front (Corollaries 10 and 11).
pub type Ucb = IndexAgent<Hoeffding>;

impl Ucb {
    /// The agent for a spec: the channel decides which of the paper's indices is used.
    pub fn new(spec: Spec, squash: Squash) -> Ucb {
        let arms = vec![Arm::default(); spec.arms() as usize];
        Self::with_counts(spec, squash, arms)
    }

    /// From a saved state.
    pub(super) fn with_counts(spec: Spec, squash: Squash, arms: Vec<Arm>) -> Ucb {
        let rule = Hoeffding::of(spec.channel());
        Self::resume(spec, squash, rule, arms)
    }
}

/// mean + factor * sqrt(2 ln t / N).
#[derive(Debug)]
pub struct Hoeffding {
    /// 1 for UCB1 and Agent 4; 1 + 4/epsilon for Agent 2, since sqrt(32 / epsilon^2) = sqrt(2) 4 / epsilon (line 3).
    factor: f64,
    forced: f64,
}

impl Hoeffding {
    fn of(channel: Channel) -> Hoeffding {
        match channel {
            Channel::Open | Channel::Bernoulli { .. } => Hoeffding { factor: 1.0, forced: 0.0 },
            Channel::Laplace { epsilon } => Hoeffding { factor: 1.0 + 4.0 / epsilon.value(), forced: 4.0 },
        }
    }
}

impl Rule for Hoeffding {
    #[inline]
    fn index(&self, pulls: f64, mean: f64, log_t: f64) -> f64 {
        mean + self.factor * (2.0 * log_t / pulls).sqrt()
    }

    #[inline]
    fn cost(&self, pulls: f64, mean: f64, level: f64) -> f64 {
        let gap = (level - mean).max(0.0) / self.factor;
        0.5 * pulls * gap * gap
    }

    fn forced(&self) -> f64 {
        self.forced
    }
}
