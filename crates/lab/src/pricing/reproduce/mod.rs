//! What the pricing methods lose, by records, loss, dimension and shift; whether the band holds; and two real
//! dose responses. The paper has no experiments: beside the measured slopes are those of its Theorem 2.

mod band;
mod bench;
mod dose;
mod error;
mod intervals;
mod markets;
mod row;
mod shift;
#[cfg(test)]
mod tests;

use crate::reproduce::{self, Family, Item};

/// A figure or table with its numbers as text.
type Section = reproduce::Section<String>;
/// All of them.
pub(crate) const FAMILY: Family<String> = Family {
    items: &[
        Item { id: "price-error", make: error::make, data: None },
        Item { id: "price-shift", make: shift::make, data: None },
        Item { id: "price-band", make: band::make, data: None },
        Item { id: "price-intervals", make: intervals::make, data: None },
        Item { id: "price-markets", make: markets::make, data: None },
        Item { id: "price-dose", make: dose::make, data: Some(dose::FILES) },
    ],
    all: "price-all",
    title: "Pricing from a private log, for another market",
    lead: "Offline pricing under covariate shift and local differential privacy (Mun, Xu and Fan 2025): its methods, and ours at the same epsilon.",
    introduction: &[
        "A log of one market has contexts, prices and outcomes; each record left its owner as one randomised report. A method learns a price for each context, \
     and loses in the target market what the best price of each context would have earned beyond it: its suboptimality, where revenues lie in [0, 1].",
    ],
    quick: "A quick look: few trials, and few records.",
};
