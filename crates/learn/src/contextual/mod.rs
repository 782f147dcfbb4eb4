//! Contextual bandits under local differential privacy: who should get what, learned from one randomised
//! symbol a person.
//!
//! Ma, Jiang, Zhao, Yang and Yu (2025, locally private nonparametric contextual bandits with transfer) is
//! where the problem is from; its own agents are in `abse`. This agent keeps every report at every resolution
//! in one Gaussian posterior, publishes draws of it as maps (Thompson sampling), and asks as finely as the
//! answers allow. The proof is in `guarantee.md`, the why and the numbers in `docs/contextual.md`.

mod belief;
mod blocks;
mod cells;
mod cuts;
mod estimate;
mod guard;
mod insight;
mod kernel;
mod mass;
mod posterior;
mod publish;
mod questions;
mod regrid;
mod replaced;
mod robust;
mod running;
mod save;
mod shape;
mod statistics;
mod structure;
mod systems;
mod tally;
#[cfg(test)]
mod tests;
mod thompson;
mod trust;
mod update;
mod worth;

use std::collections::VecDeque;
use std::sync::Arc;

use reticent_privacy::oracle::AggregateError;
use reticent_privacy::{Guarantee, SimRng};
use reticent_protocol::Report;
use reticent_protocol::contextual::{AxisCells, Grid, Plan, Policy, PolicyError, QuestionError, Spec};

use belief::{Belief, Remembered};
use guard::Guard;
pub use guard::Warning;
pub use insight::{Arms, Insight, SourceInsight};
use kernel::Kernel;
use replaced::Replaced;
pub use robust::{Moved, Robustness};
pub use save::{SaveError, load, save};
use statistics::Statistics;
use tally::Tally;

/// How the agent learns; none of it changes what a report costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// After so many more people an old report counts half, for rewards that drift. None forgets nothing.
    pub half_life: Option<u64>,
}

/// Learns who should get what, from reports alone. Needs no horizon, and memory that does not depend on the
/// number of people.
#[derive(Debug)]
pub struct Contextual {
    spec: Spec,
    options: Options,
    /// The cells that policies tell apart today, and those before them, of which reports may still come.
    grid: Grid,
    replaced: Vec<Replaced>,
    kernel: Kernel,
    belief: Belief,
    target: Statistics,
    sources: Vec<Statistics>,
    /// Policies whose reports are still taken, oldest first; the last is the current one.
    open: VecDeque<Open>,
    source_plans: Vec<(Arc<Plan>, Tally)>,
    /// People of the target, in all.
    people: u64,
    /// A new policy is made when so many have reported.
    next_refresh: u64,
    /// Seconds, if anybody said.
    clock: Option<u64>,
    /// People when lengths and amplitude were last looked at, and when the cells were.
    reshaped: u64,
    regridded: u64,
    information: (f64, Vec<f64>),
    remembered: Remembered,
    guard: Guard,
    rng: SimRng,
}

/// A policy whose reports are still taken.
#[derive(Debug)]
struct Open {
    plan: Arc<Plan>,
    tally: Tally,
    /// When it was published, by the clock of whoever runs the agent.
    published: u64,
}

/// Why an agent could not be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A question could not be made.
    #[error(transparent)]
    Question(#[from] QuestionError),
    /// A policy could not be made.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// Forgetting at once.
    #[error("a half-life must be at least {FIRST_BATCH} people")]
    HalfLife,
}

/// Why a report was refused. It changed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AbsorbError {
    /// A report of another experiment.
    #[error("the report is of another experiment; it was not counted")]
    OtherExperiment,
    /// A source that the experiment does not have.
    #[error("the report is of a source that the experiment does not have; it was not counted")]
    UnknownSource,
    /// A policy that was never made.
    #[error("the report names policy version {version}, but the newest is {newest}; it was not counted")]
    FromTheFuture {
        /// The version named.
        version: u64,
        /// The current one.
        newest: u64,
    },
    /// A policy that is no longer kept.
    #[error(
        "the report is of policy version {version}, and only those from {oldest} on are kept; it came too late and was not counted"
    )]
    TooLate {
        /// The version named.
        version: u64,
        /// The oldest kept.
        oldest: u64,
    },
    /// Not an answer to its task's question.
    #[error("the report is no answer to its task: {0}; it was not counted")]
    Answer(#[from] AggregateError),
}

/// A policy serves so many people at first.
const FIRST_BATCH: u64 = 40;

