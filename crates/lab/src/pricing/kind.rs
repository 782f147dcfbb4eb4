//! The pricing methods, by name.

use reticent_learn::mab::Source;
use reticent_privacy::{Epsilon, Guarantee};
use serde::{Deserialize, Serialize};

use crate::catalogue::{self, CatalogueError};

/// A method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Ours.
    PrivatePricing,
    /// Algorithms 1 and 3 of the paper.
    LdpNwLcb,
    /// Algorithm 2 of the paper.
    NwLcb,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 3] = [Kind::PrivatePricing, Kind::LdpNwLcb, Kind::NwLcb];
    /// The one to use.
    pub const DEFAULT: Kind = Kind::PrivatePricing;

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::PrivatePricing => "private-pricing",
            Kind::LdpNwLcb => "ldp-nw-lcb",
            Kind::NwLcb => "nw-lcb",
        }
    }

    /// One line on what it is.
    pub fn summary(self) -> &'static str {
        match self {
            Kind::PrivatePricing => {
                "one randomised symbol for each record; a posterior over all resolutions and a band that holds for all contexts and prices"
            }
            Kind::LdpNwLcb => "the paper's Algorithms 1 and 3: Laplace noise on every cell of a grid",
            Kind::NwLcb => {
                "the paper's Algorithm 2: the mean of near records less a radius, from raw records"
            }
        }
    }

    /// Where it comes from.
    pub fn source(self) -> Source {
        match self {
            Kind::PrivatePricing => Source::Ours,
            Kind::LdpNwLcb => Source::Faithful,
            Kind::NwLcb => Source::Baseline,
        }
    }

    /// Whether reports are randomised.
    pub fn is_private(self) -> bool {
        self.source() != Source::Baseline
    }

    /// What it promises.
    pub fn guarantee(self, epsilon: Epsilon) -> Result<Guarantee, CatalogueError> {
        if self.is_private() {
            catalogue::find(self.name())?.guarantee(epsilon)
        } else {
            Ok(Guarantee::none("one record: the context, price and outcome of one sale"))
        }
    }
}
