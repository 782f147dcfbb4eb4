//! Noise that is not what it seems.

use reticent_audit::Observation;
use reticent_privacy::{Generator, SimSeed, Stream};

use super::{Broken, Mistake, boxed, laplace, on_grid, uniform_float};
use crate::catalogue::Subject;

pub(super) fn all() -> Vec<Box<dyn Broken>> {
    vec![
        boxed::<FloatLaplace>(),
        boxed::<HalvedScale>(),
        boxed::<TruncatedNoise>(),
        boxed::<ClonedGenerator>(),
    ]
}

/// The two rewards that most of these are given.
fn rewards() -> Vec<(&'static str, f64)> {
    vec![("reward 0", 0.0), ("reward 1", 1.0)]
}

#[derive(Default)]
struct FloatLaplace;

impl Subject for FloatLaplace {
    type Input = f64;
    fn observe<G: Generator>(&self, reward: &f64, rng: &mut G) -> Observation {
        let magnitude = -libm::log(uniform_float(rng));
        let noise = if uniform_float(rng) <= 0.5 { magnitude } else { -magnitude };
        (reward + noise).into()
    }
}

impl Mistake for FloatLaplace {
    const NAME: &'static str = "float-laplace";
    const MISTAKE: &'static str =
        "Laplace noise in floating point: some sums can only come from one of two rewards (Mironov 2012)";
    fn inputs() -> Vec<(&'static str, f64)> {
        rewards()
    }
}

#[derive(Default)]
struct HalvedScale;

impl Subject for HalvedScale {
    type Input = f64;
    fn observe<G: Generator>(&self, reward: &f64, rng: &mut G) -> Observation {
        (on_grid(*reward) + laplace(1, 2, rng)).into()
    }
}

impl Mistake for HalvedScale {
    const NAME: &'static str = "halved-scale";
    const MISTAKE: &'static str =
        "noise of half the scale: sensitivity 1 was taken for a range of plus or minus 1/2";
    fn inputs() -> Vec<(&'static str, f64)> {
        rewards()
    }
}

#[derive(Default)]
struct TruncatedNoise;

impl Subject for TruncatedNoise {
    type Input = f64;
    fn observe<G: Generator>(&self, reward: &f64, rng: &mut G) -> Observation {
        (on_grid(*reward) + laplace(1, 1, rng).clamp(on_grid(-2.0), on_grid(2.0))).into()
    }
}

impl Mistake for TruncatedNoise {
    const NAME: &'static str = "truncated-noise";
    const MISTAKE: &'static str =
        "noise cut off at two scales so that results look sensible: the end of the range tells the reward";
    fn inputs() -> Vec<(&'static str, f64)> {
        rewards()
    }
}

#[derive(Default)]
struct ClonedGenerator;

impl Subject for ClonedGenerator {
    type Input = f64;
    fn observe<G: Generator>(&self, reward: &f64, rng: &mut G) -> Observation {
        let seed = SimSeed((laplace(1, 1, rng) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        // Two workers start from the same state, as after a clone or a fork.
        let noise = || laplace(1, 1, &mut seed.stream(0, Stream::Noise));
        [on_grid(*reward) + noise(), on_grid(0.5) + noise()].into()
    }
}

impl Mistake for ClonedGenerator {
    const NAME: &'static str = "cloned-generator";
    const MISTAKE: &'static str =
        "two answers with noise from clones of one generator: their difference has no noise";
    fn inputs() -> Vec<(&'static str, f64)> {
        rewards()
    }
}
