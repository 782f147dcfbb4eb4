//! An agent of one's own in experiments that are repeated, kept and drawn.

use std::fmt;

use reticent_privacy::{Epsilon, Guarantee, SimRng};

use super::{Experiment, Player};
use crate::runner::LabError;

/// Makes players of one agent, in place of one by name: see [`Experiment::own`].
pub trait Playable: fmt::Debug + Send + Sync {
    /// The name in files, legends and tables.
    fn name(&self) -> String;

    /// What it promises each person at this loss of a visit.
    fn guarantee(&self, epsilon: Option<Epsilon>) -> Result<Guarantee, LabError>;

    /// A new agent with its people; `noise` is theirs, `choices` the agent's own.
    fn player(
        &self,
        experiment: &Experiment,
        noise: SimRng,
        choices: SimRng,
    ) -> Result<Box<dyn Player>, LabError>;

    /// To be raised whenever the same seed gives other numbers: stored trials of another series are not mixed.
    fn series(&self) -> u32 {
        1
    }
}
