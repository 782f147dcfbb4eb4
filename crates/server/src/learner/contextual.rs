//! A contextual agent, which makes its policies by itself.

use reticent_learn::contextual::{self, AbsorbError, Contextual, Options};
use reticent_privacy::{Guarantee, SimRng};
use reticent_protocol::contextual::{Policy, Spec};
use reticent_protocol::{Reason, Report};
use reticent_schema::Experiment;
use reticent_store::Moment;
use serde::{Deserialize, Serialize};

use super::Known;

pub(super) struct ContextualLearner {
    agent: Contextual,
    /// The winner's policy, once there is one.
    winner: Option<Policy>,
}

/// The stored form.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Saved {
    agent: String,
    winner: Option<Policy>,
}

impl ContextualLearner {
    pub(super) fn begin(
        experiment: &Experiment,
        half_life: Option<u64>,
        rng: SimRng,
    ) -> Result<ContextualLearner, String> {
        let spec = Spec::of(experiment.draft()).map_err(|error| error.to_string())?;
        let agent = Contextual::new(spec, Options { half_life }, rng).map_err(|error| error.to_string())?;
        Ok(ContextualLearner { agent, winner: None })
    }

    pub(super) fn absorb(&mut self, report: &Report, at: Moment) -> Result<(), Reason> {
        self.agent.tick(at.unix().unsigned_abs());
        self.agent.absorb(report).map_err(|error| match error {
            AbsorbError::OtherExperiment => Reason::OtherExperiment,
            AbsorbError::FromTheFuture { .. } => Reason::TooEarly,
            AbsorbError::TooLate { .. } => Reason::TooLate,
            _ => Reason::NotAnAnswer,
        })
    }

    /// Every map becomes that of the arms that are most probably best.
    pub(super) fn freeze(&mut self) {
        let best: Vec<u8> = self.agent.best_arms().into_iter().map(|arm| arm as u8).collect();
        let mut policy = self.agent.policy().clone();
        policy.version += 1;
        policy.maps.iter_mut().for_each(|map| map.clone_from(&best));
        self.winner = Some(policy);
    }

    pub(super) fn policy(&self) -> super::Policy {
        let policy = self.winner.as_ref().unwrap_or_else(|| self.agent.policy());
        super::Policy { version: policy.version, bytes: policy.encode() }
    }

    pub(super) fn digest(&self) -> reticent_schema::Digest {
        self.agent.spec().digest()
    }

    pub(super) fn guarantee(&self) -> Guarantee {
        self.agent.guarantee()
    }

    pub(super) fn known(&self) -> (Known, Vec<String>) {
        let (arms, map) = (self.agent.estimates(), Box::new(self.agent.insight()));
        let warnings = self.agent.warnings().iter().map(ToString::to_string).collect();
        (Known::Map { arms, map, robustness: self.agent.robustness() }, warnings)
    }

    pub(super) fn save(&self) -> Result<Saved, contextual::SaveError> {
        Ok(Saved { agent: contextual::save(&self.agent)?, winner: self.winner.clone() })
    }

    pub(super) fn load(Saved { agent, winner }: Saved) -> Result<ContextualLearner, String> {
        let agent = contextual::load(&agent).map_err(|error| error.to_string())?;
        let plan = |policy: &Policy| reticent_protocol::contextual::Plan::new(agent.spec(), policy.clone());
        if winner.as_ref().is_some_and(|policy| plan(policy).is_err()) {
            return Err("its last policy does not fit".into());
        }
        Ok(ContextualLearner { agent, winner })
    }
}
