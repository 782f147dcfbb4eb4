//! What is refused.

/// Why there is no policy or no price.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PricingError {
    /// No sale at all, or more than places can be numbered for.
    #[error("a log has 1 to 2^29 sales, got {0}")]
    Sales(usize),
    /// The columns do not belong together.
    #[error(
        "{sales} sales need as many prices and rewards, and {dims} (at least 1) coordinates of context each"
    )]
    Shape {
        /// The number of prices.
        sales: usize,
        /// The dimensions of a context.
        dims: usize,
    },
    /// A number outside [0, 1].
    #[error("sale {0}: context, price and reward must be in [0, 1]; scale them first")]
    Range(usize),
    /// The bandwidth is not positive.
    #[error("the bandwidth must be a positive number, got {0}")]
    Bandwidth(f64),
    /// The Hölder constant is negative or no number.
    #[error("the Hölder constant must be a number from 0 up, got {0}")]
    Holder(f64),
    /// The Hölder exponent is outside its range.
    #[error("the Hölder exponent must be above 0 and at most 1, got {0}")]
    Beta(f64),
    /// The context has another number of coordinates, or one outside [0, 1].
    #[error("a context has {0} coordinates in [0, 1]")]
    Context(usize),
}
