//! What can go wrong.

/// Why a call was refused. It changed nothing. No message repeats what a person holds.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConseError {
    /// A design for too few or too many people.
    #[error("a design for {got} people; give 2 to {most}")]
    People {
        /// The number asked for.
        got: u64,
        /// The largest number accepted.
        most: u64,
    },
    /// A design for no feature, or for too many.
    #[error("a design for {got} features; give 1 to {most}")]
    Features {
        /// The number asked for.
        got: usize,
        /// The largest number accepted.
        most: usize,
    },
    /// An alpha outside its range.
    #[error("alpha is {got}; it goes from 0 (estimate well) to 1 (lose little)")]
    Alpha {
        /// The number given.
        got: f64,
    },
    /// A feature that the design does not have.
    #[error("no such feature: the design has features 0 to {last}")]
    UnknownFeature {
        /// The largest one.
        last: usize,
    },
    /// A person came while another's reward was awaited.
    #[error("the person before has an arm and no reward yet: call record first")]
    RewardAwaited,
    /// A reward came, and nobody had been given an arm.
    #[error("nobody awaits a reward: call choose first")]
    NobodyAwaited,
    /// Everybody has been served.
    #[error("all people of the design were served")]
    Finished,
    /// A reward that is no number in [0, 1].
    #[error("the reward is not a number in [0, 1]: scale rewards before the trial")]
    Reward,
}
