//! The loss of a finite mechanism.

/// How an exact loss stands to a claim; compared in integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Proved to be at most the claim.
    Certified,
    /// The claim lies within the rounding of the weights.
    Undecided,
    /// Proved to be above the claim.
    Exceeds,
}

/// The loss of a finite mechanism between two floats, rounded outward.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExactLoss {
    /// At most the loss; infinite if some output is possible for one input only.
    pub low: f64,
    /// At least the loss.
    pub high: f64,
    /// The worst inputs, by number: the output is likelier under the first.
    pub pair: (usize, usize),
    /// The worst output, by number; the one with the most mass in excess when the claim has a delta.
    pub output: usize,
    /// How the loss stands to the claim.
    pub standing: Standing,
}
