//! The report of a trial: one versioned document for programs, and one page for people. Both are made from
//! what was published alone.

mod allocation;
mod attrition;
mod digits;
mod document;
mod effects;
mod pareto;
mod words;

use std::path::{Path, PathBuf};

use reticent_curate::trial::{Analysis, Release};

pub use document::{ArmCount, Document, EffectRow, Epoch, EpochCell, FORMAT, Planned, StratumRow, VERSION};

use reticent_chart::page::Page;
use reticent_store::files::{self, FileError};

/// Where a report was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The document.
    pub json: PathBuf,
    /// The page.
    pub page: PathBuf,
}

/// What a release says, as a document. `mark` says where the noise came from.
pub fn document(release: &Release, analysis: &Analysis, mark: &str) -> Document {
    Document::new(release, analysis, mark)
}

/// The document as a page.
pub fn page(document: &Document) -> Page {
    let plan = document.spec.draft();
    let mut page = Page::new(&plan.name, &words::headline(document), &words::noise(document));
    for sentence in words::by_stratum(document) {
        page.paragraph(&sentence);
    }
    page.paragraph(&words::progress(document));
    page.section("What this report can tell about you");
    for paragraph in words::privacy(document) {
        page.paragraph(&paragraph);
    }
    effects::section(&mut page, document);
    allocation::section(&mut page, document);
    attrition::section(&mut page, document);
    pareto::section(&mut page, document);
    page.section("What was assumed, and how to read this");
    for paragraph in words::reading(document) {
        page.paragraph(&paragraph);
    }
    page
}

/// The effects alone, on a page of something larger.
pub fn show_effects(page: &mut Page, document: &Document) {
    effects::show(page, document);
}

/// Writes `report.json` and `report.html`.
pub fn write(out: &Path, release: &Release, analysis: &Analysis, mark: &str) -> Result<Written, FileError> {
    let document = document(release, analysis, mark);
    let written = Written { json: out.join("report.json"), page: out.join("report.html") };
    let json = serde_json::to_string_pretty(&document)
        .map_err(|e| FileError::new("cannot write", &written.json, e.into()))?;
    files::write_whole(&written.json, (json + "\n").as_bytes())?;
    files::write_whole(&written.page, page(&document).finish(&footer(mark)).as_bytes())?;
    Ok(written)
}

/// The small print.
pub fn footer(mark: &str) -> String {
    format!(
        "Made by reticent {}. Noise: {mark}. Everything here is computed from the published tables; no further look at anybody's data was taken.",
        env!("CARGO_PKG_VERSION")
    )
}

#[cfg(test)]
mod tests;
