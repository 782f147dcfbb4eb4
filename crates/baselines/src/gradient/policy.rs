//! What the server tells the next device.

use serde::{Deserialize, Serialize};

use super::Spec;

/// Parameters beyond it are refused: a score made of them could overflow.
pub const LARGEST_PARAMETER: f64 = 1e6;

/// The arms' parameters and how much to explore. Public.
///
/// A policy cannot change how much privacy a report costs: that is fixed in the [`Spec`] on the device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// Counts the server's updates; reports repeat it.
    pub version: u64,
    /// Each arm's parameters.
    pub parameters: Vec<Vec<f64>>,
    /// The probability with which the device plays an arm by lot, and not the best one.
    pub exploration: f64,
}

/// Why a device cannot follow a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// Not the experiment's numbers of arms and parameters.
    #[error("the policy does not have the experiment's arms and parameters; nothing was sent")]
    Shape,
    /// A parameter or the exploration out of range.
    #[error(
        "the policy's parameters must lie within {LARGEST_PARAMETER} of 0 and its exploration in [0, 1]; nothing was sent"
    )]
    Range,
}

impl Policy {
    /// Whether devices of this experiment can follow the policy.
    pub fn check(&self, spec: &Spec) -> Result<(), PolicyError> {
        let parameters = spec.parameters() as usize;
        let shaped = self.parameters.len() == spec.arms() as usize
            && self.parameters.iter().all(|arm| arm.len() == parameters);
        if !shaped {
            return Err(PolicyError::Shape);
        }
        // Written so that a NaN fails.
        let small = self.parameters.iter().flatten().all(|value| value.abs() <= LARGEST_PARAMETER);
        if small && (0.0..=1.0).contains(&self.exploration) { Ok(()) } else { Err(PolicyError::Range) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradient::Model;
    use reticent_privacy::Epsilon;

    #[test]
    fn what_does_not_fit_is_refused() {
        let spec = Spec::new(1, 2, Model::Logistic, Epsilon::MAX, vec![]).unwrap();
        let fits = Policy { version: 0, parameters: vec![vec![0.0; 2]; 2], exploration: 0.5 };
        assert_eq!(fits.check(&spec), Ok(()));
        for parameters in [vec![vec![0.0; 2]; 3], vec![vec![0.0; 3]; 2]] {
            assert_eq!(Policy { parameters, ..fits.clone() }.check(&spec), Err(PolicyError::Shape));
        }
        for bad in [f64::NAN, f64::INFINITY, 1e7, -1e7] {
            let parameters = vec![vec![0.0; 2], vec![0.0, bad]];
            assert_eq!(Policy { parameters, ..fits.clone() }.check(&spec), Err(PolicyError::Range));
        }
        for exploration in [-0.1, 1.1, f64::NAN] {
            assert_eq!(Policy { exploration, ..fits.clone() }.check(&spec), Err(PolicyError::Range));
        }
    }
}
