//! Offline pricing: how fast the records of a log are drawn.

#![allow(missing_docs, reason = "benchmarks have no readers of their documentation")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run should stop")]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use reticent_lab::pricing::market::{
    Curve, CurveSpec, Logging, LowerBoundSpec, Market, MarketSpec, OutcomeKind, Source,
};
use reticent_privacy::{SimSeed, Stream};

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
}
