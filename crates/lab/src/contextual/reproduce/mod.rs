//! Figures 6 to 9 and Table 2 of Ma et al. 2025 (locally private contextual bandits with transfer), ours on the same worlds.
//!
//! The paper's figures are pictures that its text does not hold, so "published" here is what the authors' code gives when it
//! is run, and for Table 2 the printed numbers. Each figure is a function from a [`Bench`] to a [`Section`].

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

use crate::reproduce::{self, Options, Panel, ReproduceError, mark};
use reticent_chart::page::Page;
use reticent_jobs::Progress;

/// A figure with the points of its experiments.
type Section = reproduce::Section<Rows>;

/// One figure or table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Item {
    /// The name on the command line.
    pub(crate) id: &'static str,
    make: fn(&Bench<'_>) -> Result<Section, ReproduceError>,
    /// Whether it reads data sets.
    pub(crate) needs_data: bool,
}

/// All of them, in the paper's order.
pub(crate) const ITEMS: [Item; 5] = [
    Item { id: "ctx-fig6", make: fig6::make, needs_data: false },
    Item { id: "ctx-fig7", make: fig7::make, needs_data: false },
    Item { id: "ctx-fig8", make: fig8::make, needs_data: false },
    Item { id: "ctx-fig9", make: fig9::make, needs_data: false },
    Item { id: "ctx-table2", make: table2::make, needs_data: true },
];

/// What the table of data sets reads.
pub(crate) const DATA: &str = "classification files named NAME_3d.csv.gz (columns x1,x2,x3,label and perhaps group, with group 0 to be served and the others as \
     sources; for example UCI's Adult)";
/// Stands for all of them.
pub(crate) const ALL: &str = "ctx-all";
/// The headline of a page that has nothing else.
pub(crate) const TITLE: &str = "Contextual bandits with local differential privacy";
/// The sentence below it.
pub(crate) const LEAD: &str = "Locally private nonparametric contextual bandits with transfer (Ma et al. 2025), reproduced: its agents with honest \
     noise, and ours at the same epsilon.";

const INTRODUCTION: [&str; 2] = [
    "Regret is what people lost, in reward, against always getting the arm that is best for their context. Each line is the mean of \
     independent trials; bands are 95 % confidence intervals of the mean. The agents: ldp-contextual is ours. ldp-abse and \
     ldp-abse-transfer are the paper's Algorithms 2 and 3 with the radius that its proof needs; ldp-abse-tuned is the same with the \
     constants of the authors' code. Each of these is ε-LDP.",
    "The authors' published code is not. At each node it draws Laplace noise only for the people who fell into that node, so \
     that silence in all other bins tells a person's bin. The paper's text rightly asks for noise in every bin from everybody. \
     Figures made with that code are therefore too good for any honest run of the same algorithm. abse-published has the same \
     flaw, for comparison only; it is not that code.",
];

const QUICK: &str = "A quick look: a tenth of the trials, and but for Figure 6 of the people, in made-up sources too. Numbers are not comparable \
     with the published ones, which are for all people.";

const SKIPPED: &str = "Table 2 is left out: it needs data sets that are not part of this project. Name their folder with --data DIR.";

/// Runs the items, writes CSV, SVG and PNG for each, and adds their sections to the page.
pub(crate) fn add(
    page: &mut Page,
    items: &[Item],
    options: &Options,
    progress: &dyn Progress,
) -> Result<(), ReproduceError> {
    for text in INTRODUCTION.into_iter().chain(options.quick.then_some(QUICK)) {
        page.paragraph(text);
    }
    for item in items {
        if item.needs_data && options.data.is_none() && items.len() > 1 {
            page.paragraph(SKIPPED);
            continue;
        }
        let bench = Bench { id: item.id, options, progress };
        let section = (item.make)(&bench)?;
        section.write(&options.out, item.id)?;
        section.show(page);
    }
    Ok(())
}

/// The small print of a chart: the mark that every simulation carries.
fn note(options: &Options) -> String {
    mark(options.seed)
}
