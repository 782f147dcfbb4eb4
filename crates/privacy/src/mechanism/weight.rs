//! A probability between two integers.

use num_bigint::BigUint;

/// A probability, rounded outward, in a unit that is the same for all outputs and inputs of an audit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weight {
    /// At most the probability.
    pub low: BigUint,
    /// At least the probability.
    pub high: BigUint,
}

impl Weight {
    /// A probability that is a whole number of units.
    pub fn exact(value: impl Into<BigUint>) -> Weight {
        let value = value.into();
        Weight { low: value.clone(), high: value }
    }

    /// A probability between two whole numbers of units.
    pub fn between(low: impl Into<BigUint>, high: impl Into<BigUint>) -> Weight {
        Weight { low: low.into(), high: high.into() }
    }
}
