//! Tables 2 and 3 and Figures 1 to 3 of the paper, with its own algorithms.
//!
//! Each item is a function from a [`Bench`] to a [`Section`]. The figures are drawings of a theorem, without numbers, so that
//! "published" is there the theorem's curve alone.

mod bench;
mod curve;
mod digits;
mod pareto;
mod tables;
#[cfg(test)]
mod tests;

use bench::Bench;

use crate::reproduce::{self, Options, Panel, ReproduceError, mark};
use reticent_chart::page::Page;
use reticent_jobs::Progress;

/// A figure or table with its numbers as text.
type Section = reproduce::Section<String>;

/// One figure or table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Item {
    /// The name on the command line.
    pub(crate) id: &'static str,
    make: fn(&Bench<'_>) -> Result<Section, ReproduceError>,
}

/// All of them, in the paper's order of experiments.
pub(crate) const ITEMS: [Item; 3] = [
    Item { id: "trial-table2", make: tables::table2 },
    Item { id: "trial-table3", make: tables::table3 },
    Item { id: "trial-pareto", make: pareto::make },
];

/// Stands for all of them.
pub(crate) const ALL: &str = "trial-all";
/// The headline of a page that has nothing else.
pub(crate) const TITLE: &str = "Adaptive trials: regret against what is learned";
/// The sentence below it.
pub(crate) const LEAD: &str = "Contextual bandit experiments that minimise regret and estimate effects (ConSE and DP-ConSE), reproduced: the \
     paper's algorithms to the letter.";

const INTRODUCTION: &str = "conse is the paper's Algorithm 1 and protects nobody. dp-conse is its Algorithm 2, which claims (ε, 1/n)-differential privacy. \
     The claim is false: a person's feature moves the length of every feature's randomised phase, and the proof charges for one of them. \
     Here dp-conse is a baseline; its ε says how much noise it adds, not what it protects.";

const QUICK: &str = "A quick look: a tenth of the trials and, for the figures, of the people. Numbers are not comparable with those for all people.";

/// Runs the items, writes CSV, SVG and PNG for each, and adds their sections to the page.
pub(crate) fn add(
    page: &mut Page,
    items: &[Item],
    options: &Options,
    progress: &dyn Progress,
) -> Result<(), ReproduceError> {
    for text in [INTRODUCTION].into_iter().chain(options.quick.then_some(QUICK)) {
        page.paragraph(text);
    }
    for item in items {
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
