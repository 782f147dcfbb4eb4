#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod allocation;
mod coverage;
mod durable;
mod finished;
mod journal;
mod late;
mod plans;
mod provenance;
mod refused;
mod tables;

use reticent_privacy::{SimRng, SimSeed, Stream as Purpose};
use statrs::distribution::{Binomial, DiscreteCDF};

use super::{Draft, Stratum, Trial, TrialSpec};

/// A correct test fails about once in a million runs of new seeds.
const LEVEL: f64 = 1e-6;

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

/// A trial's file as version 1 wrote it: no line has a checksum.
fn first_version(text: &str) -> String {
    let plain = text.split_inclusive('\n').map(|line| match line.strip_prefix('[') {
        Some(chained) => chained.rsplitn(3, ",\"").nth(2).unwrap().to_string() + "\n",
        None => line.replacen("\"version\":2", "\"version\":1", 1),
    });
    plain.collect()
}

/// The chance of at most so many hits.
fn at_most(hits: u64, draws: u64, chance: f64) -> f64 {
    Binomial::new(chance, draws).unwrap().cdf(hits)
}

/// The chance of at least so many.
fn at_least(hits: u64, draws: u64, chance: f64) -> f64 {
    1.0 - hits.checked_sub(1).map_or(0.0, |below| at_most(below, draws, chance))
}
