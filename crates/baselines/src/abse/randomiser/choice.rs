//! What was chosen for a person, before the reward is there.

use std::fmt;
use std::num::NonZeroU64;

use super::Refusal;
use crate::abse::Policy;
use reticent_privacy::Generator;
use reticent_privacy::exact::uniform_below;

/// The person's bin and arm. It says where the person is, so it prints nothing.
pub struct Choice {
    version: u64,
    bin: u32,
    arm: u32,
    /// Only for simulations of the open channel.
    context: Vec<f64>,
}

impl Choice {
    #[inline]
    pub(super) fn draw<G: Generator>(policy: &Policy, bin: usize, rng: &mut G) -> Choice {
        let arms = &policy.bins()[bin].arms;
        // A policy has no bin without arms.
        let count = NonZeroU64::new(arms.len() as u64).unwrap_or(NonZeroU64::MIN);
        let arm = arms[uniform_below(count, rng) as usize];
        Choice { version: policy.version(), bin: bin as u32, arm, context: Vec::new() }
    }

    pub(super) fn remembering(self, context: &[f64]) -> Choice {
        Choice { context: clipped(context), ..self }
    }

    /// The arm to play for this person.
    pub fn arm(&self) -> u32 {
        self.arm
    }

    pub(super) fn context(&self) -> &[f64] {
        &self.context
    }

    pub(super) fn bin(&self) -> usize {
        self.bin as usize
    }

    /// The number of this choice's pair of bin and arm.
    pub(super) fn pair(&self, policy: &Policy) -> Result<Option<usize>, Refusal> {
        if self.version == policy.version() {
            // A server that shows two policies of one version learns nothing from silence: a bin that is not
            // there counts as none.
            let known = self.bin() < policy.bins().len();
            Ok(if known { policy.pair(self.bin(), self.arm) } else { None })
        } else {
            Err(Refusal::StaleChoice { made: self.version, asked: policy.version() })
        }
    }
}

impl fmt::Debug for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Choice { .. }")
    }
}

pub(super) fn clipped(context: &[f64]) -> Vec<f64> {
    context.iter().map(|x| x.clamp(0.0, 1.0)).collect()
}
