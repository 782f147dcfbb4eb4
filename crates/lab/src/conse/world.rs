//! People who come with a feature, and what an arm does for them.

use reticent_privacy::SimRng;
use serde::{Deserialize, Serialize};

use crate::trial::Arrivals;

/// How a reward varies around its mean. All are in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Rewards {
    /// 1 with the mean as probability, else 0.
    Bernoulli,
    /// Normal, cut to [0, 1]: the mean moves a little towards 1/2 where the cut is felt.
    Gaussian {
        /// The standard deviation before the cut.
        sd: f64,
    },
}

/// Arrivals and mean rewards of each feature's two arms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct World {
    /// Who comes when.
    pub arrivals: Arrivals,
    /// Means of arms 0 and 1, for each feature.
    pub means: Vec<[f64; 2]>,
    /// How rewards vary.
    pub rewards: Rewards,
}

impl World {
    /// Means 1/2 - gap/2 and 1/2 + gap/2, the better arm alternating by feature, and coins as rewards.
    pub fn alternating(arrivals: Arrivals, gap: f64) -> World {
        let (low, high) = (0.5 - gap / 2.0, 0.5 + gap / 2.0);
        let means = (0..arrivals.features()).map(|j| if j % 2 == 0 { [low, high] } else { [high, low] });
        World { means: means.collect(), arrivals, rewards: Rewards::Bernoulli }
    }

    /// The effect of arm 1 against arm 0 for a feature.
    pub fn effect(&self, feature: usize) -> f64 {
        self.means[feature][1] - self.means[feature][0]
    }

    /// What a person of this feature loses, on average, by this arm.
    pub fn regret(&self, feature: usize, arm: u32) -> f64 {
        let means = self.means[feature];
        means[0].max(means[1]) - means[arm as usize]
    }

    /// A reward of this arm.
    pub fn reward(&self, feature: usize, arm: u32, rng: &mut SimRng) -> f64 {
        let mean = self.means[feature][arm as usize];
        match self.rewards {
            Rewards::Bernoulli => f64::from(u8::from(rng.uniform() < mean)),
            Rewards::Gaussian { sd } => (mean + sd * rng.normal()).clamp(0.0, 1.0),
        }
    }
}
