//! The agents by name.

use std::fmt;
use std::str::FromStr;

use reticent_privacy::{Epsilon, Guarantee, SimRng};
use reticent_protocol::mab::{Policy, Spec, SpecError};
use reticent_protocol::{Answer, Report};
use serde::{Deserialize, Serialize};

use super::guard::{Discounting, Guard, Warning};
use super::{AbsorbError, Agent, ArmEstimate, KlUcb, Robustness, Thompson, TopTwo, Unbounded};

/// Every multi-armed bandit agent that ships.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "`summary` says what each is")]
pub enum AgentKind {
    LdpKlUcb,
    LdpThompson,
    LdpThompsonUnbounded,
    LdpTopTwo,
}

/// An agent chosen by name.
#[derive(Debug)]
pub struct AnyAgent {
    pub(super) kind: AgentKind,
    /// The agent itself, for callers that want to be compiled for it.
    pub engine: Engine,
    /// What it asked: only answers to that reach it.
    pub guard: Guard,
}

/// The implementations behind the names.
#[derive(Debug)]
#[allow(missing_docs, reason = "each variant is its type")]
pub enum Engine {
    KlUcb(KlUcb),
    Thompson(Thompson),
    Unbounded(Unbounded),
    TopTwo(TopTwo),
}

/// A name that no agent has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no agent is called {0:?}")]
pub struct UnknownAgent(String);

impl AgentKind {
    /// All of them.
    pub const ALL: [AgentKind; 4] =
        [AgentKind::LdpKlUcb, AgentKind::LdpThompson, AgentKind::LdpThompsonUnbounded, AgentKind::LdpTopTwo];

    /// The default: it keeps its randomness when many people are served between two updates.
    pub const DEFAULT: AgentKind = AgentKind::LdpThompson;

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            AgentKind::LdpKlUcb => "ldp-kl-ucb",
            AgentKind::LdpThompson => "ldp-thompson",
            AgentKind::LdpThompsonUnbounded => "ldp-thompson-unbounded",
            AgentKind::LdpTopTwo => "ldp-top-two",
        }
    }

    /// One line on what it is.
    pub fn summary(self) -> &'static str {
        match self {
            AgentKind::LdpKlUcb => {
                "private bits, Kullback-Leibler index: least regret when reports come at once"
            }
            AgentKind::LdpThompson => "private bits, Thompson sampling: the default",
            AgentKind::LdpThompsonUnbounded => "learns the rewards' range privately, then Thompson sampling",
            AgentKind::LdpTopTwo => "private bits, finds the best arm at a stated error with few people",
        }
    }

    /// What the agent promises each person.
    pub fn guarantee(self, epsilon: Epsilon) -> Guarantee {
        // A guarantee does not depend on the number of arms.
        Spec::new(1, epsilon).map_or_else(|error| unreachable!("{error}"), |spec| super::guarantee(&spec))
    }

    /// A new agent for `arms` arms. `rng` feeds its own choices, not noise.
    pub fn build(self, arms: u32, epsilon: Epsilon, rng: SimRng) -> Result<AnyAgent, SpecError> {
        Ok(self.for_spec(Spec::new(arms, epsilon)?, rng))
    }

    /// A new agent for this experiment. `rng` feeds its own choices, not noise.
    pub fn for_spec(self, spec: Spec, rng: SimRng) -> AnyAgent {
        let guard = Guard::new(spec.arms());
        let engine = match self {
            AgentKind::LdpKlUcb => Engine::KlUcb(KlUcb::new(spec)),
            AgentKind::LdpThompson => Engine::Thompson(Thompson::new(spec, rng)),
            AgentKind::LdpThompsonUnbounded => Engine::Unbounded(Unbounded::new(spec, rng)),
            AgentKind::LdpTopTwo => Engine::TopTwo(TopTwo::new(spec, rng)),
        };
        AnyAgent { kind: self, engine, guard }
    }
}

