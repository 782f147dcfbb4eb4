//! `ldp-contextual` that takes every report for an honest one: what the guard is compared with.

use reticent_privacy::{Epsilon, Guarantee, SimRng};

use super::experiment::SERIES;
use super::player::Ours;
use super::{AgentName, Experiment, Playable, Player};
use crate::named::promise;
use crate::runner::LabError;

/// The agent without its guard.
#[derive(Debug)]
pub(crate) struct Trusting;

impl Playable for Trusting {
    fn name(&self) -> String {
        "trusting-contextual".to_string()
    }

    fn guarantee(&self, epsilon: Option<Epsilon>) -> Result<Guarantee, LabError> {
        promise(AgentName::LdpContextual, epsilon)
    }

    fn player(
        &self,
        experiment: &Experiment,
        noise: SimRng,
        choices: SimRng,
    ) -> Result<Box<dyn Player>, LabError> {
        Ok(Box::new(Ours::new(experiment, noise, choices)?.trusting()))
    }

    /// Its numbers are new whenever the agent's are.
    fn series(&self) -> u32 {
        SERIES
    }
}
