//! Whether a published file is what it says it is: its version, that its parts fit together, and that what it
//! promises is what its contents can promise. It needs the file alone.
//!
//! A check finds accidents and untrue claims of honest programs. Who can write a file can write one that
//! passes: a signature is for who distributes it.

mod error;
mod kinds;
#[cfg(test)]
mod tests;

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use reticent_privacy::Guarantee;
use reticent_protocol::pricing::log::MAGIC;
use reticent_schema::Digest;
use serde::Serialize;
use serde_json::Value;

pub use error::CheckError;
use reticent_store::files::FileError;

/// What is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Kind {
    /// Of `tune fit`.
    ReleasedFunction,
    /// Of `tune fit --once`.
    ChosenAction,
    /// Of `price privatise`.
    PrivatisedLog,
    /// Of `price fit`.
    PricePolicy,
    /// Of `trial`: the published tables.
    TrialRelease,
    /// Of `trial`: what they say.
    TrialReport,
    /// Of `trial`: the records themselves, which are not published.
    TrialJournal,
    /// Of `tune fit` with a method that only compares. Who knows such methods reads them.
    ComparedActions,
}

/// A number that anybody may know: of people, reports, tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// Of what.
    pub name: &'static str,
    /// How many.
    pub number: u64,
}

/// A sound file in short.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Checked {
    /// What it is.
    pub kind: Kind,
    /// The version of its format.
    pub version: u32,
    /// What it was made for.
    pub about: String,
    /// What it promises, and where its noise came from.
    pub guarantee: Guarantee,
    /// Its numbers.
    pub counts: Vec<Count>,
    /// What else its owner should know.
    pub notes: Vec<String>,
    /// The digest of the experiment that it is of, if it names one.
    pub experiment: Option<String>,
}

impl Checked {
    /// Whether the file itself protects people, if that is known: a journal does not, whatever is made of it.
    pub fn protects(&self) -> Option<bool> {
        if self.kind == Kind::TrialJournal { Some(false) } else { self.guarantee.protects() }
    }

    /// The answer in a few words.
    pub fn verdict(&self) -> &'static str {
        if self.kind == Kind::TrialJournal {
            return "sound, and raw: not for others";
        }
        match self.guarantee.protects() {
            Some(true) => "sound and private",
            Some(false) if self.guarantee.is_simulated() => "not private: its noise came from a seed",
            Some(false) => "not private: nothing was hidden",
            None => "does not say where its noise came from",
        }
    }

    /// A sound file, of which this is known.
    pub fn new(kind: Kind, version: u32, about: String, guarantee: Guarantee) -> Checked {
        Checked { kind, version, about, guarantee, counts: Vec::new(), notes: Vec::new(), experiment: None }
    }

    fn of(mut self, experiment: Option<Digest>) -> Checked {
        self.experiment = experiment.map(|digest| digest.to_string());
        self
    }

    fn noting(mut self, note: impl Into<Option<String>>) -> Checked {
        self.notes.extend(note.into());
        self
    }

    /// The same with a number that anybody may know.
    #[must_use]
    pub fn with(mut self, name: &'static str, number: u64) -> Checked {
        self.counts.push(Count { name, number });
        self
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::ReleasedFunction => "released function",
            Kind::ChosenAction => "chosen action",
            Kind::PrivatisedLog => "privatised log",
            Kind::PricePolicy => "price policy",
            Kind::TrialRelease => "trial's release",
            Kind::TrialReport => "trial's report",
            Kind::ComparedActions => "actions to compare with",
            Kind::TrialJournal => "trial's journal, which holds raw records: keep it to yourself",
        })
    }
}

/// How files begin that belong to their owner alone.
const SECRETS: [(&str, &str); 3] = [
    ("{\"reticent-accounts\"", "a curator's accounts"),
    ("{\"reticent-account\"", "a data set's account"),
    ("{\"reticent-ledger\"", "a person's ledger"),
];

/// Checks a published file of any kind. Threads make it faster and change nothing.
pub fn check(path: &Path, threads: usize) -> Result<Checked, CheckError> {
    let name = || path.display().to_string();
    let unreadable = |source| CheckError::from(FileError::new("cannot read", path, source));
    let mut file = File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    Read::by_ref(&mut file).take(MAGIC.len() as u64).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes == MAGIC {
        return kinds::log(path);
    }
    file.read_to_end(&mut bytes).map_err(unreadable)?;
    let unknown = || CheckError::Unknown { file: name() };
    let text = String::from_utf8(bytes).map_err(|_| unknown())?;
    if let Some((_, what)) = SECRETS.iter().find(|(start, _)| text.starts_with(start)) {
        return Err(CheckError::Secret { file: name(), what });
    }
    if text.starts_with("{\"reticent-trial\"") {
        return kinds::journal(path, text);
    }
    let document = kinds::Text { path, content: &text, threads };
    match serde_json::from_str::<Value>(&text) {
        Ok(value) => document.recognised(value).unwrap_or_else(|| Err(unknown())),
        // What is no document of ours is not quoted: it may be somebody's data.
        Err(_) if document.was_begun() => {
            Err(CheckError::Unsound { file: name(), fault: "it is cut short or changed".into() })
        }
        Err(_) => Err(unknown()),
    }
}
