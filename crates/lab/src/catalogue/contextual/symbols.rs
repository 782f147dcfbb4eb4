//! `ldp-contextual`: one randomised symbol, or one signed bit, of a person.

use std::num::NonZeroU64;
use std::sync::Arc;

use reticent_device::contextual::Device;
use reticent_learn::contextual::{Contextual, Options};
use reticent_privacy::exact::uniform_below;
use reticent_privacy::oracle;
use reticent_privacy::{Epsilon, Generator, Ledger, SimSeed, Stream};
use reticent_protocol::contextual::{Plan, Policy, Question, Source, Spec, Task};
use reticent_protocol::{Answer, Report};
use reticent_schema::Encoding;

use super::{ARMS, DIMS, Person, Problem, Setting, others};
use crate::contextual::AgentName;

pub(super) struct Symbols {
    spec: Spec,
    plan: Arc<Plan>,
    source_plan: Arc<Plan>,
    /// The same with four cells, so that whole agents can be made by the thousand.
    small: Spec,
}

/// Below it the agent asks for signed bits, and apart from them for places.
const SIGNED_BELOW: f64 = 1.762_747;
/// Of the pointed policy: a quarter of the square each.
const WIDTHS: [u32; 2] = [8, 8];

fn agent(spec: &Spec, seed: u64) -> Result<Contextual, Problem> {
    Ok(Contextual::new(spec.clone(), Options::default(), SimSeed(seed).stream(0, Stream::Agent))?)
}

impl Symbols {
    /// Two arms on the unit square, and one source.
    fn specs(epsilon: Epsilon) -> Result<(Spec, Spec), Problem> {
        let source =
            Source { name: "source".into(), epsilon, people: 1000, behaviour: vec![0.5; ARMS as usize] };
        let spec = Spec::new(ARMS, Encoding::unit(DIMS as usize)?, epsilon)?.with_sources(vec![source])?;
        let small = spec.clone().with_sources(Vec::new())?.with_cells(vec![2, 2])?;
        Ok((spec, small))
    }

    fn device<'a, G: Generator>(spec: &Spec, rng: &'a mut G) -> Device<&'a mut G> {
        Device::with_noise(spec, Ledger::new(spec.epsilon()), rng)
    }
}

/// All that may be asked at this loss: the reward's sign and the place, or the outcome.
fn questions(spec: &Spec) -> Result<Vec<Question>, Problem> {
    let (grid, widths, epsilon) = (spec.grid(), WIDTHS.to_vec(), spec.epsilon());
    let place = Question::place(grid, widths.clone(), epsilon)?;
    Ok(if epsilon.value() < SIGNED_BELOW {
        vec![Question::effect(widths), place]
    } else {
        vec![Question::outcome(grid, widths, spec.arms(), epsilon)?, place]
    })
}

impl Setting for Symbols {
    type Report = Report;
    const SHARES: [usize; 3] = [100, 1, 2];

    fn first(_: AgentName, epsilon: Epsilon) -> Result<Symbols, Problem> {
        let (spec, small) = Self::specs(epsilon)?;
        let agent = agent(&spec, 1)?;
        let source_plan = agent.source_plan(0).ok_or("the agent has no questions for its source")?;
        Ok(Symbols { plan: Arc::clone(agent.plan()), source_plan: Arc::clone(source_plan), spec, small })
    }

    /// One map by the first half of the first axis, and one the other way round.
    fn pointed(_: AgentName, epsilon: Epsilon) -> Result<Symbols, Problem> {
        let (spec, small) = Self::specs(epsilon)?;
        let half = spec.grid().cells() / 2;
        let maps = vec![[vec![0; half], vec![1; half]].concat(), [vec![1; half], vec![0; half]].concat()];
        let tasks = [(0, 0), (1, 0), (0, 1)].map(|(map, question)| Task { map, question }).to_vec();
        let (experiment, questions) = (spec.digest(), questions(&spec)?);
        let policy = Policy { experiment, source: None, version: 3, questions, maps, tasks, cells: None };
        let tasks = [0, 0, 1].map(|question| Task { map: 0, question }).to_vec();
        let for_source = Policy { source: Some(0), maps: vec![], tasks, ..policy.clone() };
        let plan = Arc::new(Plan::new(&spec, policy)?);
        let source_plan = Arc::new(Plan::new(&spec, for_source)?);
        Ok(Symbols { spec, plan, source_plan, small })
    }

    fn report<G: Generator>(&self, person: &Person, rng: &mut G) -> Result<Report, Problem> {
        let mut device = Self::device(&self.spec, rng);
        let context = device.encode_numbers(&person.context)?;
        let choice = device.choose(&self.plan, &context)?;
        let reward = person.reward(choice.arm());
        Ok(device.answer(choice, reward)?)
    }

    fn source_report<G: Generator>(&self, person: &Person, rng: &mut G) -> Result<Report, Problem> {
        let mut device = Self::device(&self.spec, rng);
        let context = device.encode_numbers(&person.context)?;
        let (arm, reward) = (person.arm, person.reward(person.arm));
        Ok(device.answer_record(&self.source_plan, &context, arm, reward)?)
    }

    /// A new policy after the first person already; a real agent waits for more. What the agent does with
    /// reports is post-processing.
    fn experiment<G: Generator>(&self, person: &Person, rng: &mut G) -> Result<Vec<f64>, Problem> {
        let mut agent = agent(&self.small, uniform_below(NonZeroU64::MAX, rng))?;
        let mut device = Self::device(&self.small, rng);
        let mut seen = Vec::new();
        for (number, person) in std::iter::once(person).chain(&others()).enumerate() {
            let plan = Arc::clone(agent.plan());
            device.next_person(self.small.epsilon());
            let context = device.encode_numbers(&person.context)?;
            let choice = device.choose(&plan, &context)?;
            let reward = person.reward(choice.arm());
            let report = device.answer(choice, reward)?;
            seen.extend(Self::seen(&report)?);
            agent.absorb(&Report::decode(&report.encode())?)?;
            if number == 0 {
                agent.refresh();
                let plan = agent.plan();
                seen.extend((0..self.small.grid().cells()).map(|cell| plan.probabilities(cell, ARMS)[0]));
            }
        }
        Ok(seen)
    }

    /// Task, answer, and both as one number: an answer means nothing without its task.
    fn seen(report: &Report) -> Result<Vec<f64>, Problem> {
        let report = Report::decode(&report.encode())?;
        let task = f64::from(report.question);
        let mut seen = vec![task];
        match report.answer {
            Answer::Symbol(oracle::Report::Index(index)) => seen.push(f64::from(index)),
            // Small domains: each set is one word.
            Answer::Symbol(oracle::Report::Set(words)) => {
                seen.extend(words.into_iter().map(|word| word as f64));
            }
            Answer::Bit { .. } => return Err("a bandit's answer".into()),
        }
        seen.push(task * f64::from(1 << 20) + seen[1]);
        Ok(seen)
    }
}
