//! Figures and tables of one family, each made by a function.

use super::{Csv, Options, ReproduceError, Section};
use reticent_chart::page::Page;
use reticent_jobs::Progress;

/// One figure or table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Item<R> {
    /// The name on the command line.
    pub(crate) id: &'static str,
    pub(crate) make: fn(&Stage<'_>) -> Result<Section<R>, ReproduceError>,
    /// What it reads from the folder of data sets, if anything.
    pub(crate) data: Option<&'static str>,
}

/// Where an item is made.
pub(crate) struct Stage<'a> {
    /// The item.
    pub(crate) id: &'static str,
    pub(crate) options: &'a Options,
    pub(crate) progress: &'a dyn Progress,
}

/// Runs the items, writes CSV, SVG and PNG for each, and adds their sections to the page. Those without their data are left out of several.
pub(crate) fn add<R: Csv>(
    page: &mut Page,
    items: &[Item<R>],
    options: &Options,
    progress: &dyn Progress,
) -> Result<(), ReproduceError> {
    for item in items {
        if let (Some(data), None, true) = (item.data, &options.data, items.len() > 1) {
            page.paragraph(&format!("{} is left out: it reads {data}, not part of this project. Name their folder with --data DIR.", item.id));
            continue;
        }
        let section = (item.make)(&Stage { id: item.id, options, progress })?;
        section.write(&options.out, item.id)?;
        section.show(page);
    }
    Ok(())
}
