//! Mechanisms for one person's value.

use reticent_audit::Weight;
use reticent_privacy::mechanism::{BernoulliResponse, Finite, LaplaceResponse, RandomisedResponse};
use reticent_privacy::{Epsilon, UnitGrid};
use serde_json::Value;

use super::{Described, Of};
use crate::catalogue::{Entry, Group};

pub(in crate::catalogue) fn all() -> Vec<Box<dyn Entry>> {
    vec![Of::<RandomisedResponse>::boxed(), Of::<BernoulliResponse>::boxed(), Of::<LaplaceResponse>::boxed()]
}

impl Described for RandomisedResponse {
    const NAME: &'static str = "randomised-response";
    const GROUP: Group = Group::LocalMechanism;
    const SUMMARY: &'static str =
        "one bit, kept with the largest provable probability of at most e^ε/(1+e^ε)";
    const EXAMPLE: &'static str = "true";

    fn make(epsilon: Epsilon) -> Option<Self> {
        Some(RandomisedResponse::new(epsilon))
    }

    fn read(value: &Value) -> Option<bool> {
        value.as_bool()
    }

    fn inputs() -> Vec<(String, bool)> {
        vec![("false".into(), false), ("true".into(), true)]
    }

    fn law(&self, input: &bool) -> Option<Vec<Weight>> {
        Some(Finite::law(self, input))
    }
}

impl Described for BernoulliResponse {
    const NAME: &'static str = "bernoulli-response";
    const GROUP: Group = Group::LocalMechanism;
    const SUMMARY: &'static str = "a number in [0, 1] to one private bit (curators CTB, CTB-S)";
    const EXAMPLE: &'static str = "0.3";

    fn make(epsilon: Epsilon) -> Option<Self> {
        Some(BernoulliResponse::new(epsilon))
    }

    fn read(value: &Value) -> Option<UnitGrid> {
        UnitGrid::clip(value.as_f64()?).ok()
    }

    fn inputs() -> Vec<(String, UnitGrid)> {
        rewards()
    }

    fn law(&self, input: &UnitGrid) -> Option<Vec<Weight>> {
        Some(Finite::law(self, input))
    }
}

impl Described for LaplaceResponse {
    const NAME: &'static str = "laplace-response";
    const GROUP: Group = Group::LocalMechanism;
    const SUMMARY: &'static str =
        "a number in [0, 1] plus exact Laplace noise, in steps of 2^-30 (curators CTL, CTL-S)";
    const EXAMPLE: &'static str = "0.3";

    fn make(epsilon: Epsilon) -> Option<Self> {
        Some(LaplaceResponse::new(epsilon))
    }

    fn read(value: &Value) -> Option<UnitGrid> {
        UnitGrid::clip(value.as_f64()?).ok()
    }

    fn inputs() -> Vec<(String, UnitGrid)> {
        rewards()
    }
}

/// Both ends, the middle, and numbers that no float has exactly.
fn rewards() -> Vec<(String, UnitGrid)> {
    let rewards = [0.0, 0.1, 0.5, 0.7, 1.0];
    rewards.iter().filter_map(|&r| Some((format!("reward {r}"), UnitGrid::clip(r).ok()?))).collect()
}
