//! Secrets that are shown where few look: seldom, far to the right, or in pieces that say nothing one by one.

use reticent_audit::{Audit, AuditError, Finding, Observation};
use reticent_privacy::Generator;
use reticent_privacy::mechanism::{Mechanism, RandomisedResponse};

use super::{Broken, Mistake, boxed, claim, laplace, on_grid, uniform_float, unit_epsilon};
use crate::catalogue::{Effort, Subject};

pub(super) fn all() -> Vec<Box<dyn Broken>> {
    vec![Box::new(SeldomShown), boxed::<WideVector>(), boxed::<OneTimePad>(), boxed::<PadOfThree>()]
}

fn bits() -> Vec<(&'static str, bool)> {
    vec![("false", false), ("true", true)]
}

/// Shows the raw value three times as often as the least that the auditor states to see.
struct SeldomShown;

const NAME: &str = "seldom-shown";
const TIMES: f64 = 3.0;

/// The same, with how often.
struct Shows(f64);

impl Subject for Shows {
    type Input = f64;
    fn observe<G: Generator>(&self, reward: &f64, rng: &mut G) -> Observation {
        let noise = if uniform_float(rng) <= self.0 { 0 } else { laplace(1, 1, rng) };
        (on_grid(*reward) + noise).into()
    }
}

impl Broken for SeldomShown {
    fn name(&self) -> &'static str {
        NAME
    }

    fn mistake(&self) -> &'static str {
        "the raw value once in a while, as by a debug build or a fault: three times as often as the stated smallest leak"
    }

    fn audit(&self, effort: &Effort) -> Result<Finding, AuditError> {
        let audit = Audit::new(NAME, claim()).labelled([("reward 0", 0.0), ("reward 1", 1.0)]);
        let least = audit.clone().samples(effort.samples).smallest_leak()?;
        effort.measure(audit, &Shows(TIMES * least.unwrap_or(0.0)))
    }
}

#[derive(Default)]
struct WideVector;

/// Coordinates, and the one that is raw.
const WIDTH: usize = 100;
const RAW: usize = 70;

impl Subject for WideVector {
    type Input = bool;
    fn observe<G: Generator>(&self, bit: &bool, rng: &mut G) -> Observation {
        let mut coins: [bool; WIDTH] = std::array::from_fn(|_| rng.next_u32() & 1 == 1);
        coins[RAW] = *bit;
        coins.into()
    }
}

impl Mistake for WideVector {
    const NAME: &'static str = "wide-vector";
    const MISTAKE: &'static str = "a raw bit in coordinate 70 of 100, among 99 that are noise";
    const FEWER: usize = 8;
    fn inputs() -> Vec<(&'static str, bool)> {
        bits()
    }
}

#[derive(Default)]
struct OneTimePad;

impl Subject for OneTimePad {
    type Input = bool;
    fn observe<G: Generator>(&self, bit: &bool, rng: &mut G) -> Observation {
        let channel = RandomisedResponse::new(unit_epsilon());
        let mut shown: [bool; 12] = std::array::from_fn(|_| rng.next_u32() & 1 == 1);
        shown[0] = channel.release_with(*bit, rng);
        shown[10] = shown[9] ^ *bit;
        shown.into()
    }
}

impl Mistake for OneTimePad {
    const NAME: &'static str = "one-time-pad";
    const MISTAKE: &'static str =
        "the bit behind a pad, and the pad: coordinates 9 and 10 are noise one by one";
    fn inputs() -> Vec<(&'static str, bool)> {
        bits()
    }
}

#[derive(Default)]
struct PadOfThree;

impl Subject for PadOfThree {
    type Input = u8;
    fn observe<G: Generator>(&self, value: &u8, rng: &mut G) -> Observation {
        let mut shown: [u8; 9] = std::array::from_fn(|_| rng.next_u32() as u8);
        // Shares of a secret, all of which reached the server.
        shown[7] = shown[2] ^ shown[5] ^ *value;
        shown.into()
    }
}

impl Mistake for PadOfThree {
    const NAME: &'static str = "pad-of-three";
    const MISTAKE: &'static str =
        "a secret in three shares of which any two are noise, and all three are sent";
    fn inputs() -> Vec<(&'static str, u8)> {
        vec![("value 3", 3), ("value 19", 19)]
    }
}
