//! Thompson sampling for rewards of unknown location and scale.

mod search;

use reticent_privacy::SimRng;
use reticent_protocol::mab::{Policy, Report, Spec};

use super::{AbsorbError, Agent, Thompson, check};
pub(super) use search::Search;

/// First learns, by private yes-or-no questions, where the rewards of all arms lie; then plays [`Thompson`] on rewards
/// squashed by a line over that range.
///
/// The paper's fixed sigmoid loses nearly everything if rewards are around 1000, or differ by thousandths. A
/// line from the 20th to the 80th percentile of the pooled rewards passes more of a difference in means at
/// any location and scale. As in the paper (Lemma 7), arms may differ in location but share the shape of
/// their noise. A reward that is the same for more than four in five people, whatever the arm, cannot be told
/// from a constant: declare a range instead and use [`Thompson`].
#[derive(Debug)]
pub struct Unbounded {
    /// Until the range is known.
    pub(super) search: Option<Search>,
    pub(super) agent: Thompson,
}

impl Unbounded {
    /// The agent for a spec; `rng` feeds its own choices, not noise.
    pub fn new(spec: Spec, rng: SimRng) -> Unbounded {
        let search = Some(Search::new(spec.epsilon()));
        Unbounded { search, agent: Thompson::new(spec, rng) }
    }
}

impl Agent for Unbounded {
    #[inline]
    fn policy(&mut self) -> Policy {
        match &self.search {
            None => self.agent.policy(),
            // Any arm, so that the range is that of all of them, also when many people are served between two reports.
            Some(search) => {
                Policy { arm: self.agent.any_arm(), stage: search.stage(), squash: search.question() }
            }
        }
    }

    #[inline]
    fn absorb(&mut self, report: &Report) -> Result<(), AbsorbError> {
        let Some(search) = &mut self.search else { return self.agent.absorb(report) };
        check(report, self.agent.arms.len(), search.stage())?;
        if let Some(squash) = search.absorb(report.bit) {
            self.agent.ask(squash, search.stage());
            self.search = None;
        }
        Ok(())
    }

    fn spec(&self) -> &Spec {
        self.agent.spec()
    }
}

#[cfg(test)]
mod tests;
