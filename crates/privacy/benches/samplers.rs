//! Exact samplers and mechanisms, with the generator alone as the floor: `cargo bench -p reticent-privacy`.

use std::num::{NonZeroU64, NonZeroU128};

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
    let two = NonZeroU128::new(2).expect("positive");
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

#[divan::bench]
fn discrete_laplace_scale_20(bencher: Bencher<'_, '_>) {
    let noise = exact::DiscreteLaplace::new(NonZeroU64::new(20).expect("positive"), NonZeroU64::MIN);
    draws(bencher, |rng| noise.sample(rng));
}

#[divan::bench(args = [10, 40, 80])]
fn discrete_gaussian_variance_bits(bencher: Bencher<'_, '_>, bits: u32) {
    let noise = exact::DiscreteGaussian::new(1 << bits, NonZeroU64::MIN).expect("in range");
    draws(bencher, |rng| noise.sample(rng));
}
