//! Offline pricing: how fast the records of a log are drawn.
//! Pricing without privacy: how fast the policy answers when it has learnt from a million sales, and how fast it learns.

#![allow(missing_docs, reason = "benchmarks have no readers of their documentation")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run should stop")]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use reticent_lab::pricing::market::{
    Curve, CurveSpec, Logging, LowerBoundSpec, Market, MarketSpec, OutcomeKind, Source,
};
use reticent_privacy::{SimSeed, Stream};
use reticent_curate::pricing::nw_lcb::{NwLcb, Sales, Smoothness};
use reticent_privacy::{SimRng, SimSeed, Stream};
use reticent_protocol::nw_lcb::theorem_bandwidth;

fn main() {
    divan::main();
}

const RECORDS: usize = 100_000;

fn plain(demand: Curve, dims: usize) -> CurveSpec {
    CurveSpec { demand, dims, ..CurveSpec::default() }
}

fn draw(bencher: Bencher, spec: impl Into<MarketSpec>) {
    let market = Market::new(spec).unwrap();
    let mut context = vec![0.0; market.dims()];
    let mut rng = SimSeed(1).stream(0, Stream::Environment);
    bencher.counter(ItemsCount::new(RECORDS)).bench_local(|| {
        let mut sum = 0.0;
        for _ in 0..RECORDS {
            sum += market.draw(&mut rng, black_box(&mut context)).outcome;
        }
        sum
    });
}

#[divan::bench]
fn logit(bencher: Bencher) {
    draw(bencher, plain(Curve::Logit, 1));
}

#[divan::bench]
fn logit_sale(bencher: Bencher) {
    draw(bencher, CurveSpec { outcome: OutcomeKind::Sale, ..plain(Curve::Logit, 1) });
}

#[divan::bench]
fn linear(bencher: Bencher) {
    draw(bencher, plain(Curve::Linear, 1));
}

#[divan::bench]
fn kinked(bencher: Bencher) {
    draw(bencher, plain(Curve::Kinked, 1));
}

#[divan::bench]
fn logit_of_three_coordinates(bencher: Bencher) {
    draw(bencher, plain(Curve::Logit, 3));
}

#[divan::bench]
fn logit_vanishing(bencher: Bencher) {
    draw(bencher, CurveSpec { source: Source::Vanishing { alpha: 1.0 }, ..plain(Curve::Logit, 1) });
}

#[divan::bench]
fn logit_exploring(bencher: Bencher) {
    draw(bencher, CurveSpec { logging: Logging::Exploring { zeta: 0.3 }, ..plain(Curve::Logit, 1) });
}

#[divan::bench]
fn lower_bound(bencher: Bencher) {
    draw(bencher, LowerBoundSpec::default());
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
