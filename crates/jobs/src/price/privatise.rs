//! From a table of sales to a privatised log.

use std::io::Write;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use reticent_device::pricing::Device;
use reticent_privacy::{Epsilon, Generator, Guarantee, Ledger, NoiseRng, Provenance};
use reticent_protocol::pricing::Spec;
use reticent_protocol::pricing::log::{Header, LogError, LogWriter};
use reticent_schema::MAX_AXES;

use super::rows::Rows;
use super::{Market, PricingFileError};
use crate::Progress;
use crate::columns::{Batch, RowWatcher, TableFiles};
use reticent_store::accounts::Standing;
use reticent_store::files::{self, FileError};

/// How many batches may wait between the thread that reads and the one that privatises.
const WAITING: usize = 4;

/// How a table becomes a privatised log.
#[derive(Debug, Clone, Copy)]
pub struct Privatise<'a> {
    /// What the table's columns mean.
    pub market: &'a Market,
    /// The table.
    pub table: &'a TableFiles,
    /// The loss of each row's report.
    pub epsilon: Epsilon,
    /// About how many rows there are, if that is known: otherwise the table is read twice.
    pub records: Option<u64>,
    /// Whether rows outside the declared ranges are clipped instead of refused.
    pub clip: bool,
}

/// What was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Privatised {
    /// How many rows: as many reports.
    pub rows: u64,
    /// The log's length.
    pub bytes: u64,
    /// What the reports answer.
    pub spec: Spec,
    /// Where the noise came from.
    pub provenance: Provenance,
    /// Whether the log was made before, and copied: then nothing was spent.
    pub stored: bool,
    /// The account after it; none if nobody was charged.
    pub account: Option<Standing>,
}

impl Privatised {
    /// What each report promises: nothing if its noise came from a seed.
    pub fn guarantee(&self) -> Guarantee {
        self.spec.guarantee().made_with(self.provenance)
    }
}

/// Rows on their way to the device, column by column. Shows nothing.
struct Parcel {
    file: String,
    first_row: u64,
    columns: Vec<Vec<f64>>,
}

