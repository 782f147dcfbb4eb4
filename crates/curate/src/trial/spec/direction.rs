//! Which way an outcome should go.

use serde::{Deserialize, Serialize};

/// Whether a high or a low outcome is the good one. A trial that does not know sends people to the wrong arm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Better {
    /// More is better: alive, well, earned.
    Higher,
    /// Less is better: died, pain, days in bed.
    Lower,
}

impl Better {
    /// +1 if higher is better, -1 if lower is.
    pub fn sign(self) -> f64 {
        match self {
            Better::Higher => 1.0,
            Better::Lower => -1.0,
        }
    }

    /// As in a plan's file.
    pub fn word(self) -> &'static str {
        match self {
            Better::Higher => "higher",
            Better::Lower => "lower",
        }
    }
}
