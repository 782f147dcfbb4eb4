//! A finished figure: its files and its part of the page.

use std::path::Path;

use super::rows::Rows;
use crate::files;
use crate::page::{Page, Table, number};
use crate::plot::{self, Chart, Series};
use crate::reproduce::{ReproduceError, untitled};
use crate::stats::Summary;

/// All that one figure or table gives.
#[derive(Debug, Default)]
pub(super) struct Section {
    pub(super) title: &'static str,
    /// What it shows, and what the paper leaves open.
    pub(super) captions: Vec<String>,
    pub(super) panels: Vec<Panel>,
    /// Each with a sentence above it.
    pub(super) tables: Vec<(String, Table)>,
    pub(super) rows: Rows,
}

/// One chart of a figure.
#[derive(Debug)]
pub(super) struct Panel {
    /// Follows the figure's name in file names: `a`, or nothing if it is the only one.
    pub(super) suffix: String,
    pub(super) chart: Chart,
}

const PNG_SCALE: f32 = 1.6;

impl Section {
    /// Writes CSV, SVG and PNG.
    pub(super) fn write(&self, out: &Path, id: &str) -> Result<(), ReproduceError> {
        files::write_whole(&out.join(format!("{id}.csv")), self.rows.csv().as_bytes())?;
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

/// A line with its band. Neither regret nor reward is ever negative, whatever Student's interval of few trials says.
pub(super) fn line(name: impl Into<String>, points: &[(f64, Summary)]) -> Series {
    let means = points.iter().map(|(x, summary)| (*x, summary.mean)).collect();
    let band = |s: &Summary| s.ci95.map_or((s.mean, s.mean), |[low, high]| (low.max(0.0), high));
    Series::measured(name, means).with_band(points.iter().map(|(_, s)| band(s)).collect())
}

/// A mean with half its interval's width.
pub(super) fn plus_minus(summary: Summary) -> String {
    match summary.ci95 {
        Some([low, high]) => format!("{} ± {}", number(summary.mean), number((high - low) / 2.0)),
        None => number(summary.mean),
    }
}

/// A number of people: whole even if small.
pub(super) fn count(people: u64) -> String {
    if people < 100 { people.to_string() } else { number(people as f64) }
}

/// Cells as a table's row.
pub(super) fn cells(row: &[&str]) -> Vec<String> {
    row.iter().map(ToString::to_string).collect()
}
