//! Logs, counted, with what each of them promises.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use reticent_learn::pricing::Tally;
use reticent_privacy::Guarantee;
use reticent_protocol::pricing::log::LogReader;
use serde::Serialize;

use super::PolicyFileError;
use crate::Progress;
use crate::price::{PricingFileError, count};
use reticent_store::files::FileError;

/// A log that something was learned from.
#[derive(Debug, Clone, Serialize)]
pub struct Source {
    /// Its name.
    pub file: PathBuf,
    /// What each of its reports promises: nothing, if their noise came from a seed.
    pub guarantee: Guarantee,
}

/// Counts the logs. Their tallies come in an order that does not depend on that of the files: the same
/// reports give the same policy to the last bit.
pub(super) fn counted(
    logs: &[&Path],
    progress: &dyn Progress,
) -> Result<(Vec<Source>, Vec<Tally>), PolicyFileError> {
    let tallies = count(logs, progress)?;
    let mut keyed = Vec::new();
    for tally in tallies {
        let key = serde_json::to_string(tally.spec()).map_err(|error| PolicyFileError::Damaged {
            file: "the log's spec".into(),
            message: error.to_string(),
        })?;
        keyed.push((key, tally));
    }
    keyed.sort_by(|a, b| a.0.cmp(&b.0));
    let sources = logs.iter().map(|log| source(log)).collect::<Result<Vec<Source>, _>>()?;
    Ok((sources, keyed.into_iter().map(|(_, tally)| tally).collect()))
}

fn source(path: &Path) -> Result<Source, PolicyFileError> {
    let file = File::open(path).map_err(|source| FileError::new("cannot read", path, source))?;
    let log = LogReader::open(BufReader::new(file))
        .map_err(|fault| PricingFileError::Log { file: path.display().to_string(), fault })?;
    Ok(Source { file: path.to_path_buf(), guarantee: log.guarantee() })
}
