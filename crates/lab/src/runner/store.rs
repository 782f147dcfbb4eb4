//! Finished trials on disk: one JSON line each, after a line that says what they are trials of.
//!
//! A line is written in one piece and flushed before the trial counts as finished, so an interrupted run goes
//! on where it stopped. A half-written last line (power cut) is dropped when the file is opened.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::LabError;
use reticent_store::Fingerprint;
use reticent_store::files::{self, FileError};

/// A finished trial that can be kept.
pub trait Numbered: Serialize + DeserializeOwned + Clone {
    /// Its number, from 0.
    fn number(&self) -> u32;
}

/// A finished trial of which nothing is kept but its number and its outcome.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finished<T> {
    /// Its number, from 0.
    pub trial: u32,
    /// How the method did.
    pub outcome: T,
}

impl<T: Serialize + DeserializeOwned + Clone> Numbered for Finished<T> {
    fn number(&self) -> u32 {
        self.trial
    }
}

/// What the numbers of a trial depend on; trials with the same key may be kept together.
pub trait StoreKey: Serialize + DeserializeOwned + PartialEq {
    /// Readable, and different for keys that differ in anything a folder may mix; the file's first line has the rest.
    fn file_name(&self) -> String;
}

/// Finished trials, in memory and perhaps in a file.
#[derive(Debug)]
pub struct Store<T> {
    trials: BTreeMap<u32, T>,
    file: Option<Appender>,
}

/// The file, and the folder's lock for as long as it is written.
#[derive(Debug)]
struct Appender {
    file: File,
    path: PathBuf,
    _lock: File,
}

impl<T: Numbered> Store<T> {
    /// Keeps nothing beyond this process.
    pub fn in_memory() -> Store<T> {
        Store { trials: BTreeMap::new(), file: None }
    }

    /// Opens `folder`'s file for this key, with whatever it holds already.
    pub fn open(folder: &Path, key: &impl StoreKey) -> Result<Store<T>, LabError> {
        let lock = lock(folder)?;
        let path = folder.join(key.file_name());
        let header = serde_json::to_string(key).map_err(|e| LabError::Checkpoint(e.to_string()))?;
        let trials = if path.exists() { read(&path, key)? } else { BTreeMap::new() };
        let mut text = header + "\n";
        for trial in trials.values() {
            text += &line(trial)?;
        }
        files::write_whole(&path, text.as_bytes())?;
        let file = OpenOptions::new().append(true).open(&path);
        let file = file.map_err(|source| FileError::new("cannot write", &path, source))?;
        Ok(Store { trials, file: Some(Appender { file, path, _lock: lock }) })
    }

    /// Whether a trial is finished.
    pub fn has(&self, trial: u32) -> bool {
        self.trials.contains_key(&trial)
    }

    /// How many of the first `trials` are finished.
    pub fn count_below(&self, trials: u32) -> usize {
        self.trials.range(..trials).count()
    }

    /// Adds a finished trial, durably.
    pub fn add(&mut self, trial: T) -> Result<(), LabError> {
        if let Some(Appender { file, path, .. }) = &mut self.file {
            let written = file.write_all(line(&trial)?.as_bytes()).and_then(|()| file.sync_data());
            written.map_err(|source| FileError::new("cannot write", path, source))?;
        }
        self.trials.insert(trial.number(), trial);
        Ok(())
    }

    /// Those of the first `trials` that are finished, in order.
    pub fn first(&self, trials: u32) -> Vec<T> {
        self.trials.range(..trials).map(|(_, trial)| trial.clone()).collect()
    }
}

/// Two runs in one folder would drop each other's trials. The lock ends with the process, however it ends.
fn lock(folder: &Path) -> Result<File, LabError> {
    files::make_folder(folder)?;
    let path = folder.join(".lock");
    let file = File::create(&path).map_err(|source| FileError::new("cannot write", &path, source))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(LabError::FolderInUse { path: folder.display().to_string() }),
        Err(TryLockError::Error(source)) => Err(FileError::new("cannot lock", &path, source).into()),
    }
}

fn line(trial: &impl Serialize) -> Result<String, LabError> {
    let json = serde_json::to_string(trial).map_err(|e| LabError::Checkpoint(e.to_string()))?;
    Ok(json + "\n")
}

fn read<T: Numbered, K: StoreKey>(path: &Path, key: &K) -> Result<BTreeMap<u32, T>, LabError> {
    let text = files::read_text(path)?;
    let mut lines = text.lines();
    let stored = lines.next().and_then(|header| serde_json::from_str::<K>(header).ok());
    if stored.as_ref() != Some(key) {
        return Err(LabError::OtherResults { path: path.display().to_string() });
    }
    let trials = lines.map_while(|line| serde_json::from_str::<T>(line).ok());
    Ok(trials.map(|trial| (trial.number(), trial)).collect())
}

/// A name for a file: letters, digits and dashes.
pub fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

/// Eight digits that tell apart what a name leaves out.
pub(crate) fn short_hash(text: &str) -> String {
    format!("{:08x}", Fingerprint::of(text.as_bytes()).value() >> 32)
}
