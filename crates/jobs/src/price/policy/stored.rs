//! A policy's file: the policy, and what it promises the people from whose sales it was learned.

use std::io::Read;
use std::path::Path;

use reticent_learn::pricing::{Policy, PolicyError};
use reticent_privacy::{Epsilon, Guarantee, Loss, Noise};
use reticent_protocol::pricing::log::MAGIC;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Kept, LogMark, PolicyFileError, Source};
use reticent_store::files;

/// What the file of a policy says that it is.
pub(crate) const FORMAT: &str = "reticent-price-policy";
/// The version that is written. Version 1, the policy alone, and version 2, without rules and logs, are read.
pub(crate) const VERSION: u32 = 3;
const WITHOUT_LOGS: u64 = 2;

/// A policy with what it promises.
#[derive(Debug, Clone)]
pub struct PricePolicy {
    /// The policy.
    pub policy: Policy,
    /// What each report promises that it was learned from: the largest of their losses, with the weakest noise.
    pub guarantee: Guarantee,
    /// Rules that it keeps to, and what they cost.
    pub rules: Option<Kept>,
    /// The logs that it was learned from; none if its file does not say.
    pub logs: Vec<LogMark>,
}

/// The file since version 2.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    format: String,
    version: u32,
    guarantee: Guarantee,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rules: Option<Kept>,
    #[serde(default)]
    logs: Vec<LogMark>,
    policy: Policy,
}

/// What all logs together promise each record: the largest of their losses, with the weakest noise.
pub(super) fn together(sources: &[Source]) -> Option<Guarantee> {
    let largest = sources.iter().max_by_key(|source| nano(source.guarantee.promise().loss))?;
    let noise = sources.iter().fold(Noise::NotDrawn, |all, source| all.and(source.guarantee.noise));
    Some(largest.guarantee.clone().made_with(noise))
}

fn nano(loss: Loss) -> u64 {
    match loss {
        Loss::Pure { epsilon } => epsilon.nano(),
        _ => u64::MAX,
    }
}

/// Whether a file begins as a privatised log does.
pub fn is_log(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == MAGIC
}

/// Reads and checks a policy.
pub fn read_policy(path: &Path) -> Result<PricePolicy, PolicyFileError> {
    let bytes = files::read_bytes(path)?;
    let foreign =
        |what| PolicyFileError::Stored { file: path.display().to_string(), fault: PolicyError::Stored(what) };
    if bytes.starts_with(&MAGIC) {
        return Err(foreign("it is a privatised log; `reticent price fit` makes a policy from it"));
    }
    let text =
        String::from_utf8(bytes).map_err(|_| foreign("it is not text; `reticent price fit` makes one"))?;
    parse_policy(path, &text)
}

/// The policy that a file's text holds. The file is only named.
pub(crate) fn parse_policy(path: &Path, text: &str) -> Result<PricePolicy, PolicyFileError> {
    let file = || path.display().to_string();
    let damaged = |message: String| PolicyFileError::Damaged { file: file(), message };
    let foreign = |fault: PolicyError| PolicyFileError::Stored { file: file(), fault };
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        // What is no policy at all is not quoted: it may be somebody's data.
        let begun = text.trim_start().starts_with('{') && text.contains(FORMAT);
        let none = foreign(PolicyError::Stored("it is not JSON; `reticent price fit` makes one"));
        return Err(if begun { damaged("it is cut short or changed".into()) } else { none });
    };
    // What a file is comes first: another format's or a later version's fields would only confuse.
    if value["format"] != FORMAT {
        return Err(foreign(PolicyError::Stored("its format has another name")));
    }
    let newest = u64::from(VERSION);
    match value["version"].as_u64() {
        Some(got) if got > newest => Err(PolicyFileError::Version { file: file(), got }),
        Some(got) if got >= WITHOUT_LOGS => {
            let Stored { policy, guarantee, rules, logs, .. } =
                serde_json::from_value(value).map_err(|error| damaged(error.to_string()))?;
            let stated = guarantee.noise != Noise::NotDrawn
                && promised(&policy)
                    .is_some_and(|made| guarantee.agrees_with(&made.made_with(guarantee.noise)));
            let other = || damaged("its guarantee is not that of the reports it was learned from".into());
            stated.then_some(PricePolicy { policy, guarantee, rules, logs }).ok_or_else(other)
        }
        _ => {
            let policy: Policy = serde_json::from_value(value).map_err(|error| damaged(error.to_string()))?;
            let promised = promised(&policy).ok_or_else(|| damaged("its losses are none".into()))?;
            let guarantee = promised.made_with(None);
            Ok(PricePolicy { policy, guarantee, rules: None, logs: Vec::new() })
        }
    }
}

/// What reports with the policy's losses promise, with noise from the operating system.
fn promised(policy: &Policy) -> Option<Guarantee> {
    let epsilon = policy.learned().epsilons.iter().copied().max_by(f64::total_cmp)?;
    // In the words of `reticent_protocol::pricing::Spec::guarantee`.
    Some(Guarantee::local(
        Epsilon::new(epsilon).ok()?,
        "one record: the context, price and outcome of one sale",
        "any two records",
        "crates/learn/src/pricing/guarantee.md",
    ))
}

/// Writes a policy without rules, whose logs are not known, whole or not at all.
pub fn write_policy(policy: &Policy, guarantee: &Guarantee, path: &Path) -> Result<(), PolicyFileError> {
    let (policy, guarantee) = (policy.clone(), guarantee.clone());
    PricePolicy { policy, guarantee, rules: None, logs: Vec::new() }.write(path)
}

impl PricePolicy {
    /// Writes it, whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), PolicyFileError> {
        let PricePolicy { policy, guarantee, rules, logs } = self.clone();
        // A promise without noise is nothing that was made: what is not known is said so.
        let drawn = guarantee.noise != Noise::NotDrawn;
        let guarantee = if drawn { guarantee } else { guarantee.made_with(None) };
        let stored = Stored { format: FORMAT.into(), version: VERSION, guarantee, rules, logs, policy };
        let text = serde_json::to_string(&stored).map_err(|error| PolicyFileError::Damaged {
            file: path.display().to_string(),
            message: error.to_string(),
        })?;
        Ok(files::write_whole(path, format!("{text}\n").as_bytes())?)
    }

    /// The contexts that its prices do not look at.
    pub fn blind_to(&self) -> &[String] {
        self.rules.as_ref().map_or(&[], |rules| &rules.asked.rules.blind_to)
    }

    /// Whether it was learned from this log too.
    pub fn learned_from(&self, log: &LogMark) -> bool {
        self.logs.iter().any(|own| (&own.checksum, own.reports) == (&log.checksum, log.reports))
    }
}
