//! Documents and policies that were fetched, in memory and on the disk: a device starts without a network.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use reticent_schema::{Digest, Experiment};
use reticent_store::{Form, Moment, files};
use serde::{Deserialize, Serialize};

use crate::{ClientError, Fetched};

const FORM: Form = Form { format: "reticent-shelved", version: 1, called: "kept policy" };

/// An experiment that this device knows, and the policy that it follows. All of it is public.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shelved {
    format: String,
    version: u32,
    /// What it was asked for by.
    name: String,
    /// What this person's device takes part in. It never changes.
    pub(crate) experiment: Experiment,
    /// The policy, if one was fetched.
    pub(crate) policy: Option<KeptPolicy>,
}

/// A policy as a server gave it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeptPolicy {
    pub(crate) tag: String,
    pub(crate) bytes: Vec<u8>,
    /// When the server last said that it is the newest.
    pub(crate) seen: Moment,
}

/// All of them.
#[derive(Debug)]
pub(crate) struct Shelf {
    folder: PathBuf,
    kept: Mutex<BTreeMap<String, Shelved>>,
}

impl Shelf {
    /// In this folder. What cannot be read there is fetched again: it is only a copy.
    pub(crate) fn open(folder: &Path) -> Result<Shelf, ClientError> {
        files::make_folder(folder)?;
        let failed = |source| ClientError::Folder { path: folder.to_path_buf(), source };
        let mut kept = BTreeMap::new();
        for file in std::fs::read_dir(folder).map_err(failed)? {
            let text = std::fs::read_to_string(file.map_err(failed)?.path()).unwrap_or_default();
            if let Ok(shelved) = FORM.read::<Shelved>(&text) {
                kept.insert(shelved.name.clone(), shelved);
            }
        }
        Ok(Shelf { folder: folder.to_path_buf(), kept: Mutex::new(kept) })
    }

    /// What is known of an experiment.
    pub(crate) fn get(&self, name: &str) -> Option<Shelved> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// Keeps an experiment's document.
    pub(crate) fn keep(&self, name: &str, experiment: Experiment) -> Result<(), ClientError> {
        let (format, version) = (FORM.format.to_string(), FORM.version);
        self.put(Shelved { format, version, name: name.to_string(), experiment, policy: None })
    }

    /// Keeps what a server said of a policy; says whether it is another than before.
    pub(crate) fn keep_policy(&self, name: &str, fetched: Fetched, now: Moment) -> Result<bool, ClientError> {
        let Some(mut shelved) = self.get(name) else { return Ok(false) };
        let is_new = match (fetched, &mut shelved.policy) {
            (Fetched::Same, Some(policy)) => {
                policy.seen = now;
                false
            }
            (Fetched::Same, None) => return Ok(false),
            (Fetched::New { tag, bytes }, policy) => {
                let is_new = policy.as_ref().is_none_or(|kept| kept.bytes != bytes);
                *policy = Some(KeptPolicy { tag, bytes, seen: now });
                is_new
            }
        };
        self.put(shelved)?;
        Ok(is_new)
    }

    /// Experiments that are known.
    pub(crate) fn names(&self) -> Vec<String> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
    }

    /// The name of the experiment with this digest.
    pub(crate) fn name_of(&self, digest: &str) -> Option<String> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.values().find(|one| one.experiment.digest().to_string() == digest).map(|one| one.name.clone())
    }

    fn put(&self, shelved: Shelved) -> Result<(), ClientError> {
        let text =
            serde_json::to_string(&shelved).map_err(|_| ClientError::Damaged { what: "kept policy" })?;
        files::write_whole(&self.path(&shelved.name)?, text.as_bytes())?;
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).insert(shelved.name.clone(), shelved);
        Ok(())
    }

    /// A name may be anything that people call experiments; a file's name is its hash.
    fn path(&self, name: &str) -> Result<PathBuf, ClientError> {
        let hash = Digest::of(&name).map_err(|_| ClientError::Damaged { what: "experiment's name" })?;
        Ok(self.folder.join(format!("{hash}.json")))
    }
}