impl fmt::Display for AgentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for AgentKind {
    type Err = UnknownAgent;
    fn from_str(name: &str) -> Result<AgentKind, UnknownAgent> {
        AgentKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| UnknownAgent(name.to_string()))
    }
}

impl AnyAgent {
    /// The agent's name.
    pub fn kind(&self) -> AgentKind {
        self.kind
    }

    /// How far forged reports could have moved what it knows.
    pub fn robustness(&self) -> Robustness {
        Robustness::of(self.spec(), &self.estimates())
    }

    /// What the tests of its reports found: of honest runs at most [`FALSE_ALARMS`](super::FALSE_ALARMS) find anything.
    pub fn warnings(&self) -> Vec<Warning> {
        self.guard.warnings(self.spec())
    }
}

/// The next policy of an agent, remembered by its guard. Arms that reports were piled on count for less first.
#[inline]
pub fn guarded_policy<A: Discounting>(agent: &mut A, guard: &mut Guard, people: u64) -> Policy {
    for piled in guard.piled() {
        agent.discount(piled);
    }
    let policy = agent.policy(people);
    guard.publish(&policy, people);
    policy
}

/// Gives an agent a report, if it answers what was asked.
#[inline]
pub fn guarded_absorb<A: Agent>(
    agent: &mut A,
    guard: &mut Guard,
    report: &Report,
) -> Result<(), AbsorbError> {
    let Answer::Bit { arm, bit } = report.answer else { return agent.absorb(report) };
    if report.experiment == agent.spec().prefix() && arm < agent.spec().arms() {
        let checked = guard.check(report.policy, arm);
        if checked == Err(AbsorbError::NotAsked) {
            guard.stray();
        }
        checked?;
    }
    agent.absorb(report)?;
    guard.count(report.policy, arm, bit);
    Ok(())
}

impl Agent for AnyAgent {
    fn policy(&mut self, people: u64) -> Policy {
        match &mut self.engine {
            Engine::KlUcb(agent) => guarded_policy(agent, &mut self.guard, people),
            Engine::Thompson(agent) => guarded_policy(agent, &mut self.guard, people),
            Engine::Unbounded(agent) => guarded_policy(agent, &mut self.guard, people),
            Engine::TopTwo(agent) => guarded_policy(agent, &mut self.guard, people),
        }
    }

    fn estimates(&self) -> Vec<ArmEstimate> {
        match &self.engine {
            Engine::KlUcb(agent) => agent.estimates(),
            Engine::Thompson(agent) => agent.estimates(),
            Engine::Unbounded(agent) => agent.estimates(),
            Engine::TopTwo(agent) => agent.estimates(),
        }
    }

    fn absorb(&mut self, report: &Report) -> Result<(), AbsorbError> {
        match &mut self.engine {
            Engine::KlUcb(agent) => guarded_absorb(agent, &mut self.guard, report),
            Engine::Thompson(agent) => guarded_absorb(agent, &mut self.guard, report),
            Engine::Unbounded(agent) => guarded_absorb(agent, &mut self.guard, report),
            Engine::TopTwo(agent) => guarded_absorb(agent, &mut self.guard, report),
        }
    }

    fn found(&self) -> Option<u32> {
        match &self.engine {
            Engine::KlUcb(agent) => agent.found(),
            Engine::Thompson(agent) => agent.found(),
            Engine::Unbounded(agent) => agent.found(),
            Engine::TopTwo(agent) => agent.found(),
        }
    }

    fn changes(&self) -> u32 {
        match &self.engine {
            Engine::KlUcb(agent) => agent.changes(),
            Engine::Thompson(agent) => agent.changes(),
            Engine::Unbounded(agent) => agent.changes(),
            Engine::TopTwo(agent) => agent.changes(),
        }
    }

    fn spec(&self) -> &Spec {
        match &self.engine {
            Engine::KlUcb(agent) => agent.spec(),
            Engine::Thompson(agent) => agent.spec(),
            Engine::Unbounded(agent) => agent.spec(),
            Engine::TopTwo(agent) => agent.spec(),
        }
    }
}
