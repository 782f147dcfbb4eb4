//! Many replays of one table: how often intervals contain the table's own effect.
//!
//! Shuffles draw from a finite table without replacement, so that estimates vary less than new people would
//! make them, and intervals hold more often than they promise. With replacement the table is a population,
//! and they should hold as often as they promise.

use reticent_curate::trial::{Effect, Estimator, Interval, Trial, TrialSpec, analyse};
use reticent_privacy::{SimSeed, Stream};
use serde::{Deserialize, Serialize};

use crate::runner::{LabError, Numbered, Repeated, Size};
use reticent_jobs::trial::replay::{Drawn, Moved, Order, Reference, ReplayError, Table, replay};
use reticent_jobs::trial::{release_finished, release_moved};

/// Replays of one table by one plan.
#[derive(Debug)]
pub struct Replays<'a> {
    /// The plan.
    pub spec: &'a TrialSpec,
    /// The people.
    pub table: &'a Table,
    /// Whether the table is one of a finished trial, and released once, instead of enrolled again.
    pub finished: bool,
    /// How each replay's people are drawn.
    pub drawn: Drawn,
    /// How many replays.
    pub replays: u32,
    /// The seed of everything random.
    pub seed: SimSeed,
}

/// What one replay found.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Replayed {
    number: u32,
    effects: Vec<Effect>,
}

impl Numbered for Replayed {
    fn number(&self) -> u32 {
        self.number
    }
}

impl Repeated for Replays<'_> {
    type Trial = Replayed;

    fn size(&self) -> Size {
        let asked = self.spec.draft().people;
        let drawn_anew = self.drawn == Drawn::Bootstrap;
        let people = if drawn_anew { asked } else { asked.min(self.table.rows().into()) };
        Size { people, trials: self.replays }
    }

    fn run(&self, number: u32, go_on: &dyn Fn(u64) -> bool) -> Result<Option<Replayed>, LabError> {
        let stream = |purpose| self.seed.stream(number.into(), purpose);
        let people = self.spec.draft().people;
        let order = Order::new(self.drawn, self.table.rows(), people, &mut stream(Stream::Environment));
        if self.spec.draft().adjust.is_some() {
            let moved = Moved::new(self.spec, self.table);
            let released =
                release_moved(&moved, (self.spec, self.table), &order, &mut stream(Stream::Noise))?;
            return Ok(go_on(people).then(|| Replayed { number, effects: analyse(&released).effects }));
        }
        if self.finished {
            let released = release_finished(self.spec, self.table, &order, &mut stream(Stream::Noise))?;
            return Ok(go_on(people).then(|| Replayed { number, effects: analyse(&released).effects }));
        }
        let mut trial = Trial::with_noise(self.spec.clone(), stream(Stream::Noise));
        match replay(self.table, &order, &mut trial, go_on) {
            Ok(()) => Ok(Some(Replayed { number, effects: analyse(trial.release()).effects })),
            Err(ReplayError::Interrupted { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// How one kind of interval did for one effect.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The interval: an estimator's, or the confidence sequence's.
    pub interval: &'static str,
    /// The share of replays whose interval contains the reference.
    pub coverage: f64,
    /// The mean width.
    pub width: f64,
    /// The mean estimate.
    pub mean: f64,
    /// The standard deviation of the estimates.
    pub spread: f64,
}

/// All intervals of one effect.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Coverage {
    /// The arm.
    pub arm: usize,
    /// The stratum; none for everyone.
    pub stratum: Option<usize>,
    /// The whole table's effect.
    pub reference: f64,
    /// One for each interval.
    pub rows: Vec<Row>,
}

/// How often intervals contain the reference, where there is one.
pub fn coverage(replays: &[Replayed], references: &[Reference]) -> Vec<Coverage> {
    let known = references.iter().enumerate().filter_map(|(place, one)| Some((place, one, one.effect?)));
    known
        .map(|(place, one, reference)| {
            let of = |pick: &dyn Fn(&Effect) -> Option<Interval>| {
                replays.iter().filter_map(|replay| pick(&replay.effects[place])).collect::<Vec<_>>()
            };
            let planned = Estimator::ALL.into_iter().map(|estimator| {
                let pick = |effect: &Effect| effect.planned.and_then(|all| all.of(estimator));
                row(estimator.title(), &of(&pick), reference)
            });
            let anytime = row("anytime sequence", &of(&|effect| Some(effect.anytime)), reference);
            let rows = planned.chain([anytime]).flatten().collect();
            Coverage { arm: one.arm, stratum: one.stratum, reference, rows }
        })
        .collect()
}

/// None if there is no interval: before its planned end a trial has the sequence alone.
fn row(interval: &'static str, found: &[Interval], reference: f64) -> Option<Row> {
    let count = found.len() as f64;
    let average = |value: &dyn Fn(&Interval) -> f64| found.iter().map(value).sum::<f64>() / count;
    let mean = average(&|one| one.estimate);
    (!found.is_empty()).then(|| Row {
        interval,
        coverage: average(&|one| f64::from(u8::from(one.low <= reference && reference <= one.high))),
        width: average(&|one| one.high - one.low),
        mean,
        spread: average(&|one| (one.estimate - mean) * (one.estimate - mean)).sqrt(),
    })
}
