//! The contextual agents, end to end: context, arm and reward are the private input, and all that the server
//! sees is the output.
//!
//! Each is looked at three times: a whole experiment with the agent, one report under a policy that makes
//! people as different as a policy can, and the report of a source's person.

mod bins;
mod gradients;
mod symbols;

use std::error::Error;

use reticent_audit::{Audit, Claim, Finding, Observation};
use reticent_privacy::{Epsilon, Generator, NoiseRng};
use serde::{Deserialize, Serialize};

use super::{Agent, Asked, CatalogueError, Effort, Entry, Sink, Subject};
use crate::contextual::AgentName;
use crate::named::Named;
use bins::Bins;
use gradients::Gradients;
use symbols::Symbols;

const DIMS: u32 = 2;
const ARMS: u32 = 2;

pub(super) fn all() -> Vec<Box<dyn Entry>> {
    AgentName::entries(AgentName::is_private)
}

type Problem = Box<dyn Error>;

/// What a device knows of its person.
struct Person {
    context: Vec<f64>,
    /// What each arm would bring.
    rewards: [f64; ARMS as usize],
    /// The arm that the person has already, if they are of a source.
    arm: u32,
}

impl Person {
    fn new(context: [f64; DIMS as usize], rewards: [f64; ARMS as usize], arm: u32) -> Person {
        Person { context: context.to_vec(), rewards, arm }
    }

    fn reward(&self, arm: u32) -> f64 {
        self.rewards[arm as usize]
    }
}

