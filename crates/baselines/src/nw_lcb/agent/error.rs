//! What is refused.

/// Why a report or other sums were refused. They changed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SumsError {
    /// Not two values for each cell.
    #[error("there are {got} values, the spec asks for {needed}; nothing was counted")]
    WrongLength {
        /// The number of values.
        got: usize,
        /// The number needed.
        needed: usize,
    },
    /// Sums of another spec.
    #[error("the sums are of another spec; nothing was counted")]
    WrongSpec,
    /// A sum left 64 bits.
    #[error("the values are too large to be added up; nothing was counted")]
    Overflow,
}

/// Why there is no policy or no price.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// The Hölder constant is negative or no number.
    #[error("the Hölder constant must be a number from 0 up, got {0}")]
    Holder(f64),
    /// The Hölder exponent is outside its range.
    #[error("the Hölder exponent must be above 0 and at most 1, got {0}")]
    Beta(f64),
    /// The fallback price is outside the range of prices.
    #[error("the fallback price must be in [0, 1], got {0}")]
    Fallback(f64),
    /// The context has another number of coordinates, or one that is no number.
    #[error("a context has {0} coordinates, all of them numbers")]
    Context(u32),
}
