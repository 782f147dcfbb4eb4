//! From what is believed to the next policy, and what sources are asked.

use std::sync::Arc;

use reticent_protocol::contextual::{Plan, Policy, Question, Spec, Task};

use super::questions::Grouping;
use super::structure::{Structure, Structures};
use super::systems::Systems;
use super::tally::Tally;
use super::thompson::Hypothesis;
use super::{BuildError, Contextual, Open, questions, thompson};

/// Maps in a policy when reports are frequencies; and with signed bits, maps and questions where people are.
const MAPS: usize = 8;
const MAPS_SIGNED: usize = 10;
const PLACES_SIGNED: usize = 2;
/// A map that takes only a part of the context for relevant asks about all of it all the same, with this probability:
/// what nobody asks about is never found to be wrong. Where the context is surely irrelevant it is the second one.
/// Otherwise such a map tells apart a part of the groups that are free.
const ASKS_MORE: f64 = 0.75;
const ASKS_MORE_OF_NOTHING: f64 = 0.25;
const FREE_FOR_ARMS: f64 = 4.0;
/// A map has at most so many times as many patches as the rule for questions says, while nothing is sure.
const PATCHES: f64 = 4.0;
/// The patches of maps are those of their questions, or so made by one or two halvings, in turn: an arm that is best
/// across a border of coarse patches only would be tried nowhere.
const FINER: usize = 3;
/// Policies whose late reports are still taken: a tenth more people each, from 40 to 10^11, are 220 of them.
const MOST_OPEN: usize = 256;
const SECONDS_A_DAY: u64 = 86_400;
/// A source's questions: about as fine as its people can answer, coarser and finer, and each with either axis first.
const SOURCE_FACTORS: [f64; 3] = [0.5, 1.0, 2.0];
const SOURCE_TURNS: usize = 2;
/// A half-life of h people is a memory of h / ln 2.
const LN_2: f64 = std::f64::consts::LN_2;

impl Contextual {
    /// Makes the policy of this version the current one.
    pub(super) fn publish(&mut self, version: u64, systems: &Systems) -> Result<(), BuildError> {
        let epsilon = self.spec.epsilon();
        let signed = questions::is_signed(epsilon);
        let maps = if signed { MAPS_SIGNED } else { MAPS };
        let drawn: Vec<Hypothesis> =
            (0..maps).map(|_| Hypothesis::draw(&self.belief, &mut self.rng)).collect();
        let widths = self.questions(&drawn, version as usize, systems);
        let mut asked: Vec<Question> = widths
            .iter()
            .map(|(widths, _)| questions::about_outcome(&self.spec, &self.grid, widths.clone(), epsilon))
            .collect::<Result<_, _>>()?;
        let mut tasks: Vec<Task> = (0..maps as u32).map(|task| Task { map: task, question: task }).collect();
        if signed {
            for (place, (_, coarse)) in widths.iter().enumerate().take(PLACES_SIGNED) {
                asked.push(Question::place(&self.grid, coarse.clone(), epsilon)?);
                tasks.push(Task { map: place as u32, question: (maps + place) as u32 });
            }
        }
        let coarse = widths.iter().map(|(_, coarse)| self.grid.coarsened(coarse));
        let drawn: Vec<(Hypothesis, Vec<u32>)> = drawn.into_iter().zip(coarse).collect();
        let maps = thompson::maps(&self.belief, systems, &drawn, &mut self.rng);
        let experiment = self.spec.digest();
        let cells = self.own_cells();
        let policy = Policy { experiment, source: None, version, questions: asked, maps, tasks, cells };
        let plan = Plan::new(&self.spec, policy)?;
        let tally = Tally::new(&plan);
        if self.open.len() >= MOST_OPEN {
            self.open.pop_front();
        }
        let published = self.clock.unwrap_or_default();
        self.open.push_back(Open { plan: Arc::new(plan), tally, published });
        Ok(())
    }

