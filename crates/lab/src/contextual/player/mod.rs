//! An agent together with its people: the production path, person after person.

mod bins;
mod blind;
mod descent;
mod forging;
mod ours;
mod raw;
mod scale;

use reticent_learn::contextual::Insight;
use reticent_privacy::SimRng;

pub(super) use bins::Bins;
pub(super) use blind::Blind;
pub(super) use descent::Gradients;
pub use forging::Forging;
pub(super) use ours::Ours;
pub(super) use raw::Raw;

use super::env::{Person, Record};
use crate::mab::PlayerError;

/// What a trial needs of an agent and its people. Whoever brings an agent of their own implements this, and starts a
/// [`Run::with_player`](super::Run::with_player).
pub trait Player: std::fmt::Debug + Send {
    /// A person of a source reports.
    fn aid(&mut self, source: u32, record: &Record) -> Result<(), PlayerError>;

    /// All sources have reported.
    fn begin(&mut self) {}

    /// A person of the target is given an arm, has a reward, and reports: the arm and the reward.
    fn serve(&mut self, person: &Person<'_>, world: &mut SimRng) -> Result<(u32, f64), PlayerError>;

    /// A person who would be in this context gets no arm, and a forged report is sent in their place. Nobody forges
    /// reports to agents that leave this out.
    fn forge(&mut self, _person: &Person<'_>, _forging: &mut Forging) {}

    /// What its agent found wrong with people's reports, in words.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// The probability of each arm for whoever comes next with this context, if the agent's policy tells it.
    fn shares(&mut self, _context: &[f64]) -> Option<Vec<f64>> {
        None
    }

    /// What was learned, if the agent can tell.
    fn insight(&self) -> Option<Insight> {
        None
    }
}
