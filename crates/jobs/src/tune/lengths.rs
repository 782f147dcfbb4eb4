//! Where length scales come from, if not from the plan: public people, or a pilot on some of the log's own.

use reticent_curate::kernel::{KernelSpec, Records, lengths_of_public};

use super::{Log, TuneError};
use crate::Progress;
use crate::columns::RawTable;

/// More public rows than this are not read: lengths are learned from a few hundred.
const MOST_PUBLIC: usize = 100_000;

/// The plan with the length scales that make a public log most likely. Its people are not protected, so they
/// must not be those of the log.
pub fn public_lengths(
    setting: &KernelSpec,
    sample: &RawTable,
    progress: &dyn Progress,
) -> Result<KernelSpec, TuneError> {
    let mut all = Records::new(setting.inputs());
    let log = Log::new(sample, setting);
    let rows = log.count(progress)?.rows;
    log.each(rows, progress, |records| {
        for number in 0..records.len().min(MOST_PUBLIC - all.len()) {
            all.push(&records.points().point(number), records.rewards()[number]);
        }
        Ok(())
    })?;
    Ok(lengths_of_public(setting, &all)?)
}

/// Which of a log's people are in its pilot: every n-th row, whoever that is. Each person is in the pilot or
/// in the release, so both together cost each of them what one costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pilot {
    every: u64,
}

impl Pilot {
    /// Every n-th row, from every second to every hundredth.
    pub fn new(every: u64) -> Result<Pilot, TuneError> {
        if (2..=100).contains(&every) {
            Ok(Pilot { every })
        } else {
            Err(TuneError::Asked { flag: "--pilot", fault: "give a number from 2 to 100, such as 5".into() })
        }
    }

    pub(super) fn holds(self, row: u64) -> bool {
        row.is_multiple_of(self.every)
    }

    /// How many of so many people are in it.
    pub(super) fn people(self, all: u64) -> u64 {
        all / self.every
    }

    pub(super) fn every(self) -> u64 {
        self.every
    }
}
