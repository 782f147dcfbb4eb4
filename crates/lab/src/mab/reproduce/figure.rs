//! A figure: which lines, which bounds, and what was published.

use std::sync::Arc;

use reticent_privacy::Epsilon;

use crate::mab::bounds::Bound;
use crate::mab::env::Environment;
use crate::mab::{Experiment, Playable};
use crate::named::Origin;
use crate::reproduce::ReproduceError;

/// One figure of a paper, or one of ours in its style.
#[derive(Debug, Clone)]
pub struct Figure {
    /// The name on the command line.
    pub id: &'static str,
    /// The headline.
    pub title: &'static str,
    /// What it shows, and what the paper leaves open.
    pub caption: &'static str,
    /// The environment's name.
    pub env: &'static str,
    /// People in a trial.
    pub users: u64,
    /// Trials a line.
    pub trials: u32,
    /// The lines.
    pub lines: Vec<Line>,
    /// Dashed curves.
    pub bounds: Vec<Bound>,
}

/// One line of a figure.
#[derive(Debug, Clone)]
pub struct Line {
    /// The agent.
    pub agent: Arc<dyn Playable>,
    /// Its loss.
    pub epsilon: Option<Epsilon>,
    /// What the paper says of it.
    pub published: Published,
}

/// Numbers that the paper's text gives: regret relative to UCB1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Published {
    /// Measured by the authors.
    pub ratio: Option<f64>,
    /// The authors' theoretical limit of that ratio.
    pub limit: Option<f64>,
}

impl Line {
    /// A line about which the paper's text gives no number.
    pub fn new(agent: impl Into<Arc<dyn Playable>>, epsilon: Option<Epsilon>) -> Line {
        Line { agent: agent.into(), epsilon, published: Published::default() }
    }

    /// With a published ratio to UCB1.
    #[must_use]
    pub fn published(mut self, ratio: f64) -> Line {
        self.published.ratio = Some(ratio);
        self
    }

    /// With a published limit of the ratio to UCB1.
    #[must_use]
    pub fn limit(mut self, limit: f64) -> Line {
        self.published.limit = Some(limit);
        self
    }

    /// The name in legends and tables.
    pub fn label(&self) -> String {
        let name = self.agent.name();
        match self.epsilon {
            Some(epsilon) if self.agent.is_private() => format!("{name} ε = {epsilon}"),
            _ => format!("{name}, not private"),
        }
    }

    /// Whether the agent is ours.
    pub fn is_ours(&self) -> bool {
        self.agent.origin() == Origin::Ours
    }
}

impl Figure {
    /// A tenth of the people and of the trials, for a first look.
    #[must_use]
    pub fn quick(mut self) -> Figure {
        self.users = (self.users / 10).max(1);
        self.trials = (self.trials / 10).max(3);
        self
    }

    /// The experiment behind a line.
    pub fn experiment(&self, line: &Line, seed: u64) -> Result<Experiment, ReproduceError> {
        let env = Environment::open(self.env)?;
        Ok(Experiment {
            agent: line.agent.clone(),
            env,
            epsilon: line.epsilon,
            users: self.users,
            batch: 1,
            trials: self.trials,
            seed,
            forgers: None,
        })
    }
}
