//! Multi-armed bandits under local differential privacy (after Ren, Zhou, Liu, Shroff 2020): [`KlUcb`],
//! [`Thompson`], and [`Unbounded`] for rewards of unknown scale. [`AgentKind`] names them all.

mod agent_kind;
mod arm;
pub mod index;
mod kl_ucb;
mod save;
mod thompson;
mod unbounded;

use reticent_privacy::Guarantee;
use reticent_protocol::mab::{Policy, Report, Spec};

pub use agent_kind::{AgentKind, AnyAgent, Engine, UnknownAgent};
pub use kl_ucb::{KlUcb, bernoulli_kl};
pub use save::{load, save};
pub use thompson::Thompson;
pub use unbounded::Unbounded;

/// Learns from reports, and says what the next person gets.
pub trait Agent {
    /// The public policy for the next person, given all reports so far.
    fn policy(&mut self) -> Policy;

    /// Learns from one report; a report that does not fit is refused and changes nothing.
    fn absorb(&mut self, report: &Report) -> Result<(), AbsorbError>;

    /// The experiment that this agent was made for.
    fn spec(&self) -> &Spec;

    /// What the agent promises each person.
    fn guarantee(&self) -> Guarantee {
        guarantee(self.spec())
    }
}

/// An agent sees reports alone, so whatever it does is post-processing, and its guarantee is a report's.
fn guarantee(spec: &Spec) -> Guarantee {
    Guarantee { proof: "crates/learn/src/mab/guarantee.md".into(), ..spec.guarantee() }
}

/// Why a report was refused. It changed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AbsorbError {
    /// The report names an arm that the experiment does not have.
    #[error("the report names arm {arm}, but the experiment has arms 0 to {last}; it was not counted", last = arms - 1)]
    UnknownArm {
        /// The arm named.
        arm: u32,
        /// How many arms there are.
        arms: u32,
    },
    /// An answer to a question that was never asked, or is closed.
    #[error("the report answers stage {got}, the experiment is at stage {now}; it was not counted")]
    WrongStage {
        /// The stage named.
        got: u32,
        /// The stage that counts.
        now: u32,
    },
}

/// Checks that all agents share: the arm exists and the stage is the current one.
#[inline]
fn check(report: &Report, arms: usize, stage: u32) -> Result<usize, AbsorbError> {
    if report.stage != stage {
        return Err(AbsorbError::WrongStage { got: report.stage, now: stage });
    }
    let arm = report.arm as usize;
    if arm < arms { Ok(arm) } else { Err(AbsorbError::UnknownArm { arm: report.arm, arms: arms as u32 }) }
}
