//! What surrounds an answer tells something too: how long it is, which version it names, whether it comes, how many.

use reticent_audit::Observation;
use reticent_privacy::Generator;
use reticent_privacy::mechanism::{Mechanism, RandomisedResponse};

use super::{Broken, Mistake, boxed, laplace, on_grid, uniform_float, unit_epsilon};
use crate::catalogue::Subject;

pub(super) fn all() -> Vec<Box<dyn Broken>> {
    vec![boxed::<LengthTells>(), boxed::<VersionTells>(), boxed::<SilenceTells>(), boxed::<BudgetPerArm>()]
}

#[derive(Default)]
struct LengthTells;

impl Subject for LengthTells {
    type Input = u32;
    fn observe<G: Generator>(&self, visits: &u32, rng: &mut G) -> Observation {
        // One bit of noise for each visit: what they say is private, how many there are is not.
        let channel = RandomisedResponse::new(unit_epsilon());
        (0..*visits)
            .map(|_| channel.release_with(uniform_float(rng) <= 0.5, rng))
            .collect::<Vec<bool>>()
            .into()
    }
}

impl Mistake for LengthTells {
    const NAME: &'static str = "length-tells";
    const MISTAKE: &'static str = "a private bit for each visit, and as many bits as visits";
    fn inputs() -> Vec<(&'static str, u32)> {
        vec![("three visits", 3), ("four visits", 4)]
    }
}

#[derive(Default)]
struct VersionTells;

impl Subject for VersionTells {
    type Input = f64;
    fn observe<G: Generator>(&self, reward: &f64, rng: &mut G) -> Observation {
        // A device that fetches the next policy when its person bought something.
        let version = if *reward > 0.5 { 8_i64 } else { 7 };
        [version, on_grid(*reward) + laplace(1, 1, rng)].into()
    }
}

impl Mistake for VersionTells {
    const NAME: &'static str = "version-tells";
    const MISTAKE: &'static str =
        "a policy that is fetched when the reward was good: the report's version says so";
    fn inputs() -> Vec<(&'static str, f64)> {
        vec![("reward 0", 0.0), ("reward 1", 1.0)]
    }
}

#[derive(Default)]
struct SilenceTells;

impl Subject for SilenceTells {
    type Input = bool;
    fn observe<G: Generator>(&self, bit: &bool, rng: &mut G) -> Observation {
        // Of those without an outcome nine of ten never report; those who do are private.
        let speaks = *bit || uniform_float(rng) <= 0.1;
        speaks.then(|| RandomisedResponse::new(unit_epsilon()).release_with(*bit, rng)).into()
    }
}

impl Mistake for SilenceTells {
    const NAME: &'static str = "silence-tells";
    const MISTAKE: &'static str = "a private report that is sent more often after a good outcome";
    fn inputs() -> Vec<(&'static str, bool)> {
        vec![("false", false), ("true", true)]
    }
}

#[derive(Default)]
struct BudgetPerArm;

impl Subject for BudgetPerArm {
    type Input = bool;
    fn observe<G: Generator>(&self, bit: &bool, rng: &mut G) -> Observation {
        // A ledger for each arm: whoever is asked about both spends twice.
        let channel = RandomisedResponse::new(unit_epsilon());
        [channel.release_with(*bit, rng), channel.release_with(*bit, rng)].into()
    }
}

impl Mistake for BudgetPerArm {
    const NAME: &'static str = "budget-per-arm";
    const MISTAKE: &'static str =
        "a budget for each arm in place of one for the person: two answers of 1 each";
    fn inputs() -> Vec<(&'static str, bool)> {
        vec![("false", false), ("true", true)]
    }
}
