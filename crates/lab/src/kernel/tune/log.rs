//! A log of actions, contexts and rewards, streamed: memory does not grow with it.

use std::path::Path;

use reticent_curate::kernel::{Records, Setting};

use super::TuneError;
use crate::columns::{self, Batch};
use crate::simulate::Progress;

/// A log in a file, read as a plan says.
#[derive(Debug, Clone, Copy)]
pub struct Log<'a> {
    path: &'a Path,
    setting: &'a Setting,
}

impl<'a> Log<'a> {
    /// The log at `path`: CSV, plain or compressed by gzip, or Parquet.
    pub fn new(path: &'a Path, setting: &'a Setting) -> Log<'a> {
        Log { path, setting }
    }

    /// Checks every cell and counts the rows.
    pub fn count(&self, progress: &dyn Progress) -> Result<u64, TuneError> {
        progress.begin("checking rows");
        self.read(progress, |_| Ok(()))
    }

    /// Gives all rows as records to `each`, scaled and clipped to the declared ranges. Returns how many there were.
    pub fn each(
        &self,
        rows: u64,
        progress: &dyn Progress,
        each: impl FnMut(&Records) -> Result<(), TuneError>,
    ) -> Result<u64, TuneError> {
        self.each_of(rows, progress, |_| true, each)
    }

    /// The same for rows of which the number, from 1, is among those to keep. Returns how many rows there were in all.
    pub(super) fn each_of(
        &self,
        rows: u64,
        progress: &dyn Progress,
        keep: impl Fn(u64) -> bool,
        mut each: impl FnMut(&Records) -> Result<(), TuneError>,
    ) -> Result<u64, TuneError> {
        progress.begin("adding up rows");
        progress.size(rows);
        self.read(progress, |batch| each(&self.records(batch, &keep)))
    }

    fn read(
        &self,
        progress: &dyn Progress,
        mut each: impl FnMut(&Batch) -> Result<(), TuneError>,
    ) -> Result<u64, TuneError> {
        let plan = self.setting.plan();
        let inputs = plan.actions.iter().chain(&plan.contexts).map(|input| input.column.as_str());
        let names: Vec<&str> = inputs.chain([plan.reward.column.as_str()]).collect();
        columns::read(self.path, &names, |batch| {
            if progress.stop() {
                return Err(TuneError::Interrupted);
            }
            each(batch)?;
            progress.served(batch.rows() as u64);
            Ok(())
        })
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
