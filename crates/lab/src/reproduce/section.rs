//! A finished figure or table: its files and its part of the page.

use std::path::Path;

use super::ReproduceError;
use reticent_chart::page::{Page, Table};
use reticent_chart::plot::{self, Chart};
use reticent_store::files;

/// Numbers that can be written as CSV, with a header.
pub(crate) trait Csv {
    /// The whole text.
    fn csv(&self) -> String;
}

impl Csv for String {
    fn csv(&self) -> String {
        self.clone()
    }
}

/// All that one figure or table gives.
#[derive(Debug, Default)]
pub(crate) struct Section<R> {
    pub(crate) title: &'static str,
    /// What it shows, and what the paper leaves open.
    pub(crate) captions: Vec<String>,
    pub(crate) panels: Vec<Panel>,
    /// Each with a sentence above it.
    pub(crate) tables: Vec<(String, Table)>,
    pub(crate) rows: R,
}

/// One chart of a figure.
#[derive(Debug)]
pub(crate) struct Panel {
    /// Follows the figure's name in file names: `a`, or nothing if it is the only one.
    pub(crate) suffix: String,
    pub(crate) chart: Chart,
}

const PNG_SCALE: f32 = 1.6;

impl<R: Csv> Section<R> {
    /// Writes CSV, SVG and PNG.
    pub(crate) fn write(&self, out: &Path, id: &str) -> Result<(), ReproduceError> {
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
    pub(crate) fn show(&self, page: &mut Page) {
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

/// On a page the section's headline is the chart's.
pub(crate) fn untitled(chart: Chart) -> Chart {
    Chart { title: String::new(), ..chart }
}
