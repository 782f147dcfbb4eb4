//! A bandit's agent with the policy that is published now.

use reticent_learn::mab::{self, AbsorbError, Agent, AgentKind, AnyAgent};
use reticent_privacy::mechanism::RandomisedResponse;
use reticent_privacy::{Guarantee, SimRng};
use reticent_protocol::mab::{Lottery, Policy, Spec};
use reticent_protocol::{Answer, Reason, Report};
use serde::{Deserialize, Serialize};

use super::Known;

/// Who fetches a policy is not known: it is a distribution of as fine shares as agents give.
const PEOPLE: u64 = 256;
/// A policy serves a tenth of all people before it, and no more than this.
const GROWTH: u64 = 10;
const MOST: u64 = 1_000;
/// Bits that are ones more often than any reward gives, by so many standard deviations, are forged: of honest arms one
/// in a thousand million is beyond it.
const FORGED: f64 = 6.0;

pub(super) struct BanditLearner {
    agent: AnyAgent,
    policy: Policy,
    /// The next policy is made when so many have reported.
    next: u64,
    batch: Option<u64>,
    people: u64,
    /// Ones and all bits of each arm, as they came.
    bits: Vec<[u64; 2]>,
}

/// The stored form.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Saved {
    agent: String,
    policy: Policy,
    next: u64,
    batch: Option<u64>,
    people: u64,
    bits: Vec<[u64; 2]>,
}

impl BanditLearner {
    pub(super) fn begin(
        agent: Option<&str>,
        spec: Spec,
        batch: Option<u64>,
        rng: SimRng,
    ) -> Result<BanditLearner, mab::UnknownAgent> {
        let kind = agent.map_or(Ok(AgentKind::DEFAULT), str::parse)?;
        let bits = vec![[0; 2]; spec.arms() as usize];
        let mut agent = kind.for_spec(spec, rng);
        let policy = agent.policy(batch.unwrap_or(PEOPLE));
        Ok(BanditLearner { agent, policy, next: batch.unwrap_or(1), batch, people: 0, bits })
    }

    pub(super) fn absorb(&mut self, report: &Report) -> Result<(), Reason> {
        self.agent.absorb(report).map_err(|error| match error {
            AbsorbError::OtherExperiment => Reason::OtherExperiment,
            AbsorbError::TooLate => Reason::TooLate,
            _ => Reason::NotAnAnswer,
        })?;
        if let Answer::Bit { arm, bit } = report.answer {
            let counts = &mut self.bits[arm as usize];
            counts[0] += u64::from(bit);
            counts[1] += 1;
        }
        self.people += 1;
        if self.people >= self.next {
            self.policy = self.agent.policy(self.batch.unwrap_or(PEOPLE));
            self.next = self.people + self.batch.unwrap_or((self.people / GROWTH).clamp(1, MOST));
        }
        Ok(())
    }

    pub(super) fn freeze(&mut self) {
        let estimates = self.agent.estimates();
        let best = estimates.iter().enumerate().fold(0, |best, (arm, one)| {
            if one.probability_of_best > estimates[best].probability_of_best { arm } else { best }
        });
        self.policy.version += 1;
        self.policy.arms = Lottery::one(best as u32);
    }

    pub(super) fn policy(&self) -> super::Policy {
        super::Policy { version: self.policy.version, bytes: self.policy.encode() }
    }

    pub(super) fn digest(&self) -> reticent_schema::Digest {
        self.agent.spec().digest()
    }

    pub(super) fn guarantee(&self) -> Guarantee {
        self.agent.guarantee()
    }

    pub(super) fn known(&self) -> (Known, Vec<String>) {
        let arms = self.agent.estimates();
        let forged = arms.iter().zip(&self.bits).filter(|(_, bits)| self.is_forged(**bits));
        let warnings = forged.map(|(arm, _)| {
            format!(
                "arm {:?}: its bits are ones or zeros more often than any reward gives; some are forged",
                arm.name
            )
        });
        let mut warnings: Vec<String> = warnings.collect();
        for warning in self.agent.warnings() {
            let words = warning.to_string();
            if !warnings.contains(&words) {
                warnings.push(words);
            }
        }
        (Known::Arms { arms, robustness: self.agent.robustness() }, warnings)
    }

    /// A kept bit is kept with a probability below 1, so that no reward gives a share beyond it.
    fn is_forged(&self, [ones, all]: [u64; 2]) -> bool {
        let keep = RandomisedResponse::new(self.agent.spec().epsilon()).keep_probability();
        let (ones, all) = (ones as f64, all as f64);
        let beyond = ones.max(all - ones) - all * keep;
        beyond > FORGED * (all * keep * (1.0 - keep)).sqrt().max(1.0)
    }

    pub(super) fn save(&self) -> Result<Saved, mab::SaveError> {
        let BanditLearner { agent, policy, next, batch, people, bits } = self;
        let (policy, bits, agent) = (policy.clone(), bits.clone(), mab::save(agent)?);
        Ok(Saved { agent, policy, next: *next, batch: *batch, people: *people, bits })
    }

    pub(super) fn load(saved: Saved) -> Result<BanditLearner, String> {
        let Saved { agent, policy, next, batch, people, bits } = saved;
        let agent = mab::load(&agent).map_err(|error| error.to_string())?;
        let sound = policy.check(agent.spec()).is_ok() && bits.len() == agent.spec().arms() as usize;
        if !sound || next <= people {
            return Err("its parts contradict each other".into());
        }
        Ok(BanditLearner { agent, policy, next, batch, people, bits })
    }
}
