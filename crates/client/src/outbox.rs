//! Reports that wait for a network, and whether anything may leave at all, in one file.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::Hasher;
use std::path::{Path, PathBuf};

use rand_core::Rng;
use reticent_privacy::NoiseRng;
use reticent_protocol::{Report, ReportId};
use reticent_store::{Journal, JournalKind};
use serde::{Deserialize, Serialize};
use siphasher::sip128::{Hasher128, SipHasher24};

use crate::{ClientError, Parcel};

/// How every outbox begins.
const KIND: JournalKind = JournalKind { name: "reticent-outbox", version: 1 };
/// A file with so many lines that say nothing any more is written anew.
const MOST_OLD_LINES: usize = 1_000;

/// One line of the file. It has no `Debug`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Line {
    /// The first line: the key that ids are made with.
    ReticentOutbox { version: u32, key: String },
    /// Whether anything may leave from now on. Withdrawn, it takes all that waits with it.
    Consent { given: bool },
    /// A report that waits.
    Queued { id: String, experiment: String, report: Report },
    /// Reports that need not be sent any more.
    Done { ids: Vec<String> },
}

/// What waits, in the order in which it came.
pub(crate) struct Outbox {
    journal: Journal<Line>,
    path: PathBuf,
    key: [u8; 16],
    consent: bool,
    waiting: BTreeMap<u64, (String, Parcel)>,
    next: u64,
    old_lines: usize,
}

/// Counts alone.
impl fmt::Debug for Outbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outbox").field("waiting", &self.waiting.len()).finish_non_exhaustive()
    }
}

impl Outbox {
    /// Opens the file, or starts one without consent.
    pub(crate) fn open(path: &Path) -> Result<Outbox, ClientError> {
        let outbox = Outbox::read(path)?;
        if outbox.old_lines > MOST_OLD_LINES { outbox.written_anew() } else { Ok(outbox) }
    }

    fn read(path: &Path) -> Result<Outbox, ClientError> {
        let (mut journal, lines) = Journal::open(path, KIND)?;
        let mut lines = lines.into_iter();
        let key = match lines.next() {
            Some(Line::ReticentOutbox { version: _, key }) => key,
            Some(_) => return Err(ClientError::Damaged { what: "outbox" }),
            None => {
                let mut noise = NoiseRng::from_os()?;
                let key = ReportId(
                    (u128::from(noise.next_u64()) << 64 | u128::from(noise.next_u64())).to_be_bytes(),
                );
                journal.append(&Line::ReticentOutbox { version: KIND.version, key: key.to_string() })?;
                key.to_string()
            }
        };
        let ReportId(key) = key.parse().map_err(|_| ClientError::Damaged { what: "outbox" })?;
        let (path, waiting) = (path.to_path_buf(), BTreeMap::new());
        let mut outbox = Outbox { journal, path, key, consent: false, waiting, next: 0, old_lines: 0 };
        for line in lines {
            outbox.replay(line)?;
        }
        Ok(outbox)
    }

    fn replay(&mut self, line: Line) -> Result<(), ClientError> {
        let damaged = ClientError::Damaged { what: "outbox" };
        match line {
            Line::ReticentOutbox { .. } => return Err(damaged),
            Line::Consent { given } => self.consented(given),
            Line::Queued { id, experiment, report } => {
                let id = id.parse().map_err(|_| damaged)?;
                self.enter(experiment, Parcel { id, report });
            }
            Line::Done { ids } => {
                let ids: Vec<ReportId> = ids.iter().filter_map(|id| id.parse().ok()).collect();
                self.leave(&ids);
            }
        }
        Ok(())
    }

