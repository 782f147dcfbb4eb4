//! What can be wrong with the question put to an audit.

use reticent_privacy::EntropyError;

/// Why an audit was not made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuditError {
    /// A baseline's guarantee.
    #[error("the guarantee promises nothing, so nothing could contradict it; state a claim to audit against")]
    NothingClaimed,
    /// Fewer than two inputs.
    #[error("an audit compares neighbouring inputs, and got {got} of them; give two or more")]
    TooFewInputs {
        /// How many there were.
        got: usize,
    },
    /// More inputs than streams are set aside for.
    #[error("{got} inputs are more than the {most} that one audit takes; audit them in groups")]
    TooManyInputs {
        /// How many there were.
        got: usize,
        /// How many there may be.
        most: usize,
    },
    /// A pair that names no two inputs.
    #[error("the pair ({0}, {1}) does not name two different inputs; they are numbered from 0 to {last}", last = .2 - 1)]
    BadPair(usize, usize, usize),
    /// An empty list of pairs.
    #[error("no pair of neighbours was given; leave `pairs` out to compare all inputs with each other")]
    NoPairs,
    /// Too few runs for any bound.
    #[error("{got} runs of each input are too few to learn anything from; ask for at least {least}")]
    TooFewSamples {
        /// How many were asked for.
        got: usize,
        /// How many are needed.
        least: usize,
    },
    /// More runs than the bounds are proved for.
    #[error(
        "{got} runs of each input are more than the {most} that the bounds are proved for; ask for fewer"
    )]
    TooManySamples {
        /// How many were asked for.
        got: usize,
        /// How many there may be.
        most: usize,
    },
    /// An invalid confidence.
    #[error("the audit's own error probability must lie strictly between 0 and 1, and is {got}")]
    BadBeta {
        /// What was asked for.
        got: f64,
    },
    /// Laws over different outputs.
    #[error(
        "input {input} has {got} outputs and input 0 has {expected}; list the same outputs for each input"
    )]
    DifferentOutputs {
        /// Which input.
        input: usize,
        /// How many outputs it has.
        got: usize,
        /// How many the first has.
        expected: usize,
    },
    /// An interval the wrong way round.
    #[error("output {output} of input {input} has a lower bound above its upper bound; round outward")]
    BoundsCrossed {
        /// Which input.
        input: usize,
        /// Which output.
        output: usize,
    },
    /// Laws that cannot have the same total.
    #[error("the weights of the inputs cannot sum to one common total; state all of them in the same unit")]
    DifferentTotals,
    /// What is audited could not be run.
    #[error("what is audited could not be run: {0}")]
    Subject(Box<dyn std::error::Error + Send + Sync>),
    /// What is audited answered too little, or too much.
    #[error("{asked} runs were asked for and {got} answers came; answer each input with one observation")]
    OtherCount {
        /// Runs that were asked for.
        asked: usize,
        /// Observations that came.
        got: usize,
    },
    /// No randomness to run the mechanism with.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
}