impl Privatise<'_> {
    /// Writes the log with noise from the operating system's entropy and charges nobody: for tables of nobody,
    /// in tests and benchmarks. People's rows are privatised by [`run_paid`](Privatise::run_paid). If anything
    /// is wrong there is no file.
    pub fn run(&self, out: &Path, progress: &dyn Progress) -> Result<Privatised, PricingFileError> {
        self.run_with(out, &mut NoiseRng::from_os()?, progress)
    }

    /// The same with a generator of the caller's: a seeded one is for simulations and protects nobody.
    pub fn run_with<G: Generator>(
        &self,
        out: &Path,
        noise: &mut G,
        progress: &dyn Progress,
    ) -> Result<Privatised, PricingFileError> {
        let (expected, spec) = self.prepare(None, progress)?;
        let rows = files::write_stream(out, |file| {
            self.draw((&spec, expected), noise, (file, out), None, progress)
        })?;
        let length = std::fs::metadata(out).map_err(|source| FileError::new("cannot read", out, source))?;
        let (bytes, provenance) = (length.len(), G::PROVENANCE);
        Ok(Privatised { rows, bytes, spec, provenance, stored: false, account: None })
    }

    /// How many rows to expect, and what to ask them.
    pub(super) fn prepare(
        &self,
        watcher: Option<&mut dyn RowWatcher>,
        progress: &dyn Progress,
    ) -> Result<(u64, Spec), PricingFileError> {
        if let Some(declared) = self.market.declared().map(Spec::epsilon).filter(|&loss| loss != self.epsilon)
        {
            return Err(PricingFileError::OtherLoss { declared, asked: self.epsilon });
        }
        let expected = self.expected(watcher, progress)?;
        let spec = match self.market.declared() {
            Some(declared) => declared.clone(),
            None => Spec::designed(self.market.terms().clone(), self.epsilon, expected)?,
        };
        Ok((expected, spec))
    }

    /// Draws every row's report into a file, which will be called `out`.
    pub(super) fn draw<G: Generator>(
        &self,
        (spec, expected): (&Spec, u64),
        noise: &mut G,
        (file, out): (&mut dyn Write, &Path),
        watcher: Option<&mut (dyn RowWatcher + Send)>,
        progress: &dyn Progress,
    ) -> Result<u64, PricingFileError> {
        progress.begin("privatising rows");
        progress.size(expected);
        let rows = self.stream(spec, noise, (file, out), watcher, progress)?;
        if self.records.is_none() && rows != expected {
            return Err(PricingFileError::Changed { file: self.table.name().into() });
        }
        Ok(rows)
    }

    fn rows(&self) -> Rows<'_> {
        Rows { table: self.table, market: self.market, clip: self.clip, once: self.records.is_some() }
    }

    /// How many rows to expect. Unless it was said, all rows are checked before the first is privatised.
    fn expected(
        &self,
        watcher: Option<&mut dyn RowWatcher>,
        progress: &dyn Progress,
    ) -> Result<u64, PricingFileError> {
        match self.records {
            Some(0) => Err(PricingFileError::NoRecords),
            Some(records) => Ok(records),
            None => {
                progress.begin("checking rows");
                self.rows().read(watcher, progress, |batch| {
                    progress.served(batch.rows() as u64);
                    Ok(())
                })
            }
        }
    }

    /// One thread reads, this one privatises and writes.
    fn stream<G: Generator>(
        &self,
        spec: &Spec,
        noise: &mut G,
        (file, out): (&mut dyn Write, &Path),
        watcher: Option<&mut (dyn RowWatcher + Send)>,
        progress: &dyn Progress,
    ) -> Result<u64, PricingFileError> {
        let failed = |fault| log_failed(out, fault);
        let header = Header::new(spec, G::PROVENANCE);
        // Of an experiment that was declared: a spec that was made for the table has no document of its own.
        let header = match self.market.declared() {
            Some(declared) => header.of_experiment(&declared.digest().to_string()).map_err(failed)?,
            None => header,
        };
        let mut log = LogWriter::with_header(file, &header).map_err(failed)?;
        std::thread::scope(|scope| {
            let (sender, receiver) = sync_channel(WAITING);
            let rows = self.rows();
            let reader = scope.spawn(move || {
                let watcher = watcher.map(|watcher| watcher as &mut dyn RowWatcher);
                rows.read(watcher, progress, |batch| send(&sender, batch))
            });
            let written = self.privatise(spec, noise, &receiver, &mut log, out, progress);
            // A reader that waits must hear that nobody listens any more.
            drop(receiver);
            let read = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            written?;
            read
        })?;
        log.finish().map_err(failed)
    }

    fn privatise<G: Generator>(
        &self,
        spec: &Spec,
        noise: &mut G,
        parcels: &Receiver<Parcel>,
        log: &mut LogWriter<&mut dyn Write>,
        out: &Path,
        progress: &dyn Progress,
    ) -> Result<(), PricingFileError> {
        // Each person gives one report, and has the budget of one.
        let lifetime = self.epsilon;
        let mut device = Device::with_noise(spec, Ledger::new(lifetime), noise);
        let mut point = [0.0; MAX_AXES];
        for Parcel { file, first_row, columns } in parcels {
            let [contexts @ .., prices, outcomes] = columns.as_slice() else { continue };
            let point = &mut point[..contexts.len()];
            for (row, (&price, &outcome)) in prices.iter().zip(outcomes).enumerate() {
                for (x, column) in point.iter_mut().zip(contexts) {
                    *x = column[row];
                }
                // Each row is a person of its own.
                device.next_person(lifetime);
                let record = device.record_placed(point, price);
                let report = record.and_then(|record| device.answer(record, outcome)).map_err(|fault| {
                    PricingFileError::Device { file: file.clone(), row: first_row + row as u64, fault }
                })?;
                let report = spec.received(&report).map_err(|_| log_failed(out, LogError::Report))?;
                log.push(report).map_err(|fault| log_failed(out, fault))?;
            }
            progress.served(prices.len() as u64);
        }
        Ok(())
    }
}

/// If nobody listens, the other thread has failed and says why.
fn send(sender: &SyncSender<Parcel>, batch: &Batch) -> Result<(), PricingFileError> {
    let columns = (0..batch.width()).map(|place| batch.column(place).to_vec()).collect();
    let parcel = Parcel { file: batch.file().into(), first_row: batch.row_in_file(0), columns };
    sender.send(parcel).map_err(|_| PricingFileError::Interrupted)
}

fn log_failed(out: &Path, fault: LogError) -> PricingFileError {
    match fault {
        LogError::Io(source) => FileError::new("cannot write", out, source).into(),
        fault => PricingFileError::Log { file: out.display().to_string(), fault },
    }
}
