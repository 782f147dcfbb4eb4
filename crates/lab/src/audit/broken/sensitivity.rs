//! Noise for another function than the one that runs.

use reticent_audit::Observation;
use reticent_privacy::Generator;
use reticent_privacy::Scores;
use reticent_privacy::mechanism::{ExponentialMechanism, Mechanism, RandomisedResponse};

use super::{Broken, Mistake, boxed, epsilon_of, laplace, on_grid, unit_epsilon};
use crate::catalogue::Subject;

pub(super) fn all() -> Vec<Box<dyn Broken>> {
    vec![
        boxed::<DataDependentDenominator>(),
        boxed::<UnclippedReward>(),
        boxed::<WrongFlipProbability>(),
        boxed::<ForgottenFactorTwo>(),
    ]
}

#[derive(Default)]
struct DataDependentDenominator;

impl Subject for DataDependentDenominator {
    type Input = Vec<f64>;
    fn observe<G: Generator>(&self, people: &Vec<f64>, rng: &mut G) -> Observation {
        let count = people.len().max(1);
        let mean = people.iter().sum::<f64>() / count as f64;
        (on_grid(mean) + laplace(1, count as u64, rng)).into()
    }
}

impl Mistake for DataDependentDenominator {
    const NAME: &'static str = "data-dependent-denominator";
    const MISTAKE: &'static str =
        "a mean with noise of scale 1/n, where n itself is private: one more person changes the noise";
    fn inputs() -> Vec<(&'static str, Vec<f64>)> {
        vec![("one person", vec![1.0]), ("another person added", vec![1.0, 0.0])]
    }
}

#[derive(Default)]
struct UnclippedReward;

impl Subject for UnclippedReward {
    type Input = f64;
    fn observe<G: Generator>(&self, reward: &f64, rng: &mut G) -> Observation {
        (on_grid(*reward) + laplace(1, 1, rng)).into()
    }
}

impl Mistake for UnclippedReward {
    const NAME: &'static str = "unclipped-reward";
    const MISTAKE: &'static str = "noise for rewards in [0, 1], and a reward of 5 that nobody clipped";
    fn inputs() -> Vec<(&'static str, f64)> {
        vec![("reward 0", 0.0), ("reward 1", 1.0), ("reward 5", 5.0)]
    }
}

#[derive(Default)]
struct WrongFlipProbability;

impl Subject for WrongFlipProbability {
    type Input = usize;
    fn observe<G: Generator>(&self, symbol: &usize, rng: &mut G) -> Observation {
        let channel = RandomisedResponse::new(unit_epsilon());
        let bits: [bool; 4] = std::array::from_fn(|i| channel.release_with(i == *symbol, rng));
        bits.into()
    }
}

impl Mistake for WrongFlipProbability {
    const NAME: &'static str = "wrong-flip-probability";
    const MISTAKE: &'static str = "unary encoding that flips each bit for the whole epsilon, although two bits differ between two people";
    fn inputs() -> Vec<(&'static str, usize)> {
        vec![("symbol 0", 0), ("symbol 1", 1)]
    }
}

#[derive(Default)]
struct ForgottenFactorTwo;

impl Subject for ForgottenFactorTwo {
    type Input = Scores;
    fn observe<G: Generator>(&self, scores: &Scores, rng: &mut G) -> Observation {
        // exp(epsilon score / sensitivity): the exponential mechanism at twice the loss.
        ExponentialMechanism::new(epsilon_of(2.0)).release_with(scores.clone(), rng).into()
    }
}

impl Mistake for ForgottenFactorTwo {
    const NAME: &'static str = "forgotten-factor-two";
    const MISTAKE: &'static str = "an exponential mechanism without the 2 in exp(epsilon score / 2 sensitivity), on scores that are not monotone";
    fn inputs() -> Vec<(&'static str, Scores)> {
        let scores = |steps: [i64; 4]| Scores::declared(steps.to_vec(), 1).ok();
        let data =
            [("one data set", scores([-2, 0, 0, 0])), ("one record replaced", scores([-1, -1, -1, -1]))];
        data.into_iter().filter_map(|(label, scores)| Some((label, scores?))).collect()
    }
}
