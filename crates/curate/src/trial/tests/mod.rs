#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod allocation;
mod amended;
mod coverage;
mod durable;
mod finished;
mod journal;
mod late;
mod plans;
mod provenance;
mod refused;
mod signed;
mod tables;

use std::sync::Mutex;

use reticent_privacy::{SimRng, SimSeed, Stream as Purpose};
use reticent_store::{Clock, Moment};
use serde_json::{Value, json};
use statrs::distribution::{Binomial, DiscreteCDF};

use super::{Draft, Stratum, Trial, TrialSpec};

/// A correct test fails about once in a million runs of new seeds.
pub(super) const LEVEL: f64 = 1e-6;

/// A trial of coins with these chances of success, for each stratum and arm; strata come in the given shares.
fn run(plan: Draft, means: &[[f64; 2]], shares: &[f64], seed: u64) -> Trial<SimRng> {
    let spec = TrialSpec::new(plan).unwrap();
    let mut world = SimSeed(seed).stream(0, Purpose::Environment);
    let mut trial = Trial::with_noise(spec.clone(), SimSeed(seed).stream(0, Purpose::Noise));
    for _ in 0..spec.draft().people {
        let mut place = world.uniform() * shares.iter().sum::<f64>();
        let stratum = shares.iter().position(|share| {
            place -= share;
            place < 0.0
        });
        let stratum = stratum.unwrap_or(shares.len() - 1);
        let assigned = trial.assign(Stratum::new(&spec, stratum).unwrap()).unwrap();
        let success = world.uniform() < means[stratum][assigned.arm];
        trial.record(assigned.number, f64::from(u8::from(success))).unwrap();
    }
    trial.stop().unwrap();
    trial
}

/// A trial's file as version 1 wrote it: no line has a checksum, a time or an author.
fn first_version(text: &str) -> String {
    let plain = text.split_inclusive('\n').map(|line| {
        let said = line.strip_prefix('[').map_or(line, |chained| chained.rsplitn(3, ",\"").nth(2).unwrap());
        let mut said: Value = serde_json::from_str(said).unwrap();
        if let Some(first) = said.get_mut("reticent-trial").and_then(Value::as_object_mut) {
            first.insert("version".into(), 1.into());
            first.retain(|key, _| key != "at" && key != "by");
        } else {
            let (entry, patient) = (said["entry"]["event"].clone(), &said["entry"]["patient"]);
            said = if patient.is_null() {
                json!({ "step": entry })
            } else {
                json!({ "patient": { "name": patient, "event": entry } })
            };
        }
        said.to_string() + "\n"
    });
    plain.collect()
}

/// A clock that tells each of these seconds once, and the last one for ever.
struct Told(Mutex<Vec<i64>>);

impl Told {
    fn new(seconds: &[i64]) -> Told {
        Told(Mutex::new(seconds.iter().rev().copied().collect()))
    }
}

impl Clock for Told {
    fn now(&self) -> Moment {
        let mut left = self.0.lock().unwrap();
        let next = if left.len() > 1 { left.pop() } else { left.last().copied() };
        Moment::from_unix(next.unwrap())
    }
}

/// The chance of at most so many hits.
pub(super) fn at_most(hits: u64, draws: u64, chance: f64) -> f64 {
    Binomial::new(chance, draws).unwrap().cdf(hits)
}

/// The chance of at least so many.
fn at_least(hits: u64, draws: u64, chance: f64) -> f64 {
    1.0 - hits.checked_sub(1).map_or(0.0, |below| at_most(below, draws, chance))
}
