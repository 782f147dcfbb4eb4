//! From the counts of one policy to the next policy.

use std::sync::Arc;

use reticent_protocol::contextual::{Plan, Policy, Question, Spec, Task};

use super::belief::{Data, Systems};
use super::tally::{Expected, Tally};
use super::{BuildError, Contextual, FIRST_BATCH, questions, thompson};

/// Maps in a policy when reports are frequencies; and with signed bits, maps and questions where people are.
const MAPS: usize = 8;
const MAPS_SIGNED: usize = 10;
const PLACES_SIGNED: usize = 2;
/// A policy serves a tenth of all people before it, and of a half-life.
const GROWTH: u64 = 10;
/// Masses, lengths and amplitude are looked at again after so many times as many people.
const RESHAPE_GROWTH: f64 = 1.3;
const RESHAPE_FROM: u64 = 200;
/// Policies whose late reports are still taken.
const KEPT_VERSIONS: usize = 8;
/// A source's questions: about as fine as its people can answer, coarser and finer, and each with either axis first.
const SOURCE_FACTORS: [f64; 3] = [0.5, 1.0, 2.0];
const SOURCE_TURNS: usize = 2;
/// A half-life of h people is a memory of h / ln 2.
const LN_2: f64 = std::f64::consts::LN_2;

impl Contextual {
    /// Takes in all reports that came so far, and makes a new policy. Happens by itself when enough people have reported; call it once
    /// after the sources' reports, so that the first people profit.
    pub fn refresh(&mut self) {
        let reshape = self.is_time_to_reshape();
        let systems = self.learn(reshape);
        if reshape {
            self.reshaped = self.people;
        }
        let batch =
            (self.people / GROWTH).min(self.options.half_life.map_or(u64::MAX, |people| people / GROWTH));
        self.next_refresh = self.people + batch.max(FIRST_BATCH);
        let version = self.plan().policy().version + 1;
        // Only questions that this agent has made before, on the same grid: they cannot be refused, and if they were, the old policy stays.
        let published = self.publish(version, &systems);
        debug_assert!(published.is_ok(), "{published:?}");
    }

    /// Whether where people are and how rewards vary is to be looked at again: when there are so many times as many people, or the memory is of others.
    fn is_time_to_reshape(&self) -> bool {
        let since = self.people - self.reshaped;
        let forgotten = self.options.half_life.is_some_and(|half_life| since >= half_life / 2);
        let grown = self.people as f64 >= RESHAPE_GROWTH * self.reshaped as f64;
        self.people >= RESHAPE_FROM && (grown || forgotten) || (self.people == 0 && !self.sources.is_empty())
    }

    /// Folds the counts into the statistics and updates the belief.
    pub(super) fn learn(&mut self, reshape: bool) -> Systems {
        let fresh: u64 = self.open.iter().map(|(_, tally)| tally.reports()).sum();
        if let Some(half_life) = self.options.half_life {
            let share = libm::exp2(-(fresh as f64) / half_life as f64);
            self.target.keep(share);
            self.sources.iter_mut().for_each(|source| source.keep(share));
        }
        let expected = Expected { masses: &self.belief.masses, behaviour: None, mean: &self.belief.mean };
        for (plan, tally) in &mut self.open {
            tally.fold(plan, &expected, &mut self.target);
        }
        let fresh_sources = self.options.half_life.is_some()
            || self.source_plans.iter().any(|(_, tally)| tally.reports() > 0);
        for (source, (plan, tally)) in self.source_plans.iter_mut().enumerate() {
            let expected = Expected {
                masses: &self.belief.source_masses[source],
                behaviour: Some(&self.spec.sources()[source].behaviour),
                mean: &self.belief.mean,
            };
            tally.fold(plan, &expected, &mut self.sources[source]);
        }
        let data = Data { target: &self.target, sources: &self.sources, fresh_sources };
        let systems = self.belief.update(&self.spec, &self.kernel, data, reshape, &mut self.remembered);
        self.information = systems.information();
        systems
    }

    /// Makes the policy of this version the current one.
    pub(super) fn publish(&mut self, version: u64, systems: &Systems) -> Result<(), BuildError> {
        let epsilon = self.spec.epsilon();
        let memory = self.options.half_life.map_or(f64::INFINITY, |people| people as f64 / LN_2);
        let cells = questions::cells(&self.spec, (self.people as f64).min(memory), epsilon);
        let lengths = &self.belief.shape.lengths;
        let signed = questions::is_signed(epsilon);
        let maps = if signed { MAPS_SIGNED } else { MAPS };
        let widths = |task: usize| questions::widths(&self.spec, lengths, cells, task + version as usize);
        let mut asked: Vec<Question> = (0..maps)
            .map(|task| questions::about_outcome(&self.spec, widths(task), epsilon))
            .collect::<Result<_, _>>()?;
        let mut tasks: Vec<Task> = (0..maps as u32).map(|task| Task { map: task, question: task }).collect();
        if signed {
            for place in 0..PLACES_SIGNED {
                asked.push(Question::place(self.spec.grid(), widths(place), epsilon)?);
                tasks.push(Task { map: place as u32, question: (maps + place) as u32 });
            }
        }
        let coarse: Vec<Vec<u32>> =
            asked[..maps].iter().map(|q| self.spec.grid().coarsened(&q.widths)).collect();
        let maps = thompson::maps(&self.belief, systems, &coarse, &mut self.rng);
        let policy = Policy { source: None, version, questions: asked, maps, tasks };
        let plan = Plan::new(&self.spec, policy)?;
        let tally = Tally::new(&plan);
        if self.open.len() >= KEPT_VERSIONS {
            self.open.pop_front();
        }
        self.open.push_back((Arc::new(plan), tally));
        Ok(())
    }
}

/// What a source's people are asked: they have their arms already, and answer once.
pub(super) fn source_plan(spec: &Spec, source: usize) -> Result<(Arc<Plan>, Tally), BuildError> {
    let declared = &spec.sources()[source];
    let cells = questions::cells(spec, declared.people as f64, declared.epsilon);
    let lengths = vec![super::kernel::START; spec.grid().sizes().len()];
    let mut asked = Vec::new();
    for factor in SOURCE_FACTORS {
        for turn in 0..SOURCE_TURNS {
            let widths = questions::widths(spec, &lengths, factor * cells, turn);
            asked.push(questions::about_outcome(spec, widths, declared.epsilon)?);
        }
    }
    if questions::is_signed(declared.epsilon) {
        asked.push(Question::place(
            spec.grid(),
            questions::widths(spec, &lengths, cells, 0),
            declared.epsilon,
        )?);
    }
    let tasks = (0..asked.len() as u32).map(|question| Task { map: 0, question }).collect();
    let policy =
        Policy { source: Some(source as u32), version: 0, questions: asked, maps: Vec::new(), tasks };
    let plan = Plan::new(spec, policy)?;
    let tally = Tally::new(&plan);
    Ok((Arc::new(plan), tally))
}
