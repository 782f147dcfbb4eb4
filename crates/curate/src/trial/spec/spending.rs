//! How the chance to be wrong is spent over planned looks.

use serde::{Deserialize, Serialize};

use super::super::normal::{cdf, two_sided};

/// A spending function of Lan and De Mets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spending {
    /// Little at early looks: only large effects stop early, and the last interval is hardly longer than a
    /// single one.
    ObrienFleming,
    /// About as much at each look.
    Pocock,
}

impl Spending {
    /// As plans write it.
    pub fn name(self) -> &'static str {
        match self {
            Spending::ObrienFleming => "obrien-fleming",
            Spending::Pocock => "pocock",
        }
    }

    /// What may be spent until a share of the information has come.
    pub fn spent(self, miss: f64, time: f64) -> f64 {
        let time = time.clamp(0.0, 1.0);
        match self {
            _ if time <= 0.0 => 0.0,
            // Half of it for each side.
            Spending::ObrienFleming => 4.0 * cdf(-two_sided(1.0 - miss / 2.0) / time.sqrt()),
            Spending::Pocock => miss * libm::log(1.0 + (std::f64::consts::E - 1.0) * time),
        }
    }
}
