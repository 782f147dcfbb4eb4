//! The prices of a log.

pub(super) mod band;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::MarketError;
use super::error::check_zeta;
use super::name::unknown;

/// How the prices of a log were drawn, given the context.
///
/// Assumption 4 wants that the log has prices within h of a best one, for each h up to 1/2, at least `zeta`
/// 2h of the time, (5). Near the ends of [0, 1] that counts prices that do not exist: for h = 1/2 and zeta =
/// 1 no log has it unless the best price is 1/2. Here the density is at least zeta everywhere, so (5) holds
/// with the length of the interval inside [0, 1] in the place of 2h, and as it is written with zeta/2 (one
/// half of each interval is inside).
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Logging {
    /// Uniform prices: zeta is 1.
    #[default]
    Uniform,
    /// Density zeta within 0.15 of the context's best price, and a larger one elsewhere, as (24) has it.
    Exploring {
        /// The density near the best price, from 0 to 1.
        zeta: f64,
    },
}

impl Logging {
    pub(super) fn check(self) -> Result<(), MarketError> {
        match self {
            Logging::Uniform => Ok(()),
            Logging::Exploring { zeta } => check_zeta(zeta),
        }
    }
}

impl fmt::Display for Logging {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Logging::Uniform => f.pad("uniform"),
            Logging::Exploring { zeta } => write!(f, "exploring:{zeta}"),
        }
    }
}

impl FromStr for Logging {
    type Err = MarketError;
    fn from_str(text: &str) -> Result<Logging, MarketError> {
        let logging = match (text, text.strip_prefix("exploring:").map(str::parse)) {
            ("uniform", _) => Logging::Uniform,
            (_, Some(Ok(zeta))) => Logging::Exploring { zeta },
            _ => return Err(unknown("logging policy", "uniform, exploring:ZETA", text)),
        };
        logging.check().map(|()| logging)
    }
}

impl TryFrom<String> for Logging {
    type Error = MarketError;
    fn try_from(text: String) -> Result<Logging, MarketError> {
        text.parse()
    }
}

impl From<Logging> for String {
    fn from(logging: Logging) -> String {
        logging.to_string()
    }
}
