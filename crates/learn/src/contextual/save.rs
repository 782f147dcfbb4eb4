//! An agent as a document: saved, loaded and continued is the same as never stopped, bit for bit.
//!
//! Reading it goes through the same checks as building, and refuses what no run can have produced.

use std::sync::Arc;

use reticent_privacy::SimRng;
use reticent_protocol::contextual::{AxisCells, Grid, Plan, Policy, Question, Spec, Task};
use reticent_schema::Digest;
use reticent_store::{DocumentError, Form};
use serde::{Deserialize, Serialize};

use super::belief::{Belief, Data, Remembered};
use super::guard::Guard;
use super::kernel::Kernel;
use super::replaced::{MOST_REPLACED, Replaced, Stored};
use super::statistics::Statistics;
use super::tally::Tally;
use super::{Contextual, Open, Options};

/// Version 1 stored no document of the experiment and no times.
const FORM: Form = Form { format: "reticent-contextual-agent", version: 2, called: "saved agent" };
/// More people, and more policies, than there will ever be: sums of a few such numbers do not overflow.
const MOST: u64 = 1 << 60;

/// Owned when read, borrowed when written, so that saving copies nothing and generators stay unclonable.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<Text, Of, Known, Sums, Counted, Rng> {
    format: Text,
    version: u32,
    #[serde(alias = "spec")]
    experiment: Of,
    options: Options,
    people: u64,
    next_refresh: u64,
    reshaped: u64,
    /// When cells were last looked at, which they are if they are not those of the experiment, and which were before.
    #[serde(default)]
    regridded: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cells: Option<Vec<AxisCells>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    replaced: Vec<Stored>,
    information: (f64, Vec<f64>),
    belief: Known,
    target: Sums,
    sources: Vec<Sums>,
    open: Vec<Counted>,
    /// When each open policy was published, and what time it is.
    #[serde(default)]
    published: Vec<u64>,
    #[serde(default)]
    clock: Option<u64>,
    source_plans: Vec<Counted>,
    /// None in documents that were written before there was one.
    #[serde(default)]
    guard: Option<Guard>,
    rng: Rng,
}

type Read = Document<String, Spec, Belief, Statistics, (Kept, Tally), SimRng>;

/// A policy as it is kept; version 1 did not say of which experiment.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    #[serde(default)]
    experiment: Option<Digest>,
    source: Option<u32>,
    version: u64,
    questions: Vec<Question>,
    maps: Vec<Vec<u8>>,
    tasks: Vec<Task>,
    #[serde(default)]
    cells: Option<Vec<AxisCells>>,
}

