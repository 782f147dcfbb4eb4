//! A made-up world for a trial: who comes, and what each arm does for them. Here the truth is known.

use std::f64::consts::{PI, SQRT_2};

use reticent_curate::trial::{SpecError, TrialError, TrialSpec};
use reticent_privacy::SimRng;
use serde::{Deserialize, Serialize};

use super::{Arrivals, Conditions};

/// How outcomes vary around their mean.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Noise {
    /// One of the two ends of the range, with a chance that gives the mean.
    Coin,
    /// Normal around the mean, cut off at the ends of the range.
    Normal {
        /// The standard deviation, before the cut.
        sd: f64,
    },
    /// Log-normal with the mean, cut off at the upper end of the range: a long tail, as earnings and costs have.
    Tailed {
        /// The standard deviation of the logarithm.
        sd: f64,
    },
}

/// A trial's plan with the truth that it is to find out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct World {
    /// The plan.
    pub spec: TrialSpec,
    /// Who comes when; a feature of the arrivals is a stratum of the plan.
    pub arrivals: Arrivals,
    /// Mean outcome of each stratum and arm, in units of the outcome, before any cut.
    pub means: Vec<Vec<f64>>,
    /// How outcomes vary.
    pub noise: Noise,
    /// What goes wrong.
    #[serde(default)]
    pub conditions: Conditions,
}

/// Why a world is none, or why its trial stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// Another number of strata in the arrivals than in the plan.
    #[error("the plan has {planned} strata and the arrivals have {come}: give one share for each stratum")]
    Strata {
        /// In the plan.
        planned: usize,
        /// In the arrivals.
        come: usize,
    },
    /// Not one mean for each stratum and arm, or one outside the range.
    #[error(
        "means must be one number for each stratum and arm, between the outcome's low and high: take another base or a smaller effect"
    )]
    Means,
    /// A trend or a drift out of the range.
    #[error(
        "a trend or a drift moves a mean out of the outcome's range, by half of it at the first person and at the last: take a smaller one, or another base"
    )]
    Moves,
    /// An invalid spread, or the wrong kind of it.
    #[error(
        "outcomes that are 0 or 1 vary as coins do; others need a standard deviation that is a positive number"
    )]
    Noise,
    /// Shares that are none.
    #[error("shares of people who are lost or late must be between 0 and 1, one for each arm")]
    Conditions,
    /// The plan is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A step of the trial was refused.
    #[error(transparent)]
    Trial(#[from] TrialError),
}

impl World {
    /// Whether a trial can be run in it.
    pub fn check(&self) -> Result<(), WorldError> {
        let (planned, come) = (self.spec.strata(), self.arrivals.features());
        if planned != come {
            return Err(WorldError::Strata { planned, come });
        }
        let outcome = &self.spec.draft().outcome;
        let fine = |mean: &f64| (outcome.low..=outcome.high).contains(mean);
        let row = |means: &Vec<f64>| means.len() == self.spec.arms() && means.iter().all(fine);
        if self.means.len() != planned || !self.means.iter().all(row) {
            return Err(WorldError::Means);
        }
        if !self.conditions.fit(self.spec.arms()) {
            return Err(WorldError::Conditions);
        }
        // Beyond the range a mean could not follow, and the truth would be another than is told.
        let moves = |arm: usize, mean: &f64| {
            [0.0, 1.0].iter().all(|&time| fine(&(mean + self.conditions.moved(arm, self.spec.arms(), time))))
        };
        if !self.means.iter().all(|row| row.iter().enumerate().all(|(arm, mean)| moves(arm, mean))) {
            return Err(WorldError::Moves);
        }
        match self.noise {
            Noise::Coin if outcome.binary => Ok(()),
            Noise::Normal { sd } if !outcome.binary && sd > 0.0 && sd.is_finite() => Ok(()),
            Noise::Tailed { sd } if !outcome.binary && outcome.low == 0.0 && sd > 0.0 && sd.is_finite() => {
                Ok(())
            }
            _ => Err(WorldError::Noise),
        }
    }

    /// The mean of what is really seen: the cut at the ends of the range moves it.
    pub fn true_mean(&self, stratum: usize, arm: usize) -> f64 {
        let (mean, outcome) = (self.means[stratum][arm], &self.spec.draft().outcome);
        match self.noise {
            Noise::Coin => mean,
            Noise::Normal { sd } => clamped_mean(mean, sd, outcome.low, outcome.high),
            Noise::Tailed { sd } => capped_mean(mean, sd, outcome.high),
        }
    }

    /// The effect of an arm against the control.
    pub fn true_effect(&self, stratum: usize, arm: usize) -> f64 {
        self.true_mean(stratum, arm) - self.true_mean(stratum, 0)
    }

    /// What a person loses by an arm that is not the best for their stratum.
    pub fn gap(&self, stratum: usize, arm: usize) -> f64 {
        let means = (0..self.spec.arms()).map(|arm| self.true_mean(stratum, arm));
        let sign = self.spec.better().sign();
        means.map(|mean| sign * mean).fold(f64::NEG_INFINITY, f64::max) - sign * self.true_mean(stratum, arm)
    }

