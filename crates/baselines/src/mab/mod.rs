//! Multi-armed bandits of Ren, Zhou, Liu and Shroff (2020), with the printed constants, and textbook UCB1.
//!
//! [`Ucb`] plays the largest Hoeffding index of what its [`Channel`] lets through: the raw reward (`ucb1`),
//! the reward plus Laplace noise (`ldp-ucb-l`, Agent 2) or a private bit (`ldp-ucb-b`, Agent 4), each also
//! behind the sigmoid (Corollaries 10 and 11). [`Randomiser`] is the people's side. [`Baseline`] names them
//! all.

mod agent;
mod arm;
mod baseline;
mod channel;
mod randomiser;
mod save;

pub use agent::Ucb;
pub use baseline::{Baseline, BuildError};
pub use channel::{Answer, Channel, Squash};
pub use randomiser::{Randomiser, Refusal};
pub use save::{load, save};
