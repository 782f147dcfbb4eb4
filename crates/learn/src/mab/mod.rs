//! Multi-armed bandits under local differential privacy (after Ren, Zhou, Liu, Shroff 2020): [`KlUcb`],
//! [`Thompson`], and [`Unbounded`] for rewards of unknown scale. [`AgentKind`] names them all.

mod agent_kind;
mod arm;
mod balance;
mod belief;
mod change;
mod estimate;
mod flight;
mod guard;
mod identify;
pub mod index;
mod kl_ucb;
mod memory;
mod robust;
mod save;
mod sequence;
mod thompson;
mod top_two;
mod unbounded;

use reticent_privacy::Guarantee;
use reticent_protocol::mab::{Policy, Spec};
use reticent_protocol::{Answer, Report};

pub use agent_kind::{AgentKind, AnyAgent, Engine, UnknownAgent, guarded_absorb, guarded_policy};
pub use change::FALSE_CHANGES;
pub use estimate::{ArmEstimate, CONFIDENCE};
pub use guard::{Discounting, FALSE_ALARMS, Guard, Piled, Warning};
pub use identify::ERROR as IDENTIFICATION_ERROR;
pub use kl_ucb::{KlUcb, KullbackLeibler, bernoulli_kl};
pub use robust::{Moved, Robustness};
pub use save::{SaveError, load, save};
pub use thompson::Thompson;
pub use top_two::TopTwo;
pub use unbounded::Unbounded;

/// Learns from reports, and says what the next people get.
pub trait Agent {
    /// The public policy for about the next `people` people, given all reports so far. They are served before
    /// any of their reports come back, so that the policy is a distribution wherever the agent is unsure: with
    /// one person it is one arm.
    fn policy(&mut self, people: u64) -> Policy;

    /// Learns from one report, however late it comes; a report that does not fit is refused and changes
    /// nothing.
    fn absorb(&mut self, report: &Report) -> Result<(), AbsorbError>;

    /// What is known of each arm.
    fn estimates(&self) -> Vec<ArmEstimate>;

    /// How often it noticed that an arm's rewards have changed, and began anew. As long as nothing changes it does so
    /// with probability at most [`FALSE_CHANGES`].
    fn changes(&self) -> u32 {
        0
    }

    /// The arm that the reports show to be the best, once they do. As long as nothing changes the probability that it
    /// is ever another one is at most [`IDENTIFICATION_ERROR`], whenever one looks.
    fn found(&self) -> Option<u32> {
        None
    }

    /// The experiment that this agent was made for.
    fn spec(&self) -> &Spec;

    /// What the agent promises each person.
    fn guarantee(&self) -> Guarantee {
        guarantee(self.spec())
    }
}

/// More draws than this tell no probabilities apart that matter for a policy.
const MOST_DRAWS: u64 = 256;

/// How many draws stand for so many people.
fn draws(people: u64) -> u64 {
    people.clamp(1, MOST_DRAWS)
}

/// An agent sees reports alone, so whatever it does is post-processing, and its guarantee is a report's.
fn guarantee(spec: &Spec) -> Guarantee {
    Guarantee { proof: "crates/learn/src/mab/guarantee.md".into(), ..spec.guarantee() }
}

/// Why a report was refused. It changed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AbsorbError {
    /// A report of another experiment.
    #[error("the report is of another experiment; it was not counted")]
    OtherExperiment,
    /// An answer of another problem.
    #[error("the report has no answer of a bandit's; it was not counted")]
    OtherAnswer,
    /// The report names an arm that the experiment does not have.
    #[error("the report names arm {arm}, but the experiment has arms 0 to {last}; it was not counted", last = arms - 1)]
    UnknownArm {
        /// The arm named.
        arm: u32,
        /// How many arms there are.
        arms: u32,
    },
    /// An arm that the policy it names gave to nobody, or a policy that was never published.
    #[error(
        "the report names an arm that its policy gave to nobody, or no policy of this experiment; it was not counted"
    )]
    NotAsked,
    /// A policy that is forgotten, or one for a single person who has answered.
    #[error("the report's policy is too old, or the person that it was for has answered; it was not counted")]
    TooLate,
    /// An answer to a question that was never asked.
    #[error("the report answers question {got}, the experiment is at question {now}; it was not counted")]
    UnknownQuestion {
        /// The question named.
        got: u32,
        /// The question that is asked now.
        now: u32,
    },
}

/// What a report says, if it is one of this experiment: its arm and its bit.
#[inline]
fn read(report: &Report, spec: &Spec) -> Result<(usize, bool), AbsorbError> {
    if report.experiment != spec.prefix() {
        return Err(AbsorbError::OtherExperiment);
    }
    let (Answer::Bit { arm, bit }, None) = (&report.answer, report.source) else {
        return Err(AbsorbError::OtherAnswer);
    };
    if *arm >= spec.arms() {
        return Err(AbsorbError::UnknownArm { arm: *arm, arms: spec.arms() });
    }
    Ok((*arm as usize, *bit))
}