    /// An outcome. It takes the same random numbers whatever the arm, so that two designs with one seed meet
    /// the same people.
    pub fn outcome(&self, stratum: usize, arm: usize, rng: &mut SimRng) -> f64 {
        self.outcome_at(stratum, arm, 0.5, rng)
    }

    /// The same when a share `time` of all people came.
    pub(super) fn outcome_at(&self, stratum: usize, arm: usize, time: f64, rng: &mut SimRng) -> f64 {
        let outcome = &self.spec.draft().outcome;
        let mean = self.means[stratum][arm] + self.conditions.moved(arm, self.spec.arms(), time);
        match self.noise {
            Noise::Coin => {
                let high = rng.uniform() * outcome.width() < mean - outcome.low;
                if high { outcome.high } else { outcome.low }
            }
            Noise::Normal { sd } => (mean + sd * rng.normal()).clamp(outcome.low, outcome.high),
            Noise::Tailed { sd } => {
                (mean * libm::exp(sd * rng.normal() - sd * sd / 2.0)).clamp(outcome.low, outcome.high)
            }
        }
    }
}

/// The mean of a log-normal variable that is cut off at the upper end of its range.
fn capped_mean(mean: f64, sd: f64, high: f64) -> f64 {
    if mean <= 0.0 {
        return 0.0;
    }
    let below = |z: f64| 0.5 * libm::erfc(-z / SQRT_2);
    let end = libm::log(high / mean) / sd;
    mean * below(end - sd / 2.0) + high * (1.0 - below(end + sd / 2.0))
}

/// The mean of a normal variable that is cut off at both ends of a range.
fn clamped_mean(mean: f64, sd: f64, low: f64, high: f64) -> f64 {
    let (a, b) = ((low - mean) / sd, (high - mean) / sd);
    let below = |z: f64| 0.5 * libm::erfc(-z / SQRT_2);
    let density = |z: f64| libm::exp(-z * z / 2.0) / (2.0 * PI).sqrt();
    let inside = mean * (below(b) - below(a)) + sd * (density(a) - density(b));
    low * below(a) + high * below(-b) + inside
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_curate::trial::{Draft, Outcome};
    use reticent_privacy::{SimSeed, Stream};

    fn world(sd: f64) -> World {
        let outcome = Outcome::number("score", -1.0, 3.0);
        let plan = Draft { outcome, ..Draft::simple("cut", 100, 1.0) };
        World {
            spec: TrialSpec::new(plan).unwrap(),
            arrivals: Arrivals::equal(1),
            means: vec![vec![-0.5, 2.5]],
            noise: Noise::Normal { sd },
            conditions: Conditions::default(),
        }
    }

    /// A normal mean of outcomes in a range of 4 is off by more than 5.5 of its deviations with probability
    /// 4e-8, by Hoeffding's bound the same.
    #[test]
    fn cut_outcomes_have_the_mean_that_effects_are_compared_with() {
        let world = world(1.5);
        let mut rng = SimSeed(3).stream(0, Stream::Environment);
        let draws = 200_000;
        let reach = 4.0 * (libm::log(2.0 / 1e-6) / (2.0 * f64::from(draws))).sqrt();
        for arm in 0..2 {
            let seen = (0..draws).map(|_| world.outcome(0, arm, &mut rng)).sum::<f64>() / f64::from(draws);
            assert!((seen - world.true_mean(0, arm)).abs() < reach, "{seen}");
            assert!((seen - world.means[0][arm]).abs() > 3.0 * reach, "the cut must be seen: {seen}");
        }
    }

    #[test]
    fn a_range_that_is_far_away_changes_nothing() {
        assert!((clamped_mean(0.3, 0.01, 0.0, 1.0) - 0.3).abs() < 1e-12);
        assert!((clamped_mean(0.5, 9.0, 0.0, 1.0) - 0.5).abs() < 1e-12, "the middle stays in the middle");
    }

    #[test]
    fn worlds_that_are_none_are_refused() {
        let good = world(1.0);
        assert!(good.check().is_ok());
        let other = |change: &dyn Fn(&mut World)| {
            let mut world = good.clone();
            change(&mut world);
            world.check()
        };
        assert!(matches!(
            other(&|world| world.arrivals = Arrivals::equal(2)),
            Err(WorldError::Strata { planned: 1, come: 2 })
        ));
        assert!(matches!(other(&|world| world.means[0][1] = 3.5), Err(WorldError::Means)));
        assert!(matches!(other(&|world| world.means[0].truncate(1)), Err(WorldError::Means)));
        assert!(matches!(other(&|world| world.conditions.trend = 1.5), Err(WorldError::Moves)));
        assert!(matches!(other(&|world| world.conditions.drift = -1.5), Err(WorldError::Moves)));
        assert!(other(&|world| world.conditions.drift = 0.5).is_ok());
        assert!(matches!(other(&|world| world.noise = Noise::Coin), Err(WorldError::Noise)));
        assert!(matches!(
            other(&|world| world.noise = Noise::Normal { sd: f64::NAN }),
            Err(WorldError::Noise)
        ));
    }
}
