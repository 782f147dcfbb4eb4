mod choosing;
mod combining;
mod forged;
mod learning;
mod misled;
mod policies;
mod rules;
mod sites;

use reticent_privacy::oracle::{Oracle, Report as Answer};
use reticent_privacy::{Epsilon, SimSeed, Stream};
use reticent_protocol::pricing::{Prices, Report, Spec, Terms};
use reticent_schema::{Encoding, Range};

use super::*;

const SOLD: Range = Range::UNIT;

fn terms(dimension: usize) -> Terms {
    Terms::new(Encoding::unit(dimension).unwrap(), Prices::range(0.0, 1.0).unwrap(), SOLD).unwrap()
}

/// The chance of a sale: everybody buys for nothing, and richer people (along the first axis) pay more.
fn demand(point: &[f64], price: f64) -> f64 {
    1.0 / (1.0 + libm::exp(8.0 * (price - 0.35 - 0.4 * point[0])))
}

/// What records drawn by `draw` (context, then price) are worth as reports: through the channels themselves,
/// as devices do.
fn tally(
    spec: &Spec,
    records: u32,
    trial: u64,
    draw: impl FnMut(&mut dyn FnMut() -> f64) -> Vec<f64>,
) -> Tally {
    tally_of(spec, records, trial, draw, |point| demand(point, point[point.len() - 1]))
}

/// The same with another chance of a good outcome.
fn tally_of(
    spec: &Spec,
    records: u32,
    trial: u64,
    mut draw: impl FnMut(&mut dyn FnMut() -> f64) -> Vec<f64>,
    chance: impl Fn(&[f64]) -> f64,
) -> Tally {
    let mut world = SimSeed(3).stream(trial, Stream::Environment);
    let mut noise = SimSeed(3).stream(trial, Stream::Noise);
    let mut tally = Tally::new(spec);
    for _ in 0..records {
        let point = draw(&mut || world.uniform());
        let good = world.uniform() < chance(&point);
        let question = (world.uniform() * spec.channels().len() as f64) as u32;
        let channel = &spec.channels()[question as usize];
        let symbol = channel.oracle().domain().clip(2 * channel.cell(&point) + u32::from(good));
        let Answer::Index(output) = channel.oracle().randomise(symbol, &mut noise) else {
            panic!("a number")
        };
        tally.add(Report { question, output }).unwrap();
    }
    tally
}

fn even(dimension: usize, epsilon: f64, records: u32, trial: u64) -> Tally {
    let spec = Spec::designed(terms(dimension), Epsilon::new(epsilon).unwrap(), u64::from(records)).unwrap();
    tally(&spec, records, trial, |uniform| (0..=dimension).map(|_| uniform()).collect())
}

fn revenue(terms: &Terms) -> Objective {
    Objective::new(terms, Earns::Margin { cost: 0.0 })
}

/// Contexts of one axis, evenly.
fn contexts() -> impl Iterator<Item = Vec<f64>> {
    (0..100).map(|i| vec![(f64::from(i) + 0.5) / 100.0])
}
