//! The pricing methods, by name.

use std::error::Error;

use reticent_baselines::nw_lcb;
use reticent_privacy::{Epsilon, Guarantee};
use reticent_protocol::pricing::{Prices, Spec, Terms};
use reticent_schema::{Encoding, Range};
use serde::{Deserialize, Serialize};

use crate::named::{Named, Origin};

/// A method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MethodName {
    /// Ours.
    PrivatePricing,
    /// Algorithms 1 and 3 of the paper.
    LdpNwLcb,
    /// Algorithm 2 of the paper.
    NwLcb,
}

impl MethodName {
    /// Whether reports are randomised.
    pub fn is_private(self) -> bool {
        self.origin() != Origin::Baseline
    }
}

impl Named for MethodName {
    const ALL: &'static [MethodName] = &[MethodName::PrivatePricing, MethodName::LdpNwLcb, MethodName::NwLcb];
    const DEFAULT: MethodName = MethodName::PrivatePricing;

    fn name(self) -> &'static str {
        match self {
            MethodName::PrivatePricing => "private-pricing",
            MethodName::LdpNwLcb => "ldp-nw-lcb",
            MethodName::NwLcb => "nw-lcb",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            MethodName::PrivatePricing => {
                "one randomised symbol for each record; a posterior over all resolutions and a band that holds for all contexts and prices"
            }
            MethodName::LdpNwLcb => "the paper's Algorithms 1 and 3: Laplace noise on every cell of a grid",
            MethodName::NwLcb => {
                "the paper's Algorithm 2: the mean of near records less a radius, from raw records"
            }
        }
    }

    fn origin(self) -> Origin {
        match self {
            MethodName::PrivatePricing => Origin::Ours,
            MethodName::LdpNwLcb => Origin::Faithful,
            MethodName::NwLcb => Origin::Baseline,
        }
    }

    fn guarantee(self, epsilon: Epsilon) -> Result<Guarantee, Box<dyn Error + Send + Sync>> {
        // It does not depend on the market: any will do.
        match self {
            MethodName::PrivatePricing => {
                let terms = Terms::new(Encoding::unit(1)?, Prices::range(0.0, 1.0)?, Range::UNIT)?;
                Ok(Spec::designed(terms, epsilon, 1_000)?.guarantee())
            }
            MethodName::LdpNwLcb => Ok(nw_lcb::Spec::new(1, 2, epsilon)?.guarantee()),
            MethodName::NwLcb => {
                Ok(Guarantee::none("one record: the context, price and outcome of one sale"))
            }
        }
    }
}
