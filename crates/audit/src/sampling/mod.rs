//! Any mechanism: run it, search for what tells two neighbours apart, test that once on fresh runs.

mod beta;
mod bound;
mod clopper_pearson;
mod draw;
mod event;
mod family;
mod observation;
mod sample;
mod search;
mod staged;
mod worst;

use std::fmt::Debug;

pub use observation::{Observation, Seen};

use self::draw::{INPUT_BITS, Runs};
use self::staged::{Looks, Tested};
use super::{AuditError, Claim, Finding, Method, Samples, Verdict, checked_pairs};
use reticent_privacy::{NoiseRng, SimRng, SimSeed, Stream};

/// An audit to be made. See the [module](super) for an example.
#[derive(Debug, Clone)]
pub struct Audit<T> {
    name: String,
    claim: Claim,
    inputs: Vec<(String, T)>,
    pairs: Option<Vec<(usize, usize)>>,
    samples: usize,
    beta: f64,
    threads: usize,
}

const DEFAULT_SAMPLES: usize = 100_000;
const LEAST_SAMPLES: usize = 100;
/// The incomplete beta function is proved to be accurate enough up to here: `beta.rs`.
const MOST_SAMPLES: usize = 100_000_000;
const DEFAULT_BETA: f64 = 1e-6;

impl<T> Audit<T> {
    /// An audit of the mechanism called `name` against `claim`.
    pub fn new(name: impl Into<String>, claim: Claim) -> Audit<T> {
        Audit {
            name: name.into(),
            claim,
            inputs: Vec::new(),
            pairs: None,
            samples: DEFAULT_SAMPLES,
            beta: DEFAULT_BETA,
            threads: 1,
        }
    }

    /// Runs of each input, once for training and at most once more for the test, which ends early when a leak is clear;
    /// 100 000 if not said.
    #[must_use]
    pub fn samples(mut self, runs: usize) -> Audit<T> {
        self.samples = runs;
        self
    }

    /// The probability that the audit's bound is wrong; 10^-6 if not said.
    #[must_use]
    pub fn beta(mut self, beta: f64) -> Audit<T> {
        self.beta = beta;
        self
    }

