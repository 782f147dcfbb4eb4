//! `ldp-contextual` with its devices.

use std::collections::VecDeque;
use std::sync::Arc;

use reticent_device::contextual::Device;
use reticent_learn::contextual::{Contextual, Insight, Options};
use reticent_privacy::{Epsilon, SimRng};
use reticent_protocol::Report;
use reticent_protocol::contextual::{Plan, Source, Spec};
use reticent_schema::{Axis, Encoding, Field};

use super::{Forging, Player, PlayerError};
use crate::contextual::env::{Person, Record, World};
use crate::contextual::{ContextualError, Experiment};

/// The agent and one simulated device that is one person after another.
#[derive(Debug)]
pub(in crate::contextual) struct Ours {
    agent: Contextual,
    device: Device<SimRng>,
    plan: Arc<Plan>,
    lifetime: Epsilon,
    /// People between two looks for a new policy, and how many of them were served.
    batch: (u64, u64),
    /// Reports that are on their way, oldest first, and how many of them there are at once.
    in_flight: VecDeque<Report>,
    delay: usize,
}

/// Contexts with more coordinates are projected on so many random directions: docs/contextual.md says what is lost.
const MOST_AXES: usize = 10;
/// The projection is public and part of the spec.
const PROJECTION_SEED: u64 = 1;

impl Ours {
    /// A new agent that knows nothing.
    pub(in crate::contextual) fn new(
        experiment: &Experiment,
        noise: SimRng,
        choices: SimRng,
    ) -> Result<Ours, ContextualError> {
        let spec = spec(experiment)?;
        let device = Device::simulated(&spec, Epsilon::MAX, noise);
        let lifetime = spec
            .arm_epsilon()
            .map_or(Ok(spec.epsilon()), |arm| Epsilon::from_nano(spec.epsilon().nano() + arm.nano()))?;
        let agent = Contextual::new(spec, Options { half_life: experiment.half_life }, choices)?;
        let plan = Arc::clone(agent.plan());
        let delay = usize::try_from(experiment.delay).unwrap_or(usize::MAX);
        let batch = (experiment.batch.max(1), 0);
        Ok(Ours { agent, device, plan, lifetime, batch, in_flight: VecDeque::new(), delay })
    }
}

impl Ours {
    /// The same agent, which takes all reports for honest ones.
    pub(in crate::contextual) fn trusting(mut self) -> Ours {
        self.agent.trust_all();
        self
    }
}

/// The experiment's spec.
fn spec(experiment: &Experiment) -> Result<Spec, ContextualError> {
    let world = &experiment.world;
    let epsilon = experiment.epsilon.ok_or(ContextualError::NeedsEpsilon(experiment.agent))?;
    let sources = experiment.sources.iter().map(|(source, epsilon)| Source {
        name: source.label().to_string(),
        epsilon: *epsilon,
        people: source.people().max(1),
        behaviour: source.behaviour().to_vec(),
    });
    let spec = Spec::new(world.arms(), encoding(world)?, epsilon)?.with_sources(sources.collect())?;
    Ok(match experiment.arm_epsilon {
        Some(epsilon) => spec.with_private_arms(epsilon)?,
        None => spec,
    })
}

/// The unit cube, the data's ranges and levels, or public random projections if there are many numbers.
fn encoding(world: &World) -> Result<Encoding, ContextualError> {
    let fields = world.fields();
    let mixed = fields.iter().any(|field| matches!(field, Field::Category { .. }));
    if mixed {
        let axes = fields.iter().map(|field| Axis::Field { field: field.name().to_string() }).collect();
        return Ok(Encoding::new(fields, axes)?);
    }
    if fields.len() > MOST_AXES {
        return Ok(Encoding::random_projection(fields, MOST_AXES, PROJECTION_SEED)?);
    }
    let ranges = world.ranges();
    let unit = ranges.iter().all(|&(low, high)| low >= 0.0 && high <= 1.0);
    Ok(if unit { Encoding::unit(ranges.len())? } else { Encoding::ranges(&ranges)? })
}

impl Player for Ours {
    fn aid(&mut self, source: u32, record: &Record) -> Result<(), PlayerError> {
        let Some(plan) = self.agent.source_plan(source as usize).cloned() else { return Ok(()) };
        self.device.next_person(self.agent.spec().sources()[source as usize].epsilon);
        let context = self.device.encode_placed(&record.context)?;
        let report = self.device.answer_record(&plan, &context, record.arm, record.reward)?;
        Ok(self.agent.absorb(&report)?)
    }

    fn begin(&mut self) {
        if !self.agent.spec().sources().is_empty() {
            self.agent.refresh();
        }
        self.plan = Arc::clone(self.agent.plan());
    }

    #[inline]
    fn serve(&mut self, person: &Person<'_>, world: &mut SimRng) -> Result<(u32, f64), PlayerError> {
        self.device.next_person(self.lifetime);
        let context = self.device.encode_placed(person.context())?;
        let choice = self.device.choose(&self.plan, &context)?;
        let arm = choice.arm();
        let reward = person.reward(arm, world);
        let report = self.device.answer(choice, reward)?;
        self.in_flight.push_back(report);
        if self.in_flight.len() > self.delay
            && let Some(arrived) = self.in_flight.pop_front()
        {
            self.agent.absorb(&arrived)?;
        }
        self.batch.1 += 1;
        if self.batch.1.is_multiple_of(self.batch.0) && !Arc::ptr_eq(&self.plan, self.agent.plan()) {
            self.plan = Arc::clone(self.agent.plan());
        }
        Ok((arm, reward))
    }

    fn forge(&mut self, person: &Person<'_>, forging: &mut Forging) {
        let report = forging.report(&self.plan, self.plan.grid().cell(person.context()));
        // Forgers do not mind being refused.
        let _ = self.agent.absorb(&report);
    }

    fn warnings(&self) -> Vec<String> {
        self.agent.warnings().iter().map(ToString::to_string).collect()
    }

    fn shares(&mut self, context: &[f64]) -> Option<Vec<f64>> {
        let cell = self.plan.grid().cell(context) as usize;
        Some(self.plan.probabilities(cell, self.agent.spec().arms()))
    }

    fn insight(&self) -> Option<Insight> {
        Some(self.agent.insight())
    }
}
