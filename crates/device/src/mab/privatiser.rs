//! From a reward to one private bit.

use reticent_privacy::mechanism::{BernoulliResponse, Mechanism};
use reticent_privacy::{Charge, Epsilon, Generator, Guarantee, UnitGrid};
use reticent_protocol::mab::{Policy, Report, Spec};

use crate::{DeviceError, Problem};

/// An experiment as its devices need it.
#[derive(Debug)]
pub struct Privatiser {
    spec: Spec,
    mechanism: BernoulliResponse,
}

impl Problem for Privatiser {
    type Spec = Spec;

    fn new(spec: &Spec) -> Privatiser {
        Privatiser { spec: spec.clone(), mechanism: BernoulliResponse::new(spec.epsilon()) }
    }

    fn guarantee(&self) -> Guarantee {
        self.spec.guarantee()
    }
}

impl Privatiser {
    /// What one answer costs.
    #[inline]
    pub(super) fn epsilon(&self) -> Epsilon {
        self.spec.epsilon()
    }

    /// Checks the policy and squashes and clips the reward.
    #[inline]
    pub(super) fn clip(&self, policy: &Policy, reward: f64) -> Result<UnitGrid, DeviceError> {
        self.check(policy)?;
        UnitGrid::clip(policy.squash.apply(reward)).map_err(DeviceError::Reward)
    }

    /// The middle of the range, for a reward that is missing.
    pub(super) fn middle(&self, policy: &Policy) -> Result<UnitGrid, DeviceError> {
        self.check(policy)?;
        UnitGrid::clip(0.5).map_err(DeviceError::Reward)
    }

    #[inline]
    fn check(&self, policy: &Policy) -> Result<(), DeviceError> {
        let arms = self.spec.arms();
        if policy.arm < arms { Ok(()) } else { Err(DeviceError::UnknownArm { arm: policy.arm, arms }) }
    }

    /// One draw for one receipt, which it uses up: the only way from a reward to a report.
    #[inline]
    pub(super) fn report<G: Generator>(
        &self,
        policy: &Policy,
        reward: UnitGrid,
        receipt: Charge,
        noise: &mut G,
    ) -> Report {
        drop(receipt);
        let bit = self.mechanism.release_with(reward, noise);
        Report { arm: policy.arm, stage: policy.stage, bit }
    }
}
