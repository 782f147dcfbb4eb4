//! `ldp-abse` and its kin: a noisy value for every bin and arm.

use std::num::NonZeroU64;

use reticent_baselines::abse::agent::{Abse, Radius};
use reticent_baselines::abse::randomiser::Randomiser;
use reticent_baselines::abse::{Answer, Bin, Policy, Report, SourceSpec, Spec};
use reticent_privacy::exact::uniform_below;
use reticent_privacy::{Epsilon, Generator, SimSeed, Stream};

use super::{ARMS, DIMS, Person, Problem, Setting, others};
use crate::contextual::AgentName;

pub(super) struct Bins {
    spec: Spec,
    policy: Policy,
    radius: Radius,
}

/// So few that the agent may decide something after the third person.
const PEOPLE: u64 = 4;

impl Bins {
    fn new(kind: AgentName, epsilon: Epsilon, policy: Policy) -> Result<Bins, Problem> {
        let source = SourceSpec { epsilon: Some(epsilon), people: PEOPLE };
        let spec = Spec::new(DIMS, ARMS, Some(epsilon), PEOPLE, vec![source])?;
        let radius = if kind == AgentName::LdpAbseTuned { Radius::Code } else { Radius::Proof };
        Ok(Bins { spec, policy, radius })
    }

    fn people<'a, G: Generator>(&self, rng: &'a mut G) -> Randomiser<&'a mut G> {
        Randomiser::new(&self.spec, rng)
    }
}

fn answer<G: Generator>(
    people: &mut Randomiser<&mut G>,
    policy: &Policy,
    person: &Person,
) -> Result<Report, Problem> {
    let choice = people.choose(policy, &person.context)?;
    Ok(people.answer(policy, &choice, person.reward(choice.arm()))?)
}

/// Two halves with an arm each: the context alone decides the arm, and two people differ in all four values.
fn halves() -> Result<Policy, Problem> {
    let half = |low: f64, arm: u32| Bin {
        low: vec![low, 0.0],
        high: vec![low + 0.5, 1.0],
        depth: 1,
        arms: vec![arm],
    };
    Ok(Policy::new(1, vec![half(0.0, 0), half(0.5, 1)])?)
}

impl Setting for Bins {
    type Report = Report;
    const SHARES: [usize; 3] = [20, 1, 2];

    fn first(kind: AgentName, epsilon: Epsilon) -> Result<Bins, Problem> {
        Bins::new(kind, epsilon, Policy::first(DIMS, ARMS)?)
    }

    fn pointed(kind: AgentName, epsilon: Epsilon) -> Result<Bins, Problem> {
        Bins::new(kind, epsilon, halves()?)
    }

    fn report<G: Generator>(&self, person: &Person, rng: &mut G) -> Result<Report, Problem> {
        answer(&mut self.people(rng), &self.policy, person)
    }

    fn source_report<G: Generator>(&self, person: &Person, rng: &mut G) -> Result<Report, Problem> {
        let (arm, reward) = (person.arm, person.reward(person.arm));
        Ok(self.people(rng).answer_record(&self.policy, 0, &person.context, arm, reward)?)
    }

    fn experiment<G: Generator>(&self, person: &Person, rng: &mut G) -> Result<Vec<f64>, Problem> {
        let choices = SimSeed(uniform_below(NonZeroU64::MAX, rng)).stream(0, Stream::Agent);
        let mut agent = Abse::new(self.spec.clone(), self.radius, choices);
        let mut people = self.people(rng);
        let mut seen = Vec::new();
        for person in std::iter::once(person).chain(&others()) {
            let report = answer(&mut people, agent.policy(), person)?;
            seen.extend(Self::seen(&report)?);
            agent.absorb(&report)?;
        }
        seen.extend([agent.policy().bins().len() as f64, agent.policy().pairs() as f64]);
        Ok(seen)
    }

    fn seen(report: &Report) -> Result<Vec<f64>, Problem> {
        match &report.answer {
            Answer::Values(values) => Ok(values.iter().map(|&value| value as f64).collect()),
            Answer::Open(_) => Err("a raw record".into()),
        }
    }
}
