//! From privatised logs to counts.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use reticent_learn::pricing::{Tally, TallyError};
use reticent_protocol::pricing::log::{LogError, LogReader};

use super::PricingFileError;
use crate::Progress;
use reticent_store::files::FileError;

/// How much of a log is read at once: a few blocks.
const BUFFER: usize = 1 << 20;

/// A log that was counted, to know it again.
struct Seen<'a> {
    path: &'a Path,
    checksum: u32,
    tally: usize,
}

/// Counts the reports of privatised logs: one tally for those that answer the same questions. All must be of
/// one market, and each is given once.
pub fn count(logs: &[&Path], progress: &dyn Progress) -> Result<Vec<Tally>, PricingFileError> {
    Ok(count_marked(logs, progress)?.0)
}

/// Tallies, and for each log its checksum and how many reports it has.
type Marked = (Vec<Tally>, Vec<(u32, u64)>);

/// The same, with what each log is known again by.
pub(super) fn count_marked(logs: &[&Path], progress: &dyn Progress) -> Result<Marked, PricingFileError> {
    progress.begin("counting reports");
    progress.size(logs.iter().filter_map(|log| std::fs::metadata(log).ok()).map(|log| log.len()).sum());
    let mut tallies: Vec<Tally> = Vec::new();
    let mut seen: Vec<Seen> = Vec::new();
    let mut marks = Vec::new();
    for &path in logs {
        let (tally, checksum) = one(path, progress)?;
        marks.push((checksum, tally.reports()));
        if let Some(first) = seen.iter().find(|first| first.checksum == checksum && tally.reports() > 0) {
            return Err(PricingFileError::Twice { first: name(first.path), second: name(path) });
        }
        if let Some(first) =
            seen.first().filter(|first| tallies[first.tally].spec().terms() != tally.spec().terms())
        {
            return Err(PricingFileError::Terms { first: name(first.path), second: name(path) });
        }
        let same = tallies.iter().position(|other| other.spec() == tally.spec());
        match same {
            Some(place) => {
                let merged = tallies[place].merge(&tally);
                merged.map_err(|fault| PricingFileError::Tally { file: name(path), fault })?;
            }
            None => tallies.push(tally),
        }
        seen.push(Seen { path, checksum, tally: same.unwrap_or(tallies.len() - 1) });
    }
    Ok((tallies, marks))
}

/// The counts of a log, and its checksum.
fn one(path: &Path, progress: &dyn Progress) -> Result<(Tally, u32), PricingFileError> {
    let failed = |fault| failed(path, fault);
    let file = File::open(path).map_err(|source| FileError::new("cannot read", path, source))?;
    let mut log = LogReader::open(BufReader::with_capacity(BUFFER, file)).map_err(failed)?;
    let mut tally = Tally::new(log.spec());
    let mut counted = Ok(());
    while let Some(payload) = log.next_payload().map_err(failed)? {
        if progress.stop() {
            return Err(PricingFileError::Interrupted);
        }
        progress.served(payload.len() as u64);
        counted = tally.add_payload(payload);
        if counted.is_err() {
            break;
        }
    }
    match counted {
        Ok(()) => Ok((tally, log.checksum())),
        Err(TallyError::Report) => Err(failed(LogError::Code(log.block()))),
        Err(fault) => Err(PricingFileError::Tally { file: name(path), fault }),
    }
}

fn failed(path: &Path, fault: LogError) -> PricingFileError {
    match fault {
        LogError::Io(source) => FileError::new("cannot read", path, source).into(),
        fault => PricingFileError::Log { file: name(path), fault },
    }
}

fn name(path: &Path) -> String {
    path.display().to_string()
}
