//! A finished item: its files and its part of the page.

use std::path::Path;

use crate::files;
use crate::page::{Page, Table};
use crate::plot::{self, Chart};
use crate::reproduce::{ReproduceError, untitled};

/// All that one figure or table gives.
#[derive(Debug, Default)]
pub(super) struct Section {
    pub(super) title: &'static str,
    /// What it shows, and what the paper leaves open.
    pub(super) captions: Vec<String>,
    pub(super) panels: Vec<Panel>,
    /// Each with a sentence above it.
    pub(super) tables: Vec<(String, Table)>,
    pub(super) csv: String,
}

/// One chart.
#[derive(Debug)]
pub(super) struct Panel {
    /// Follows the item's name in file names.
    pub(super) suffix: &'static str,
    pub(super) chart: Chart,
}

const PNG_SCALE: f32 = 1.6;

impl Section {
    /// Writes CSV, SVG and PNG.
    pub(super) fn write(&self, out: &Path, id: &str) -> Result<(), ReproduceError> {
        files::write_whole(&out.join(format!("{id}.csv")), self.csv.as_bytes())?;
        for panel in &self.panels {
            let svg = panel.chart.svg();
            let path = |extension| out.join(format!("{id}{}.{extension}", panel.suffix));
            files::write_whole(&path("svg"), svg.as_bytes())?;
            files::write_whole(&path("png"), &plot::png(&svg, PNG_SCALE)?)?;
        }
        Ok(())
    }

    /// Adds itself to a page.
    pub(super) fn show(&self, page: &mut Page) {
        page.section(self.title);
        for caption in &self.captions {
            page.paragraph(caption);
        }
        for Panel { chart, .. } in &self.panels {
            // The section's headline is a lone chart's title.
            let alone = self.panels.len() == 1;
            page.chart(&if alone { untitled(chart.clone()) } else { chart.clone() }.svg());
        }
        for (heading, table) in &self.tables {
            page.paragraph(heading);
            page.table(table);
        }
    }
}

/// Two or three digits that count, for numbers far below one.
pub(super) fn small(value: f64) -> String {
    match value {
        v if !v.is_finite() => "–".to_string(),
        v if v >= 1.0 => format!("{v:.2}"),
        v if v >= 0.01 => format!("{v:.3}"),
        v if v >= 0.0001 => format!("{v:.5}"),
        v => format!("{v:.1e}"),
    }
}