    /// For each map the widths of its question, and those on which the map is constant while nothing is sure.
    fn questions(
        &mut self,
        drawn: &[Hypothesis],
        version: usize,
        systems: &Systems,
    ) -> Vec<(Vec<u32>, Vec<u32>)> {
        let memory = self.options.half_life.map_or(f64::INFINITY, |people| people as f64 / LN_2);
        let people = (self.people as f64).min(memory);
        let (spec, epsilon) = (&self.spec, self.spec.epsilon());
        let grouping = Grouping::new(spec, &self.grid, &self.belief.shape.lengths, &self.belief.masses);
        let most = PATCHES * questions::told(&self.grid, people, epsilon);
        let told = questions::groups(&self.grid, people, epsilon);
        let few = questions::free(&self.grid, epsilon) / FREE_FOR_ARMS;
        let trusted = &self.belief.trust[self.belief.likeliest()].weights;
        let mut known = Structure::ALL.map(|_| None);
        let mut of_task = |(task, hypothesis): (usize, &Hypothesis)| {
            let turn = task + version;
            let asks_more = self.rng.uniform() < asks_more(self.belief.structures, hypothesis.structure);
            let asked = match hypothesis.structure {
                Structure::Arm if !asks_more => grouping.widths(few, turn),
                Structure::Blocks if !asks_more => grouping.widths(told, turn),
                structure => {
                    let structure = if asks_more { Structure::All } else { structure };
                    let choices: &mut Vec<Vec<u32>> = known[structure as usize].get_or_insert_with(|| {
                        let unknown = systems.unknown(trusted, structure, &self.belief.masses);
                        grouping.worthwhile(&unknown, people)
                    });
                    choices[turn % choices.len()].clone()
                }
            };
            let is_fine = grouping.count(&asked) > most;
            let mut patches = if is_fine { grouping.widths(most, turn) } else { asked.clone() };
            (0..task % FINER).for_each(|_| grouping.halve(&mut patches));
            (asked, patches)
        };
        drawn.iter().enumerate().map(&mut of_task).collect()
    }

    /// Forgets policies whose report window is over. Their reports were taken in.
    pub(super) fn close_old_policies(&mut self) {
        let Some(now) = self.clock else { return };
        let window = u64::from(self.spec.experiment().report_window_days().get()) * SECONDS_A_DAY;
        let is_over = |open: &Open| open.published.saturating_add(window) < now;
        while self.open.len() > 1 && self.open.front().is_some_and(is_over) {
            self.open.pop_front();
        }
    }

    /// Whether a new policy would close one that is still in its window.
    pub(super) fn is_full(&self) -> bool {
        self.clock.is_some() && self.open.len() >= MOST_OPEN
    }
}

/// How often a map that takes rewards to depend on so much asks about all of the context.
fn asks_more(structures: Structures, structure: Structure) -> f64 {
    match structure {
        Structure::Arm => ASKS_MORE - (ASKS_MORE - ASKS_MORE_OF_NOTHING) * structures.probability(structure),
        _ => ASKS_MORE,
    }
}

/// What a source's people are asked: they have their arms already, and answer once.
pub(super) fn source_plan(spec: &Spec, source: usize) -> Result<(Arc<Plan>, Tally), BuildError> {
    let declared = &spec.sources()[source];
    let groups = questions::groups(spec.grid(), declared.people as f64, declared.epsilon);
    let lengths = vec![super::shape::START; spec.grid().sizes().len()];
    let even = vec![1.0 / spec.grid().cells() as f64; spec.grid().cells()];
    let grouping = Grouping::new(spec, spec.grid(), &lengths, &even);
    let mut asked = Vec::new();
    for factor in SOURCE_FACTORS {
        for turn in 0..SOURCE_TURNS {
            let widths = grouping.widths(factor * groups, turn);
            asked.push(questions::about_outcome(spec, spec.grid(), widths, declared.epsilon)?);
        }
    }
    if questions::is_signed(declared.epsilon) {
        asked.push(Question::place(spec.grid(), grouping.widths(groups, 0), declared.epsilon)?);
    }
    let tasks = (0..asked.len() as u32).map(|question| Task { map: 0, question }).collect();
    let (experiment, source) = (spec.digest(), Some(source as u32));
    let policy =
        Policy { experiment, source, version: 0, questions: asked, maps: Vec::new(), tasks, cells: None };
    let plan = Plan::new(spec, policy)?;
    let tally = Tally::new(&plan);
    Ok((Arc::new(plan), tally))
}
