//! The papers' figures and tables, with the published numbers beside ours.

mod family;
mod section;

use std::path::PathBuf;

use reticent_privacy::Provenance;

use family::Named;
pub(crate) use family::{Added, Family, Figures, Item, Stage};
pub(crate) use section::{Csv, Panel, Section, untitled};

use crate::contextual::env::WorldError;
use crate::mab::EnvError;
use crate::named::did_you_mean;
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
#[non_exhaustive]
pub enum ReproduceError {
    /// No such figure.
    #[error("no item is called {0:?}{near}; use one of {items}", near = did_you_mean(.0, names()), items = names().join(", "))]
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

/// The papers, in the order in which they are shown.
fn families() -> [&'static dyn Figures; 6] {
    [
        &crate::mab::reproduce::FAMILY,
        &crate::contextual::reproduce::FAMILY,
        &crate::conse::reproduce::FAMILY,
        &crate::kernel::reproduce::FAMILY,
        &crate::pricing::reproduce::FAMILY,
        &crate::forged::reproduce::FAMILY,
    ]
}

const EVERYTHING: &str = "all";

/// Everything that can be asked for.
pub fn names() -> Vec<&'static str> {
    let each = |family: &dyn Figures| {
        let ids = family.items().into_iter().map(|(id, _)| id);
        ids.chain([family.all()]).collect::<Vec<_>>()
    };
    families().into_iter().flat_map(each).chain([EVERYTHING]).collect()
}

/// What an item stands for: some figures and tables of each paper that has any.
struct Chosen(Vec<(&'static dyn Figures, Vec<Named>)>);

impl Chosen {
    fn new(item: &str) -> Result<Chosen, ReproduceError> {
        let mut chosen = Vec::new();
        for family in families() {
            let whole = item == EVERYTHING || item == family.all();
            let items: Vec<_> = family.items().into_iter().filter(|(id, _)| whole || *id == item).collect();
            if !items.is_empty() {
                chosen.push((family, items));
            }
        }
        if chosen.is_empty() { Err(ReproduceError::Unknown(item.to_string())) } else { Ok(Chosen(chosen)) }
    }

    fn items(&self) -> impl Iterator<Item = Named> + '_ {
        self.0.iter().flat_map(|(_, items)| items.iter().copied())
    }

    /// The items that read data sets, and what they read.
    fn needs_data(&self) -> Vec<(&'static str, &'static str)> {
        self.items().filter_map(|(id, data)| Some((id, data?))).collect()
    }

    fn page(&self, seed: u64) -> Page {
        let (title, lead) = match &self.0[..] {
            [(alone, _)] => alone.words(),
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
    if let Some(folder) = options.data.as_ref().filter(|_| !chosen.needs_data().is_empty()) {
        let unreadable = |error: std::io::Error| ReproduceError::DataFolder {
            path: folder.display().to_string(),
            problem: error.to_string(),
        };
        std::fs::read_dir(folder).map_err(unreadable)?;
    }
    match chosen.needs_data()[..] {
        [(item, data)] if chosen.items().count() == 1 && options.data.is_none() => {
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
    for (family, items) in &chosen.0 {
        if chosen.0.len() > 1 {
            let (title, lead) = family.words();
            page.section(title);
            page.paragraph(lead);
        }
        let wanted: Vec<&str> = items.iter().map(|(id, _)| *id).collect();
        family.add(&mut page, &wanted, options, progress)?;
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
