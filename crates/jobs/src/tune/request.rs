//! What an account remembers a release by.

use std::path::Path;

use reticent_curate::kernel::{Draft, KernelSpec, Population};
use reticent_privacy::{Delta, Epsilon};
use reticent_store::Fingerprint;
use reticent_store::accounts::Sighting;
use serde::Serialize;

use super::Counted;
use crate::account::written;
use crate::columns::RawTable;

/// Two releases are the same if all of this is: the second is then the first, stored. A log with another
/// content is another log.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Request<'a> {
    what: &'static str,
    /// Its name, which the first versions took for a part of the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<String>,
    people: u64,
    mark: String,
    epsilon: Epsilon,
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<Delta>,
    plan: &'a Draft,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pilot: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    population: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<&'a [f64]>,
    /// How the log is written, unless it is plain: it changes what cells mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<String>,
}

impl<'a> Request<'a> {
    pub(super) fn function(
        setting: &'a KernelSpec,
        population: &Population,
        log: &RawTable,
        seen: &Sighting,
        (epsilon, delta): (Epsilon, Delta),
    ) -> Request<'a> {
        let delta = Some(delta);
        let what = "released function";
        Request { what, delta, ..Request::action(setting, population, log, seen, epsilon, None) }
    }

    pub(super) fn action(
        setting: &'a KernelSpec,
        population: &Population,
        log: &RawTable,
        seen: &Sighting,
        epsilon: Epsilon,
        context: Option<&'a [f64]>,
    ) -> Request<'a> {
        let (plan, population) = (setting.draft(), mark(population));
        Request {
            what: "one action",
            log: None,
            people: seen.whole.rows(),
            mark: seen.mark(),
            epsilon,
            delta: None,
            plan,
            pilot: None,
            population,
            context,
            table: written(&log.format),
        }
    }

    /// The same as the first versions wrote it.
    pub(super) fn older(&self, log: &RawTable, counted: Counted) -> Request<'a> {
        let name = Path::new(log.files.name()).file_name().unwrap_or_default().to_string_lossy();
        let (log, mark) = (Some(name.into_owned()), format!("{:016x}", counted.mark));
        Request { log, mark, table: None, ..self.clone() }
    }

    /// The text in the account's file.
    pub(super) fn text(&self) -> String {
        // Structs of numbers and texts can always be written.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Tells public samples apart. A mistake would give a stored release again, which costs nothing.
fn mark(population: &Population) -> Option<String> {
    let Population::Sample(sample) = population else { return None };
    let numbers = (0..sample.dimensions()).flat_map(|input| sample.input(input));
    let mut mark = Fingerprint::default();
    numbers.for_each(|x| mark.add(&x.to_bits().to_le_bytes()));
    Some(format!("{} contexts, {:016x}", sample.len(), mark.value()))
}
