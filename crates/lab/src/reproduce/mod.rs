//! The papers' figures and tables, with the published numbers beside ours.

mod figure;
mod mab;
mod output;

use std::path::PathBuf;

use reticent_privacy::Provenance;

pub use figure::{Figure, Line, Published};
pub(crate) use output::untitled;
pub use output::{Measured, chart, regret_chart, table};

use crate::contextual::env::WorldError;
use crate::contextual::reproduce::{self as ctx, Item};
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
    /// The folder with data sets, for the tables that need them.
    pub data: Option<PathBuf>,
}

/// Why a figure could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ReproduceError {
    /// No such figure.
    #[error("no item is called {0:?}; use one of {items}", items = names().join(", "))]
    Unknown(String),
    /// A table of data sets without any.
    #[error(
        "ctx-table2 needs data sets, which are not part of this project: put classification files named NAME_3d.csv.gz into a folder (columns \
         x1,x2,x3,label and perhaps group, with group 0 to be served and the others as sources; for example UCI's Adult) and name it with --data DIR"
    )]
    NeedsData,
    /// A folder of data sets that has none.
    #[error(
        "--data {path}: {problem}; ctx-table2 reads NAME_3d.csv.gz files with columns x1,x2,x3,label and perhaps group, which are not part of this \
         project"
    )]
    DataFolder {
        /// The folder.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A contextual world could not be made.
    #[error(transparent)]
    World(#[from] WorldError),
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
    let mab = mab::figures().into_iter().map(|figure| figure.id).chain(["mab-all"]);
    mab.chain(ctx::ITEMS.iter().map(|item| item.id)).chain([ctx::ALL, "all"]).collect()
}

/// What an item stands for: figures of multi-armed bandits, and figures and tables of contextual ones.
#[derive(Debug)]
struct Chosen {
    mab: Vec<Figure>,
    ctx: Vec<Item>,
}

impl Chosen {
    fn new(item: &str) -> Result<Chosen, ReproduceError> {
        let family = |id: &str, all: &str| item == "all" || item == all || item == id;
        let mab: Vec<Figure> =
            mab::figures().into_iter().filter(|figure| family(figure.id, "mab-all")).collect();
        let ctx: Vec<Item> = ctx::ITEMS.into_iter().filter(|one| family(one.id, ctx::ALL)).collect();
        if mab.is_empty() && ctx.is_empty() {
            return Err(ReproduceError::Unknown(item.to_string()));
        }
        Ok(Chosen { mab, ctx })
    }

    fn page(&self, seed: u64) -> Page {
        let (title, lead) = match (self.mab.is_empty(), self.ctx.is_empty()) {
            (false, false) => (
                "Bandits with local differential privacy",
                "Two papers reproduced, and ours at the same epsilon.",
            ),
            (false, true) => (MAB_TITLE, MAB_LEAD),
            _ => (ctx::TITLE, ctx::LEAD),
        };
        Page::new(title, lead, &mark(seed))
    }
}

/// Whether an item can be run with these options: says no before any work.
pub fn check(item: &str, options: &Options) -> Result<(), ReproduceError> {
    let chosen = Chosen::new(item)?;
    let alone = chosen.mab.len() + chosen.ctx.len() == 1;
    if alone && chosen.ctx.iter().any(|item| item.needs_data) && options.data.is_none() {
        return Err(ReproduceError::NeedsData);
    }
    Ok(())
}

/// What an item leaves out with these options.
pub fn skipped(item: &str, options: &Options) -> Result<Vec<&'static str>, ReproduceError> {
    let chosen = Chosen::new(item)?.ctx;
    Ok(chosen.iter().filter(|item| item.needs_data && options.data.is_none()).map(|item| item.id).collect())
}

const MAB_TITLE: &str = "Multi-armed bandits with local differential privacy";
const MAB_LEAD: &str = "Ren, Zhou, Liu and Shroff (2020), reproduced: their agents with their constants, and ours at the same epsilon.";

/// Runs the figures, writes CSV, SVG and PNG for each and one page for all; returns the page's path.
pub fn run(item: &str, options: &Options, progress: &dyn Progress) -> Result<PathBuf, ReproduceError> {
    check(item, options)?;
    let chosen = Chosen::new(item)?;
    let mut page = chosen.page(options.seed);
    let both = !chosen.mab.is_empty() && !chosen.ctx.is_empty();
    if !chosen.mab.is_empty() {
        if both {
            page.section(MAB_TITLE);
            page.paragraph(MAB_LEAD);
        }
        add_mab(&mut page, chosen.mab, options, progress)?;
    }
    if !chosen.ctx.is_empty() {
        if both {
            page.section(ctx::TITLE);
            page.paragraph(ctx::LEAD);
        }
        ctx::add(&mut page, &chosen.ctx, options, progress)?;
    }
    let path = options.out.join("index.html");
    crate::files::write_whole(&path, page.finish(&footer()).as_bytes())?;
    Ok(path)
}

fn add_mab(
    page: &mut Page,
    figures: Vec<Figure>,
    options: &Options,
    progress: &dyn Progress,
) -> Result<(), ReproduceError> {
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
