//! A log of actions, contexts and rewards, streamed: memory does not grow with it.

use reticent_curate::kernel::{Input, KernelSpec, Records};
use reticent_store::Fingerprint;
use reticent_store::accounts::{Key, Sighting};

use super::TuneError;
use crate::Progress;
use crate::account::RowMarks;
use crate::columns::{self, Batch, FormatError, Layout, RawTable, Reading, RowWatcher, TableFormat, Wanted};

/// What a log was when it was read, to know it again. The mark depends on people: it stays with the curator,
/// in the log's account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// How many rows there were.
    pub rows: u64,
    /// A mark of all cells in their order.
    pub mark: u64,
}

/// How a log is read: actions, contexts, reward. What lies outside its range is clipped by who adds it up.
pub fn layout(setting: &KernelSpec, format: &TableFormat) -> Result<Layout, FormatError> {
    let plan = setting.draft();
    let inputs = plan.actions.iter().chain(&plan.contexts).map(wanted);
    let reward = Wanted::range(&plan.reward.column, plan.reward.low, plan.reward.high, true);
    Layout::new(format, &inputs.chain([reward]).collect::<Vec<_>>())
}

pub(super) fn wanted(input: &Input) -> Wanted {
    match &input.levels {
        Some(levels) => Wanted::levels(&input.column, levels),
        None => Wanted::range(&input.column, input.low, input.high, true),
    }
}

/// A log in a file, read as a plan says.
#[derive(Debug, Clone, Copy)]
pub struct Log<'a> {
    table: &'a RawTable,
    setting: &'a KernelSpec,
}

impl<'a> Log<'a> {
    /// The log in this table.
    pub fn new(table: &'a RawTable, setting: &'a KernelSpec) -> Log<'a> {
        Log { table, setting }
    }

    /// Checks every cell and counts the rows.
    pub fn count(&self, progress: &dyn Progress) -> Result<Counted, TuneError> {
        progress.begin("checking rows");
        self.read(None, progress, |_| Ok(()))
    }

    /// The same, and looks at the rows to know them again.
    pub fn look(&self, key: &Key, progress: &dyn Progress) -> Result<(Counted, Sighting), TuneError> {
        progress.begin("checking rows");
        let layout = layout(self.setting, &self.table.format)?;
        let mut marks = RowMarks::new(key, layout.names());
        let counted = self.read(Some(&mut marks), progress, |_| Ok(()))?;
        Ok((counted, marks.finish(self.table.files.name()).0))
    }

    /// Gives all rows as records to `each`, scaled and clipped to the declared ranges. Returns what there was.
    pub fn each(
        &self,
        rows: u64,
        progress: &dyn Progress,
        each: impl FnMut(&Records) -> Result<(), TuneError>,
    ) -> Result<Counted, TuneError> {
        self.each_of(rows, progress, |_| true, each)
    }

    /// The same for rows of which the number, from 1, is among those to keep. Returns what there was in all.
    pub(super) fn each_of(
        &self,
        rows: u64,
        progress: &dyn Progress,
        keep: impl Fn(u64) -> bool,
        mut each: impl FnMut(&Records) -> Result<(), TuneError>,
    ) -> Result<Counted, TuneError> {
        progress.begin("adding up rows");
        progress.size(rows);
        self.read(None, progress, |batch| each(&self.records(batch, &keep)))
    }

    fn read(
        &self,
        watcher: Option<&mut dyn RowWatcher>,
        progress: &dyn Progress,
        mut each: impl FnMut(&Batch) -> Result<(), TuneError>,
    ) -> Result<Counted, TuneError> {
        let layout = layout(self.setting, &self.table.format)?;
        let mut mark = Fingerprint::default();
        let reading = Reading { watcher, once: false };
        let rows = columns::read_with(&self.table.files, &layout, reading, |batch| {
            if progress.stop() {
                return Err(TuneError::Interrupted);
            }
            each(batch)?;
            for row in 0..batch.rows() {
                for column in 0..batch.width() {
                    mark.add_word(batch.column(column)[row].to_bits());
                }
            }
            progress.served(batch.rows() as u64);
            Ok(())
        })?;
        Ok(Counted { rows, mark: mark.value() })
    }

    fn records(&self, batch: &Batch, keep: impl Fn(u64) -> bool) -> Records {
        let inputs = self.setting.inputs();
        let mut records = Records::new(inputs);
        let mut point = vec![0.0; inputs];
        for row in (0..batch.rows()).filter(|&row| keep(batch.first_row() + row as u64)) {
            for (input, place) in point.iter_mut().enumerate() {
                *place = self.setting.scaled(input, batch.column(input)[row]);
            }
            records.push(&point, self.setting.scaled_reward(batch.column(inputs)[row]));
        }
        records
    }
}
