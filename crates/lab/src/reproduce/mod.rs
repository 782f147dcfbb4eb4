//! The papers' figures and tables, with the published numbers beside ours.

mod figure;
mod mab;
mod output;

use std::path::PathBuf;

use reticent_privacy::Provenance;

pub use figure::{Figure, Line, Published};
pub(crate) use output::untitled;
pub use output::{Measured, chart, regret_chart, table};

use crate::env::EnvError;
use crate::files::FileError;
use crate::page::Page;
use crate::plot::PlotError;
use crate::simulate::{LabError, Outcome, Progress, Store, run_all};

/// How much to run and where to put it.
#[derive(Debug, Clone)]
pub struct Options {
    /// The output folder.
    pub out: PathBuf,
    /// Whether finished trials are kept there, for a rerun to go on from.
    pub keep_trials: bool,
    /// Threads for trials.
    pub threads: usize,
    /// The seed.
    pub seed: u64,
    /// A tenth of the people and of the trials.
    pub quick: bool,
}

/// Why a figure could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ReproduceError {
    /// No such figure.
    #[error("no item is called {0:?}; use one of {items}", items = names().join(", "))]
    Unknown(String),
    /// The experiment stopped.
    #[error(transparent)]
    Lab(#[from] LabError),
    /// The environment could not be made.
    #[error(transparent)]
    Env(#[from] EnvError),
    /// A file could not be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A chart could not be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
}

/// Everything that can be asked for.
pub fn names() -> Vec<&'static str> {
    mab::figures().iter().map(|figure| figure.id).chain(["mab-all", "all"]).collect()
}

/// The figures that an item stands for.
pub fn figures(item: &str) -> Result<Vec<Figure>, ReproduceError> {
    let all = mab::figures();
    let chosen: Vec<Figure> = match item {
        "all" | "mab-all" => all,
        id => all.into_iter().filter(|figure| figure.id == id).collect(),
    };
    if chosen.is_empty() { Err(ReproduceError::Unknown(item.to_string())) } else { Ok(chosen) }
}

/// Runs the figures, writes CSV, SVG and PNG for each and one page for all; returns the page's path.
pub fn run(item: &str, options: &Options, progress: &dyn Progress) -> Result<PathBuf, ReproduceError> {
    let figures = figures(item)?;
    let mut page = Page::new(
        "Multi-armed bandits with local differential privacy",
        "Ren, Zhou, Liu and Shroff (2020), reproduced: their agents with their constants, and ours at the same epsilon.",
        &mark(options.seed),
    );
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
    for figure in figures {
        let figure = if options.quick { figure.quick() } else { figure };
        let measured = measure(&figure, options, progress)?;
        output::write(&options.out, &figure, &measured, options.seed)?;
        output::section(&mut page, &figure, &measured, options.seed);
    }
    let path = options.out.join("index.html");
    crate::files::write_whole(&path, page.finish(&footer()).as_bytes())?;
    Ok(path)
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
    let mut store = if options.keep_trials {
        Store::open(&options.out.join("trials"), &experiment.key())?
    } else {
        Store::in_memory()
    };
    let stored = store.count_below(experiment.trials);
    let watch = crate::clock::Stopwatch::start();
    let trials = run_all(&experiment, options.threads, &mut store, progress)?;
    let outcome = Outcome::new(&experiment, &trials, trials.len() - stored, watch.seconds())?;
    Ok(Measured { line: line.clone(), env: experiment.env, outcome })
}

/// The words that everything made with a seed carries.
pub fn mark(seed: u64) -> String {
    format!("{}; seed {seed}", Provenance::Simulation.label())
}

/// The small print of pages.
pub fn footer() -> String {
    format!(
        "Made by reticent {}. Reports went through the device's code; only the generators were seeded.",
        env!("CARGO_PKG_VERSION")
    )
}