    /// The same queue in a file without what is over. The old one stays until the new one is whole.
    fn written_anew(self) -> Result<Outbox, ClientError> {
        let fresh = self.path.with_extension("new");
        let io = |source| ClientError::Folder { path: self.path.clone(), source };
        if fresh.exists() {
            std::fs::remove_file(&fresh).map_err(io)?;
        }
        let (mut journal, _): (Journal<Line>, _) = Journal::open(&fresh, KIND)?;
        journal.append_later(&Line::ReticentOutbox {
            version: KIND.version,
            key: ReportId(self.key).to_string(),
        })?;
        journal.append_later(&Line::Consent { given: self.consent })?;
        for (experiment, parcel) in self.waiting.values() {
            journal.append_later(&queued(experiment, parcel))?;
        }
        journal.flush()?;
        drop(journal);
        std::fs::rename(&fresh, &self.path).map_err(io)?;
        let path = self.path.clone();
        drop(self);
        Outbox::read(&path)
    }

    /// The id of a report that answers this request: the same whenever it is asked for, and told from random bytes
    /// by nobody who has not the key.
    pub(crate) fn id(&self, experiment: &str, report: &Report, request: &str) -> ReportId {
        let mut hasher = SipHasher24::new_with_key(&self.key);
        // The length tells where a name ends: two requests never have one text.
        let (of, policy, length) = (report.experiment, report.policy, experiment.len());
        hasher.write(format!("{of}/{policy}/{length}/{experiment}/{request}").as_bytes());
        ReportId(hasher.finish128().as_bytes())
    }

    /// Whether anything may leave.
    pub(crate) fn consent(&self) -> bool {
        self.consent
    }

    /// Changes that, on the disk first.
    pub(crate) fn set_consent(&mut self, given: bool) -> Result<(), ClientError> {
        if given != self.consent {
            self.journal.append(&Line::Consent { given })?;
            self.consented(given);
        }
        Ok(())
    }

    /// Queues a report, unless it waits already: it is on the disk when this returns.
    pub(crate) fn queue(&mut self, experiment: &str, parcel: Parcel) -> Result<(), ClientError> {
        if self.waiting.values().any(|(_, one)| one.id == parcel.id) {
            return Ok(());
        }
        self.journal.append(&queued(experiment, &parcel))?;
        self.enter(experiment.to_string(), parcel);
        Ok(())
    }

    /// Takes reports out that need not be sent any more.
    pub(crate) fn done(&mut self, ids: &[ReportId]) -> Result<(), ClientError> {
        if !ids.is_empty() {
            self.journal.append(&Line::Done { ids: ids.iter().map(ReportId::to_string).collect() })?;
            self.leave(ids);
        }
        Ok(())
    }

    /// Experiments that reports wait for.
    pub(crate) fn experiments(&self) -> Vec<String> {
        let mut names: Vec<String> = self.waiting.values().map(|(name, _)| name.clone()).collect();
        names.sort();
        names.dedup();
        names
    }

    /// The first reports of an experiment that wait.
    pub(crate) fn first(&self, experiment: &str, most: usize) -> Vec<Parcel> {
        let of = self.waiting.values().filter(|(name, _)| name == experiment);
        of.take(most).map(|(_, parcel)| parcel.clone()).collect()
    }

    /// How many wait.
    pub(crate) fn waiting(&self) -> u64 {
        self.waiting.len() as u64
    }

    fn consented(&mut self, given: bool) {
        self.consent = given;
        self.old_lines += 1;
        if !given {
            self.old_lines += self.waiting.len();
            self.waiting.clear();
        }
    }

    fn enter(&mut self, experiment: String, parcel: Parcel) {
        self.waiting.insert(self.next, (experiment, parcel));
        self.next += 1;
    }

    fn leave(&mut self, ids: &[ReportId]) {
        let before = self.waiting.len();
        self.waiting.retain(|_, (_, parcel)| !ids.contains(&parcel.id));
        self.old_lines += before - self.waiting.len() + 1;
    }
}

fn queued(experiment: &str, parcel: &Parcel) -> Line {
    let (id, report) = (parcel.id.to_string(), parcel.report.clone());
    Line::Queued { id, experiment: experiment.to_string(), report }
}
