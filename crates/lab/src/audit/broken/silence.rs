//! What is not sent tells something too.

use reticent_audit::Observation;
use reticent_privacy::Generator;

use super::{Broken, Mistake, boxed, laplace, on_grid};
use crate::catalogue::Subject;

pub(super) fn all() -> Vec<Box<dyn Broken>> {
    vec![boxed::<OwnBinsOnly>(), boxed::<SilentRefusal>()]
}

#[derive(Default)]
struct OwnBinsOnly;

impl Subject for OwnBinsOnly {
    type Input = usize;
    fn observe<G: Generator>(&self, bin: &usize, rng: &mut G) -> Observation {
        let mut bins = [0_i64; 4];
        bins[*bin % bins.len()] = on_grid(1.0) + laplace(1, 1, rng);
        bins.into()
    }
}

impl Mistake for OwnBinsOnly {
    const NAME: &'static str = "own-bins-only";
    const MISTAKE: &'static str = "noise drawn only for the bins that a person is in: the other bins are silent, and that names the bin";
    fn inputs() -> Vec<(&'static str, usize)> {
        vec![("a person in bin 0", 0), ("a person in bin 1", 1)]
    }
}

#[derive(Default)]
struct SilentRefusal;

impl Subject for SilentRefusal {
    type Input = f64;
    fn observe<G: Generator>(&self, reward: &f64, rng: &mut G) -> Observation {
        let in_range = (0.0..=1.0).contains(reward);
        if in_range { (on_grid(*reward) + laplace(1, 1, rng)).into() } else { Observation::silence() }
    }
}

impl Mistake for SilentRefusal {
    const NAME: &'static str = "silent-refusal";
    const MISTAKE: &'static str =
        "a device that sends nothing when the reward is out of range, instead of clipping it";
    fn inputs() -> Vec<(&'static str, f64)> {
        vec![("reward 1", 1.0), ("reward 7", 7.0)]
    }
}
