//! What a device knows of one person. None of it is ever shown.

use std::fmt;
use std::sync::Arc;

use reticent_privacy::UnitGrid;
use reticent_protocol::DecodeError;
use reticent_protocol::contextual::Plan;
use reticent_schema::MAX_AXES;

use crate::DeviceError;

/// A person's context as a point of the unit cube: which cell that is, a policy says.
#[derive(Clone, Copy, PartialEq)]
pub struct Context {
    pub(super) point: [f64; MAX_AXES],
}

/// The arm for one person, and under which task. It pays for one answer.
#[derive(PartialEq)]
pub struct Choice {
    pub(super) plan: Arc<Plan>,
    pub(super) cell: u32,
    pub(super) arm: u32,
    pub(super) task: u32,
}

/// What happened, ready to be privatised.
pub struct Record {
    pub(super) choice: Choice,
    pub(super) reward: UnitGrid,
}

impl Choice {
    /// The arm to give.
    #[inline]
    pub fn arm(&self) -> u32 {
        self.arm
    }

    pub(super) fn policy(&self) -> u64 {
        self.plan.policy().version
    }

    pub(super) fn cell(&self) -> u32 {
        self.cell
    }

    pub(super) fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// What is stored of a private arm: task and arm, four bytes each, lowest first.
    pub(super) fn shown(&self) -> Vec<u8> {
        [self.task.to_le_bytes(), self.arm.to_le_bytes()].concat()
    }

    /// The choice of which this was stored.
    pub(super) fn shown_before(plan: Arc<Plan>, cell: u32, stored: &[u8]) -> Result<Choice, DeviceError> {
        let (task, arm) = stored.split_first_chunk().ok_or(DecodeError::Truncated)?;
        let arm = arm.try_into().map_err(|_| DecodeError::Truncated)?;
        let (task, arm) = (u32::from_le_bytes(*task), u32::from_le_bytes(arm));
        if task as usize >= plan.policy().tasks.len() {
            return Err(DeviceError::OtherPlan);
        }
        Ok(Choice { plan, cell, arm, task })
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Context { .. }")
    }
}

impl fmt::Debug for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Choice { .. }")
    }
}

impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Record { .. }")
    }
}
