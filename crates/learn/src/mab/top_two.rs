//! Top-two Thompson sampling: finds the best arm with few people.

use reticent_privacy::SimRng;
use reticent_protocol::Report;
use reticent_protocol::mab::{Lottery, Policy, Spec};

use super::arm::Arm;
use super::guard::{Discounting, Piled};
use super::identify::lead;
use super::{AbsorbError, Agent, ArmEstimate, Thompson, draws};

/// Tells the best arm as soon as it can (`identify.rs` has the proof), and gives it to everybody from then on.
///
/// A leader is drawn as Thompson sampling draws an arm; its challenger is the arm that it is least clear of, with a
/// little more for those who were asked often (Jourdan, Degenne, Baudry, de Heide and Kaufmann 2022). Of the two the
/// next person gets the one that tells more: the leader with the challenger's share of both arms' answers (You, Qin,
/// Wang and Yang 2023). Regret is not its aim, and while it looks it has more of it than [`Thompson`].
#[derive(Debug)]
pub struct TopTwo {
    pub(super) agent: Thompson,
}

impl TopTwo {
    /// The agent for a spec; `rng` feeds its own choices, not noise.
    pub fn new(spec: Spec, rng: SimRng) -> TopTwo {
        TopTwo { agent: Thompson::new(spec, rng) }
    }

    /// The next arm, where arms count as asked so often.
    fn next(&mut self, played: &[f64]) -> u32 {
        let leader = self.agent.winner();
        let Some(challenger) = challenger(&self.agent.memory.arms, played, leader) else {
            return leader as u32;
        };
        let both = played[leader] + played[challenger];
        let leads = if both > 0.0 { played[challenger] / both } else { 0.5 };
        (if self.agent.rng.uniform() < leads { leader } else { challenger }) as u32
    }
}

/// The arm that the leader is least clear of.
fn challenger(arms: &[Arm], played: &[f64], leader: usize) -> Option<usize> {
    let cost = |arm: usize| {
        // Who is asked and has not answered counts for the logarithm alone.
        let clear =
            if arms[arm].pulls > 0 && arms[leader].pulls > 0 { lead(&arms[leader], &arms[arm]) } else { 0.0 };
        clear + libm::log(played[arm].max(0.5))
    };
    let rivals = (0..arms.len()).filter(|&arm| arm != leader);
    let costs = rivals.map(|arm| (arm, cost(arm)));
    costs.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(arm, _)| arm)
}

impl Agent for TopTwo {
    #[inline]
    fn policy(&mut self, people: u64) -> Policy {
        let question = self.agent.question();
        if let Some(best) = self.agent.found() {
            let policy = self.agent.next_policy(Lottery::one(best), question);
            if people <= 1 {
                self.agent.memory.ask(best);
            }
            return policy;
        }
        let mut played: Vec<f64> = self.agent.memory.played().iter().map(|&played| played as f64).collect();
        let draws = draws(people);
        let step = people as f64 / draws as f64;
        let arms: Vec<u32> = (0..draws)
            .map(|_| {
                let arm = self.next(&played);
                played[arm as usize] += step;
                arm
            })
            .collect();
        let first = arms[0];
        let policy =
            self.agent.next_policy(Lottery::of_draws(arms).unwrap_or_else(|| Lottery::one(first)), question);
        if draws == 1 {
            self.agent.memory.ask(first);
        }
        policy
    }

    #[inline]
    fn absorb(&mut self, report: &Report) -> Result<(), AbsorbError> {
        self.agent.absorb(report)
    }

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

impl Discounting for TopTwo {
    fn discount(&mut self, piled: Piled) {
        self.agent.discount(piled);
    }
}
