//! Regret and error of an experiment over its trials.

use super::{Experiment, Trial};
use crate::stats::Summary;

/// What an experiment showed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// Regret of a trial.
    pub regret: Summary,
    /// The largest over features of the mean squared error of the estimated effect, over the trials that have
    /// an estimate.
    pub error: f64,
    /// The mean over features of the mean squared errors.
    pub mean_error: f64,
    /// The largest mean's standard error; 0 for a single estimate.
    pub error_se: f64,
    /// The share of features and trials without an estimate, since fewer than `T_j` people came.
    pub missing: f64,
}

/// Of at least one trial and one estimate; `None` without.
pub fn measure(experiment: &Experiment, trials: &[Trial]) -> Option<Measured> {
    let regret = Summary::of(&trials.iter().map(|trial| trial.regret).collect::<Vec<_>>())?;
    let features = experiment.world.means.len();
    let squared = |feature: usize| -> Vec<f64> {
        let effect = experiment.world.effect(feature);
        let estimates = trials.iter().filter_map(|trial| *trial.estimates.get(feature)?);
        estimates.map(|estimate| (estimate - effect) * (estimate - effect)).collect()
    };
    let errors: Vec<Vec<f64>> = (0..features).map(squared).collect();
    let found: usize = errors.iter().map(Vec::len).sum();
    let worst = errors
        .iter()
        .filter_map(|e| Some((Summary::of(e)?, e.len())))
        .max_by(|a, b| a.0.mean.total_cmp(&b.0.mean))?;
    let all: Vec<f64> = errors.concat();
    Some(Measured {
        regret,
        mean_error: Summary::of(&all)?.mean,
        error: worst.0.mean,
        error_se: worst.0.sd.unwrap_or(0.0) / (worst.1 as f64).sqrt(),
        missing: 1.0 - found as f64 / (features * trials.len()) as f64,
    })
}
