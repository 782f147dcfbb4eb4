//! Any of the designs, person by person.

use reticent_baselines::conse::{Conse, Design};
use reticent_curate::trial::{self, Analysis, Draft, Stratum, TrialSpec, analyse};
use reticent_privacy::{Epsilon, SimRng};
use serde::{Deserialize, Serialize};

use super::Experiment;
use crate::runner::LabError;

/// Which design an experiment runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunnerKind {
    /// The paper's: `conse`, or `dp-conse` with a loss.
    #[default]
    Paper,
    /// `private-trial`, or the same design without noise.
    PrivateTrial {
        /// People of the first epoch, if it is not to follow from the loss.
        first_epoch: Option<u64>,
    },
}

/// A trial under way.
pub(super) enum Runner {
    Paper(Box<Conse>, SimRng),
    Ours { trial: Box<trial::Trial<SimRng>>, spec: TrialSpec, number: u64 },
}

impl Runner {
    pub(super) fn new(experiment: &Experiment, noise: SimRng) -> Result<Runner, LabError> {
        let Experiment { epsilon, alpha, people, .. } = *experiment;
        let features = experiment.world.means.len();
        match experiment.kind {
            RunnerKind::Paper => {
                let design = Design { people, features, alpha };
                let conse = match epsilon {
                    None => Conse::new(design)?,
                    Some(epsilon) => Conse::private(design, epsilon)?,
                };
                Ok(Runner::Paper(Box::new(conse), noise))
            }
            RunnerKind::PrivateTrial { first_epoch } => {
                let loss = epsilon.map_or(1.0, Epsilon::value);
                let mut plan = Draft {
                    alpha,
                    first_epoch,
                    // Every outcome is there before the next person comes.
                    late_is_missing: true,
                    private: epsilon.is_some(),
                    ..Draft::simple("curve", people, loss)
                };
                if features > 1 {
                    plan = plan.with_levels("feature", features);
                }
                let spec = TrialSpec::new(plan).map_err(trial::TrialError::from)?;
                let trial = Box::new(trial::Trial::with_noise(spec.clone(), noise));
                Ok(Runner::Ours { trial, spec, number: 0 })
            }
        }
    }

    pub(super) fn choose(&mut self, feature: usize) -> Result<u32, LabError> {
        match self {
            Runner::Paper(conse, noise) => Ok(conse.choose(feature, noise)?),
            Runner::Ours { trial, spec, number } => {
                let stratum = Stratum::new(spec, feature).ok_or(trial::TrialError::NeverAssigned)?;
                let assigned = trial.assign(stratum)?;
                *number = assigned.number;
                Ok(assigned.arm as u32)
            }
        }
    }

    pub(super) fn record(&mut self, reward: f64) -> Result<(), LabError> {
        match self {
            Runner::Paper(conse, noise) => conse.record(reward, noise)?,
            Runner::Ours { trial, number, .. } => {
                trial.record(*number, reward)?;
            }
        }
        Ok(())
    }

    /// The effect for each feature; of ours by the augmented estimator, which is the default.
    pub(super) fn estimates(self) -> Result<Vec<Option<f64>>, LabError> {
        match self {
            Runner::Paper(conse, _) => Ok(conse.estimates()),
            Runner::Ours { mut trial, .. } => {
                trial.stop()?;
                Ok(augmented(&analyse(trial.release())))
            }
        }
    }
}

fn augmented(analysis: &Analysis) -> Vec<Option<f64>> {
    let strata = analysis.effects.iter().filter(|effect| effect.stratum.is_some());
    strata.map(|effect| effect.planned.map(|all| all.augmented.estimate)).collect()
}
