//! The local agents, end to end: devices and server, all that the server ever sees.

use std::num::NonZeroU64;

use reticent_audit::{Audit, Claim, Finding, Observation};
use reticent_baselines::mab::{Answer, Baseline, Randomiser};
use reticent_device::mab::Device;
use reticent_learn::mab::{Agent, AgentKind};
use reticent_privacy::exact::uniform_below;
use reticent_privacy::{Epsilon, Generator, Ledger, NoiseRng, SimRng, SimSeed, Stream};
use reticent_protocol::mab::Spec;
use reticent_protocol::{self as protocol, Report};
use serde::Deserialize;
use serde_json::json;

use super::{Agent as _, Asked, CatalogueError, Effort, Entry, Sink, Subject};
use crate::mab::{AgentName, PlayerError};
use crate::named::{Named, Rewards};

const ARMS: u32 = 2;

pub(super) fn all() -> Vec<Box<dyn Entry>> {
    AgentName::entries(AgentName::is_private)
}

/// A short experiment in which the first person's record is the input.
struct Running {
    agent: AgentName,
    epsilon: Epsilon,
}

/// The rewards of the people after the first: an attacker knows them all. Enough people for an agent of two
/// arms to adapt.
const OTHERS: [f64; 3] = [0.25, 0.5, 0.75];

impl Running {
    /// What the server saw: the arm of each person, each report it got, and the next arm.
    fn transcript<G: Generator>(&self, reward: f64, rng: &mut G) -> Result<Vec<f64>, PlayerError> {
        let rewards = std::iter::once(reward).chain(OTHERS);
        match self.agent {
            AgentName::Ours(kind) => self.ours(kind, rewards, rng),
            AgentName::Baseline(kind) => self.baseline(kind, rewards, rng),
        }
    }

    fn ours<G: Generator>(
        &self,
        kind: AgentKind,
        rewards: impl Iterator<Item = f64>,
        rng: &mut G,
    ) -> Result<Vec<f64>, PlayerError> {
        let choices = SimSeed(uniform_below(NonZeroU64::MAX, rng)).stream(0, Stream::Agent);
        through_devices(kind.build(ARMS, self.epsilon, choices)?, self.epsilon, rewards, rng)
    }

    fn baseline<G: Generator>(
        &self,
        kind: Baseline,
        rewards: impl Iterator<Item = f64>,
        rng: &mut G,
    ) -> Result<Vec<f64>, PlayerError> {
        let choices = SimSeed(0).stream(0, Stream::Agent);
        let mut agent = kind.build(ARMS, Some(self.epsilon), choices)?;
        let mut people = Randomiser::new(agent.channel(), kind.squash(), rng);
        let mut seen = Vec::new();
        for reward in rewards {
            let (arm, answer) = (agent.choose(), people.answer(reward)?);
            agent.absorb(arm, answer);
            seen.extend([f64::from(arm), shown(answer)]);
        }
        seen.push(f64::from(agent.choose()));
        Ok(seen)
    }
}

/// What the server sees of an agent whose people answer with their devices.
fn through_devices<A: Agent, G: Generator>(
    mut agent: A,
    epsilon: Epsilon,
    rewards: impl Iterator<Item = f64>,
    rng: &mut G,
) -> Result<Vec<f64>, PlayerError> {
    let mut device = Device::with_noise(&agent.spec().clone(), Ledger::new(epsilon), rng);
    let mut seen = Vec::new();
    for reward in rewards {
        device.next_person(epsilon);
        let choice = device.choose(&agent.policy(1))?;
        let report = Report::decode(&device.answer(choice, reward)?.encode())?;
        agent.absorb(&report)?;
        let (arm, bit) = said(&report);
        seen.extend([f64::from(arm), f64::from(u8::from(bit))]);
    }
    seen.push(f64::from(agent.policy(1).arms.last_arm()));
    Ok(seen)
}

/// Audits anybody's agent as those by name are: its people's devices, all that the server sees, and its next choice.
/// `build` makes the agent for a spec; the claim is that of one report.
pub fn audit_agent<A: Agent>(
    name: &str,
    epsilon: Epsilon,
    effort: &Effort,
    build: impl Fn(Spec, SimRng) -> A + Sync,
) -> Result<Finding, CatalogueError> {
    let spec = Spec::new(ARMS, epsilon).map_err(|error| CatalogueError::Parameter {
        name: "an agent of one's own",
        problem: error.to_string(),
    })?;
    let people = [0.0, 0.5, 1.0, 1e9].map(|reward| (format!("first person's reward {reward}"), reward));
    let audit = Audit::new(name, Claim::pure(epsilon)).labelled(people);
    Ok(effort.measure(audit, &Own { build, spec, epsilon })?)
}

