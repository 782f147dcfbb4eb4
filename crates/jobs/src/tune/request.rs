//! What an account remembers a release by.

use std::path::Path;

use reticent_curate::kernel::{Draft, KernelSpec, Population};
use reticent_privacy::{Delta, Epsilon};
use reticent_store::Fingerprint;
use serde::Serialize;

use super::Counted;
use crate::columns::RawTable;

/// Two releases are the same if all of this is: the second is then the first, stored. A log with another
/// content is another log.
#[derive(Debug, Serialize)]
pub(super) struct Request<'a> {
    what: &'static str,
    log: String,
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
}

impl<'a> Request<'a> {
    pub(super) fn function(
        setting: &'a KernelSpec,
        population: &Population,
        log: &RawTable,
        counted: Counted,
        (epsilon, delta): (Epsilon, Delta),
    ) -> Request<'a> {
        let delta = Some(delta);
        let what = "released function";
        Request { what, delta, ..Request::action(setting, population, log, counted, epsilon, None) }
    }

    pub(super) fn action(
        setting: &'a KernelSpec,
        population: &Population,
        log: &RawTable,
        counted: Counted,
        epsilon: Epsilon,
        context: Option<&'a [f64]>,
    ) -> Request<'a> {
        let log = Path::new(log.files.name()).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (plan, population) = (setting.draft(), mark(population));
        Request {
            what: "one action",
            log,
            people: counted.rows,
            mark: format!("{:016x}", counted.mark),
            epsilon,
            delta: None,
            plan,
            pilot: None,
            population,
            context,
        }
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
