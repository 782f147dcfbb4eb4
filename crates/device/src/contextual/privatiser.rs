//! From a person's record to one randomised symbol.

use std::num::NonZeroU64;

use reticent_privacy::exact::uniform_below;
use reticent_privacy::oracle::Oracle;
use reticent_privacy::{Charge, Generator, Guarantee, NotFinite, UnitGrid};
use reticent_protocol::contextual::{Asked, Plan, Report, Spec, guarantee};
use reticent_schema::Value;

use crate::{DeviceError, Problem};

/// A person's context as a cell of the grid.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Context {
    cell: u32,
}

/// The arm for one person, and under which task. It pays for one answer.
#[derive(PartialEq, Eq)]
pub struct Choice {
    cell: u32,
    arm: u32,
    task: u32,
    version: u64,
    source: Option<u32>,
}

/// What happened, ready to be privatised.
pub(super) struct Record {
    choice: Choice,
    reward: UnitGrid,
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Context { .. }")
    }
}

impl std::fmt::Debug for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Choice { .. }")
    }
}

impl Choice {
    /// The arm to give.
    #[inline]
    pub fn arm(&self) -> u32 {
        self.arm
    }
}

/// An experiment as its devices need it.
#[derive(Debug)]
pub struct Privatiser {
    spec: Spec,
}

/// Axes whose point fits on the stack.
const MAX_AXES: usize = reticent_schema::MAX_AXES;

impl Problem for Privatiser {
    type Spec = Spec;

    fn new(spec: &Spec) -> Privatiser {
        Privatiser { spec: spec.clone() }
    }

    /// Of the target's people.
    fn guarantee(&self) -> Guarantee {
        guarantee(self.spec.epsilon())
    }
}

impl Privatiser {
    pub(super) fn encode(&self, context: &[Value]) -> Result<Context, DeviceError> {
        let mut point = [0.0; MAX_AXES];
        let point = &mut point[..self.spec.encoding().dimension()];
        self.spec.encoding().encode_values(context, point)?;
        Ok(Context { cell: self.spec.grid().cell(point) })
    }

    #[inline]
    pub(super) fn encode_numbers(&self, context: &[f64]) -> Result<Context, DeviceError> {
        let mut point = [0.0; MAX_AXES];
        let point = &mut point[..self.spec.encoding().dimension()];
        self.spec.encoding().encode_numbers(context, point)?;
        Ok(Context { cell: self.spec.grid().cell(point) })
    }

    #[inline]
    pub(super) fn choose<G: Generator>(
        &self,
        plan: &Plan,
        context: Context,
        rng: &mut G,
    ) -> Result<Choice, DeviceError> {
        let policy = plan.policy();
        if policy.source.is_some() || !plan.is_for(&self.spec) {
            return Err(DeviceError::OtherPlan);
        }
        let task = draw_task(plan, rng);
        let arm = u32::from(plan.map(task as usize)[context.cell as usize]);
        Ok(Choice { cell: context.cell, arm, task, version: policy.version, source: None })
    }

    pub(super) fn choice_of_record<G: Generator>(
        &self,
        plan: &Plan,
        context: Context,
        arm: u32,
        rng: &mut G,
    ) -> Result<Choice, DeviceError> {
        let policy = plan.policy();
        if policy.source.is_none() || !plan.is_for(&self.spec) {
            return Err(DeviceError::OtherPlan);
        }
        if arm >= self.spec.arms() {
            return Err(DeviceError::RecordArm { arms: self.spec.arms() });
        }
        Ok(Choice {
            cell: context.cell,
            arm,
            task: draw_task(plan, rng),
            version: policy.version,
            source: policy.source,
        })
    }

    /// Checks that the choice was made under this plan, and clips the reward.
    #[inline]
    pub(super) fn record(&self, plan: &Plan, choice: Choice, reward: f64) -> Result<Record, DeviceError> {
        let policy = plan.policy();
        if (choice.source, choice.version) != (policy.source, policy.version)
            || choice.task as usize >= policy.tasks.len()
            || !plan.is_for(&self.spec)
        {
            return Err(DeviceError::OtherPlan);
        }
        if !reward.is_finite() {
            return Err(DeviceError::Reward(NotFinite));
        }
        Ok(Record {
            choice,
            reward: UnitGrid::clip(self.spec.reward().unit(reward)).map_err(DeviceError::Reward)?,
        })
    }

    /// The randomised symbol. The receipt shows that it was paid for.
    #[inline]
    pub(super) fn report<G: Generator>(plan: &Plan, record: Record, receipt: Charge, rng: &mut G) -> Report {
        drop(receipt);
        let Record { choice, reward } = record;
        let channel = plan.channel(choice.task as usize);
        // Good with probability exactly the reward: an unbiased rounding to one bit.
        let good = (rng.next_u64() >> (64 - UnitGrid::BITS)) < u64::from(reward.steps());
        let place_and_arm = channel.place_and_arm(choice.cell, choice.arm);
        let answer = match channel.asked() {
            Asked::Outcome(oracle) => {
                oracle.randomise(oracle.domain().clip(2 * place_and_arm + u32::from(good)), rng)
            }
            Asked::Effect(oracle) => oracle.randomise(oracle.domain().clip(place_and_arm), good, rng),
            Asked::Place(oracle) => oracle.randomise(oracle.domain().clip(channel.coarse(choice.cell)), rng),
        };
        Report { source: choice.source, version: choice.version, task: choice.task, answer }
    }
}

/// A task by a coin that does not look at the person.
#[inline]
fn draw_task<G: Generator>(plan: &Plan, rng: &mut G) -> u32 {
    let tasks = NonZeroU64::new(plan.policy().tasks.len() as u64).unwrap_or(NonZeroU64::MIN);
    uniform_below(tasks, rng) as u32
}
