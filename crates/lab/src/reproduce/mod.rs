//! The papers' figures and tables, with the published numbers beside ours.

mod item;
mod section;

use std::path::PathBuf;

use reticent_privacy::Provenance;

pub(crate) use item::{Item, Stage, add as add_items};
pub(crate) use section::{Csv, Panel, Section, untitled};

use crate::conse::reproduce as trial;
use crate::contextual::env::WorldError;
use crate::contextual::reproduce as ctx;
use crate::kernel::reproduce as kernel;
use crate::mab::EnvError;
use crate::mab::reproduce as mab;
use crate::pricing::reproduce as price;
use crate::runner::LabError;
use reticent_chart::page::Page;
use reticent_chart::plot::PlotError;
use reticent_jobs::Progress;
use reticent_store::files::FileError;

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
        "{item} needs data sets, which are not part of this project: put {data} into a folder and name it with --data DIR"
    )]
    NeedsData {
        /// The table.
        item: &'static str,
        /// What it reads.
        data: &'static str,
    },
    /// A folder of data sets that has none.
    #[error("--data {path}: {problem}; data sets are not part of this project")]
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
    let mab = mab::figures().into_iter().map(|figure| figure.id).chain([mab::ALL]);
    let ctx = ctx::ITEMS.iter().map(|item| item.id).chain([ctx::ALL]);
    let trial = trial::ITEMS.iter().map(|item| item.id).chain([trial::ALL]);
    let kernel = kernel::ITEMS.iter().map(|item| item.id).chain([kernel::ALL]);
    let price = price::ITEMS.iter().map(|item| item.id).chain([price::ALL]);
    mab.chain(ctx).chain(trial).chain(kernel).chain(price).chain(["all"]).collect()
}

/// What an item stands for: figures and tables of multi-armed bandits, of contextual ones, of adaptive trials, of kernel bandits and of pricing.
#[derive(Debug)]
struct Chosen {
    mab: Vec<mab::Figure>,
    ctx: Vec<ctx::Item>,
    trial: Vec<trial::Item>,
    kernel: Vec<kernel::Item>,
    price: Vec<price::Item>,
}

impl Chosen {
    fn new(item: &str) -> Result<Chosen, ReproduceError> {
        let family = |id: &str, all: &str| item == "all" || item == all || item == id;
        let mab: Vec<mab::Figure> =
            mab::figures().into_iter().filter(|figure| family(figure.id, mab::ALL)).collect();
        let ctx: Vec<ctx::Item> = ctx::ITEMS.into_iter().filter(|one| family(one.id, ctx::ALL)).collect();
        let trial: Vec<trial::Item> =
            trial::ITEMS.into_iter().filter(|one| family(one.id, trial::ALL)).collect();
        let kernel: Vec<kernel::Item> =
            kernel::ITEMS.into_iter().filter(|one| family(one.id, kernel::ALL)).collect();
        let price: Vec<price::Item> =
            price::ITEMS.into_iter().filter(|one| family(one.id, price::ALL)).collect();
        let chosen = Chosen { mab, ctx, trial, kernel, price };
        if chosen.count() == 0 { Err(ReproduceError::Unknown(item.to_string())) } else { Ok(chosen) }
    }

    fn count(&self) -> usize {
        self.mab.len() + self.ctx.len() + self.trial.len() + self.kernel.len() + self.price.len()
    }

    /// Headline and lead of each family that has something.
    fn families(&self) -> Vec<(&'static str, &'static str)> {
        let all = [
            (self.mab.is_empty(), (mab::TITLE, mab::LEAD)),
            (self.ctx.is_empty(), (ctx::TITLE, ctx::LEAD)),
            (self.trial.is_empty(), (trial::TITLE, trial::LEAD)),
            (self.kernel.is_empty(), (kernel::TITLE, kernel::LEAD)),
            (self.price.is_empty(), (price::TITLE, price::LEAD)),
        ];
        all.into_iter().filter(|(empty, _)| !empty).map(|(_, words)| words).collect()
    }

    /// The items that read data sets, and what they read.
    fn needs_data(&self) -> Vec<(&'static str, &'static str)> {
        let ctx = self.ctx.iter().filter(|item| item.needs_data).map(|item| (item.id, ctx::DATA));
        ctx.chain(self.price.iter().filter_map(|item| Some((item.id, item.data?)))).collect()
    }

    fn page(&self, seed: u64) -> Page {
        let (title, lead) = match self.families()[..] {
            [alone] => alone,
            _ => {
                ("Bandits with differential privacy", "Five papers reproduced, and ours at the same epsilon.")
            }
        };
        Page::new(title, lead, &mark(seed))
    }
}

/// Whether an item can be run with these options: says no before any work.
pub fn check(item: &str, options: &Options) -> Result<(), ReproduceError> {
    let chosen = Chosen::new(item)?;
    match chosen.needs_data()[..] {
        [(item, data)] if chosen.count() == 1 && options.data.is_none() => {
            Err(ReproduceError::NeedsData { item, data })
        }
        _ => Ok(()),
    }
}

/// What an item leaves out with these options.
pub fn skipped(item: &str, options: &Options) -> Result<Vec<&'static str>, ReproduceError> {
    let needs = Chosen::new(item)?.needs_data();
    Ok(if options.data.is_some() { Vec::new() } else { needs.into_iter().map(|(id, _)| id).collect() })
}

/// Runs the figures, writes CSV, SVG and PNG for each and one page for all; returns the page's path.
pub fn run(item: &str, options: &Options, progress: &dyn Progress) -> Result<PathBuf, ReproduceError> {
    check(item, options)?;
    let chosen = Chosen::new(item)?;
    let mut page = chosen.page(options.seed);
    let several = chosen.families().len() > 1;
    let begin = |page: &mut Page, (title, lead): (&str, &str)| {
        if several {
            page.section(title);
            page.paragraph(lead);
        }
    };
    if !chosen.mab.is_empty() {
        begin(&mut page, (mab::TITLE, mab::LEAD));
        mab::add(&mut page, chosen.mab, options, progress)?;
    }
    if !chosen.ctx.is_empty() {
        begin(&mut page, (ctx::TITLE, ctx::LEAD));
        ctx::add(&mut page, &chosen.ctx, options, progress)?;
    }
    if !chosen.trial.is_empty() {
        begin(&mut page, (trial::TITLE, trial::LEAD));
        trial::add(&mut page, &chosen.trial, options, progress)?;
    }
    if !chosen.kernel.is_empty() {
        begin(&mut page, (kernel::TITLE, kernel::LEAD));
        kernel::add(&mut page, &chosen.kernel, options, progress)?;
    }
    if !chosen.price.is_empty() {
        begin(&mut page, (price::TITLE, price::LEAD));
        price::add(&mut page, &chosen.price, options, progress)?;
    }
    let path = options.out.join("index.html");
    reticent_store::files::write_whole(&path, page.finish(&footer()).as_bytes())?;
    Ok(path)
}

/// The words that everything made with a seed carries.
pub fn mark(seed: u64) -> String {
    format!("{}; seed {seed}", Provenance::Simulation.label())
}

/// The small print of pages.
pub fn footer() -> String {
    format!(
        "Made by reticent {}. People were served by the code of production; only the generators were seeded.",
        env!("CARGO_PKG_VERSION")
    )
}