struct Own<F> {
    build: F,
    spec: Spec,
    epsilon: Epsilon,
}

impl<A: Agent, F: Fn(Spec, SimRng) -> A + Sync> Subject for Own<F> {
    type Input = f64;
    fn observe<G: Generator>(&self, reward: &f64, rng: &mut G) -> Observation {
        let choices = SimSeed(uniform_below(NonZeroU64::MAX, rng)).stream(0, Stream::Agent);
        let rewards = std::iter::once(*reward).chain(OTHERS);
        let seen = through_devices((self.build)(self.spec.clone(), choices), self.epsilon, rewards, rng);
        seen.map_or_else(|_| Observation::silence(), Observation::from)
    }
}

/// The arm and the bit of a report.
fn said(report: &Report) -> (u32, bool) {
    match report.answer {
        protocol::Answer::Bit { arm, bit } => (arm, bit),
        protocol::Answer::Symbol(_) => unreachable!("a bandit's device answers with a bit"),
    }
}

fn shown(answer: Answer) -> f64 {
    match answer {
        Answer::Bit(bit) => f64::from(u8::from(bit)),
        Answer::Steps(steps) => steps as f64,
    }
}

impl Subject for Running {
    type Input = f64;
    fn observe<G: Generator>(&self, reward: &f64, rng: &mut G) -> Observation {
        // An experiment that stops is seen as silence: if that depends on the reward, it is a leak like any other.
        self.transcript(*reward, rng).map_or_else(|_| Observation::silence(), Observation::from)
    }
}

impl super::Agent for AgentName {
    const EXAMPLE: &'static str = r#"{"reward":0.7}"#;

    fn audit(self, epsilon: Epsilon, effort: &Effort) -> Result<Vec<Finding>, CatalogueError> {
        let rewards: &[f64] = match self.rewards() {
            Rewards::Unit => &[0.0, 0.5, 1.0, 1e9],
            Rewards::Unbounded => &[-1e9, 0.0, 2.0, 1e9],
        };
        let people = rewards.iter().map(|&reward| (format!("first person's reward {reward}"), reward));
        let audit = Audit::new(self.name(), Claim::pure(epsilon)).labelled(people);
        Ok(vec![effort.measure(audit, &Running { agent: self, epsilon })?])
    }

    /// The first report of a new person in a new experiment: the policy is the one that the agent starts with.
    fn report(self, asked: &Asked<'_>, out: Sink<'_>) -> Result<(), CatalogueError> {
        let Asked { epsilon, input, count } = *asked;
        let input = Input::deserialize(input).map_err(|_| self.misfit("it has another form"))?;
        let (Input::Reward(reward) | Input::Named { reward }) = input;
        let mut noise = NoiseRng::from_os()?;
        let refused = |error: PlayerError| self.misfit(&error.to_string());
        match self {
            AgentName::Ours(kind) => {
                let choices = SimSeed::random()?.stream(0, Stream::Agent);
                let mut agent =
                    kind.build(ARMS, epsilon, choices).map_err(|e| self.parameter(&e.to_string()))?;
                let mut device = Device::with_noise(&agent.spec().clone(), Ledger::new(epsilon), &mut noise);
                for _ in 0..count {
                    device.next_person(epsilon);
                    let choice = device.choose(&agent.policy(1));
                    let report = choice.and_then(|choice| device.answer(choice, reward));
                    let report = report.map_err(|error| refused(error.into()))?;
                    let (arm, bit) = said(&report);
                    out(&json!({"arm": arm, "stage": report.question, "bit": bit}))?;
                }
            }
            AgentName::Baseline(kind) => {
                let choices = SimSeed::random()?.stream(0, Stream::Agent);
                let mut agent =
                    kind.build(ARMS, Some(epsilon), choices).map_err(|e| self.parameter(&e.to_string()))?;
                let mut people = Randomiser::new(agent.channel(), kind.squash(), &mut noise);
                for _ in 0..count {
                    let arm = agent.choose();
                    out(&match people.answer(reward).map_err(|error| refused(error.into()))? {
                        Answer::Bit(bit) => json!({"arm": arm, "stage": 0, "bit": bit}),
                        Answer::Steps(steps) => json!({"arm": arm, "stage": 0, "steps": steps}),
                    })?;
                }
            }
        }
        Ok(())
    }
}

/// A reward, alone or by name.
#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Input {
    Reward(f64),
    Named { reward: f64 },
}
