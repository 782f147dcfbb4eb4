//! Multi-armed bandits of Ren, Zhou, Liu and Shroff (2020), with the printed constants, and agents on raw rewards:
//! UCB1, KL-UCB and Thompson sampling.
//!
//! [`Ucb`] plays the largest Hoeffding index of what its [`Channel`] lets through: the raw reward (`ucb1`),
//! the reward plus Laplace noise (`ldp-ucb-l`, Agent 2) or a private bit (`ldp-ucb-b`, Agent 4), each also
//! behind the sigmoid (Corollaries 10 and 11). [`Randomiser`] is the people's side. [`Baseline`] names them
//! all.

mod agent;
mod any;
mod arm;
mod baseline;
mod channel;
mod randomiser;
mod save;
mod thompson;

pub use agent::{Index, Ucb};
pub use any::AnyBaseline;
pub use baseline::{Baseline, BuildError};
pub use channel::{Answer, Channel, Squash};
pub use randomiser::{Randomiser, Refusal};
pub use save::{load, save};
pub use thompson::RawThompson;
