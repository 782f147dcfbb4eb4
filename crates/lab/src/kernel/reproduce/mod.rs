//! Error against people and against the loss, on random functions of two kernels' spaces and on two test functions. The paper has no experiments of its
//! own: beside the measured slopes are those of its Theorem 4.1.

mod bench;
mod chart;
mod error;
mod problem;
mod rate;
mod sweep;
mod tables;
#[cfg(test)]
mod tests;

use bench::Bench;

use crate::kernel::METHODS;
use crate::reproduce::{self, Options, ReproduceError};
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

/// All of them.
pub(crate) const ITEMS: [Item; 1] = [Item { id: "kernel-error", make: error::make }];

/// Stands for all of them.
pub(crate) const ALL: &str = "kernel-all";
/// The headline of a page that has nothing else.
pub(crate) const TITLE: &str = "Kernel bandits: the best action for a context, privately";
/// The sentence below it.
pub(crate) const LEAD: &str =
    "Private kernelized contextual bandits (USCA). The paper has no experiments; here is its rate, measured.";

const INTRODUCTION: &str = "Rewards are a smooth unknown function of an action and a context. People with uniform contexts got uniform actions; a method \
     learns from their rewards and then chooses an action in 200 new contexts. Its error is what it loses on average in a context against the best \
     action, for functions with values in [-1, 1].";

const QUICK: &str = "A quick look: three trials, and at most 10,000 people.";

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
        let bench = Bench { id: item.id, methods: &METHODS, options, progress };
        let section = (item.make)(&bench)?;
        section.write(&options.out, item.id)?;
        section.show(page);
    }
    Ok(())
}
