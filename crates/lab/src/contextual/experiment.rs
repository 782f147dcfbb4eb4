//! One contextual agent in one world, in several independent trials.

use std::sync::Arc;

use reticent_privacy::Epsilon;
use serde::{Deserialize, Serialize};

use super::env::{Identity, Source, World};
use super::{AgentName, ContextualError, Playable, Run, Trial};
use crate::forged::Forgers;
use crate::named::Named;
use crate::runner::{
    LabError, Numbered, Repeated, Size, StoreKey, checkpoints, is_one_by_one, one_by_one, plain, short_hash,
};

/// An experiment.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// The agent.
    pub agent: AgentName,
    /// An agent of one's own, in place of the one by name.
    pub own: Option<Arc<dyn Playable>>,
    /// The world.
    pub world: World,
    /// The loss of each report; ignored by agents that send none.
    pub epsilon: Option<Epsilon>,
    /// Auxiliary data, with the loss of their people's reports.
    pub sources: Vec<(Source, Epsilon)>,
    /// After so many people an old report counts half.
    pub half_life: Option<u64>,
    /// People in a trial.
    pub users: u64,
    /// People between two looks of a device for a new policy.
    pub batch: u64,
    /// People who are served before a report arrives.
    pub delay: u64,
    /// The loss of the arm that a person is seen to get; none for arms that are not hidden.
    pub arm_epsilon: Option<Epsilon>,
    /// People who forge their reports.
    pub forgers: Option<Forgers>,
    /// Independent trials.
    pub trials: u32,
    /// The seed of everything random.
    pub seed: u64,
}

/// What the numbers of a trial depend on; two experiments with the same key may share stored trials.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// Bumped whenever the same seed gives other numbers.
    pub series: u32,
    /// The agent's name.
    pub agent: String,
    /// The world's name.
    pub world: String,
    /// What it is made of.
    pub identity: Identity,
    /// The loss of each report.
    pub epsilon: Option<Epsilon>,
    /// The sources: how they were made, and their losses.
    pub sources: Vec<(String, Epsilon)>,
    /// Forgetting.
    pub half_life: Option<u64>,
    /// People in a trial.
    pub users: u64,
    /// People between two looks of a device for a new policy.
    #[serde(default = "one_by_one", skip_serializing_if = "is_one_by_one")]
    pub batch: u64,
    /// People who are served before a report arrives.
    #[serde(default, skip_serializing_if = "is_at_once")]
    pub delay: u64,
    /// The loss of the arm that a person is seen to get.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arm_epsilon: Option<Epsilon>,
    /// People who forge their reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forgers: Option<Forgers>,
    /// The seed.
    pub seed: u64,
}

/// Raised whenever the same seed gives other numbers.
pub(super) const SERIES: u32 = 6;

/// {2, 4, 6, 8, 12} x 10^4 (Figure 7), and a tenth of them for a quick look. Powers of ten are checkpoints anyway.
const PAPER_SIZES: [u64; 10] = [2_000, 4_000, 6_000, 8_000, 12_000, 20_000, 40_000, 60_000, 80_000, 120_000];

impl Experiment {
    /// An experiment without sources, forgetting nothing: 10 trials of 10,000 people, or of all that the data have.
    pub fn new(agent: AgentName, world: World, epsilon: Option<Epsilon>) -> Experiment {
        let users = world.people().unwrap_or(10_000);
        Experiment {
            agent,
            own: None,
            world,
            epsilon,
            sources: Vec::new(),
            half_life: None,
            users,
            batch: 1,
            delay: 0,
            arm_epsilon: None,
            forgers: None,
            trials: 10,
            seed: 1,
        }
    }

    /// The numbers of people at which regret and reward are recorded; a quarter of all is one of them, and so
    /// are the paper's sizes: one run of an agent that knows no horizon gives all points of its Figure 7.
    pub fn checkpoints(&self) -> Vec<u64> {
        let mut points = checkpoints(self.users);
        points.extend([(self.users / 4).max(1)]);
        points.extend(PAPER_SIZES.into_iter().filter(|&size| size < self.users));
        points.sort_unstable();
        points.dedup();
        points
    }

