//! At which of a person's visits their device reports, kept on the disk.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use reticent_device::visits::{Turn, Visits};
use reticent_privacy::NoiseRng;
use reticent_store::{Form, Moment, files};
use serde::{Deserialize, Serialize};

use crate::ClientError;

const FORM: Form = Form { format: "reticent-visits", version: 1, called: "record of visits" };
const DAMAGED: ClientError = ClientError::Damaged { what: "record of visits" };

/// At which visits a person's device reports. To be the same for everybody: chosen with the program, not by person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reporting {
    /// At one visit of each period; by default at the first, and never again. A lifetime's loss that is spent at once
    /// tells about as many times more as it would be split into.
    Once {
        /// At which visit of a period.
        turn: Turn,
        /// Days of a period; with none the whole experiment is one.
        days: Option<NonZeroU32>,
    },
    /// At each, as long as the lifetime budget lasts.
    EachVisit,
}

impl Default for Reporting {
    fn default() -> Reporting {
        Reporting::Once { turn: Turn::First, days: None }
    }
}

/// A person's visits to one experiment. The rule is that of the first one: periods of two rules could overlap.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Coming {
    days: Option<NonZeroU32>,
    visits: Visits,
    /// The period and the request of the last visit that is reported: the same request again is the same visit.
    reported: Option<(u64, String)>,
}

/// To all experiments, by their digests.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    format: String,
    version: u32,
    experiments: BTreeMap<String, Coming>,
}

#[derive(Debug)]
pub(crate) struct Diary {
    path: PathBuf,
    kept: Mutex<Kept>,
}

impl Diary {
    /// Opens the file, if there is one. What cannot be read is no reason to begin anew: the person may have reported.
    pub(crate) fn open(path: &Path) -> Result<Diary, ClientError> {
        let kept = if path.exists() {
            let failed = |source| ClientError::Folder { path: path.to_path_buf(), source };
            FORM.read(&std::fs::read_to_string(path).map_err(failed)?).map_err(|_| DAMAGED)?
        } else {
            Kept { format: FORM.format.into(), version: FORM.version, experiments: BTreeMap::new() }
        };
        Ok(Diary { path: path.to_path_buf(), kept: Mutex::new(kept) })
    }

    /// One visit, before it has an outcome; whether it is to be reported. It is on the disk when this returns.
    pub(crate) fn arrive(
        &self,
        experiment: &str,
        request: &str,
        rule: Reporting,
        now: Moment,
    ) -> Result<bool, ClientError> {
        let Reporting::Once { turn, days } = rule else { return Ok(true) };
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let before = kept.experiments.get(experiment).cloned();
        let begun = || Coming { days, visits: Visits::new(turn), reported: None };
        let mut coming = before.clone().unwrap_or_else(begun);
        let reports = coming.arrive(request, now)?;
        kept.experiments.insert(experiment.to_string(), coming);
        let text = serde_json::to_string(&*kept).map_err(|_| DAMAGED)?;
        if let Err(error) = files::write_whole(&self.path, text.as_bytes()) {
            match before {
                Some(before) => kept.experiments.insert(experiment.to_string(), before),
                None => kept.experiments.remove(experiment),
            };
            return Err(error.into());
        }
        Ok(reports)
    }
}

impl Coming {
    fn arrive(&mut self, request: &str, now: Moment) -> Result<bool, ClientError> {
        let length = |days: NonZeroU32| now.unix().max(0).cast_unsigned() / (86_400 * u64::from(days.get()));
        let period = self.days.map_or(0, length);
        if self.reported.as_ref().is_some_and(|(of, name)| *of == period && name == request) {
            return Ok(true);
        }
        let reports = self.visits.arrive(period, &mut NoiseRng::from_os()?);
        if reports {
            self.reported = Some((period, request.to_string()));
        }
        Ok(reports)
    }
}
