//! Thompson sampling for rewards of unknown location and scale.

mod search;

use reticent_privacy::SimRng;
use reticent_protocol::mab::{Channel, Policy, Report, Spec};

use super::{AbsorbError, Agent, Thompson, check};
pub(super) use search::Search;

/// First learns, by private yes-or-no questions, where the rewards of all arms lie; then plays [`Thompson`] on rewards
/// squashed by a line over that range.
///
/// The paper's fixed sigmoid loses nearly everything if rewards are around 1000, or differ by thousandths. A line from the
/// 20th to the 80th percentile of the pooled rewards passes more of a difference in means at any location and scale. As
/// in the paper (Lemma 7), arms may differ in location but share the shape of their noise. A reward that is the same
/// for more than four in five people, whatever the arm, cannot be told from a constant: declare a range instead and use
/// [`Thompson`].
#[derive(Debug)]
pub struct Unbounded(pub(super) Phase);

#[derive(Debug)]
pub(super) enum Phase {
    /// Asking where the rewards lie. The generator waits for the next phase.
    Locate {
        spec: Spec,
        search: Search,
        rng: Option<SimRng>,
    },
    Play(Thompson),
}

impl Unbounded {
    /// The agent for a spec whose channel sends bits; `None` for another channel.
    pub fn new(spec: Spec, rng: SimRng) -> Option<Unbounded> {
        let Channel::Bernoulli { epsilon } = spec.channel() else { return None };
        Some(Unbounded(Phase::Locate { search: Search::new(epsilon), spec, rng: Some(rng) }))
    }
}

impl Agent for Unbounded {
    #[inline]
    fn policy(&mut self) -> Policy {
        match &mut self.0 {
            Phase::Play(agent) => agent.policy(),
            // All arms in turn, so that the range is that of all of them.
            Phase::Locate { spec, search, .. } => Policy {
                arm: (search.answers() % u64::from(spec.arms())) as u32,
                stage: search.stage(),
                squash: search.question(),
            },
        }
    }

    #[inline]
    fn absorb(&mut self, report: &Report) -> Result<(), AbsorbError> {
        match &mut self.0 {
            Phase::Play(agent) => agent.absorb(report),
            Phase::Locate { spec, search, rng } => {
                check(report, spec.arms() as usize, search.stage())?;
                let found = search.absorb(report.response)?;
                if let Some(squash) = found
                    && let Some(rng) = rng.take()
                    && let Some(agent) = Thompson::start(spec.clone(), squash, search.stage(), rng)
                {
                    self.0 = Phase::Play(agent);
                }
                Ok(())
            }
        }
    }

    fn spec(&self) -> &Spec {
        match &self.0 {
            Phase::Play(agent) => agent.spec(),
            Phase::Locate { spec, .. } => spec,
        }
    }
}

#[cfg(test)]
mod tests;
