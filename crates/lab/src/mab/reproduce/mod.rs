//! Figures 1 and 2 of Ren et al. (2020): the paper's agents, ours at the same epsilon, and theory.

mod figure;
mod figures;
mod learned;
mod output;

use reticent_chart::page::Page;
use reticent_jobs::Progress;

use super::Outcome;
use crate::reproduce::{Added, Figures, Options, ReproduceError, Stage};
use crate::runner::run_all;

pub use figure::{Figure, Line, Published};
use figures::figures;
pub use learned::estimates_chart;
pub use output::{Measured, chart, regret_chart, table};

/// All of them.
pub(crate) const FAMILY: Paper = Paper;

/// Ren et al. (2020).
pub(crate) struct Paper;

impl Figures for Paper {
    fn items(&self) -> Vec<(&'static str, Option<&'static str>)> {
        figures().into_iter().map(|figure| (figure.id, None)).collect()
    }

    fn all(&self) -> &'static str {
        "mab-all"
    }

    fn words(&self) -> (&'static str, &'static str) {
        (
            "Multi-armed bandits with local differential privacy",
            "Ren, Zhou, Liu and Shroff (2020), reproduced: their agents with their constants, and ours at the same epsilon.",
        )
    }

    fn add(&self, page: &mut Page, wanted: &[&str], options: &Options, progress: &dyn Progress) -> Added {
        page.paragraph(
        "Regret is what people lost, in reward, against always getting the best arm. Each line is the mean of independent trials; \
         bands are 95 % confidence intervals of the mean. Dashed lines are theory: Theorems 4 and 6 hold for any number of people; \
         Theorem 1 and Lai-Robbins bound only the slope in the long run, so that early curves may lie below them. Rows in green are ours.",
    );
        if options.quick {
            page.paragraph(
            "A quick look: a tenth of the people and of the trials. Ratios to the baseline grow with the number of people, so the published \
             ones are out of reach here.",
        );
        }
        let wanted: Vec<Figure> =
            figures().into_iter().filter(|figure| wanted.contains(&figure.id)).collect();
        add(page, &wanted, options, progress)
    }
}

/// Makes figures of one's own as those of the papers are made: a CSV, an SVG and a PNG each, trials that are kept,
/// and a section of the page.
pub fn add(
    page: &mut Page,
    figures: &[Figure],
    options: &Options,
    progress: &dyn Progress,
) -> Result<(), ReproduceError> {
    for figure in figures {
        let figure = if options.quick { figure.clone().quick() } else { figure.clone() };
        let measured = measure(&figure, options, progress)?;
        output::write(&options.out, &figure, &measured, options.seed)?;
        output::section(page, &figure, &measured, options.seed);
    }
    Ok(())
}

/// All lines of one figure; kept trials are under `out/trials`, where a rerun finds them.
pub fn measure(
    figure: &Figure,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Vec<Measured>, ReproduceError> {
    figure.lines.iter().map(|line| measure_line(figure, line, options, progress)).collect()
}

fn measure_line(
    figure: &Figure,
    line: &Line,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Measured, ReproduceError> {
    let experiment = figure.experiment(line, options.seed)?;
    progress.begin(&format!("{}: {}", figure.id, line.label()));
    let mut store = Stage { id: figure.id, options, progress }.store(&experiment.key())?;
    let stored = store.count_below(experiment.trials);
    let watch = crate::clock::Stopwatch::start();
    let trials = run_all(&experiment, options.threads, &mut store, progress)?;
    let outcome = Outcome::new(&experiment, &trials, trials.len() - stored, watch.seconds())?;
    Ok(Measured { line: line.clone(), env: experiment.env, outcome })
}
