//! Figures 6 to 9 and Table 2 of Ma et al. 2025 (locally private contextual bandits with transfer), ours on
//! the same worlds.
//!
//! The paper's figures are pictures that its text does not hold, so "published" here is what the authors'
//! code gives when it is run, and for Table 2 the printed numbers. Each figure is a function from a [`Bench`]
//! to a [`Section`].

mod bench;
mod fig6;
mod fig7;
mod fig8;
mod fig9;
mod rows;
mod section;
mod table2;
#[cfg(test)]
mod tests;

use bench::{Bench, Measured};
use rows::Rows;

use crate::reproduce::{self, Family, Item, Options, Panel, mark};

/// A figure with the points of its experiments.
type Section = reproduce::Section<Rows>;

/// What the table of data sets reads.
const DATA: &str = "classification files named NAME_3d.csv.gz (columns x1,x2,x3,label and perhaps group, with group 0 to be served and the others as \
     sources; for example UCI's Adult)";

/// All of them, in the paper's order.
pub(crate) const FAMILY: Family<Rows> = Family {
    items: &[
        Item { id: "ctx-fig6", make: |stage| fig6::make(&Bench(stage)), data: None },
        Item { id: "ctx-fig7", make: |stage| fig7::make(&Bench(stage)), data: None },
        Item { id: "ctx-fig8", make: |stage| fig8::make(&Bench(stage)), data: None },
        Item { id: "ctx-fig9", make: |stage| fig9::make(&Bench(stage)), data: None },
        Item { id: "ctx-table2", make: |stage| table2::make(&Bench(stage)), data: Some(DATA) },
    ],
    all: "ctx-all",
    title: "Contextual bandits with local differential privacy",
    lead: "Locally private nonparametric contextual bandits with transfer (Ma et al. 2025), reproduced: its agents with honest \
     noise, and ours at the same epsilon.",
    introduction: &[
        "Regret is what people lost, in reward, against always getting the arm that is best for their context. Each line is the mean of \
     independent trials; bands are 95 % confidence intervals of the mean. The agents: ldp-contextual is ours. ldp-abse and \
     ldp-abse-transfer are the paper's Algorithms 2 and 3 with the radius that its proof needs; ldp-abse-tuned is the same with the \
     constants of the authors' code. Each of these is ε-LDP.",
        "The authors' published code is not. At each node it draws Laplace noise only for the people who fell into that node, so \
     that silence in all other bins tells a person's bin. The paper's text rightly asks for noise in every bin from everybody. \
     Figures made with that code are therefore too good for any honest run of the same algorithm. abse-published has the same \
     flaw, for comparison only; it is not that code.",
    ],
    quick: "A quick look: a tenth of the trials, and but for Figure 6 of the people, in made-up sources too. Numbers are not comparable \
     with the published ones, which are for all people.",
};

/// The small print of a chart: the mark that every simulation carries.
fn note(options: &Options) -> String {
    mark(options.seed)
}