    /// Threads to run the mechanism in; with a seed, the finding is the same for any number.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Audit<T> {
        self.threads = threads;
        self
    }

    /// The inputs, each a neighbour of each other unless [`pairs`](Audit::pairs) says otherwise.
    #[must_use]
    pub fn neighbours(self, inputs: impl IntoIterator<Item = T>) -> Audit<T>
    where
        T: Debug,
    {
        self.labelled(inputs.into_iter().map(|input| (format!("{input:?}"), input)))
    }

    /// The inputs with names of their own.
    #[must_use]
    pub fn labelled<S: Into<String>>(mut self, inputs: impl IntoIterator<Item = (S, T)>) -> Audit<T> {
        self.inputs = inputs.into_iter().map(|(label, input)| (label.into(), input)).collect();
        self
    }

    /// Which inputs, by number, are neighbours (either way round).
    #[must_use]
    pub fn pairs(mut self, pairs: impl IntoIterator<Item = (usize, usize)>) -> Audit<T> {
        self.pairs = Some(pairs.into_iter().collect());
        self
    }

    /// The rarest outright disclosure that this audit would see; see [`Finding::smallest_leak`].
    pub fn smallest_leak(&self) -> Result<Option<f64>, AuditError> {
        self.checked_size()?;
        let looks = Looks::new(self.samples, self.beta, self.claim.delta.value());
        Ok(looks.smallest_leak(self.claim.epsilon.value()))
    }

    /// Audits with noise from the operating system, as in production.
    pub fn run<O, F>(&self, release: F) -> Result<Finding, AuditError>
    where
        T: Sync,
        F: Fn(&T, &mut NoiseRng) -> O + Sync,
        O: Into<Observation>,
    {
        let make = |_| NoiseRng::from_os();
        self.conduct(&draw::runner(&self.inputs, release, make, self.threads))
    }

    /// Audits with noise from a seed: the same finding each time.
    pub fn run_seeded<O, F>(&self, seed: SimSeed, release: F) -> Result<Finding, AuditError>
    where
        T: Sync,
        F: Fn(&T, &mut SimRng) -> O + Sync,
        O: Into<Observation>,
    {
        let make = |stream| Ok(seed.stream(stream, Stream::Noise));
        self.conduct(&draw::runner(&self.inputs, release, make, self.threads))
    }

    /// Audits something that is run elsewhere, many times at once: `release` gives so many observations of an input,
    /// each with fresh noise.
    pub fn run_batches<E, F>(&self, release: F) -> Result<Finding, AuditError>
    where
        T: Sync,
        F: Fn(&T, usize) -> Result<Vec<Observation>, E> + Sync,
        E: std::error::Error + Send + Sync + 'static,
    {
        self.conduct(&draw::batched(&self.inputs, release, self.threads))
    }

    /// The one test; `../guarantee.md` proves what it is worth.
    fn conduct(&self, runs: &dyn Runs) -> Result<Finding, AuditError> {
        let pairs = self.checked()?;
        let (claimed, delta) = (self.claim.epsilon.value(), self.claim.delta.value());
        let looks = Looks::new(self.samples, self.beta, delta);
        let lead = worst::find(runs, &pairs, self.samples, looks.last())?;
        let Tested { measured, fresh } = match &lead.event {
            Some(event) => looks.test(claimed, |input, stretch| {
                runs.count(event, if input == 0 { lead.pair.0 } else { lead.pair.1 }, stretch)
            })?,
            None => Tested { measured: 0.0, fresh: 0 },
        };
        Ok(Finding {
            name: self.name.clone(),
            claimed: self.claim,
            measured,
            upper: None,
            confidence: 1.0 - self.beta,
            samples: Samples { training: lead.training, fresh },
            neighbours: format!("{} against {}", self.inputs[lead.pair.0].0, self.inputs[lead.pair.1].0),
            event: lead
                .event
                .map_or_else(|| "none: nothing was ever shown".to_owned(), |event| event.to_string()),
            smallest_leak: looks.smallest_leak(claimed),
            unseen: lead.unseen,
            method: Method::Sampling,
            verdict: if measured > claimed { Verdict::Leaks } else { Verdict::Passes },
            tightness: measured / claimed,
        })
    }

    /// The pairs to search, if the question makes sense.
    fn checked(&self) -> Result<Vec<(usize, usize)>, AuditError> {
        let (inputs, most) = (self.inputs.len(), 1 << INPUT_BITS);
        if inputs < 2 {
            return Err(AuditError::TooFewInputs { got: inputs });
        }
        if inputs > most {
            return Err(AuditError::TooManyInputs { got: inputs, most });
        }
        self.checked_size()?;
        match &self.pairs {
            Some(pairs) => checked_pairs(pairs.iter().copied(), inputs),
            None => Ok((0..inputs).flat_map(|a| (a + 1..inputs).map(move |b| (a, b))).collect()),
        }
    }

    /// Refuses a number of runs, or an error probability, that bounds nothing.
    fn checked_size(&self) -> Result<(), AuditError> {
        if self.samples < LEAST_SAMPLES {
            return Err(AuditError::TooFewSamples { got: self.samples, least: LEAST_SAMPLES });
        }
        if self.samples > MOST_SAMPLES {
            return Err(AuditError::TooManySamples { got: self.samples, most: MOST_SAMPLES });
        }
        // Also refuses NaN.
        if !(self.beta > 0.0 && self.beta < 1.0) {
            return Err(AuditError::BadBeta { got: self.beta });
        }
        Ok(())
    }
}

#[cfg(test)]
mod soundness;
#[cfg(test)]
mod tests;
