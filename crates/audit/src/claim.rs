//! What an audit holds a mechanism to.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::AuditError;
use reticent_privacy::{Delta, Epsilon, Guarantee, Loss};

/// A claimed loss: pure when delta is zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The bound on the log-ratio of any event's probabilities.
    pub epsilon: Epsilon,
    /// What may be added to the probability beside it.
    pub delta: Delta,
}

impl Claim {
    /// Pure differential privacy.
    pub fn pure(epsilon: Epsilon) -> Claim {
        Claim { epsilon, delta: Delta::ZERO }
    }

    /// Approximate differential privacy.
    pub fn approximate(epsilon: Epsilon, delta: Delta) -> Claim {
        Claim { epsilon, delta }
    }
}

/// A concentrated loss is held to the epsilon that it has at this delta.
const CONVERSION_DELTA: f64 = 1e-6;

/// A guarantee's own loss. One that promises nothing is refused: no measurement could contradict it.
impl TryFrom<&Guarantee> for Claim {
    type Error = AuditError;

    fn try_from(guarantee: &Guarantee) -> Result<Claim, AuditError> {
        match guarantee.loss {
            Loss::Pure { epsilon } => Ok(Claim::pure(epsilon)),
            Loss::Approximate { epsilon, delta } => Ok(Claim::approximate(epsilon, delta)),
            Loss::Concentrated { rho } => {
                let delta = Delta::new(CONVERSION_DELTA).map_err(|_| AuditError::NothingClaimed)?;
                let epsilon = rho.to_epsilon(delta).ok_or(AuditError::NothingClaimed)?;
                Ok(Claim::approximate(epsilon, delta))
            }
            Loss::Unbounded => Err(AuditError::NothingClaimed),
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.delta == Delta::ZERO {
            write!(f, "epsilon {}", self.epsilon)
        } else {
            write!(f, "epsilon {}, delta {}", self.epsilon, self.delta)
        }
    }
}
