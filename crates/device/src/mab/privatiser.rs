//! From a reward to one private bit.

use std::fmt;

use reticent_privacy::mechanism::{BernoulliResponse, Mechanism};
use reticent_privacy::{Epsilon, Generator, Guarantee, Paid, UnitGrid};
use reticent_protocol::mab::{Policy, Spec, Squash};
use reticent_protocol::{Answer, Report};
use reticent_schema::Digest;

use crate::device::ensure_paid;
use crate::{DeviceError, Problem};

/// An experiment as its devices need it.
#[derive(Debug)]
pub struct Privatiser {
    spec: Spec,
    mechanism: BernoulliResponse,
}

/// The arm for one person, and the question that goes with it. It pays for one answer.
#[derive(Debug, PartialEq)]
pub struct Choice {
    arm: u32,
    policy: u64,
    question: u32,
    squash: Squash,
}

impl Choice {
    /// The arm to give.
    #[inline]
    pub fn arm(&self) -> u32 {
        self.arm
    }
}

/// What happened, clipped and squashed. Shows nothing.
pub struct Record {
    arm: u32,
    policy: u64,
    question: u32,
    reward: UnitGrid,
}

impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Record { .. }")
    }
}

impl Record {
    /// A reward; one that is no number is missing.
    #[inline]
    #[allow(clippy::needless_pass_by_value, reason = "one choice pays for one answer")]
    pub(super) fn new(choice: Choice, reward: f64) -> Record {
        let reward = UnitGrid::clip(choice.squash.apply(reward)).unwrap_or(UnitGrid::MIDDLE);
        let Choice { arm, policy, question, .. } = choice;
        Record { arm, policy, question, reward }
    }

    /// No reward: the middle of the range.
    pub(super) fn missing(choice: Choice) -> Record {
        Record::new(choice, f64::NAN)
    }
}

impl Problem for Privatiser {
    type Spec = Spec;
    type Record = Record;

    fn new(spec: &Spec) -> Privatiser {
        Privatiser { spec: spec.clone(), mechanism: BernoulliResponse::new(spec.epsilon()) }
    }

    fn experiment(&self) -> Digest {
        self.spec.digest()
    }

    fn guarantee(&self) -> Guarantee {
        self.spec.guarantee()
    }

    fn policy(record: &Record) -> u64 {
        record.policy
    }

    #[inline]
    fn cost(&self, _: &Record) -> Epsilon {
        self.spec.epsilon()
    }

    #[inline]
    fn report<G: Generator>(
        &self,
        record: Record,
        receipt: Paid,
        noise: &mut G,
    ) -> Result<Report, DeviceError> {
        ensure_paid(receipt, self.spec.epsilon())?;
        let bit = self.mechanism.release_with(record.reward, noise);
        let answer = Answer::Bit { arm: record.arm, bit };
        let (experiment, policy, question) = (self.spec.prefix(), record.policy, record.question);
        Ok(Report { experiment, policy, source: None, question, answer })
    }
}

impl Privatiser {
    /// Checks the policy and draws an arm.
    #[inline]
    pub(super) fn choose<G: Generator>(&self, policy: &Policy, rng: &mut G) -> Result<Choice, DeviceError> {
        policy.check(&self.spec)?;
        let arm = policy.arms.draw(rng);
        Ok(Choice { arm, policy: policy.version, question: policy.question, squash: policy.squash })
    }
}
