//! What exactness costs: Reticent beside floating-point noise, which is not private, and beside OpenDP's exact noise.
//!
//! Only ratios within one run mean something. The generators differ, and that is part of what is compared:
//! Reticent draws from a ChaCha20 of its own; OpenDP from OpenSSL, a call for every few bytes; floats from
//! what is named.

use std::num::NonZeroU64;
use std::time::Duration;

use dashu::rational::RBig;
use divan::{Bencher, Divan, black_box, counter::ItemsCount};
use opendp::measurements::make_randomized_response_bool;
use opendp::traits::samplers;
use rand::Rng;
use rand::rngs::{SmallRng, StdRng};
use rand_distr::{Bernoulli, Distribution, Exp1, StandardNormal};
use reticent_privacy::mechanism::{LaplaceResponse, Mechanism, RandomisedResponse};
use reticent_privacy::oracle::{Aggregate, Domain, Oracle, ProjectiveGeometry, Symbol};
use reticent_privacy::{Epsilon, NoiseRng, UnitGrid, exact};

/// Few enough that a sample of the slowest line takes milliseconds.
const DRAWS: u32 = 1_000;

/// Of Laplace noise; of Gaussian noise it is sigma.
const SCALE: u32 = 20;

/// Long enough that what else the machine does leaves the medians alone.
fn main() {
    Divan::default().min_time(Duration::from_millis(500)).config_with_args().main();
}

fn epsilon() -> Epsilon {
    Epsilon::new(1.0).expect("a valid epsilon")
}

fn draws<T>(bencher: Bencher<'_, '_>, mut draw: impl FnMut() -> T) {
    bencher.counter(ItemsCount::new(DRAWS)).bench_local(|| {
        for _ in 0..DRAWS {
            black_box(draw());
        }
    });
}

/// The generators that floats are drawn from: Reticent's own (ChaCha20), rand's safe one (ChaCha12), rand's fast one.
trait Fresh: Rng {
    fn fresh() -> Self;
}

impl Fresh for NoiseRng {
    fn fresh() -> NoiseRng {
        NoiseRng::from_os().expect("entropy")
    }
}

impl Fresh for StdRng {
    fn fresh() -> StdRng {
        rand::make_rng()
    }
}

impl Fresh for SmallRng {
    fn fresh() -> SmallRng {
        rand::make_rng()
    }
}

/// For a bit at epsilon 1.
fn channel() -> RandomisedResponse {
    RandomisedResponse::new(epsilon())
}

/// The probability that the answer is a lie, 1/(e + 1), in units of 2^-64: that of all bits here.
fn lie() -> u64 {
    channel().keep_of_two_to_64().wrapping_neg()
}

/// Items are bits, not words of 64.
#[divan::bench]
fn bits_reticent_coins64(bencher: Bencher<'_, '_>) {
    let (threshold, mut rng) = (lie(), NoiseRng::fresh());
    bencher.counter(ItemsCount::new(64_u32)).bench_local(|| exact::coins64(threshold, &mut rng));
}

#[divan::bench]
fn bits_reticent_randomised_response(bencher: Bencher<'_, '_>) {
    let (channel, mut rng) = (channel(), NoiseRng::fresh());
    draws(bencher, || channel.release_with(black_box(true), &mut rng));
}

/// The same probability as `coins64`, to the last bit.
#[divan::bench]
fn bits_opendp_bernoulli_rational(bencher: Bencher<'_, '_>) {
    let lie = RBig::from_parts(lie().into(), (1_u128 << 64).into());
    draws(bencher, || samplers::sample_bernoulli_rational(lie.clone()).expect("entropy"));
}

#[divan::bench]
fn bits_opendp_randomised_response(bencher: Bencher<'_, '_>) {
    let channel = make_randomized_response_bool(channel().keep_probability(), false).expect("valid");
    draws(bencher, || channel.invoke(black_box(&true)).expect("entropy"));
}

/// One word below a threshold, as in the response: exact but for the rounding of the probability, which is a float.
#[divan::bench(types = [NoiseRng, StdRng, SmallRng])]
fn bits_rand_bernoulli<R: Fresh>(bencher: Bencher<'_, '_>) {
    let law = Bernoulli::new(1.0 - channel().keep_probability()).expect("a probability");
    let mut rng = R::fresh();
    draws(bencher, || law.sample(&mut rng));
}