impl Contextual {
    /// An agent that knows nothing yet. `rng` feeds its own choices, not noise.
    pub fn new(spec: Spec, options: Options, rng: SimRng) -> Result<Contextual, BuildError> {
        if options.half_life.is_some_and(|people| people < FIRST_BATCH) {
            return Err(BuildError::HalfLife);
        }
        let (cells, arms) = (spec.grid().cells(), spec.arms());
        let kernel = Kernel::new(&spec, spec.grid());
        let belief = Belief::new(&spec, &kernel);
        let source_plans = (0..spec.sources().len()).map(|source| publish::source_plan(&spec, source));
        let source_plans = source_plans.collect::<Result<Vec<_>, _>>()?;
        let mut agent = Contextual {
            target: Statistics::new(cells, arms),
            sources: vec![Statistics::new(cells, arms); spec.sources().len()],
            open: VecDeque::new(),
            source_plans,
            people: 0,
            next_refresh: FIRST_BATCH,
            clock: None,
            reshaped: 0,
            regridded: 0,
            information: (0.0, vec![0.0; spec.sources().len()]),
            remembered: Remembered::default(),
            guard: Guard::default(),
            grid: spec.grid().clone(),
            replaced: Vec::new(),
            spec,
            options,
            kernel,
            belief,
            rng,
        };
        let systems = agent.take_in_reports(false);
        agent.publish(0, &systems)?;
        Ok(agent)
    }

    /// The experiment.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The cells of policies, if they are not those of the experiment.
    fn own_cells(&self) -> Option<Vec<AxisCells>> {
        (self.grid != *self.spec.grid()).then(|| self.grid.axes().to_vec())
    }

    /// How it learns.
    pub fn options(&self) -> Options {
        self.options
    }

    /// What the agent promises each person of the target. It sees reports alone, so whatever it does is
    /// post-processing.
    pub fn guarantee(&self) -> Guarantee {
        self.spec.guarantee()
    }

    /// The policy for the next people.
    ///
    /// # Panics
    /// Never: an agent has a policy from the start.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.open.back().expect("a policy is published when the agent is made").plan
    }

    /// The public policy for the next people.
    pub fn policy(&self) -> &Policy {
        self.plan().policy()
    }

    /// What people of a source are asked.
    pub fn source_plan(&self, source: usize) -> Option<&Arc<Plan>> {
        self.source_plans.get(source).map(|(plan, _)| plan)
    }

    /// People of the target whose reports were taken.
    pub fn people(&self) -> u64 {
        self.people
    }

    /// What tests of people's reports found: nothing, in all but one of a thousand runs of honest people.
    pub fn warnings(&self) -> Vec<Warning> {
        self.guard.warnings()
    }

    /// Counts all reports from now on, whatever the tests say: to measure what the tests are worth.
    pub fn trust_all(&mut self) {
        self.guard.trust_all();
    }

    /// Says what time it is, in seconds from any start; it never goes back. Policies older than the
    /// experiment's report window are closed by it. Without a clock the newest 256 stay open.
    pub fn tick(&mut self, seconds: u64) {
        if self.clock.is_none() {
            // What was published before there was a clock is as old as the clock, and not older than everything.
            self.open.iter_mut().for_each(|open| open.published = seconds);
        }
        self.clock = self.clock.max(Some(seconds));
    }

    /// Learns from one report; a report that does not fit is refused and changes nothing. A new policy is
    /// made when enough reports have come.
    #[inline]
    pub fn absorb(&mut self, report: &Report) -> Result<(), AbsorbError> {
        if report.experiment != self.spec.prefix() {
            return Err(AbsorbError::OtherExperiment);
        }
        if let Some(source) = report.source {
            let (plan, tally) =
                self.source_plans.get_mut(source as usize).ok_or(AbsorbError::UnknownSource)?;
            check_version(report.policy, plan.policy().version, plan.policy().version)?;
            return Ok(tally.add(plan, report)?);
        }
        let newest = self.plan().policy().version;
        let oldest = self.open.front().map_or(newest, |open| open.plan.policy().version);
        check_version(report.policy, oldest, newest)?;
        let at = (report.policy - oldest) as usize;
        let Some(Open { plan, tally, .. }) = self.open.get_mut(at) else {
            return Err(AbsorbError::TooLate { version: report.policy, oldest });
        };
        tally.add(plan, report)?;
        self.people += 1;
        if self.people >= self.next_refresh {
            self.refresh();
        }
        Ok(())
    }
}

/// Is the version one of those from `oldest` to `newest`?
#[inline]
fn check_version(version: u64, oldest: u64, newest: u64) -> Result<(), AbsorbError> {
    if version > newest {
        Err(AbsorbError::FromTheFuture { version, newest })
    } else if version < oldest {
        Err(AbsorbError::TooLate { version, oldest })
    } else {
        Ok(())
    }
}
