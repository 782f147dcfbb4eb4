//! `ldp-glm` and `ldp-nn`: a privatised gradient.

use std::num::NonZeroU64;

use reticent_baselines::gradient::agent::Descent;
use reticent_baselines::gradient::randomiser::Randomiser;
use reticent_baselines::gradient::{Model, Policy, Report, Response, Spec};
use reticent_privacy::exact::uniform_below;
use reticent_privacy::{Epsilon, Generator, SimSeed, Stream};

use super::{ARMS, DIMS, Person, Problem, Setting, others};
use crate::contextual::AgentName;

pub(super) struct Gradients {
    spec: Spec,
    /// The same with a source.
    with_source: Spec,
    policy: Policy,
}

const UNITS: u32 = 8;
/// The logistic function of it is 1 as good as.
const SURE: f64 = 10.0;

impl Gradients {
    fn new(
        kind: AgentName,
        epsilon: Epsilon,
        policy: impl Fn(&Spec) -> Policy,
    ) -> Result<Gradients, Problem> {
        let model = if kind == AgentName::LdpNn { Model::Hidden { units: UNITS } } else { Model::Logistic };
        let spec = Spec::new(DIMS, ARMS, model, epsilon, vec![])?;
        let with_source = Spec::new(DIMS, ARMS, model, epsilon, vec![epsilon])?;
        Ok(Gradients { policy: policy(&spec), spec, with_source })
    }
}

fn answer<G: Generator>(
    people: &mut Randomiser<&mut G>,
    policy: &Policy,
    person: &Person,
) -> Result<Report, Problem> {
    let choice = people.choose(policy, &person.context)?;
    let reward = person.reward(choice.arm());
    Ok(people.answer(policy, choice, reward)?)
}

/// Parameters with which this arm's reward is foreseen as 1 for everybody, and units that are as good as
/// signs of the first coordinate.
fn sure(spec: &Spec) -> Vec<f64> {
    let features = DIMS as usize + 1;
    let mut parameters = vec![0.0; spec.parameters() as usize];
    match spec.model() {
        Model::Logistic => parameters[0] = SURE,
        Model::Hidden { units } => {
            let layer = units as usize * features;
            parameters[..layer].chunks_exact_mut(features).for_each(|unit| unit[1] = SURE);
            parameters[layer] = SURE;
        }
    }
    parameters
}

impl Setting for Gradients {
    type Report = Report;
    const SHARES: [usize; 3] = [50, 4, 8];

    fn first(kind: AgentName, epsilon: Epsilon) -> Result<Gradients, Problem> {
        let choices = || SimSeed(1).stream(0, Stream::Agent);
        Gradients::new(kind, epsilon, |spec| Descent::new(spec.clone(), choices()).policy().clone())
    }

    /// The first arm is sure to be good and nobody explores: a person without reward is as wrong as can be,
    /// and the gradient is their context.
    fn pointed(kind: AgentName, epsilon: Epsilon) -> Result<Gradients, Problem> {
        Gradients::new(kind, epsilon, |spec| {
            let parameters = vec![sure(spec), vec![0.0; spec.parameters() as usize]];
            Policy { version: 1, parameters, exploration: 0.0 }
        })
    }

    fn report<G: Generator>(&self, person: &Person, rng: &mut G) -> Result<Report, Problem> {
        answer(&mut Randomiser::new(&self.spec, rng), &self.policy, person)
    }

    fn source_report<G: Generator>(&self, person: &Person, rng: &mut G) -> Result<Report, Problem> {
        let (arm, reward) = (person.arm, person.reward(person.arm));
        Ok(Randomiser::new(&self.with_source, rng).answer_record(
            &self.policy,
            0,
            &person.context,
            arm,
            reward,
        )?)
    }

    fn experiment<G: Generator>(&self, person: &Person, rng: &mut G) -> Result<Vec<f64>, Problem> {
        let choices = SimSeed(uniform_below(NonZeroU64::MAX, rng)).stream(0, Stream::Agent);
        let mut agent = Descent::new(self.spec.clone(), choices);
        let mut people = Randomiser::new(&self.spec, rng);
        let mut seen = Vec::new();
        for person in std::iter::once(person).chain(&others()) {
            let report = answer(&mut people, agent.policy(), person)?;
            seen.extend(Self::seen(&report)?);
            agent.absorb(&report)?;
            // Each arm's intercept in the next policy.
            seen.extend(agent.policy().parameters.iter().map(|parameters| parameters[0]));
        }
        Ok(seen)
    }

    /// Of each draw the coordinate, the signs, and both as one number: signs mean nothing without their coordinate.
    fn seen(report: &Report) -> Result<Vec<f64>, Problem> {
        Ok(match &report.response {
            Response::Signs(draws) => draws
                .iter()
                .flat_map(|draw| {
                    let (coordinate, signs) = (f64::from(draw.coordinate), draw.signs as f64);
                    [coordinate, signs, coordinate * f64::from(1 << ARMS) + signs]
                })
                .collect(),
            Response::Steps(steps) => steps.iter().map(|&steps| steps as f64).collect(),
        })
    }
}