#[divan::bench]
fn laplace_reticent_scale_20(bencher: Bencher<'_, '_>) {
    let scale = NonZeroU64::new(SCALE.into()).expect("positive");
    let (noise, mut rng) = (exact::DiscreteLaplace::new(scale, NonZeroU64::MIN), NoiseRng::fresh());
    draws(bencher, || noise.sample(&mut rng));
}

/// Noise of as many steps as the unit interval has, and the sum.
#[divan::bench]
fn laplace_reticent_response(bencher: Bencher<'_, '_>) {
    let (curator, mut rng) = (LaplaceResponse::new(epsilon()), NoiseRng::fresh());
    let reward = UnitGrid::clip(0.3).expect("finite");
    draws(bencher, || curator.release_with(black_box(reward), &mut rng));
}

/// The second scale is the response's.
#[divan::bench(args = [SCALE, UnitGrid::STEPS])]
fn laplace_opendp_scale(bencher: Bencher<'_, '_>, scale: u32) {
    let scale = RBig::from(scale);
    draws(bencher, || samplers::sample_discrete_laplace(scale.clone()).expect("entropy"));
}

/// Not private: which floats can come out depends on the secret that they are added to (Mironov 2012).
#[divan::bench(types = [NoiseRng, StdRng, SmallRng])]
fn laplace_float_scale_20<R: Fresh>(bencher: Bencher<'_, '_>) {
    let mut rng = R::fresh();
    draws(bencher, || {
        let magnitude: f64 = Exp1.sample(&mut rng);
        // Without a branch, which would be guessed wrong half the time.
        f64::from_bits(magnitude.to_bits() ^ (u64::from(rng.next_u32()) << 63)) * f64::from(SCALE)
    });
}

#[divan::bench]
fn gaussian_reticent_sigma_20(bencher: Bencher<'_, '_>) {
    let noise = exact::DiscreteGaussian::new((SCALE * SCALE).into(), NonZeroU64::MIN).expect("in range");
    let mut rng = NoiseRng::fresh();
    draws(bencher, || noise.sample(&mut rng));
}

#[divan::bench]
fn gaussian_opendp_sigma_20(bencher: Bencher<'_, '_>) {
    let sigma = RBig::from(SCALE);
    draws(bencher, || samplers::sample_discrete_gaussian(sigma.clone()).expect("entropy"));
}

/// Not private, as with Laplace noise.
#[divan::bench(types = [NoiseRng, StdRng, SmallRng])]
fn gaussian_float_sigma_20<R: Fresh>(bencher: Bencher<'_, '_>) {
    let mut rng = R::fresh();
    draws(bencher, || f64::from(SCALE) * Distribution::<f64>::sample(&StandardNormal, &mut rng));
}

/// For one of 1024 symbols at epsilon 1, and symbols in a scattered order. The others do not have this mechanism.
fn oracle_and_symbols() -> (ProjectiveGeometry, Vec<Symbol>) {
    let domain = Domain::new(1024).expect("a valid size");
    let symbol = |person: u32| domain.symbol(person.wrapping_mul(2_654_435_761) % 1024).expect("within it");
    (ProjectiveGeometry::new(domain, epsilon()), (0..DRAWS).map(symbol).collect())
}

#[divan::bench]
fn projective_1024_reticent_randomise(bencher: Bencher<'_, '_>) {
    let ((oracle, symbols), mut rng) = (oracle_and_symbols(), NoiseRng::fresh());
    bencher.counter(ItemsCount::new(DRAWS)).bench_local(|| {
        for &symbol in &symbols {
            black_box(oracle.randomise(symbol, &mut rng));
        }
    });
}

#[divan::bench]
fn projective_1024_reticent_aggregate(bencher: Bencher<'_, '_>) {
    let ((oracle, symbols), mut rng) = (oracle_and_symbols(), NoiseRng::fresh());
    let reports: Vec<_> = symbols.into_iter().map(|symbol| oracle.randomise(symbol, &mut rng)).collect();
    let mut aggregate = Aggregate::new(&oracle);
    bencher.counter(ItemsCount::new(DRAWS)).bench_local(|| {
        for report in &reports {
            aggregate.add(&oracle, report).expect("a report of this oracle");
        }
    });
}
