//! The local agents, end to end: devices and server, all that the server ever sees.

use std::num::NonZeroU64;

use reticent_audit::{Audit, Claim, Finding, Observation};
use reticent_device::mab::Device;
use reticent_learn::mab::{Agent, Kind, Range};
use reticent_privacy::exact::uniform_below;
use reticent_privacy::{Epsilon, Generator, Guarantee, Ledger, NoiseRng, SimSeed, Stream};
use reticent_protocol::mab::{Policy, Report, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{CatalogueError, Effort, Entry, Group, Sink, Subject};

/// One multi-armed bandit agent as an entry.
struct AgentEntry(Kind);

const ARMS: u32 = 2;

pub(super) fn all() -> Vec<Box<dyn Entry>> {
    let private = Kind::ALL.into_iter().filter(|kind| kind.is_private());
    private.map(|kind| Box::new(AgentEntry(kind)) as Box<dyn Entry>).collect()
}

/// A short experiment in which the first person's record is the input.
struct Running {
    kind: Kind,
    epsilon: Epsilon,
}

/// The rewards of the people after the first: an attacker knows them all. Enough people for an agent of two arms to adapt.
const OTHERS: [f64; 3] = [0.25, 0.5, 0.75];

impl Running {
    /// What the server saw: each policy it made, each report it got.
    fn transcript<G: Generator>(&self, reward: f64, rng: &mut G) -> Option<Vec<f64>> {
        let choices = SimSeed(uniform_below(NonZeroU64::MAX, rng)).stream(0, Stream::Agent);
        let mut agent = self.kind.build(ARMS, Some(self.epsilon), choices).ok()?;
        let spec = agent.spec().clone();
        let mut device = Device::with_noise(&spec, Ledger::new(self.epsilon), &mut *rng).ok()?;
        let mut seen = Vec::new();
        for reward in std::iter::once(reward).chain(OTHERS) {
            let policy = agent.policy();
            device.next_person(self.epsilon);
            let bytes = device.answer(&policy, reward).ok()?.encode();
            let report = Report::decode(&bytes).ok()?;
            agent.absorb(&report).ok()?;
            seen.extend([f64::from(policy.arm), shown(report.response)]);
        }
        seen.push(f64::from(agent.policy().arm));
        Some(seen)
    }
}

fn shown(response: Response) -> f64 {
    match response {
        Response::Bit(bit) => f64::from(u8::from(bit)),
        Response::Steps(steps) => steps as f64,
    }
}

impl Subject for Running {
    type Input = f64;
    fn observe<G: Generator>(&self, reward: &f64, rng: &mut G) -> Observation {
        // An experiment that stops is seen as silence: if that depends on the reward, it is a leak like any other.
        self.transcript(*reward, rng).map_or_else(Observation::silence, Observation::from)
    }
}

impl Entry for AgentEntry {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn group(&self) -> Group {
        Group::Agent
    }

    fn summary(&self) -> &'static str {
        self.0.summary()
    }

    fn example(&self) -> &'static str {
        r#"{"reward":0.7}"#
    }

    fn guarantee(&self, epsilon: Epsilon) -> Result<Guarantee, CatalogueError> {
        self.0.guarantee(Some(epsilon)).map_err(|e| parameter(self, &e))
    }

    fn audit(&self, epsilon: Epsilon, effort: &Effort) -> Result<Vec<Finding>, CatalogueError> {
        let rewards: &[f64] = match self.0.range() {
            Range::Unit => &[0.0, 0.5, 1.0, 1e9],
            Range::Unbounded => &[-1e9, 0.0, 2.0, 1e9],
        };
        let people = rewards.iter().map(|&reward| (format!("first person's reward {reward}"), reward));
        let audit = Audit::new(self.name(), Claim::pure(epsilon)).labelled(people);
        Ok(vec![effort.measure(audit, &Running { kind: self.0, epsilon })?])
    }

    /// The first report of a new person in a new experiment: the policy is the one that the agent starts with.
    fn report(
        &self,
        epsilon: Epsilon,
        input: &Value,
        count: u64,
        out: Sink<'_>,
    ) -> Result<(), CatalogueError> {
        let input = Input::deserialize(input).map_err(|_| super::misfit(self, "it has another form"))?;
        let (Input::Reward(reward) | Input::Named { reward }) = input;
        let choices = SimSeed::random()?.stream(0, Stream::Agent);
        let mut agent = self.0.build(ARMS, Some(epsilon), choices).map_err(|e| parameter(self, &e))?;
        let mut noise = NoiseRng::from_os()?;
        let mut device = Device::with_noise(&agent.spec().clone(), Ledger::new(epsilon), &mut noise)
            .map_err(|e| parameter(self, &e))?;
        for _ in 0..count {
            let policy: Policy = agent.policy();
            device.next_person(epsilon);
            let report = device.answer(&policy, reward).map_err(|e| super::misfit(self, e.to_string()))?;
            out(&match report.response {
                Response::Bit(bit) => json!({"arm": report.arm, "stage": report.stage, "bit": bit}),
                Response::Steps(steps) => json!({"arm": report.arm, "stage": report.stage, "steps": steps}),
            })?;
        }
        Ok(())
    }
}

fn parameter(entry: &AgentEntry, error: &dyn std::error::Error) -> CatalogueError {
    CatalogueError::Parameter { name: entry.name(), problem: error.to_string() }
}

/// A reward, alone or by name.
#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Input {
    Reward(f64),
    Named { reward: f64 },
}
