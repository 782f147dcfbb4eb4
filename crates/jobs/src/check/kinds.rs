//! Each kind of published file: how it is known, and what makes it sound.

use std::fmt::Display;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use reticent_chart::numbers::tidy;
use reticent_curate::kernel::{Input, KernelSpec, Release as FunctionRelease};
use reticent_curate::trial::{Release, TrialError, TrialSpec, Verified, verify};
use reticent_protocol::pricing::log::{LogError, LogReader};
use reticent_protocol::pricing::{Prices, Terms};
use reticent_store::files::FileError;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{CheckError, Checked, Kind};
use crate::price::policy::{self, PricePolicy, earned, parse_policy};
use crate::trial::report;
use crate::tune::{self, ChosenAction, Function};

/// What the documents of text say that they are, the version that is known, and who reads them.
type Reader = fn(&Text<'_>, Value) -> Answer;
const FORMATS: [(&str, u32, Reader); 5] = [
    (tune::FORMAT, tune::VERSION, |text, value| text.function(value)),
    (ChosenAction::FORMAT, ChosenAction::VERSION, |text, value| text.action(value)),
    (policy::FORMAT, policy::VERSION, |text, value| text.policy(&value)),
    (Release::FORMAT, Release::VERSION, |text, value| text.release(value)),
    (report::FORMAT, report::VERSION, |text, value| text.report(value)),
];

/// A file of text.
pub(super) struct Text<'a> {
    pub(super) path: &'a Path,
    pub(super) content: &'a str,
    pub(super) threads: usize,
}

type Answer = Result<Checked, CheckError>;

impl Text<'_> {
    /// Whether it begins like a document of ours.
    pub(super) fn was_begun(&self) -> bool {
        self.content.trim_start().starts_with('{')
            && FORMATS.iter().any(|(format, ..)| self.content.contains(format))
    }

    /// The answer, if it is a document of ours.
    pub(super) fn recognised(&self, value: Value) -> Option<Answer> {
        let Some(format) = value.get("format") else {
            // Version 1 of a trial's release had no header.
            let old = ["spec", "propensities", "tables"].iter().all(|key| value.get(key).is_some());
            return old.then(|| self.release(value));
        };
        let (_, known, read) = FORMATS.iter().find(|(known, ..)| format == known)?;
        let got = version(&value);
        // A later version's fields would only confuse.
        let later = format!("it has version {got}, and this program knows up to {known}; use a later one");
        Some(if got > *known { Err(self.unsound(&later)) } else { read(self, value) })
    }

    fn unsound(&self, fault: &impl Display) -> CheckError {
        CheckError::Unsound { file: self.path.display().to_string(), fault: fault.to_string() }
    }

    fn read<T: DeserializeOwned>(&self, value: Value) -> Result<T, CheckError> {
        serde_json::from_value(value).map_err(|fault| self.unsound(&fault))
    }

    fn function(&self, value: Value) -> Answer {
        let release: FunctionRelease = self.read(value)?;
        if !release.has_enough_noise() {
            return Err(self.unsound(&"it has less noise than its epsilon and delta need"));
        }
        let function = Function::of(release, self.threads).map_err(|fault| self.unsound(&fault))?;
        let release = function.release();
        let about = subject(release.setting());
        let checked = Checked::new(Kind::ReleasedFunction, release.version(), about, release.guarantee());
        let checked = checked.of(release.setting().draft().experiment);
        Ok(checked.with("people", release.people()).with("numbers", release.rank() as u64))
    }

    fn action(&self, value: Value) -> Answer {
        let chosen: ChosenAction = self.read(value)?;
        let about = subject(chosen.setting());
        let checked =
            Checked::new(Kind::ChosenAction, ChosenAction::VERSION, about, chosen.guarantee().clone());
        let checked = checked.of(chosen.setting().draft().experiment);
        Ok(checked.with("people", chosen.people()).with("candidates", chosen.candidates() as u64))
    }

    fn policy(&self, value: &Value) -> Answer {
        let PricePolicy { policy, guarantee, .. } =
            parse_policy(self.path, self.content).map_err(|fault| {
                let (told, file) = (fault.to_string(), format!("{}: ", self.path.display()));
                self.unsound(&told.strip_prefix(&file).unwrap_or(&told))
            })?;
        let about = format!("a price{} for {}", contexts(policy.terms()), earned(policy.objective()));
        let checked = Checked::new(Kind::PricePolicy, version(value), about, guarantee);
        Ok(checked.with("reports", policy.learned().reports).with("contexts", policy.nodes() as u64))
    }

    fn release(&self, value: Value) -> Answer {
        let version = version(&value);
        let release: Release = self.read(value)?;
        let about = trial(release.spec());
        let tables = release.published();
        let checked = Checked::new(Kind::TrialRelease, version, about, release.guarantee());
        let checked = checked.of(release.spec().draft().experiment);
        Ok(checked.with("people", release.enrolled()).with("tables", tables as u64))
    }

    fn report(&self, value: Value) -> Answer {
        let document: report::Document = self.read(value)?;
        document.check().map_err(|fault| self.unsound(&fault))?;
        let about = trial(&document.spec);
        let checked = Checked::new(Kind::TrialReport, document.version, about, document.promised());
        let checked = checked.of(document.spec.draft().experiment);
        Ok(checked.with("people", document.enrolled).with("effects", document.effects.len() as u64))
    }
}

