//! Mistakes of contextual devices: what a device does with the public policy tells where its person is.

use std::num::NonZeroU64;
use std::sync::Arc;

use reticent_audit::Observation;
use reticent_baselines::abse as bins;
use reticent_baselines::abse::randomiser::Randomiser;
use reticent_device::contextual;
use reticent_privacy::exact::uniform_below;
use reticent_privacy::oracle;
use reticent_privacy::{Generator, Ledger, SimSeed, Stream};
use reticent_protocol::Answer;
use reticent_protocol::contextual::{Plan, Policy, Question, Spec, Task};
use reticent_schema::Encoding;

use super::{Broken, Mistake, boxed, unit_epsilon};
use crate::catalogue::Subject;

pub(super) fn all() -> Vec<Box<dyn Broken>> {
    vec![boxed::<PublishedBins>(), boxed::<ChosenTask>()]
}

/// An experiment that cannot be made would be silent, and not caught.
#[derive(Default)]
struct PublishedBins;

impl PublishedBins {
    /// The very code of the broken baseline, with two arms and the line cut in two. It takes seeded noise
    /// only: the seed is drawn.
    fn values<G: Generator>(context: f64, rng: &mut G) -> Option<Vec<i64>> {
        let noise = SimSeed(uniform_below(NonZeroU64::MAX, rng)).stream(0, Stream::Noise);
        let half = |low: f64| bins::Bin { low: vec![low], high: vec![low + 0.5], depth: 1, arms: vec![0, 1] };
        let policy = bins::Policy::new(1, vec![half(0.0), half(0.5)]).ok()?;
        let spec = bins::Spec::new(1, 2, Some(unit_epsilon()), 1000, vec![]).ok()?;
        let mut people = Randomiser::new(&spec, noise);
        let choice = people.choose(&policy, &[context]).ok()?;
        match people.answer_silent(&policy, &choice, 1.0).ok()?.answer {
            bins::Answer::Values(values) => Some(values),
            bins::Answer::Open(_) => None,
        }
    }
}

impl Subject for PublishedBins {
    type Input = f64;
    fn observe<G: Generator>(&self, context: &f64, rng: &mut G) -> Observation {
        Self::values(*context, rng).map_or_else(Observation::silence, Observation::from)
    }
}

impl Mistake for PublishedBins {
    const NAME: &'static str = "published-bins";
    const MISTAKE: &'static str = "the published code of adaptive bins: noise for the arms of the person's own bin, and exact zeros for all others";
    fn inputs() -> Vec<(&'static str, f64)> {
        vec![("a person on the left", 0.1), ("a person on the right", 0.9)]
    }
}

struct ChosenTask(Option<(Spec, Arc<Plan>)>);

impl Default for ChosenTask {
    fn default() -> ChosenTask {
        ChosenTask(Self::experiment())
    }
}

impl ChosenTask {
    /// Two maps that give either half of the line the other arm.
    fn experiment() -> Option<(Spec, Arc<Plan>)> {
        let spec = Spec::new(2, Encoding::unit(1).ok()?, unit_epsilon()).ok()?;
        let half = spec.grid().cells() / 2;
        let maps = vec![[vec![0; half], vec![1; half]].concat(), [vec![1; half], vec![0; half]].concat()];
        let tasks = vec![Task { map: 0, question: 0 }, Task { map: 1, question: 0 }];
        let questions = vec![Question::effect(vec![half as u32])];
        let experiment = spec.digest();
        let policy = Policy { experiment, source: None, version: 0, questions, maps, tasks, cells: None };
        let plan = Plan::new(&spec, policy).ok()?;
        Some((spec, Arc::new(plan)))
    }

    /// A correct report of a choice that was made again until it suited.
    fn report<G: Generator>(&self, context: f64, rng: &mut G) -> Option<[u32; 2]> {
        const WANTED: u32 = 0;
        let (spec, plan) = self.0.as_ref()?;
        let mut device = contextual::Device::with_noise(spec, Ledger::new(unit_epsilon()), rng);
        let context = device.encode_numbers(&[context]).ok()?;
        let mut choice = device.choose(plan, &context).ok()?;
        while choice.arm() != WANTED {
            choice = device.choose(plan, &context).ok()?;
        }
        let report = device.answer(choice, 1.0).ok()?;
        match report.answer {
            Answer::Symbol(oracle::Report::Index(index)) => Some([report.question, index]),
            _ => None,
        }
    }
}

impl Subject for ChosenTask {
    type Input = f64;
    fn observe<G: Generator>(&self, context: &f64, rng: &mut G) -> Observation {
        self.report(*context, rng).map_or_else(Observation::silence, Observation::from)
    }
}

impl Mistake for ChosenTask {
    const NAME: &'static str = "chosen-task";
    const MISTAKE: &'static str = "a device that draws its task again until the map has the arm that the person got: the task, sent in the clear, tells the cell";
    fn inputs() -> Vec<(&'static str, f64)> {
        vec![("a person on the left", 0.1), ("a person on the right", 0.9)]
    }
}
