//! The mechanism behind a channel.

use reticent_privacy::mechanism::{BernoulliResponse, LaplaceResponse, Mechanism, PreparedNoise};
use reticent_privacy::{Charge, Epsilon, Generator, UnitGrid};
use reticent_protocol::mab::{Channel, Policy, Response, Spec};

use super::DeviceError;

/// An experiment's mechanism with its constants computed once.
#[derive(Debug)]
pub(super) struct Curator {
    arms: u32,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Bernoulli(BernoulliResponse),
    Laplace { mechanism: LaplaceResponse, ready: Option<PreparedNoise> },
    Open,
}

impl Curator {
    pub(super) fn new(spec: &Spec) -> Curator {
        let kind = match spec.channel() {
            Channel::Bernoulli { epsilon } => Kind::Bernoulli(BernoulliResponse::new(epsilon)),
            Channel::Laplace { epsilon } => {
                Kind::Laplace { mechanism: LaplaceResponse::new(epsilon), ready: None }
            }
            Channel::Open => Kind::Open,
        };
        Curator { arms: spec.arms(), kind }
    }

    pub(super) fn channel(&self) -> Channel {
        match &self.kind {
            Kind::Bernoulli(mechanism) => Channel::Bernoulli { epsilon: mechanism.epsilon() },
            Kind::Laplace { mechanism, .. } => Channel::Laplace { epsilon: mechanism.epsilon() },
            Kind::Open => Channel::Open,
        }
    }

    /// What one answer costs; nothing in simulations of the open channel.
    #[inline]
    pub(super) fn epsilon(&self) -> Option<Epsilon> {
        match &self.kind {
            Kind::Bernoulli(mechanism) => Some(mechanism.epsilon()),
            Kind::Laplace { mechanism, .. } => Some(mechanism.epsilon()),
            Kind::Open => None,
        }
    }

    /// Checks the policy and squashes and clips the reward.
    #[inline]
    pub(super) fn clip(&self, policy: &Policy, reward: f64) -> Result<UnitGrid, DeviceError> {
        self.check(policy)?;
        Ok(UnitGrid::clip(policy.squash.apply(reward))?)
    }

    /// The middle of the range, for a reward that is missing.
    pub(super) fn middle(&self, policy: &Policy) -> Result<UnitGrid, DeviceError> {
        self.check(policy)?;
        Ok(UnitGrid::clip(0.5)?)
    }

    #[inline]
    fn check(&self, policy: &Policy) -> Result<(), DeviceError> {
        if policy.arm < self.arms {
            Ok(())
        } else {
            Err(DeviceError::UnknownArm { arm: policy.arm, arms: self.arms })
        }
    }

    pub(super) fn prepare<G: Generator>(&mut self, noise: &mut G) {
        if let Kind::Laplace { mechanism, ready } = &mut self.kind {
            ready.get_or_insert_with(|| mechanism.prepare(noise));
        }
    }

    /// One draw for one receipt, which it uses up: the only way from a reward to noise in this crate. Only the open channel
    /// goes without.
    #[inline]
    pub(super) fn respond<G: Generator>(
        &mut self,
        reward: UnitGrid,
        _receipt: Option<Charge>,
        noise: &mut G,
    ) -> Response {
        match &mut self.kind {
            Kind::Bernoulli(mechanism) => Response::Bit(mechanism.release_with(reward, noise)),
            Kind::Laplace { mechanism, ready } => {
                let drawn = ready.take().unwrap_or_else(|| mechanism.prepare(noise));
                Response::Steps(drawn.release(reward))
            }
            Kind::Open => Response::Steps(i64::from(reward.steps())),
        }
    }
}