    /// What the results depend on. The number of trials is not part of it: trials are independent.
    pub fn key(&self) -> Key {
        Key {
            series: self.own.as_ref().map_or(SERIES, |own| own.series()),
            agent: self.agent_name(),
            world: self.world.name().to_string(),
            identity: self.world.identity(),
            epsilon: self.epsilon.filter(|_| self.own.is_some() || self.agent.needs_epsilon()),
            sources: self.sources.iter().map(|(source, epsilon)| (source.description(), *epsilon)).collect(),
            half_life: self.half_life,
            users: self.users,
            batch: self.batch,
            delay: self.delay,
            arm_epsilon: self.arm_epsilon,
            forgers: self.forgers,
            seed: self.seed,
        }
    }

    /// The name of the agent that is run.
    pub fn agent_name(&self) -> String {
        self.own.as_ref().map_or_else(|| self.agent.name().to_string(), |own| own.name())
    }

    /// How many rows people are drawn from with replacement; none where each row is a person, or there are no rows.
    pub fn drawn_from(&self) -> Option<u64> {
        self.world.people().filter(|&rows| rows < self.users)
    }

    /// Refuses what the agent by name cannot do; one of somebody's own refuses by itself.
    fn check_agent(&self) -> Result<(), ContextualError> {
        let kind = self.agent;
        if self.own.is_some() {
            return Ok(());
        }
        if kind.needs_epsilon() && self.epsilon.is_none() {
            return Err(ContextualError::NeedsEpsilon(kind));
        }
        if !self.sources.is_empty() && !kind.uses_sources() {
            return Err(ContextualError::NoSources(kind));
        }
        if self.sources.is_empty() && kind == AgentName::LdpAbseTransfer {
            return Err(ContextualError::NeedsSources(kind));
        }
        if self.half_life.is_some() && kind != AgentName::LdpContextual {
            return Err(ContextualError::NoForgetting(kind));
        }
        if (self.batch > 1 || self.delay > 0 || self.arm_epsilon.is_some())
            && kind != AgentName::LdpContextual
        {
            return Err(ContextualError::NoBatches(kind));
        }
        Ok(())
    }
}

impl Repeated for Experiment {
    type Trial = Trial;

    fn check(&self) -> Result<(), LabError> {
        self.size().check()?;
        self.check_agent()?;
        // They send what the plan of our agent asks, know what is best in each cell of the unit cube, and draw coins
        // that are the sources' otherwise.
        let can_be_forged =
            self.agent == AgentName::LdpContextual && self.world.is_unit_cube() && self.sources.is_empty();
        if self.forgers.is_some() && !can_be_forged {
            return Err(LabError::NoForgers);
        }
        // Making one agent finds whatever else is wrong with the spec.
        Run::start(self, 0).map(drop)
    }

    fn size(&self) -> Size {
        Size { people: self.users, trials: self.trials }
    }

    fn run(&self, trial: u32, go_on: &dyn Fn(u64) -> bool) -> Result<Option<Trial>, LabError> {
        let mut run = Run::start(self, trial)?;
        Ok(if run.complete(self, go_on)? { Some(run.finish(trial)) } else { None })
    }
}

impl StoreKey for Key {
    fn file_name(&self) -> String {
        let epsilon = self.epsilon.map(|epsilon| format!("-eps{epsilon}")).unwrap_or_default();
        let plain_run = (self.batch, self.delay, self.arm_epsilon) == (1, 0, None);
        let text = if plain_run {
            serde_json::to_string(&(&self.identity, &self.sources, self.half_life))
        } else {
            serde_json::to_string(&(
                &self.identity,
                &self.sources,
                self.half_life,
                self.batch,
                self.delay,
                self.arm_epsilon,
            ))
        };
        let text = text.unwrap_or_default();
        // Two worlds of one name, or other sources: a short hash tells their files apart.
        let hash = short_hash(&text);
        let world = plain(&self.world);
        let world = &world[world.len().saturating_sub(40)..];
        let forgers = self.forgers.map(|forgers| format!("-{}{}", forgers.strategy.name(), forgers.share));
        let forgers = forgers.unwrap_or_default();
        let (agent, users, seed) = (plain(&self.agent), self.users, self.seed);
        format!("{agent}-{world}{epsilon}-n{users}{forgers}-seed{seed}-{hash}.jsonl")
    }
}

/// Whether reports arrive before the next person.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(super) fn is_at_once(delay: &u64) -> bool {
    *delay == 0
}

impl Numbered for Trial {
    fn number(&self) -> u32 {
        self.trial
    }
}
