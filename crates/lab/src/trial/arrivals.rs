//! Who comes when: the features of people in turn.

use std::f64::consts::TAU;

use reticent_privacy::SimRng;
use serde::{Deserialize, Serialize};

/// A law of arrivals. Shares need not sum to one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Arrivals {
    /// The same shares at all times.
    Stationary {
        /// Of each feature.
        shares: Vec<f64>,
    },
    /// Shares that come and go: feature j's times 1 + 0.8 sin(2 pi (t / period + j / M)).
    Seasonal {
        /// Of each feature, before the season.
        shares: Vec<f64>,
        /// People in a season.
        period: u64,
    },
    /// An oblivious adversary: all people of feature 0, then all of feature 1, and so on, once in each half,
    /// so that both halves have the same counts (Assumption 1.1 with ratio 2).
    Blocks {
        /// Of each feature.
        shares: Vec<f64>,
        /// People in both halves together.
        people: u64,
    },
}

/// Why a law of arrivals is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArrivalsError {
    /// No feature, a share that is not positive, or shares whose sum is not finite.
    #[error("shares of features must be positive numbers, one at least")]
    Shares,
    /// A season or a half without anybody.
    #[error("a season needs one person at least, and two halves need two")]
    Length,
}

/// How far a share swings around its mean.
const SWING: f64 = 0.8;

impl Arrivals {
    /// Equal shares at all times.
    pub fn equal(features: usize) -> Arrivals {
        Arrivals::Stationary { shares: vec![1.0; features] }
    }

    /// The number of features.
    pub fn features(&self) -> usize {
        self.shares().len()
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Arrivals::Stationary { .. } => "stationary",
            Arrivals::Seasonal { .. } => "seasonal",
            Arrivals::Blocks { .. } => "blocks",
        }
    }

    /// Whether people can be drawn from it.
    pub fn check(&self) -> Result<(), ArrivalsError> {
        let shares = self.shares();
        let positive = shares.iter().all(|share| *share > 0.0);
        if shares.is_empty() || !positive || !shares.iter().sum::<f64>().is_finite() {
            return Err(ArrivalsError::Shares);
        }
        match self {
            Arrivals::Seasonal { period: 0, .. } | Arrivals::Blocks { people: 0..2, .. } => {
                Err(ArrivalsError::Length)
            }
            _ => Ok(()),
        }
    }

    /// The feature of person `t`, from 0.
    pub fn sample(&self, t: u64, rng: &mut SimRng) -> usize {
        let shares = self.shares();
        match self {
            Arrivals::Stationary { .. } => pick(shares, rng.uniform(), |_| 1.0),
            Arrivals::Seasonal { period, .. } => {
                let season = (t % period) as f64 / *period as f64;
                let phase = |j: usize| season + j as f64 / shares.len() as f64;
                pick(shares, rng.uniform(), |j| 1.0 + SWING * libm::sin(TAU * phase(j)))
            }
            Arrivals::Blocks { people, .. } => {
                let half = people / 2;
                pick(shares, ((t % half) as f64 + 0.5) / half as f64, |_| 1.0)
            }
        }
    }

    /// How many of so many people have a feature, on average; of whole seasons, where there are any.
    pub fn expected(&self, feature: usize, people: u64) -> f64 {
        people as f64 * self.shares()[feature] / self.shares().iter().sum::<f64>()
    }

    fn shares(&self) -> &[f64] {
        match self {
            Arrivals::Stationary { shares }
            | Arrivals::Seasonal { shares, .. }
            | Arrivals::Blocks { shares, .. } => shares,
        }
    }
}

/// The feature at `place`, between 0 and 1, of the features laid end to end by weighted share.
fn pick(shares: &[f64], place: f64, weight: impl Fn(usize) -> f64) -> usize {
    let weighted = |j: usize| shares[j] * weight(j);
    let mut left = place * (0..shares.len()).map(weighted).sum::<f64>();
    for j in 0..shares.len() {
        left -= weighted(j);
        if left < 0.0 {
            return j;
        }
    }
    shares.len().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_privacy::{SimSeed, Stream};
    use statrs::distribution::{Binomial, DiscreteCDF};

    const LEVEL: f64 = 1e-6;

    fn counts(arrivals: &Arrivals, times: std::ops::Range<u64>) -> Vec<u64> {
        let mut rng = SimSeed(5).stream(0, Stream::Environment);
        let mut counts = vec![0; arrivals.features()];
        for t in times {
            counts[arrivals.sample(t, &mut rng)] += 1;
        }
        counts
    }

    /// The two-sided p-value of a count, twice the smaller tail.
    fn p_value(hits: u64, draws: u64, share: f64) -> f64 {
        let law = Binomial::new(share, draws).unwrap();
        2.0 * law.cdf(hits).min(1.0 - law.cdf(hits - 1))
    }

    #[test]
    fn shares_are_kept_and_the_test_has_power() {
        let shares = vec![1.0, 3.0, 4.0];
        let stationary = counts(&Arrivals::Stationary { shares: shares.clone() }, 0..80_000);
        for (share, count) in shares.iter().zip(&stationary) {
            assert!(p_value(*count, 80_000, share / 8.0) > LEVEL / 3.0, "{stationary:?}");
            assert!(p_value(*count, 80_000, share / 8.0 + 0.02) < LEVEL, "{stationary:?}");
        }
    }

    #[test]
    fn seasons_come_and_go() {
        let seasonal = Arrivals::Seasonal { shares: vec![1.0; 2], period: 1000 };
        // Feature 0 peaks after a quarter of a season, with a weight of 1.8 of 2.
        let mut rng = SimSeed(5).stream(1, Stream::Environment);
        let near_peaks = (0..400_000).filter(|t| (240..260).contains(&(t % 1000)));
        let peak = near_peaks.filter(|&t| seasonal.sample(t, &mut rng) == 0).count() as u64;
        assert!(p_value(peak, 8000, 0.9) > LEVEL, "{peak}");
        assert!(p_value(peak, 8000, 0.85) < LEVEL, "{peak}: another swing must be seen");
        let all = counts(&seasonal, 0..100_000);
        assert!(p_value(all[0], 100_000, 0.5) > LEVEL, "whole seasons are even: {all:?}");
    }

    #[test]
    fn both_halves_of_the_adversary_are_alike() {
        let blocks = Arrivals::Blocks { shares: vec![1.0, 3.0], people: 800 };
        assert_eq!(counts(&blocks, 0..400), [100, 300]);
        assert_eq!(counts(&blocks, 400..800), [100, 300]);
        assert_eq!(counts(&blocks, 0..100), [100, 0]);
    }

    #[test]
    fn laws_that_are_none_are_refused() {
        for shares in [vec![], vec![0.0, 1.0], vec![-1.0], vec![f64::NAN], vec![f64::INFINITY]] {
            assert_eq!(Arrivals::Stationary { shares }.check(), Err(ArrivalsError::Shares));
        }
        assert_eq!(Arrivals::Seasonal { shares: vec![1.0], period: 0 }.check(), Err(ArrivalsError::Length));
        assert_eq!(Arrivals::Blocks { shares: vec![1.0], people: 1 }.check(), Err(ArrivalsError::Length));
        assert_eq!(Arrivals::equal(3).check(), Ok(()));
    }
}
