//! The private pricing policy (Algorithm 3).

use crate::nw_lcb::Spec;

use super::{Pessimism, PolicyError, Sums};

/// A price for each cell of contexts. It is read off private sums, so it may be published.
///
/// ```
/// use reticent_baselines::nw_lcb::agent::{Pessimism, Policy, Sums};
/// use reticent_privacy::Epsilon;
/// use reticent_baselines::nw_lcb::Spec;
/// let sums = Sums::new(Spec::new(1, 2, Epsilon::new(1.0)?)?);
/// let policy = Policy::new(&sums, Pessimism::new(1.0, 1.0)?)?;
/// let quote = policy.price(&[0.3])?;
/// assert_eq!((quote.price, quote.lower), (1.0, None), "nothing is known: the fallback");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    spec: Spec,
    fallback: f64,
    /// For each cell of contexts.
    quotes: Vec<Quote>,
}

/// What to ask of a person.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quote {
    /// The price in [0, 1].
    pub price: f64,
    /// The value that Algorithm 3 ends with: the chosen cell's pessimistic mean reward, which is positive; 0
    /// with the fallback price where cells were looked at and none has a positive bound; none with the
    /// fallback price where every cell of the context is masked, so that nothing is known.
    pub lower: Option<f64>,
}

impl Policy {
    /// The paper's policy: the fallback price is 1.
    pub fn new(sums: &Sums, pessimism: Pessimism) -> Result<Policy, PolicyError> {
        Self::with_fallback(sums, pessimism, 1.0)
    }

    /// The policy with another price where no cell has a positive lower bound.
    pub fn with_fallback(sums: &Sums, pessimism: Pessimism, fallback: f64) -> Result<Policy, PolicyError> {
        if !(0.0..=1.0).contains(&fallback) {
            return Err(PolicyError::Fallback(fallback));
        }
        let spec = sums.spec().clone();
        let quotes = (0..spec.context_cells()).map(|cell| search(sums, pessimism, fallback, cell)).collect();
        Ok(Policy { spec, fallback, quotes })
    }

    /// The price for a context, which is clipped to the cube. It is seen without privacy, as in the paper.
    pub fn price(&self, context: &[f64]) -> Result<Quote, PolicyError> {
        let clipped: Vec<f64> = context.iter().map(|x| x.clamp(0.0, 1.0)).collect();
        let cell = self.spec.context_cell(&clipped).ok_or(PolicyError::Context(self.spec.dims()))?;
        Ok(self.quotes[cell])
    }

    /// The spec of the reports that the policy was learnt from; its guarantee is the policy's, by post-processing.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The price where no cell has a positive lower bound.
    pub fn fallback(&self) -> f64 {
        self.fallback
    }
}

/// Algorithm 3 for one cell of contexts: the centre of the first price cell whose bound is above 0 and above
/// all others'.
fn search(sums: &Sums, pessimism: Pessimism, fallback: f64, context_cell: usize) -> Quote {
    let side = sums.spec().side() as usize;
    let mut quote = Quote { price: fallback, lower: None };
    for place in 0..side {
        let Some(lower) = pessimism.lower(sums, context_cell * side + place) else { continue };
        let best = quote.lower.get_or_insert(0.0);
        if lower > *best {
            *best = lower;
            quote.price = (place as f64 + 0.5) * sums.spec().bandwidth();
        }
    }
    quote
}
