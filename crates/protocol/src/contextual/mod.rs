//! Contextual bandits: which arm is best for whom, with context, arm and reward private.

mod cells;
mod grid;
mod policy;
mod policy_bytes;
mod question;
mod spec;

pub use cells::{AxisCells, STEPS};
pub use grid::{Grid, MAX_CELLS};
pub use policy::{MAX_TASKS, Plan, Policy, PolicyError, Task};
pub use question::{About, Asked, Channel, Question, QuestionError};
pub use spec::{MAX_ARMS, MAX_SOURCES, Source, Spec, SpecError, guarantee};
