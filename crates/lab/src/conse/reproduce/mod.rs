//! Tables 2 and 3 and Figures 1 to 3 of the paper, with its own algorithms.
//!
//! Each item is a function from a [`Bench`] to a [`Section`]. The figures are drawings of a theorem, without
//! numbers, so that "published" is there the theorem's curve alone.

mod bench;
mod curve;
mod digits;
mod hold;
mod law;
mod looks;
mod pareto;
mod price;
mod rates;
mod section5;
mod tables;
#[cfg(test)]
mod tests;

use bench::Bench;

use crate::reproduce::{self, Family, Item, Options, Panel, mark};

/// A figure or table with its numbers as text.
type Section = reproduce::Section<String>;

/// All of them, in the paper's order of experiments.
pub(crate) const FAMILY: Family<String> = Family {
    items: &[
        Item { id: "trial-table2", make: |stage| tables::table2(&Bench(stage)), data: None },
        Item { id: "trial-table3", make: |stage| tables::table3(&Bench(stage)), data: None },
        Item { id: "trial-pareto", make: |stage| pareto::make(&Bench(stage)), data: None },
        Item { id: "trial-law", make: |stage| law::make(&Bench(stage)), data: None },
        Item { id: "trial-rates", make: |stage| rates::make(&Bench(stage)), data: None },
        Item { id: "trial-section5", make: |stage| Ok(section5::make(&Bench(stage))), data: None },
        Item { id: "trial-price", make: |stage| price::make(&Bench(stage)), data: None },
        Item { id: "trial-coverage", make: |stage| hold::make(&Bench(stage)), data: None },
        Item { id: "trial-looks", make: |stage| looks::make(&Bench(stage)), data: None },
    ],
    all: "trial-all",
    title: "Adaptive trials: regret against what is learned",
    lead: "Contextual bandit experiments that minimise regret and estimate effects (ConSE and DP-ConSE), reproduced: the \
     paper's algorithms to the letter.",
    introduction: &[
        "conse is the paper's Algorithm 1 and protects nobody. dp-conse is its Algorithm 2, which claims (ε, 1/n)-differential privacy. \
     The claim is false: a person's feature moves the length of every feature's randomised phase, and the proof charges for one of them. \
     Here dp-conse is a baseline; its ε says how much noise it adds, not what it protects.",
    ],
    quick: "A quick look: a tenth of the trials and, for the figures, of the people. Numbers are not comparable with those for all people.",
};

/// The small print of a chart: the mark that every simulation carries.
fn note(options: &Options) -> String {
    mark(options.seed)
}