/// The agent could not be written.
#[derive(Debug, thiserror::Error)]
#[error("the agent cannot be saved: {0}")]
pub struct SaveError(#[from] serde_json::Error);

/// The agent as JSON.
pub fn save(agent: &Contextual) -> Result<String, SaveError> {
    let document = Document {
        format: FORM.format,
        version: FORM.version,
        experiment: &agent.spec,
        options: agent.options,
        people: agent.people,
        next_refresh: agent.next_refresh,
        reshaped: agent.reshaped,
        regridded: agent.regridded,
        cells: agent.own_cells(),
        replaced: agent.replaced.iter().map(Replaced::stored).collect(),
        information: agent.information.clone(),
        belief: &agent.belief,
        target: &agent.target,
        sources: agent.sources.iter().collect(),
        open: agent.open.iter().map(|open| (open.plan.policy(), &open.tally)).collect(),
        published: agent.open.iter().map(|open| open.published).collect(),
        clock: agent.clock,
        source_plans: agent.source_plans.iter().map(|(plan, tally)| (plan.policy(), tally)).collect(),
        guard: Some(agent.guard.clone()),
        rng: &agent.rng,
    };
    Ok(serde_json::to_string(&document)?)
}

/// The agent that [`save`] wrote.
pub fn load(text: &str) -> Result<Contextual, DocumentError> {
    let read: Read = FORM.read_since(1, text)?;
    let grid = grid(&read.experiment, read.cells.clone())?;
    check(&read, &grid)?;
    let Read { options, people, next_refresh, reshaped, regridded, information, .. } = read;
    let Read { belief, target, sources, .. } = read;
    let (spec, published) = (read.experiment, read.published);
    let replaced = read.replaced.into_iter().map(|stored| {
        let grid = self::grid(&spec, stored.cells.clone())?;
        stored.checked(grid).ok_or_else(|| FORM.impossible("cells that it had before are out of range"))
    });
    let replaced = replaced.collect::<Result<Vec<Replaced>, _>>()?;
    let open = plans(&spec, read.open)?;
    let follow = open.windows(2).all(|pair| pair[0].0.policy().version + 1 == pair[1].0.policy().version);
    if open.is_empty() || !follow || open.iter().any(|(plan, _)| plan.policy().source.is_some()) {
        return Err(FORM.impossible("its policies do not follow each other"));
    }
    // What a source's people were asked is kept: a later version of this program may ask something else.
    let source_plans = plans(&spec, read.source_plans)?;
    let mut named = source_plans.iter().map(|(plan, _)| plan.policy().source).zip(0..);
    if !named.all(|(source, number)| source == Some(number)) {
        return Err(FORM.impossible("its sources' questions are of other sources"));
    }
    let counted = open.iter().chain(&source_plans).map(|(plan, _)| plan.grid());
    let known = |of: &Grid| *of == grid || replaced.iter().any(|replaced| *replaced.grid() == *of);
    if !counted.into_iter().all(known) {
        return Err(FORM.impossible("its policies are of cells that it never had"));
    }
    let kernel = Kernel::new(&spec, &grid);
    // Statistics that no reports add up to can still have no posterior: look at it once.
    let data = Data { target: &target, sources: &sources, fresh_sources: false };
    let mut next = belief.clone();
    next.update(&spec, &kernel, data, false, &mut Remembered::default());
    if !next.is_possible(&spec, grid.cells()) {
        return Err(FORM.impossible("its statistics have no posterior"));
    }
    Ok(Contextual {
        grid,
        replaced,
        regridded,
        kernel,
        open: open
            .into_iter()
            .enumerate()
            .map(|(i, (plan, tally))| Open { plan, tally, published: published.get(i).copied().unwrap_or(0) })
            .collect(),
        clock: read.clock,
        source_plans,
        spec,
        options,
        people,
        next_refresh,
        reshaped,
        information,
        remembered: Remembered::default(),
        belief,
        target,
        sources,
        guard: read.guard.unwrap_or_default(),
        rng: read.rng,
    })
}

/// Policies with their counts, each checked against the other.
fn plans(spec: &Spec, read: Vec<(Kept, Tally)>) -> Result<Vec<(Arc<Plan>, Tally)>, DocumentError> {
    let plan = |(kept, tally): (Kept, Tally)| {
        let Kept { experiment, source, version, questions, maps, tasks, cells } = kept;
        let experiment = experiment.unwrap_or(spec.digest());
        let policy = Policy { experiment, source, version, questions, maps, tasks, cells };
        let plan = Plan::new(spec, policy).map_err(|error| FORM.impossible(&error.to_string()))?;
        if tally.fits(&plan) {
            Ok((Arc::new(plan), tally))
        } else {
            Err(FORM.impossible("its counts are of other questions"))
        }
    };
    read.into_iter().map(plan).collect()
}

/// These cells, or the experiment's own.
fn grid(spec: &Spec, cells: Option<Vec<AxisCells>>) -> Result<Grid, DocumentError> {
    let own = cells.map(|axes| Grid::of(spec.encoding(), axes));
    own.unwrap_or_else(|| Some(spec.grid().clone())).ok_or_else(|| FORM.impossible("its cells are none"))
}

fn check(read: &Read, grid: &Grid) -> Result<(), DocumentError> {
    let (cells, arms, sources) = (grid.cells(), read.experiment.arms(), read.experiment.sources().len());
    let half_life = read.options.half_life.is_none_or(|people| people >= super::FIRST_BATCH);
    FORM.ensure(half_life, "its half-life is too short")?;
    let counts = read.sources.len() == sources
        && read.source_plans.len() == sources
        && read.information.1.len() == sources;
    FORM.ensure(counts, "it has other sources than its experiment")?;
    let statistics = [&read.target].into_iter().chain(&read.sources).all(|s| s.is_possible(cells, arms));
    FORM.ensure(statistics, "its statistics are out of range")?;
    FORM.ensure(read.belief.is_possible(&read.experiment, cells), "its belief is out of range")?;
    FORM.ensure(read.guard.as_ref().is_none_or(Guard::is_possible), "its guard is out of range")?;
    let counted = |plans: &[(Kept, Tally)]| {
        plans.iter().fold(0_u64, |sum, (_, tally)| sum.saturating_add(tally.reports()))
    };
    let people = read.people < MOST
        && (read.people + 1..=MOST).contains(&read.next_refresh)
        && read.reshaped <= read.people
        && read.regridded <= read.people
        && read.replaced.len() <= MOST_REPLACED
        && counted(&read.open) <= read.people
        && counted(&read.source_plans) <= MOST
        && read.open.iter().all(|(kept, _)| kept.version <= MOST)
        && (read.published.is_empty() || read.published.len() == read.open.len());
    FORM.ensure(people, "its counts of people are out of order")
}
