//! Privatising a table under its account.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;

use reticent_privacy::{Generator, Loss, NoiseRng};
use reticent_protocol::pricing::Spec;
use reticent_store::accounts::{AccountsError, Key, Sighting, Standing};
use reticent_store::files::{self, FileError};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{PricingFileError, Privatise, Privatised};
use crate::Progress;
use crate::account::{Asked, Purse, Question, RowMarks, Settled, whole_name, written};
use crate::columns::RowWatcher;

/// A log that was paid for: the book names its file, which must be as it was written.
#[derive(Serialize, Deserialize)]
struct Kept {
    file: String,
    rows: u64,
    bytes: u64,
    mark: String,
}

impl Privatise<'_> {
    /// Writes the log and charges everyone in the table for it; or copies the log that the same table, market
    /// and loss gave before, which costs nothing.
    ///
    /// The reports are drawn into a file without a name, which an interruption or a crash takes with it: nobody
    /// saw them. Then they are paid for, and only then they get their name.
    pub fn run_paid(
        &self,
        out: &Path,
        purse: &Purse,
        progress: &dyn Progress,
    ) -> Result<Privatised, PricingFileError> {
        let mut marks = RowMarks::new(purse.accounts.key(), self.market.columns());
        let checks_first = self.records.is_none();
        let early = checks_first.then_some(&mut marks as &mut dyn RowWatcher);
        let (expected, spec) = self.prepare(early, progress)?;
        let job = Job { privatise: self, out, purse, spec: &spec };
        let mut noise = NoiseRng::from_os()?;
        let mut drawn = BufWriter::new(files::unnamed_beside(out)?);
        let mut draw = |watcher: Option<&mut (dyn RowWatcher + Send)>| {
            let rows = self.draw((&spec, expected), &mut noise, (&mut drawn, out), watcher, progress)?;
            drawn.flush().map_err(|source| FileError::new("cannot write", out, source))?;
            Ok::<_, PricingFileError>(rows)
        };
        let name = self.table.name();
        if checks_first {
            let seen = marks.finish(name).0;
            let text = job.question(&seen);
            let mut asked = job.asked(&seen, &text);
            if let Some(done) = job.given_before(&mut asked)? {
                return Ok(done);
            }
            let rows = draw(None)?;
            job.publish(&asked, rows, drawn.get_mut())
        } else {
            let rows = draw(Some(&mut marks))?;
            let seen = marks.finish(name).0;
            let text = job.question(&seen);
            let mut asked = job.asked(&seen, &text);
            match job.given_before(&mut asked)? {
                Some(done) => Ok(done),
                None => job.publish(&asked, rows, drawn.get_mut()),
            }
        }
    }
}

/// One table on its way to a log.
struct Job<'a> {
    privatise: &'a Privatise<'a>,
    out: &'a Path,
    purse: &'a Purse<'a>,
    spec: &'a Spec,
}

impl Job<'_> {
    fn key(&self) -> &Key {
        self.purse.accounts.key()
    }

    fn question(&self, seen: &Sighting) -> String {
        let (clip, table) = (self.privatise.clip, written(self.privatise.market.table()));
        json!({
            "what": "privatised log", "spec": self.spec, "clip": clip, "table": table, "mark": seen.mark(),
        })
        .to_string()
    }

    fn asked<'q>(&self, seen: &'q Sighting, text: &'q str) -> Asked<'q> {
        let loss = Loss::Pure { epsilon: self.privatise.epsilon };
        Asked::new(Question { seen, text, loss, what: "price privatise", before: None, state: None })
    }

    /// The log that was made before, copied. One that is gone or changed has to be made again.
    fn given_before(&self, asked: &mut Asked) -> Result<Option<Privatised>, PricingFileError> {
        let Some(paid) = self.purse.look_up(asked)? else { return Ok(None) };
        if let Some(done) = self.copied(&paid.text, paid.standing)? {
            return Ok(Some(done));
        }
        asked.fresh = true;
        self.purse.look_up(asked)?;
        Ok(None)
    }

    fn copied(&self, text: &str, account: Standing) -> Result<Option<Privatised>, PricingFileError> {
        let Ok(kept) = serde_json::from_str::<Kept>(text) else { return Ok(None) };
        // A pipe or a device keeps nothing, and reading one may never end.
        if !std::fs::metadata(&kept.file).is_ok_and(|found| found.is_file()) {
            return Ok(None);
        }
        let Ok(mut log) = File::open(&kept.file) else { return Ok(None) };
        if self.key().digest(&mut log).ok().as_ref() != Some(&kept.mark) || log.rewind().is_err() {
            return Ok(None);
        }
        self.write(&mut log)?;
        Ok(Some(self.done(&kept, true, account)))
    }

    /// Pays for what was drawn and gives it its name.
    fn publish(&self, asked: &Asked, rows: u64, drawn: &mut File) -> Result<Privatised, PricingFileError> {
        let kept =
            self.kept(rows, drawn).map_err(|source| FileError::new("cannot read", self.out, source))?;
        let receipt = match self.purse.pay(asked)? {
            Settled::Paid(receipt) => receipt,
            Settled::Stored(paid) => {
                let file = self.privatise.table.name().into();
                return self.copied(&paid.text, paid.standing)?.ok_or(PricingFileError::Changed { file });
            }
        };
        let paid = receipt.settle(Ok::<_, PricingFileError>(json!(kept).to_string()))?;
        self.write(drawn).map_err(|fault| AccountsError::lost(&paid.standing, Box::new(fault)))?;
        Ok(self.done(&kept, false, paid.standing))
    }

    /// What the book says of the log that was drawn.
    fn kept(&self, rows: u64, drawn: &mut File) -> io::Result<Kept> {
        drawn.rewind()?;
        let mark = self.key().digest(drawn)?;
        let bytes = drawn.stream_position()?;
        drawn.rewind()?;
        Ok(Kept { file: whole_name(self.out), rows, bytes, mark })
    }

    fn write(&self, log: &mut File) -> Result<u64, PricingFileError> {
        files::write_stream(self.out, |file| {
            io::copy(log, file).map_err(|source| FileError::new("cannot write", self.out, source).into())
        })
    }

    fn done(&self, kept: &Kept, stored: bool, account: Standing) -> Privatised {
        let (rows, bytes, spec) = (kept.rows, kept.bytes, self.spec.clone());
        let provenance = NoiseRng::PROVENANCE;
        Privatised { rows, bytes, spec, provenance, stored, account: Some(account) }
    }
}
