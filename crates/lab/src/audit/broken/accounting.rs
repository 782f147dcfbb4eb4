//! Budgets that do not add up.

use reticent_audit::Observation;
use reticent_privacy::Generator;
use reticent_privacy::mechanism::{Mechanism, RandomisedResponse};

use super::{Broken, Mistake, boxed, epsilon_of, laplace, on_grid};
use crate::catalogue::Subject;

pub(super) fn all() -> Vec<Box<dyn Broken>> {
    vec![boxed::<ChargedOnce>(), boxed::<RedrawOnRetry>(), boxed::<BudgetRoundedDown>()]
}

#[derive(Default)]
struct ChargedOnce;

/// How many features the statistic is released for.
const FEATURES: usize = 5;

impl Subject for ChargedOnce {
    type Input = f64;
    fn observe<G: Generator>(&self, reward: &f64, rng: &mut G) -> Observation {
        let releases: [i64; FEATURES] = std::array::from_fn(|_| on_grid(*reward) + laplace(1, 1, rng));
        releases.into()
    }
}

impl Mistake for ChargedOnce {
    const NAME: &'static str = "charged-once";
    const MISTAKE: &'static str = "one statistic released for each of five features, charged as one release";
    fn inputs() -> Vec<(&'static str, f64)> {
        vec![("reward 0", 0.0), ("reward 1", 1.0)]
    }
}

#[derive(Default)]
struct RedrawOnRetry;

impl Subject for RedrawOnRetry {
    type Input = bool;
    fn observe<G: Generator>(&self, bit: &bool, rng: &mut G) -> Observation {
        let channel = RandomisedResponse::new(epsilon_of(1.0));
        // The answer is lost on the way three times, and drawn anew each time under the charge of the first.
        let answers: [bool; 4] = std::array::from_fn(|_attempt| channel.release_with(*bit, rng));
        answers.into()
    }
}

impl Mistake for RedrawOnRetry {
    const NAME: &'static str = "redraw-on-retry";
    const MISTAKE: &'static str = "an answer drawn anew for each retry of a request that was charged once";
    fn inputs() -> Vec<(&'static str, bool)> {
        vec![("false", false), ("true", true)]
    }
}

#[derive(Default)]
struct BudgetRoundedDown;

impl Subject for BudgetRoundedDown {
    type Input = bool;
    fn observe<G: Generator>(&self, bit: &bool, rng: &mut G) -> Observation {
        // The budget is kept in quarters, and a charge of 0.49 is cut to one of them.
        let (cost, mut left_quarters) = (0.49, 4_u32);
        let channel = RandomisedResponse::new(epsilon_of(cost));
        let charge = (cost * 4.0) as u32;
        let mut answers = Vec::new();
        while left_quarters >= charge {
            left_quarters -= charge;
            answers.push(channel.release_with(*bit, rng));
        }
        answers.into()
    }
}

impl Mistake for BudgetRoundedDown {
    const NAME: &'static str = "budget-rounded-down";
    const MISTAKE: &'static str =
        "a ledger in quarters that rounds charges down: four answers of 0.49 fit into a budget of 1";
    fn inputs() -> Vec<(&'static str, bool)> {
        vec![("false", false), ("true", true)]
    }
}
