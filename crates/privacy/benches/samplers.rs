//! Exact samplers and mechanisms, with the generator alone as the floor: `cargo bench -p reticent-privacy`.

use std::num::NonZeroU64;

use divan::{Bencher, counter::ItemsCount};
use rand_core::Rng;
use reticent_privacy::mechanism::{BernoulliResponse, LaplaceResponse, Mechanism, RandomisedResponse};
use reticent_privacy::{Epsilon, NoiseRng, UnitGrid, exact};

const DRAWS: usize = 10_000;

fn main() {
    divan::main();
}

fn draws<T>(bencher: Bencher<'_, '_>, mut draw: impl FnMut(&mut NoiseRng) -> T) {
    let mut rng = NoiseRng::from_os().expect("entropy");
    bencher.counter(ItemsCount::new(DRAWS)).bench_local(|| {
        for _ in 0..DRAWS {
            divan::black_box(draw(&mut rng));
        }
    });
}

fn epsilon() -> Epsilon {
    Epsilon::new(1.0).expect("a valid epsilon")
}

#[divan::bench]
fn generator_alone_u64(bencher: Bencher<'_, '_>) {
    draws(bencher, NoiseRng::next_u64);
}

#[divan::bench]
fn uniform_below_1000(bencher: Bencher<'_, '_>) {
    let bound = NonZeroU64::new(1000).expect("positive");
    draws(bencher, |rng| exact::uniform_below(bound, rng));
}

#[divan::bench]
fn bernoulli_exp_one_half(bencher: Bencher<'_, '_>) {
    let two = NonZeroU64::new(2).expect("positive");
    draws(bencher, |rng| exact::bernoulli_exp(1, two, rng));
}

#[divan::bench]
fn randomised_response(bencher: Bencher<'_, '_>) {
    let channel = RandomisedResponse::new(epsilon());
    draws(bencher, |rng| channel.release_with(divan::black_box(true), rng));
}

#[divan::bench]
fn bernoulli_response(bencher: Bencher<'_, '_>) {
    let curator = BernoulliResponse::new(epsilon());
    let reward = UnitGrid::clip(0.3).expect("finite");
    draws(bencher, |rng| curator.release_with(divan::black_box(reward), rng));
}

#[divan::bench]
fn laplace_response(bencher: Bencher<'_, '_>) {
    let curator = LaplaceResponse::new(epsilon());
    let reward = UnitGrid::clip(0.3).expect("finite");
    draws(bencher, |rng| curator.release_with(divan::black_box(reward), rng));
}
