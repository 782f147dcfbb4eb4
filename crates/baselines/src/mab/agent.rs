//! UCB1 and the paper's private UCB agents.

use reticent_learn::mab::KullbackLeibler;
use reticent_learn::mab::index::{LazyArgmax, Rule};

use super::arm::Arm;
use super::{Answer, Channel};

/// UCB1 (Auer et al. 2002) on what the channel lets through.
#[derive(Debug)]
pub struct Ucb {
    channel: Channel,
    pub(super) arms: Vec<Arm>,
    argmax: LazyArgmax<IndexRule>,
}

/// Which index an agent plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// UCB1's and the paper's.
    Hoeffding,
    /// That of the agent that ships, for rewards that nothing was added to.
    KullbackLeibler,
}

impl Ucb {
    /// The agent for so many arms: the channel decides which of the paper's indices is used.
    pub fn new(arms: u32, channel: Channel, index: Index) -> Ucb {
        Self::resume(vec![Arm::default(); arms as usize], channel, index)
    }

    /// From a saved state.
    pub(super) fn resume(arms: Vec<Arm>, channel: Channel, index: Index) -> Ucb {
        let counts = arms.iter().map(|arm| (arm.pulls, arm.mean(channel)));
        let rule = match index {
            Index::Hoeffding => IndexRule::Hoeffding(Hoeffding::of(channel)),
            Index::KullbackLeibler => IndexRule::KullbackLeibler(KullbackLeibler::new(arms.len(), 1.0)),
        };
        let argmax = LazyArgmax::new(rule, counts);
        Ucb { channel, arms, argmax }
    }

    /// The arm of the next person.
    #[inline]
    pub fn choose(&mut self) -> u32 {
        self.argmax.choose() as u32
    }

    /// Learns from one answer, of an arm and a channel that are this agent's.
    #[inline]
    pub fn absorb(&mut self, arm: u32, answer: Answer) {
        let (number, arm) = (arm as usize, &mut self.arms[arm as usize]);
        arm.add(answer);
        self.argmax.update(number, arm.pulls, arm.mean(self.channel));
    }

    /// How many arms there are.
    pub fn arms(&self) -> u32 {
        self.arms.len() as u32
    }

    /// How rewards reach this agent.
    pub fn channel(&self) -> Channel {
        self.channel
    }
}

#[derive(Debug)]
enum IndexRule {
    Hoeffding(Hoeffding),
    KullbackLeibler(KullbackLeibler),
}

impl Rule for IndexRule {
    #[inline]
    fn index(&self, pulls: f64, mean: f64, log_t: f64) -> f64 {
        match self {
            IndexRule::Hoeffding(rule) => rule.index(pulls, mean, log_t),
            IndexRule::KullbackLeibler(rule) => rule.index(pulls, mean, log_t),
        }
    }

    #[inline]
    fn cost(&self, pulls: f64, mean: f64, level: f64) -> f64 {
        match self {
            IndexRule::Hoeffding(rule) => rule.cost(pulls, mean, level),
            IndexRule::KullbackLeibler(rule) => rule.cost(pulls, mean, level),
        }
    }

    fn forced(&self) -> f64 {
        match self {
            IndexRule::Hoeffding(rule) => rule.forced(),
            IndexRule::KullbackLeibler(rule) => rule.forced(),
        }
    }
}

/// mean + factor * sqrt(2 ln t / N).
#[derive(Debug)]
struct Hoeffding {
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
