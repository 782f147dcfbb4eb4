//! The report of a trial: one versioned document for programs, and one page for people. Both are made from
//! what was published alone, which stands beside them.

mod again;
mod allocation;
mod checks;
mod digits;
mod document;
mod drift;
mod effects;
mod export;
mod flow;
mod pareto;
mod sound;
mod words;

use std::path::{Path, PathBuf};

use reticent_curate::trial::{Analysis, Release};
use serde::Serialize;

pub use checks::{Check, strata};
pub use document::{
    ArmCount, Document, EffectRow, Epoch, EpochCell, FORMAT, Planned, StratumRow, VERSION, noise,
};
pub use export::{TABLES, write_tables};
pub use flow::{Counted, Flow, FlowArm};
pub use sound::ReportFault;

use reticent_chart::page::Page;
use reticent_store::files::{self, FileError};

/// Where a report was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The document.
    pub json: PathBuf,
    /// The page.
    pub page: PathBuf,
    /// The release that both were made from.
    pub release: PathBuf,
}

/// What a release says, as a document. Where the noise came from is the release's to say; the seed of a
/// simulation is named beside it.
pub fn document(release: &Release, analysis: &Analysis, seed: Option<u64>) -> Document {
    Document::new(release, analysis, seed)
}

/// The document as a page.
pub fn page(document: &Document) -> Page {
    let plan = document.spec.draft();
    let mut page = Page::new(&plan.name, &words::headline(document), &words::noise(document));
    page.paragraph(&words::direction(document));
    for sentence in words::by_stratum(document) {
        page.paragraph(&sentence);
    }
    page.paragraph(&words::progress(document));
    page.section("What this report can tell about you");
    for paragraph in words::privacy(document) {
        page.paragraph(&paragraph);
    }
    flow::section(&mut page, document);
    effects::section(&mut page, document);
    checks::section(&mut page, document);
    allocation::section(&mut page, document);
    pareto::section(&mut page, document);
    page.section("What was assumed, and how to read this");
    for paragraph in words::reading(document) {
        page.paragraph(&paragraph);
    }
    again::section(&mut page, document);
    page
}

/// The effects alone, on a page of something larger.
pub fn show_effects(page: &mut Page, document: &Document) {
    effects::show(page, document);
}

/// What [`write()`] makes in its folder.
pub const FILES: [&str; 3] = ["report.json", "report.html", "release.json"];

/// Writes [`FILES`].
pub fn write(
    out: &Path,
    release: &Release,
    analysis: &Analysis,
    seed: Option<u64>,
) -> Result<Written, FileError> {
    let document = document(release, analysis, seed);
    let [json, page, release_file] = FILES.map(|name| out.join(name));
    write_document(&json, &page, &document)?;
    write_json(&release_file, release)?;
    Ok(Written { json, page, release: release_file })
}

/// Writes the document and its page.
pub fn write_document(json: &Path, page_file: &Path, document: &Document) -> Result<(), FileError> {
    write_json(json, document)?;
    files::write_whole(page_file, page(document).finish(&footer(document)).as_bytes())
}

fn write_json(path: &Path, document: &impl Serialize) -> Result<(), FileError> {
    let failed = |error: serde_json::Error| FileError::new("cannot write", path, error.into());
    let json = serde_json::to_string_pretty(document).map_err(failed)?;
    files::write_whole(path, (json + "\n").as_bytes())
}

/// The small print.
fn footer(document: &Document) -> String {
    format!(
        "Made by reticent {}. Noise: {}. Everything here is computed from the published tables; no further look at anybody's data was taken.",
        env!("CARGO_PKG_VERSION"),
        document.noise
    )
}

#[cfg(test)]
mod tests;
