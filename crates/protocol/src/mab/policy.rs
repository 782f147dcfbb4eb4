//! What the server tells devices, and its bytes.
//!
//! Layout: the head of all policies (kind 1); then as LEB128 integers the question and the squash (0 clip, 1
//! line, followed by its two ends, 8 bytes each, lowest first); the number of arms in the lottery, and each
//! arm with its tickets.

use reticent_schema::Digest;
use serde::{Deserialize, Serialize};

use super::{Lottery, MAX_ARMS, Spec, Squash};
use crate::DecodeError;
use crate::bytes::{self, at_end, take_array, take_byte, take_list, take_u32};
use crate::policy_head::{self, PolicyKind};

/// Which arms the next people get, with what probability, and how their devices squash the reward. Public,
/// and good for as many people as fetch it: each device draws for itself.
///
/// A policy cannot change how much privacy a report costs: that is fixed in the [`Spec`] on the device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// The experiment that it belongs to.
    pub experiment: Digest,
    /// Counts up; reports name it.
    pub version: u64,
    /// The question asked: answers to different questions are never mixed.
    pub question: u32,
    /// The map from rewards to [0, 1].
    pub squash: Squash,
    /// Which arms, with what probability.
    pub arms: Lottery,
}

/// Why a policy cannot be followed. Depends on public things alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// It belongs to another experiment.
    #[error("the policy is of another experiment than this device's; nothing was sent")]
    OtherExperiment,
    /// It names an arm that the experiment does not have.
    #[error("the policy names arm {arm}, but the experiment has arms 0 to {last}; nothing was sent", last = arms - 1)]
    UnknownArm {
        /// The arm named.
        arm: u32,
        /// How many arms there are.
        arms: u32,
    },
}

impl Policy {
    /// Whether a device of this experiment may follow it.
    #[inline]
    pub fn check(&self, spec: &Spec) -> Result<(), PolicyError> {
        let arm = self.arms.last_arm();
        if self.experiment != spec.digest() {
            Err(PolicyError::OtherExperiment)
        } else if arm >= spec.arms() {
            Err(PolicyError::UnknownArm { arm, arms: spec.arms() })
        } else {
            Ok(())
        }
    }

    /// The bytes of this policy.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = policy_head::start(PolicyKind::Bandit, self.experiment, self.version);
        bytes::put(&mut bytes, self.question.into());
        match self.squash.ends() {
            None => bytes.push(0),
            Some((low, high)) => {
                bytes.push(1);
                bytes.extend(low.to_le_bytes());
                bytes.extend(high.to_le_bytes());
            }
        }
        let tickets = self.arms.tickets();
        bytes::put(&mut bytes, tickets.len() as u64);
        for (arm, tickets) in tickets {
            bytes::put(&mut bytes, arm.into());
            bytes::put(&mut bytes, tickets.into());
        }
        bytes
    }

    /// Reads one policy; accepts exactly what [`encode`](Self::encode) writes.
    pub fn decode(bytes: &[u8]) -> Result<Policy, DecodeError> {
        let (experiment, version, mut rest) = policy_head::read(PolicyKind::Bandit, bytes)?;
        let question = take_u32(&mut rest)?;
        let squash = match take_byte(&mut rest)? {
            0 => Squash::CLIP,
            1 => {
                let [low, high] = [take_array(&mut rest)?, take_array(&mut rest)?].map(f64::from_le_bytes);
                Squash::line(low, high).map_err(|_| DecodeError::Number)?
            }
            kind => return Err(DecodeError::Kind(kind)),
        };
        let arms = take_list(&mut rest, MAX_ARMS as usize, |rest| Ok((take_u32(rest)?, take_u32(rest)?)))?;
        let arms = Lottery::new(arms).map_err(|_| DecodeError::Number)?;
        at_end(rest)?;
        Ok(Policy { experiment, version, question, squash, arms })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use reticent_privacy::Epsilon;

    fn spec() -> Spec {
        Spec::new(3, Epsilon::new(1.0).unwrap()).unwrap()
    }

    fn policy(arms: Lottery, squash: Squash) -> Policy {
        Policy { experiment: spec().digest(), version: 300, question: 2, squash, arms }
    }

    #[test]
    fn golden_bytes() {
        let policy = policy(Lottery::new(vec![(0, 1), (2, 3)]).unwrap(), Squash::line(0.0, 1.0).unwrap());
        let bytes = policy.encode();
        assert_eq!(bytes[..2], [2, 1]);
        assert_eq!(&bytes[2..34], spec().digest().bytes());
        assert_eq!(bytes[34..38], [0xac, 2, 2, 1]);
        assert_eq!(bytes[54..], [2, 0, 1, 2, 3]);
        assert_eq!(Policy::decode(&bytes), Ok(policy));
    }

    #[test]
    fn a_device_follows_its_own_experiment_alone() {
        let good = policy(Lottery::one(2), Squash::CLIP);
        assert_eq!(good.check(&spec()), Ok(()));
        let other = Spec::new(3, Epsilon::new(2.0).unwrap()).unwrap();
        assert_eq!(good.check(&other), Err(PolicyError::OtherExperiment));
        let arm = policy(Lottery::one(3), Squash::CLIP).check(&spec());
        assert_eq!(arm, Err(PolicyError::UnknownArm { arm: 3, arms: 3 }));
    }

    proptest! {
        #[test]
        fn every_policy_survives_and_every_cut_is_seen(
            draws in prop::collection::vec(0_u32..9, 1..30),
            ends in prop::option::of((-1e9_f64..1e9, 0.0_f64..1e9)),
        ) {
            let squash = ends.map_or(Squash::CLIP, |(low, width)| Squash::line(low, low + width).unwrap());
            let policy = policy(Lottery::of_draws(draws).unwrap(), squash);
            let bytes = policy.encode();
            prop_assert_eq!(Policy::decode(&bytes), Ok(policy));
            for cut in 0..bytes.len() {
                prop_assert_eq!(Policy::decode(&bytes[..cut]), Err(DecodeError::Truncated));
            }
            prop_assert_eq!(Policy::decode(&[bytes, vec![0]].concat()), Err(DecodeError::Trailing));
        }

        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let bytes = [vec![2, 1], bytes].concat();
            if let Ok(policy) = Policy::decode(&bytes) {
                prop_assert_eq!(policy.encode(), bytes);
            }
        }
    }
}
