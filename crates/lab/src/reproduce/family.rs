//! The figures and tables of one paper.

use reticent_chart::page::Page;
use reticent_jobs::Progress;

use super::{Csv, Options, ReproduceError, Section};
use crate::runner::{Numbered, Store, StoreKey};

/// One figure or table, made by a function.
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

impl Stage<'_> {
    /// Kept trials are under `out/trials`, where a rerun finds them.
    pub(crate) fn store<T: Numbered>(&self, key: &impl StoreKey) -> Result<Store<T>, ReproduceError> {
        Ok(if self.options.keep_trials {
            Store::open(&self.options.out.join("trials"), key)?
        } else {
            Store::in_memory()
        })
    }
}

/// All items of one paper, and the words around them.
#[derive(Debug)]
pub(crate) struct Family<R: 'static> {
    pub(crate) items: &'static [Item<R>],
    /// Stands for all of them.
    pub(crate) all: &'static str,
    /// The headline of a page that has nothing else.
    pub(crate) title: &'static str,
    /// The sentence below it.
    pub(crate) lead: &'static str,
    pub(crate) introduction: &'static [&'static str],
    /// What a quick look leaves out.
    pub(crate) quick: &'static str,
}

/// An item's name, and what it reads from the folder of data sets.
pub(crate) type Named = (&'static str, Option<&'static str>);

/// What comes of adding figures to a page.
pub(crate) type Added = Result<(), ReproduceError>;

/// A paper's items, whatever they are made of.
pub(crate) trait Figures {
    /// Their names, and what each reads from the folder of data sets.
    fn items(&self) -> Vec<Named>;
    /// Stands for all of them.
    fn all(&self) -> &'static str;
    /// Headline and the sentence below it.
    fn words(&self) -> (&'static str, &'static str);
    /// Runs the items of these names, writes CSV, SVG and PNG for each, and adds their sections to the page.
    /// Those without their data are left out of several.
    fn add(&self, page: &mut Page, wanted: &[&str], options: &Options, progress: &dyn Progress) -> Added;
}

impl<R: Csv> Figures for Family<R> {
    fn items(&self) -> Vec<Named> {
        self.items.iter().map(|item| (item.id, item.data)).collect()
    }

    fn all(&self) -> &'static str {
        self.all
    }

    fn words(&self) -> (&'static str, &'static str) {
        (self.title, self.lead)
    }

    fn add(&self, page: &mut Page, wanted: &[&str], options: &Options, progress: &dyn Progress) -> Added {
        for text in self.introduction.iter().copied().chain(options.quick.then_some(self.quick)) {
            page.paragraph(text);
        }
        for item in self.items.iter().filter(|item| wanted.contains(&item.id)) {
            if let (Some(data), None, true) = (item.data, &options.data, wanted.len() > 1) {
                page.paragraph(&format!(
                    "{} is left out: it reads {data}, not part of this project. Name their folder with --data DIR.",
                    item.id
                ));
                continue;
            }
            let section = (item.make)(&Stage { id: item.id, options, progress })?;
            section.write(&options.out, item.id)?;
            section.show(page);
        }
        Ok(())
    }
}
