//! Pricing: how fast policies answer and learn, `nw-lcb` from a million raw sales and `private-pricing` from
//! privatised ones.

#![allow(missing_docs, reason = "benchmarks have no readers of their documentation")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run should stop")]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use reticent_baselines::nw_lcb::raw::{NwLcb, Sales, Smoothness};
use reticent_baselines::nw_lcb::theorem_bandwidth;
use reticent_device::pricing::Device;
use reticent_learn::pricing::{Earns, Objective, Policy, Tally, fit};
use reticent_privacy::{Epsilon, SimRng, SimSeed, Stream};
use reticent_protocol::pricing::{Prices, Spec, Terms};
use reticent_schema::{Encoding, Range};

fn main() {
    divan::main();
}

const SALES: usize = 1_000_000;
const DIMS: usize = 2;

/// Where contexts are.
#[derive(Debug, Clone, Copy)]
enum Contexts {
    Uniform,
    /// Beta(8, 8) on each axis.
    Clustered,
}

impl Contexts {
    fn draw(self, rng: &mut SimRng) -> f64 {
        match self {
            Contexts::Uniform => rng.uniform(),
            Contexts::Clustered => rng.beta(8.0, 8.0),
        }
    }
}

struct Log {
    contexts: Vec<f64>,
    prices: Vec<f64>,
    rewards: Vec<f64>,
}

/// Revenue of a logit demand at uniform prices.
fn log(kind: Contexts, rng: &mut SimRng) -> Log {
    let contexts: Vec<f64> = (0..DIMS * SALES).map(|_| kind.draw(rng)).collect();
    let prices: Vec<f64> = (0..SALES).map(|_| rng.uniform()).collect();
    let mean = |x: &[f64], t: f64| {
        let centre = 0.35 + 0.4 * x.iter().sum::<f64>() / DIMS as f64;
        1.6 * t / (1.0 + libm::exp(8.0 * (t - centre)))
    };
    let pairs = contexts.chunks_exact(DIMS).zip(&prices);
    let rewards = pairs.map(|(x, &t)| f64::from(u8::from(rng.uniform() < mean(x, t)))).collect();
    Log { contexts, prices, rewards }
}

fn policy(Log { contexts, prices, rewards }: &Log) -> NwLcb {
    let bandwidth = theorem_bandwidth(SALES as u64, DIMS as u32, 1.0, 0.0, 1.0).unwrap();
    let sales = Sales { dims: DIMS, contexts, prices, rewards };
    NwLcb::new(&sales, Smoothness { bandwidth, holder: 1.0, beta: 1.0 }).unwrap()
}

/// One price after another, for contexts like the logged ones.
#[divan::bench(args = [Contexts::Uniform, Contexts::Clustered], sample_count = 20, sample_size = 500)]
fn quote(bencher: Bencher<'_, '_>, kind: Contexts) {
    let mut rng = SimSeed(1).stream(0, Stream::Environment);
    let policy = policy(&log(kind, &mut rng));
    bencher
        .counter(ItemsCount::new(1_usize))
        .with_inputs(|| [kind.draw(&mut rng), kind.draw(&mut rng)])
        .bench_local_values(|context| policy.quote(black_box(&context)).unwrap());
}

/// From sales to a policy that can be asked.
#[divan::bench(args = [Contexts::Uniform, Contexts::Clustered], sample_count = 3)]
fn learn(bencher: Bencher<'_, '_>, kind: Contexts) {
    let log = log(kind, &mut SimSeed(1).stream(0, Stream::Environment));
    bencher.counter(ItemsCount::new(SALES)).bench_local(|| policy(&log));
}

/// 200,000 privatised sales of so many contexts, of which the first matters.
fn tally(dims: usize) -> Tally {
    let outcome = Range::UNIT;
    let terms = Terms::new(Encoding::unit(dims).unwrap(), Prices::range(0.0, 1.0).unwrap(), outcome).unwrap();
    let epsilon = Epsilon::new(4.0).unwrap();
    let spec = Spec::designed(terms, epsilon, 200_000).unwrap();
    let mut world = SimSeed(1).stream(0, Stream::Environment);
    let mut device = Device::simulated(&spec, epsilon, SimSeed(1).stream(0, Stream::Noise));
    let mut tally = Tally::new(&spec);
    for _ in 0..200_000 {
        let context: Vec<f64> = (0..dims).map(|_| world.uniform()).collect();
        let price = world.uniform();
        let chance = 1.0 / (1.0 + libm::exp(8.0 * (price - 0.35 - 0.4 * context[0])));
        let sold = f64::from(u8::from(world.uniform() < chance));
        device.next_person(epsilon);
        let record = device.record_numbers(&context, price).unwrap();
        tally.absorb(&device.answer(record, sold).unwrap()).unwrap();
    }
    tally
}

fn private_policy(tally: &Tally) -> Policy {
    let objective = Objective::new(tally.spec().terms(), Earns::Margin { cost: 0.0 });
    fit(std::slice::from_ref(tally)).unwrap().policy(objective).unwrap()
}

/// One price by `private-pricing`.
#[divan::bench(args = [1, 2, 5])]
fn private_quote(bencher: Bencher<'_, '_>, dims: usize) {
    let policy = private_policy(&tally(dims));
    let mut rng = SimSeed(2).stream(0, Stream::Environment);
    bencher
        .counter(ItemsCount::new(1_usize))
        .with_inputs(|| (0..dims).map(|_| rng.uniform()).collect::<Vec<f64>>())
        .bench_local_refs(|context| policy.quote(black_box(context)).unwrap());
}

/// From counts to a policy.
#[divan::bench(args = [1, 2, 5], sample_count = 5)]
fn private_learn(bencher: Bencher<'_, '_>, dims: usize) {
    let tally = tally(dims);
    bencher.bench_local(|| private_policy(&tally));
}
