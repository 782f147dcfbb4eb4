//! Forgers among a bandit's people.

use reticent_privacy::SimRng;
use reticent_protocol::mab::Policy;
use reticent_protocol::{Answer, Report};

use crate::forged::{Forgers, Strategy};

/// Those who forge, and what they know.
#[derive(Debug)]
pub(super) struct Forging {
    forgers: Forgers,
    /// The arm that they want people to get.
    worst: u32,
    rng: SimRng,
    /// What all policies so far gave the worst arm, and how often they voted for it out of turn.
    assigned: f64,
    votes: f64,
}

/// Deviations of an honest count that careful forgers stay within.
const WITHIN: f64 = 2.0;

impl Forging {
    pub(super) fn new(forgers: Forgers, worst: u32, rng: SimRng) -> Forging {
        Forging { forgers, worst, rng, assigned: 0.0, votes: 0.0 }
    }

    /// What the next person sends, if they forge.
    pub(super) fn report(&mut self, policy: &Policy) -> Option<Report> {
        self.assigned += policy.arms.probability(self.worst);
        if self.rng.uniform() >= self.forgers.share {
            return None;
        }
        let drawn = policy.arms.draw(&mut self.rng);
        let may = policy.arms.probability(self.worst) > 0.0;
        let votes = match self.forgers.strategy {
            Strategy::Vote => true,
            Strategy::Lie | Strategy::Outright => false,
            Strategy::Careful => may && self.votes < WITHIN * self.assigned.sqrt(),
        };
        let arm = if votes { self.worst } else { drawn };
        self.votes += f64::from(u8::from(votes && arm != drawn));
        let answer = Answer::Bit { arm, bit: arm == self.worst };
        let (experiment, question) = (policy.experiment.prefix(), policy.question);
        Some(Report { experiment, policy: policy.version, source: None, question, answer })
    }
}
