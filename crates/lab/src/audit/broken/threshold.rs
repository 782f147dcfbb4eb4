//! A mistake too small for any sampling: integers see it.

use reticent_audit::{AuditError, Finding, FiniteMechanism, Weight};
use reticent_privacy::mechanism::RandomisedResponse;

use super::{Broken, claim, unit_epsilon};
use crate::catalogue::Effort;

pub(super) fn all() -> Vec<Box<dyn Broken>> {
    vec![Box::new(ThresholdRoundedUp)]
}

struct ThresholdRoundedUp;

impl Broken for ThresholdRoundedUp {
    fn name(&self) -> &'static str {
        "threshold-rounded-up"
    }

    fn mistake(&self) -> &'static str {
        "randomised response whose keep probability is one byte, rounded up: too little for sampling, integers see it"
    }

    fn audit(&self, _effort: &Effort) -> Result<Finding, AuditError> {
        // ceil(256 e / (1 + e)): the top byte of the right threshold, plus one.
        let keep = (RandomisedResponse::new(unit_epsilon()).keep_of_two_to_64() >> 56) + 1;
        let flip = 256 - keep;
        let law = vec![Weight::exact(keep), Weight::exact(flip)];
        let mirrored = law.iter().rev().cloned().collect();
        Ok(FiniteMechanism::new(vec![law, mirrored])?.labels(["false", "true"]).audit(self.name(), claim()))
    }
}
