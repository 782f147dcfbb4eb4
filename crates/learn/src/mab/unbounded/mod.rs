//! Thompson sampling for rewards of unknown location and scale.

mod search;

use reticent_privacy::SimRng;
use reticent_protocol::Report;
use reticent_protocol::mab::{Policy, Spec};

use super::guard::{Discounting, Piled};
use super::{AbsorbError, Agent, ArmEstimate, Thompson, read};
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
    fn policy(&mut self, people: u64) -> Policy {
        match &self.search {
            None => self.agent.policy(people),
            // Any arm, so that the range is that of all of them, also when many people are served between two reports.
            Some(search) => {
                let question = (search.question(), search.stage());
                let arms = self.agent.any_arm(people);
                self.agent.next_policy(arms, question)
            }
        }
    }

    /// A late answer to an earlier question of the search is counted where it belongs, and the search goes
    /// back if it changes what was decided there. Once the search is over it moves nothing any more.
    #[inline]
    fn absorb(&mut self, report: &Report) -> Result<(), AbsorbError> {
        let (arm, bit) = read(report, self.agent.spec())?;
        let now = self.search.as_ref().map_or(self.agent.question().1, Search::stage);
        match (&mut self.search, report.question) {
            (_, got) if got > now => return Err(AbsorbError::UnknownQuestion { got, now }),
            (None, got) if got < now => {}
            (None, _) => self.agent.count(report.policy, arm, bit),
            (Some(search), got) => {
                if let Some(squash) = search.absorb(got, bit) {
                    self.agent.ask(squash, search.stage());
                    self.search = None;
                }
            }
        }
        Ok(())
    }

    /// Before the range of rewards is known, that of the declared range.
    fn estimates(&self) -> Vec<ArmEstimate> {
        self.agent.estimates()
    }

    fn changes(&self) -> u32 {
        self.agent.changes()
    }

    fn found(&self) -> Option<u32> {
        self.agent.found()
    }

    fn spec(&self) -> &Spec {
        self.agent.spec()
    }
}

impl Discounting for Unbounded {
    fn discount(&mut self, piled: Piled) {
        // While the range is looked for all arms are alike.
        if self.search.is_none() {
            self.agent.discount(piled);
        }
    }
}

#[cfg(test)]
mod tests;
