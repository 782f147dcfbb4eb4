//! From a person's record to one randomised symbol.

use std::num::NonZeroU64;
use std::sync::Arc;

use reticent_privacy::exact::uniform_below;
use reticent_privacy::oracle::{Domain, FrequencyOracle, Oracle, OracleKind, Report as Symbol};
use reticent_privacy::{Epsilon, Generator, Guarantee, Paid, UnitGrid};
use reticent_protocol::Report;
use reticent_protocol::contextual::{Asked, Plan, Spec};
use reticent_schema::{Digest, MAX_AXES, Value};

use super::{Choice, Context, Record};
use crate::device::ensure_paid;
use crate::{DeviceError, Problem};

/// An experiment as its devices need it.
#[derive(Debug)]
pub struct Privatiser {
    spec: Spec,
    arm_response: Option<ArmResponse>,
}

/// How the arm that a person is seen to get is hidden: randomised response over the arms.
#[derive(Debug)]
pub(super) struct ArmResponse {
    oracle: FrequencyOracle,
}

impl ArmResponse {
    fn new(spec: &Spec) -> Option<ArmResponse> {
        let epsilon = spec.arm_epsilon()?;
        // An experiment has at least two arms, and few.
        let domain = Domain::new(spec.arms()).ok()?;
        Some(ArmResponse { oracle: FrequencyOracle::new(OracleKind::KaryResponse, domain, epsilon) })
    }

    pub(super) fn epsilon(&self) -> Epsilon {
        self.oracle.epsilon()
    }

    /// The choice with the arm that is shown.
    pub(super) fn randomise<G: Generator>(
        &self,
        mut choice: Choice,
        receipt: Paid,
        rng: &mut G,
    ) -> Result<Choice, DeviceError> {
        ensure_paid(receipt, self.epsilon())?;
        if let Symbol::Index(arm) = self.oracle.randomise(self.oracle.domain().clip(choice.arm), rng) {
            choice.arm = arm;
        }
        Ok(choice)
    }
}

impl Problem for Privatiser {
    type Spec = Spec;
    type Record = Record;

    fn new(spec: &Spec) -> Privatiser {
        Privatiser { arm_response: ArmResponse::new(spec), spec: spec.clone() }
    }

    fn experiment(&self) -> Digest {
        self.spec.digest()
    }

    /// Of the target's people.
    fn guarantee(&self) -> Guarantee {
        self.spec.guarantee()
    }

    fn policy(record: &Record) -> u64 {
        record.choice.policy()
    }

    #[inline]
    fn cost(&self, record: &Record) -> Epsilon {
        record.choice.plan.epsilon()
    }

    #[inline]
    fn report<G: Generator>(
        &self,
        record: Record,
        receipt: Paid,
        rng: &mut G,
    ) -> Result<Report, DeviceError> {
        ensure_paid(receipt, self.cost(&record))?;
        let Record { choice: Choice { plan, cell, arm, task }, reward } = record;
        let channel = plan.channel(task as usize);
        // Good with probability exactly the reward: an unbiased rounding to one bit.
        let good = (rng.next_u64() >> (64 - UnitGrid::BITS)) < u64::from(reward.steps());
        let place_and_arm = channel.place_and_arm(cell, arm);
        let answer = match channel.asked() {
            Asked::Outcome(oracle) => {
                oracle.randomise(oracle.domain().clip(2 * place_and_arm + u32::from(good)), rng)
            }
            Asked::Effect(oracle) => oracle.randomise(oracle.domain().clip(place_and_arm), good, rng),
            Asked::Place(oracle) => oracle.randomise(oracle.domain().clip(channel.coarse(cell)), rng),
        };
        let policy = plan.policy();
        Ok(Report {
            experiment: self.spec.prefix(),
            policy: policy.version,
            source: policy.source,
            question: task,
            answer: answer.into(),
        })
    }
}

impl Privatiser {
    pub(super) fn arm_response(&self) -> Option<&ArmResponse> {
        self.arm_response.as_ref()
    }

    pub(super) fn encode(&self, context: &[Value]) -> Result<Context, DeviceError> {
        let mut point = [0.0; MAX_AXES];
        self.spec.encoding().encode_values(context, &mut point[..self.spec.encoding().dimension()])?;
        Ok(Context { point })
    }

    #[inline]
    pub(super) fn encode_numbers(&self, context: &[f64]) -> Result<Context, DeviceError> {
        let mut point = [0.0; MAX_AXES];
        self.spec.encoding().encode_numbers(context, &mut point[..self.spec.encoding().dimension()])?;
        Ok(Context { point })
    }

    #[inline]
    pub(super) fn encode_placed(&self, context: &[f64]) -> Result<Context, DeviceError> {
        let mut point = [0.0; MAX_AXES];
        self.spec.encoding().encode_placed(context, &mut point[..self.spec.encoding().dimension()])?;
        Ok(Context { point })
    }

    #[inline]
    pub(super) fn choose<G: Generator>(
        &self,
        plan: &Arc<Plan>,
        context: &Context,
        rng: &mut G,
    ) -> Result<Choice, DeviceError> {
        if plan.policy().source.is_some() || !plan.is_for(&self.spec) {
            return Err(DeviceError::OtherPlan);
        }
        let task = draw_task(plan, rng);
        let cell = plan.grid().cell(&context.point);
        let arm = u32::from(plan.map(task as usize)[cell as usize]);
        Ok(Choice { plan: Arc::clone(plan), cell, arm, task })
    }

    /// Clips the reward; one that is no number is in the middle.
    #[inline]
    pub(super) fn record(&self, choice: Choice, reward: f64) -> Record {
        // An infinity is no reward either, and clamping would make it the best or the worst.
        let reward = if reward.is_finite() { self.spec.reward().unit(reward) } else { f64::NAN };
        Record { choice, reward: UnitGrid::clip(reward).unwrap_or(UnitGrid::MIDDLE) }
    }

    pub(super) fn record_of_source<G: Generator>(
        &self,
        plan: &Arc<Plan>,
        context: &Context,
        arm: u32,
        reward: f64,
        rng: &mut G,
    ) -> Result<Record, DeviceError> {
        if plan.policy().source.is_none() || !plan.is_for(&self.spec) {
            return Err(DeviceError::OtherPlan);
        }
        let task = draw_task(plan, rng);
        let (arm, reward) =
            if arm < self.spec.arms() { (arm, reward) } else { (self.any_arm(rng), f64::NAN) };
        let cell = plan.grid().cell(&context.point);
        Ok(self.record(Choice { plan: Arc::clone(plan), cell, arm, task }, reward))
    }
}

impl Privatiser {
    fn any_arm<G: Generator>(&self, rng: &mut G) -> u32 {
        let arms = NonZeroU64::new(self.spec.arms().into()).unwrap_or(NonZeroU64::MIN);
        uniform_below(arms, rng) as u32
    }
}

/// A task by a coin that does not look at the person.
#[inline]
fn draw_task<G: Generator>(plan: &Plan, rng: &mut G) -> u32 {
    let tasks = NonZeroU64::new(plan.policy().tasks.len() as u64).unwrap_or(NonZeroU64::MIN);
    uniform_below(tasks, rng) as u32
}
