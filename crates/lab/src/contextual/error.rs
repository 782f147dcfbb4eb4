//! What can go wrong in a contextual experiment.

use reticent_baselines::{abse, gradient};
use reticent_learn::contextual;
use reticent_privacy::LossError;
use reticent_protocol::contextual as protocol;

use super::AgentName;
use super::env::WorldError;

/// Why a contextual experiment cannot be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContextualError {
    /// A private agent without a loss.
    #[error("{0} is private and needs --epsilon")]
    NeedsEpsilon(AgentName),
    /// Sources for an agent that has no use for them.
    #[error(
        "{0} does not use sources; leave --source out, or take ldp-contextual, ldp-abse-transfer, ldp-abse-tuned, ldp-glm or ldp-nn"
    )]
    NoSources(AgentName),
    /// No sources for an agent that is about them.
    #[error("{0} is for experiments with sources: add --source people=5000,epsilon=8, or take ldp-abse")]
    NeedsSources(AgentName),
    /// Forgetting in an agent that cannot.
    #[error("{0} does not forget; --half-life is for ldp-contextual")]
    NoForgetting(AgentName),
    /// Batches or private arms with an agent that has none.
    #[error("--batch, --delay and --arm-epsilon are for ldp-contextual, not for {0}")]
    NoBatches(AgentName),
    /// A loss that is too large.
    #[error(transparent)]
    Loss(#[from] LossError),
    /// A file with groups, whose people need a loss.
    #[error("the data's sources need a loss: add --source-epsilon, or --no-sources to leave them out")]
    SourceEpsilon,
    /// The world.
    #[error(transparent)]
    World(#[from] WorldError),
    /// The spec of ours.
    #[error(transparent)]
    Spec(#[from] protocol::SpecError),
    /// The encoding of ours.
    #[error(transparent)]
    Encoding(#[from] reticent_schema::EncodingError),
    /// Ours cannot be made.
    #[error(transparent)]
    Build(#[from] contextual::BuildError),
    /// The context-free agent cannot be made.
    #[error(transparent)]
    Blind(#[from] reticent_protocol::mab::SpecError),
    /// The spec of the paper's agent.
    #[error(transparent)]
    Bins(#[from] abse::SpecError),
    /// The spec of a gradient baseline.
    #[error(transparent)]
    Gradient(#[from] gradient::SpecError),
}