/// Reads a trial's journal to its end: every line's checksum, and whether each step fits those before it.
pub(super) fn journal(path: &Path, content: String) -> Answer {
    let unsound = |fault: TrialError| CheckError::Unsound {
        file: path.display().to_string(),
        fault: fault.to_string(),
    };
    let Verified { release, head, times, torn, .. } = verify(content.into_bytes()).map_err(unsound)?;
    let about = trial(release.spec());
    let checked = Checked::new(Kind::TrialJournal, times.version, about, release.guarantee());
    let checked = checked.with("people", release.enrolled()).with("lines", head.lines());
    let written = times.last.map(|last| match &times.begun {
        Some((begun, _)) => format!("written from {begun} to {last}"),
        None => format!("written until {last}"),
    });
    let count = |number: u64, what: &str| (number > 0).then(|| format!("{number} of its lines {what}"));
    let unfinished = "its last line is unfinished: nobody was told of it, and the next command cuts it off";
    Ok(checked
        .noting(written)
        .noting(count(times.without_time, "are from before journals had time and author"))
        .noting(count(times.without_author, "do not name who wrote them (--actor)"))
        .noting(count(times.went_back, "are earlier than the one before: a clock was put back, or is wrong"))
        .noting(torn.then(|| unfinished.to_string()))
        .noting(format!("its head is {head}: kept elsewhere, it tells an older copy of the file")))
}

/// Reads a privatised log to its end.
pub(super) fn log(path: &Path) -> Answer {
    let failed = |fault: LogError| match fault {
        LogError::Io(source) => FileError::new("cannot read", path, source).into(),
        fault => CheckError::Unsound { file: path.display().to_string(), fault: fault.to_string() },
    };
    let file = File::open(path).map_err(|source| FileError::new("cannot read", path, source))?;
    let mut log = LogReader::open(BufReader::new(file)).map_err(failed)?;
    let mut codes = Vec::new();
    while log.next_block(&mut codes).map_err(failed)? {}
    let terms = log.spec().terms();
    let about = format!("outcomes{}, at prices {}", contexts(terms), prices(terms.prices()));
    let mut checked = Checked::new(Kind::PrivatisedLog, log.version(), about, log.guarantee());
    checked.experiment = log.header().experiment().map(String::from);
    Ok(checked.with("reports", log.reports()).with("questions", log.spec().questions().len() as u64))
}

/// The version of a document; those without one are of version 1.
fn version(value: &Value) -> u32 {
    value["version"].as_u64().and_then(|version| u32::try_from(version).ok()).unwrap_or(1)
}

/// `dose by age, weight, for response`.
fn subject(setting: &KernelSpec) -> String {
    let plan = setting.draft();
    let names =
        |inputs: &[Input]| inputs.iter().map(|input| input.column.as_str()).collect::<Vec<_>>().join(", ");
    let by = if plan.contexts.is_empty() { String::new() } else { format!(" by {}", names(&plan.contexts)) };
    format!("{}{by}, for {}", names(&plan.actions), plan.reward.column)
}

/// ` by age, income`; nothing if there are none.
fn contexts(terms: &Terms) -> String {
    let names: Vec<&str> = terms.context().axes().map(|axis| axis.name).collect();
    if names.is_empty() { String::new() } else { format!(" by {}", names.join(", ")) }
}

fn prices(prices: &Prices) -> String {
    match prices {
        Prices::Range(low, high) => format!("from {} to {}", tidy(*low), tidy(*high)),
        Prices::Points(points) => points.iter().map(|price| tidy(*price)).collect::<Vec<_>>().join(", "),
    }
}

/// `sleep: drug against placebo, for hours`.
fn trial(spec: &TrialSpec) -> String {
    let plan = spec.draft();
    let treatments = plan.arms[1..].join(", ");
    format!("{}: {treatments} against {}, for {}", plan.name, plan.arms[0], plan.outcome.column)
}
