//! What the pricing methods lose, by records, loss, dimension and shift; whether the band holds; and two real dose responses. The paper has no experiments: beside
//! the measured slopes are those of its Theorem 2.

mod band;
mod bench;
mod dose;
mod error;
mod row;
mod shift;
#[cfg(test)]
mod tests;

use crate::reproduce::{self, Options, ReproduceError};
use reticent_chart::page::Page;
use reticent_jobs::Progress;

/// A figure or table with its numbers as text.
type Section = reproduce::Section<String>;
/// One of them.
pub(crate) type Item = reproduce::Item<String>;

/// All of them.
pub(crate) const ITEMS: [Item; 4] = [
    Item { id: "price-error", make: error::make, data: None },
    Item { id: "price-shift", make: shift::make, data: None },
    Item { id: "price-band", make: band::make, data: None },
    Item { id: "price-dose", make: dose::make, data: Some(dose::FILES) },
];

/// Stands for all of them.
pub(crate) const ALL: &str = "price-all";
/// The headline of a page that has nothing else.
pub(crate) const TITLE: &str = "Pricing from a private log, for another market";
/// The sentence below it.
pub(crate) const LEAD: &str = "Offline pricing under covariate shift and local differential privacy (Mun, Xu and Fan 2025): its methods, and ours at the same epsilon.";

const INTRODUCTION: &str = "A log of one market has contexts, prices and outcomes; each record left its owner as one randomised report. A method learns a price for each context, \
     and loses in the target market what the best price of each context would have earned beyond it: its suboptimality, where revenues lie in [0, 1].";
const QUICK: &str = "A quick look: few trials, and few records.";

/// Runs the items and adds their sections to the page.
pub(crate) fn add(
    page: &mut Page,
    items: &[Item],
    options: &Options,
    progress: &dyn Progress,
) -> Result<(), ReproduceError> {
    for text in [INTRODUCTION].into_iter().chain(options.quick.then_some(QUICK)) {
        page.paragraph(text);
    }
    reproduce::add_items(page, items, options, progress)
}