/// Neighbours: other cells, other rewards, and values out of range.
fn neighbours() -> [(&'static str, Person); 5] {
    [
        ("lower corner, rewards 0", Person::new([0.0, 0.0], [0.0; 2], 0)),
        ("lower corner, rewards 1", Person::new([0.0, 0.0], [1.0; 2], 0)),
        ("upper corner, rewards 0", Person::new([1.0, 1.0], [0.0; 2], 0)),
        ("upper corner, rewards 0 and 1", Person::new([1.0, 1.0], [0.0, 1.0], 1)),
        ("out of range", Person::new([7.0, -3.0], [1e9, -1e9], 0)),
    ]
}

/// The people after the first: an attacker knows them all.
fn others() -> [Person; 3] {
    [
        Person::new([0.2, 0.7], [0.25, 0.75], 0),
        Person::new([0.7, 0.3], [1.0, 0.0], 1),
        Person::new([0.6, 0.9], [0.5, 0.5], 0),
    ]
}

/// An experiment's public part, with one policy.
trait Setting: Sized + Sync {
    type Report: Serialize;
    /// Of how many runs one is made of an experiment, of a report and of a source's report. Agents and
    /// devices work out exact constants when they are made, and each run makes new ones.
    const SHARES: [usize; 3];
    /// With the policy that the agent starts with.
    fn first(kind: AgentName, epsilon: Epsilon) -> Result<Self, Problem>;
    /// With a policy that tells people apart as well as one can: whatever the server publishes, the claim must hold.
    fn pointed(kind: AgentName, epsilon: Epsilon) -> Result<Self, Problem>;
    /// The report of one person, by a device with nothing spent.
    fn report<G: Generator>(&self, person: &Person, rng: &mut G) -> Result<Self::Report, Problem>;
    /// The report of a person of the only source, whose loss is the target's.
    fn source_report<G: Generator>(&self, person: &Person, rng: &mut G) -> Result<Self::Report, Problem>;
    /// A new agent, this person, and the others after them: all that the server saw.
    fn experiment<G: Generator>(&self, person: &Person, rng: &mut G) -> Result<Vec<f64>, Problem>;
    /// A report as numbers, through its bytes and back.
    fn seen(report: &Self::Report) -> Result<Vec<f64>, Problem>;
}

type Make<S> = fn(AgentName, Epsilon) -> Result<S, Problem>;

/// What is looked at.
#[derive(Clone, Copy)]
enum Look {
    Experiment,
    Report,
    SourceReport,
}

struct Watched<S>(S, Look);

impl<S: Setting> Subject for Watched<S> {
    type Input = Person;
    fn observe<G: Generator>(&self, person: &Person, rng: &mut G) -> Observation {
        let Watched(setting, look) = self;
        let seen = match look {
            Look::Experiment => setting.experiment(person, rng),
            Look::Report => setting.report(person, rng).and_then(|report| S::seen(&report)),
            Look::SourceReport => setting.source_report(person, rng).and_then(|report| S::seen(&report)),
        };
        // An experiment that stops is seen as silence: if that depends on the person, it is a leak like any other.
        seen.map_or_else(|_| Observation::silence(), Observation::from)
    }
}

/// But no fewer runs than this.
const LEAST: usize = 1000;

impl AgentName {
    fn findings<S: Setting>(self, epsilon: Epsilon, effort: &Effort) -> Result<Vec<Finding>, CatalogueError> {
        let looks = [
            ("an experiment", Look::Experiment, S::first as Make<S>),
            ("one report", Look::Report, S::pointed),
            ("a source's person", Look::SourceReport, S::pointed),
        ];
        let finding = |((what, look, make), share): ((&str, Look, Make<S>), usize)| {
            let setting = make(self, epsilon).map_err(|e| self.parameter(&e.to_string()))?;
            let audit = Audit::new(format!("{}, {what}", self.name()), Claim::pure(epsilon));
            let samples = (effort.samples / share).max(LEAST).min(effort.samples);
            let effort = Effort { samples, ..*effort };
            Ok(effort.measure(audit.labelled(neighbours()), &Watched(setting, look))?)
        };
        looks.into_iter().zip(S::SHARES).map(finding).collect()
    }

    /// The first report of a new person in a new experiment.
    fn reports<S: Setting>(
        self,
        epsilon: Epsilon,
        person: &Person,
        count: u64,
        out: Sink<'_>,
    ) -> Result<(), CatalogueError> {
        let setting = S::first(self, epsilon).map_err(|e| self.parameter(&e.to_string()))?;
        let mut noise = NoiseRng::from_os()?;
        for _ in 0..count {
            let report = setting.report(person, &mut noise).map_err(|e| self.misfit(&e.to_string()))?;
            out(&serde_json::to_value(report).map_err(|e| self.parameter(&e.to_string()))?)?;
        }
        Ok(())
    }
}

impl Agent for AgentName {
    const EXAMPLE: &'static str = r#"{"context":[0.2,0.7],"reward":1.0}"#;

    fn audit(self, epsilon: Epsilon, effort: &Effort) -> Result<Vec<Finding>, CatalogueError> {
        match self {
            AgentName::LdpContextual => self.findings::<Symbols>(epsilon, effort),
            AgentName::LdpGlm | AgentName::LdpNn => self.findings::<Gradients>(epsilon, effort),
            _ => self.findings::<Bins>(epsilon, effort),
        }
    }

    /// The first report of a new person in a new experiment of two arms: the policy is the one that the agent
    /// starts with.
    fn report(self, asked: &Asked<'_>, out: Sink<'_>) -> Result<(), CatalogueError> {
        let Asked { epsilon, input, count } = *asked;
        let input = Input::deserialize(input).map_err(|_| self.misfit("it has another form"))?;
        let person = Person { context: input.context, rewards: [input.reward; ARMS as usize], arm: 0 };
        match self {
            AgentName::LdpContextual => self.reports::<Symbols>(epsilon, &person, count, out),
            AgentName::LdpGlm | AgentName::LdpNn => self.reports::<Gradients>(epsilon, &person, count, out),
            _ => self.reports::<Bins>(epsilon, &person, count, out),
        }
    }
}

/// A person whose reward is the same for either arm.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    context: Vec<f64>,
    reward: f64,
}
