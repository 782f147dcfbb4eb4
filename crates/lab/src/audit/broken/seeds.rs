//! Noise that is not random enough, or not independent.

use reticent_audit::Observation;
use reticent_privacy::{Generator, SimSeed, Stream};

use super::{Broken, Mistake, boxed, laplace, on_grid};
use crate::catalogue::Subject;

pub(super) fn all() -> Vec<Box<dyn Broken>> {
    vec![boxed::<SeededByInput>(), boxed::<SmallSeed>(), boxed::<AnticorrelatedNoise>()]
}

fn rewards() -> Vec<(&'static str, f64)> {
    vec![("reward 0", 0.0), ("reward 1", 1.0)]
}

#[derive(Default)]
struct SeededByInput;

impl Subject for SeededByInput {
    type Input = f64;
    fn observe<G: Generator>(&self, reward: &f64, _: &mut G) -> Observation {
        let seed = SimSeed(reward.to_bits().wrapping_mul(0x9e37_79b9_7f4a_7c15));
        (on_grid(*reward) + laplace(1, 1, &mut seed.stream(0, Stream::Noise))).into()
    }
}

impl Mistake for SeededByInput {
    const NAME: &'static str = "seeded-by-input";
    const MISTAKE: &'static str = "noise seeded by a hash of the input, so that a retry gives the same answer: the answer names the input";
    fn inputs() -> Vec<(&'static str, f64)> {
        rewards()
    }
}

#[derive(Default)]
struct SmallSeed;

impl Subject for SmallSeed {
    type Input = f64;
    fn observe<G: Generator>(&self, reward: &f64, rng: &mut G) -> Observation {
        let mut own = SimSeed(u64::from(rng.next_u32() as u16)).stream(0, Stream::Noise);
        // Each at half the loss, as two answers should be.
        [on_grid(*reward) + laplace(2, 1, &mut own), on_grid(0.5) + laplace(2, 1, &mut own)].into()
    }
}

impl Mistake for SmallSeed {
    const NAME: &'static str = "small-seed";
    const MISTAKE: &'static str =
        "a generator with a seed of 16 bits behind two numbers: only 65,536 pairs can come from each reward";
    fn inputs() -> Vec<(&'static str, f64)> {
        rewards()
    }
}

#[derive(Default)]
struct AnticorrelatedNoise;

impl Subject for AnticorrelatedNoise {
    type Input = f64;
    fn observe<G: Generator>(&self, reward: &f64, rng: &mut G) -> Observation {
        let noise = laplace(2, 1, rng);
        [on_grid(*reward) + noise, on_grid(*reward) - noise].into()
    }
}

impl Mistake for AnticorrelatedNoise {
    const NAME: &'static str = "anticorrelated-noise";
    const MISTAKE: &'static str = "two reports whose noise is drawn with opposite signs, for a smaller variance: it cancels in their sum";
    fn inputs() -> Vec<(&'static str, f64)> {
        rewards()
    }
}
