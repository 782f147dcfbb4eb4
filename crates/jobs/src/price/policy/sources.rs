//! Logs, counted, with what each of them promises.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use reticent_learn::pricing::Tally;
use reticent_privacy::Guarantee;
use reticent_protocol::pricing::log::LogReader;
use serde::{Deserialize, Serialize};

use super::PolicyFileError;
use crate::Progress;
use crate::price::PricingFileError;
use crate::price::count::count_marked;
use reticent_store::files::FileError;

/// A log that something was learned from.
#[derive(Debug, Clone, Serialize)]
pub struct Source {
    /// Its name.
    pub file: PathBuf,
    /// What each of its reports promises: nothing, if their noise came from a seed.
    pub guarantee: Guarantee,
    /// What it is known again by.
    #[serde(flatten)]
    pub mark: LogMark,
}

/// What a log is known again by, whatever its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogMark {
    /// The checksum of the whole file, as it stands at its end.
    pub checksum: String,
    /// How many reports it holds.
    pub reports: u64,
    /// The digest of the experiment that it was made for, if it is of one.
    pub experiment: Option<String>,
}

/// Counts the logs. Their tallies come in an order that does not depend on that of the files: the same
/// reports give the same policy to the last bit.
pub(super) fn counted(
    logs: &[&Path],
    progress: &dyn Progress,
) -> Result<(Vec<Source>, Vec<Tally>), PolicyFileError> {
    let (tallies, marks) = count_marked(logs, progress)?;
    let mut keyed = Vec::new();
    for tally in tallies {
        let key = serde_json::to_string(tally.spec()).map_err(|error| PolicyFileError::Damaged {
            file: "the log's spec".into(),
            message: error.to_string(),
        })?;
        keyed.push((key, tally));
    }
    keyed.sort_by(|a, b| a.0.cmp(&b.0));
    let sources = logs.iter().zip(marks).map(|(log, mark)| source(log, mark));
    let sources = sources.collect::<Result<Vec<Source>, _>>()?;
    Ok((sources, keyed.into_iter().map(|(_, tally)| tally).collect()))
}

fn source(path: &Path, (checksum, reports): (u32, u64)) -> Result<Source, PolicyFileError> {
    let file = File::open(path).map_err(|source| FileError::new("cannot read", path, source))?;
    let log = LogReader::open(BufReader::new(file))
        .map_err(|fault| PricingFileError::Log { file: path.display().to_string(), fault })?;
    let experiment = log.header().experiment().map(String::from);
    let mark = LogMark { checksum: format!("{checksum:08x}"), reports, experiment };
    Ok(Source { file: path.to_path_buf(), guarantee: log.guarantee(), mark })
}
