//! What the server tells all devices: a few maps from cells to arms, and what to report.
//!
//! Which map a person gets is a coin that does not look at them, and it is part of their report. Given the
//! coin, the arm follows from the context: nothing has to be spent on hiding it, and each report speaks of
//! one arm with full weight instead of a share of it. The shares of the maps are the Thompson probabilities.

use reticent_privacy::Epsilon;
use reticent_schema::Digest;
use serde::{Deserialize, Serialize};

use super::{AxisCells, Channel, Grid, Question, QuestionError, Spec};

/// A public policy of an experiment, or the questions for a source's people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// The experiment that it belongs to.
    pub experiment: Digest,
    /// Whose people it is for: a source's number, or the target.
    pub source: Option<u32>,
    /// Counts up; reports name it.
    pub version: u64,
    /// What may be asked.
    pub questions: Vec<Question>,
    /// For each map and each cell of the grid, the arm. Empty for sources, whose people have their arm already.
    pub maps: Vec<Vec<u8>>,
    /// One of these is drawn for each person, all with the same probability.
    pub tasks: Vec<Task>,
    /// The cells of each axis that maps and questions are about; none for the experiment's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<Vec<AxisCells>>,
}

/// A map to follow and a question to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// The map's number; 0 for sources.
    pub map: u32,
    /// The question's number.
    pub question: u32,
}

/// Why a policy cannot be followed. Nothing was sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// Another experiment's, or damaged.
    #[error("the policy does not fit the experiment: {0}; fetch it again")]
    Misfit(&'static str),
    /// A question that cannot be asked.
    #[error(transparent)]
    Question(#[from] QuestionError),
}

/// More tasks than a policy needs.
pub const MAX_TASKS: usize = 256;

/// A policy that was checked against its experiment, with its oracles built: what devices follow and servers count by.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    policy: Policy,
    grid: Grid,
    channels: Vec<Channel>,
    /// What it was checked against.
    epsilon: Epsilon,
}

impl Plan {
    /// Checks everything that a device relies on.
    pub fn new(spec: &Spec, policy: Policy) -> Result<Plan, PolicyError> {
        if policy.experiment != spec.digest() {
            return Err(PolicyError::Misfit("it is of another experiment"));
        }
        let epsilon =
            spec.epsilon_of(policy.source).ok_or(PolicyError::Misfit("it names an unknown source"))?;
        if policy.tasks.is_empty() || policy.tasks.len() > MAX_TASKS {
            return Err(PolicyError::Misfit("it has no tasks, or too many"));
        }
        let grid = match &policy.cells {
            None => spec.grid().clone(),
            Some(axes) => Grid::of(spec.encoding(), axes.clone())
                .ok_or(PolicyError::Misfit("its cells are none of the experiment's axes"))?,
        };
        if !policy
            .maps
            .iter()
            .all(|map| map.len() == grid.cells() && map.iter().all(|&arm| u32::from(arm) < spec.arms()))
        {
            return Err(PolicyError::Misfit("a map has other cells or arms"));
        }
        if policy.source.is_some() && !policy.maps.is_empty() {
            return Err(PolicyError::Misfit("a source's people have their arms: it needs no maps"));
        }
        let known = |task: &Task| {
            let map =
                if policy.source.is_some() { task.map == 0 } else { (task.map as usize) < policy.maps.len() };
            map && (task.question as usize) < policy.questions.len()
        };
        if !policy.tasks.iter().all(known) {
            return Err(PolicyError::Misfit("a task names a map or question that it does not have"));
        }
        let channel = |question: &Question| question.channel(&grid, spec.arms(), epsilon);
        let channels = policy.questions.iter().map(channel).collect::<Result<_, _>>()?;
        Ok(Plan { policy, grid, channels, epsilon })
    }

    /// The cells that maps and questions are about.
    #[inline]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The policy.
    #[inline]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// What a report under this plan costs.
    #[inline]
    pub fn epsilon(&self) -> Epsilon {
        self.epsilon
    }

    /// Whether the plan was made for this experiment. A device follows no other, or it would pay for less
    /// than it sends.
    #[inline]
    pub fn is_for(&self, spec: &Spec) -> bool {
        self.policy.experiment == spec.digest()
    }

    /// A task's question.
    #[inline]
    pub fn channel(&self, task: usize) -> &Channel {
        &self.channels[self.policy.tasks[task].question as usize]
    }

    /// A task's map.
    #[inline]
    pub fn map(&self, task: usize) -> &[u8] {
        &self.policy.maps[self.policy.tasks[task].map as usize]
    }

    /// The probability of each arm in a cell: the share of tasks whose map names it.
    pub fn probabilities(&self, cell: usize, arms: u32) -> Vec<f64> {
        let mut shares = vec![0.0; arms as usize];
        let tasks = self.policy.tasks.len();
        for task in 0..tasks {
            if let Some(share) = self
                .policy
                .maps
                .get(self.policy.tasks[task].map as usize)
                .and_then(|map| shares.get_mut(map[cell] as usize))
            {
                *share += 1.0 / tasks as f64;
            }
        }
        shares
    }
}
