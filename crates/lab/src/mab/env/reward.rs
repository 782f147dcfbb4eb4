//! Laws of rewards.

use reticent_baselines::mab::Squash;
use reticent_privacy::SimRng;
use serde::{Deserialize, Serialize};

/// The law of one arm's reward. Parameters were checked by whoever made it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the fields are the laws' usual parameters")]
pub enum Reward {
    Bernoulli { mean: f64 },
    Beta { alpha: f64, beta: f64 },
    Uniform { low: f64, high: f64 },
    TwoPoint { low: f64, high: f64, high_probability: f64 },
    Gaussian { mean: f64, sd: f64 },
    Constant { value: f64 },
}

impl Reward {
    /// The mean.
    pub fn mean(&self) -> f64 {
        match *self {
            Reward::Bernoulli { mean } | Reward::Gaussian { mean, .. } => mean,
            Reward::Beta { alpha, beta } => alpha / (alpha + beta),
            Reward::Uniform { low, high } => 0.5 * (low + high),
            Reward::TwoPoint { low, high, high_probability } => low + (high - low) * high_probability,
            Reward::Constant { value } => value,
        }
    }

    /// Whether the reward always lies in [0, 1].
    pub fn is_unit(&self) -> bool {
        let (low, high) = match *self {
            Reward::Bernoulli { .. } | Reward::Beta { .. } => (0.0, 1.0),
            Reward::Uniform { low, high } | Reward::TwoPoint { low, high, .. } => (low, high),
            Reward::Gaussian { .. } => return false,
            Reward::Constant { value } => (value, value),
        };
        0.0 <= low && high <= 1.0
    }

    /// One reward.
    #[inline]
    pub fn draw(&self, rng: &mut SimRng) -> f64 {
        match *self {
            Reward::Bernoulli { mean } => f64::from(u8::from(rng.uniform() < mean)),
            Reward::Beta { alpha, beta } => rng.beta(alpha, beta),
            Reward::Uniform { low, high } => low + (high - low) * rng.uniform(),
            Reward::TwoPoint { low, high, high_probability } => {
                if rng.uniform() < high_probability {
                    high
                } else {
                    low
                }
            }
            Reward::Gaussian { mean, sd } => mean + sd * rng.normal(),
            Reward::Constant { value } => value,
        }
    }

    /// The mean of the squashed reward, for bounds on what a squash lets through. Exact for two-valued laws and, where
    /// the squash changes nothing, for all; Simpson's rule over 8 deviations for normal rewards; `None` otherwise.
    pub fn mean_through(&self, squash: Squash) -> Option<f64> {
        let through = |x: f64| squash.apply(x).clamp(0.0, 1.0);
        match *self {
            Reward::Bernoulli { mean } => Some(through(0.0) + mean * (through(1.0) - through(0.0))),
            Reward::TwoPoint { low, high, high_probability } => {
                Some(through(low) + high_probability * (through(high) - through(low)))
            }
            Reward::Constant { value } => Some(through(value)),
            Reward::Gaussian { mean, sd } => Some(normal_mean(|z| through(mean + sd * z))),
            _ if squash == Squash::Clip && self.is_unit() => Some(self.mean()),
            Reward::Beta { .. } | Reward::Uniform { .. } => None,
        }
    }
}

fn normal_mean(f: impl Fn(f64) -> f64) -> f64 {
    const HALF_STEPS: i32 = 800;
    let h = 8.0 / f64::from(HALF_STEPS);
    let density = |z: f64| libm::exp(-0.5 * z * z) / (2.0 * std::f64::consts::PI).sqrt();
    let weight = |i: i32| match i {
        _ if i.abs() == HALF_STEPS => 1.0,
        _ if i % 2 == 0 => 2.0,
        _ => 4.0,
    };
    let sum: f64 = (-HALF_STEPS..=HALF_STEPS)
        .map(|i| {
            let z = f64::from(i) * h;
            weight(i) * f(z) * density(z)
        })
        .sum();
    sum * h / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_privacy::{SimSeed, Stream};

    #[test]
    fn draws_have_the_stated_mean_and_range() {
        let laws = [
            Reward::Bernoulli { mean: 0.3 },
            Reward::Beta { alpha: 4.0, beta: 1.0 },
            Reward::Uniform { low: -1.0, high: 2.0 },
            Reward::TwoPoint { low: 0.4, high: 1.0, high_probability: 0.5 },
            Reward::Gaussian { mean: 0.7, sd: 1.0 },
            Reward::Constant { value: 0.5 },
        ];
        for (trial, law) in laws.iter().enumerate() {
            let mut rng = SimSeed(4).stream(trial as u64, Stream::Environment);
            let draws: Vec<f64> = (0..100_000).map(|_| law.draw(&mut rng)).collect();
            let mean = draws.iter().sum::<f64>() / 1e5;
            // No law here has a deviation above 1: 6 standard errors are 0.019, passed with probability 2e-9.
            assert!((mean - law.mean()).abs() < 0.019, "{law:?}: {mean}");
            assert!(!law.is_unit() || draws.iter().all(|x| (0.0..=1.0).contains(x)));
        }
    }

    #[test]
    fn means_through_a_squash() {
        let gaussian = |mean| Reward::Gaussian { mean, sd: 1.0 };
        // The paper's appendix A.5: E[s'(Z)] = 0.2066 for standard normal Z.
        let slope = (gaussian(1e-4).mean_through(Squash::Sigmoid).unwrap()
            - gaussian(-1e-4).mean_through(Squash::Sigmoid).unwrap())
            / 2e-4;
        assert!((slope - 0.2066).abs() < 5e-5, "{slope}");
        assert_eq!(Reward::Beta { alpha: 4.0, beta: 1.0 }.mean_through(Squash::Clip), Some(0.8));
        assert_eq!(Reward::Beta { alpha: 4.0, beta: 1.0 }.mean_through(Squash::Sigmoid), None);
        assert_eq!(Reward::Bernoulli { mean: 0.25 }.mean_through(Squash::Clip), Some(0.25));
    }
}
