//! The agent against textbook formulas, and by simulation of people whose rewards are known.

mod damage;
mod drift;
mod estimates;
mod extremes;
mod insights;
mod late;
mod places;
mod posterior;
mod regrid;
mod saved;
mod unbiased;

use super::*;
use reticent_privacy::oracle::Oracle;
use reticent_privacy::{Epsilon, SimSeed, Stream};
use reticent_protocol::contextual::{Asked, Source};
use reticent_schema::Encoding;

/// People whose place and rewards follow a known law, on cells of the experiment.
struct Truth {
    /// The share of people in each cell.
    masses: Vec<f64>,
    /// For each arm and each cell the probability of a good reward.
    good: Vec<Vec<f64>>,
}

impl Truth {
    /// As many people in each cell.
    fn even(good: Vec<Vec<f64>>) -> Truth {
        let cells = good[0].len();
        Truth { masses: vec![1.0 / cells as f64; cells], good }
    }

    /// Each arm earns what the next one would.
    fn permuted(&self) -> Truth {
        let mut good = self.good.clone();
        good.rotate_left(1);
        Truth { masses: self.masses.clone(), good }
    }

    /// A person of the target under this plan: the arm, whether it is the best, and the report.
    fn person(&self, plan: &Plan, rng: &mut SimRng) -> (u32, bool, Report) {
        self.person_on(plan.grid(), plan, rng)
    }

    /// The same where the plan may have cells of its own, and the experiment has these.
    fn person_on(&self, grid: &Grid, plan: &Plan, rng: &mut SimRng) -> (u32, bool, Report) {
        let (task, cell) = (draw_task(plan, rng), pick(&self.masses, rng));
        let here = cell_of(grid, plan, cell, rng);
        let arm = u32::from(plan.map(task as usize)[here as usize]);
        let mean = |arm: usize| self.good[arm][cell as usize];
        let is_best = (0..self.good.len()).all(|other| mean(other) <= mean(arm as usize));
        let is_good = rng.uniform() < self.good[arm as usize][cell as usize];
        (arm, is_best, report(plan, task, here, arm, is_good, rng))
    }

    /// A person of a source, who got an arm by its behaviour.
    fn record(&self, plan: &Plan, behaviour: &[f64], rng: &mut SimRng) -> Report {
        let (task, cell, arm) = (draw_task(plan, rng), pick(&self.masses, rng), pick(behaviour, rng));
        self.report(plan, task, cell, arm, rng)
    }

    fn report(&self, plan: &Plan, task: u32, cell: u32, arm: u32, rng: &mut SimRng) -> Report {
        let is_good = rng.uniform() < self.good[arm as usize][cell as usize];
        report(plan, task, cell, arm, is_good, rng)
    }
}

/// The plan's cell of a person who is anywhere in this cell of the experiment.
fn cell_of(grid: &Grid, plan: &Plan, cell: u32, rng: &mut SimRng) -> u32 {
    if plan.grid() == grid {
        return cell;
    }
    let axes = grid.places(cell as usize).into_iter().zip(grid.sizes());
    let point: Vec<f64> =
        axes.map(|(place, &size)| (f64::from(place) + rng.uniform()) / f64::from(size)).collect();
    plan.grid().cell(&point)
}

/// What a device sends.
fn report(plan: &Plan, task: u32, cell: u32, arm: u32, is_good: bool, rng: &mut SimRng) -> Report {
    let channel = plan.channel(task as usize);
    let symbol = channel.place_and_arm(cell, arm);
    let answer = match channel.asked() {
        Asked::Outcome(oracle) => {
            oracle.randomise(oracle.domain().symbol(2 * symbol + u32::from(is_good)).unwrap(), rng)
        }
        Asked::Effect(oracle) => oracle.randomise(oracle.domain().symbol(symbol).unwrap(), is_good, rng),
        Asked::Place(oracle) => oracle.randomise(oracle.domain().symbol(channel.coarse(cell)).unwrap(), rng),
    };
    let policy = plan.policy();
    Report {
        experiment: policy.experiment.prefix(),
        policy: policy.version,
        source: policy.source,
        question: task,
        answer: answer.into(),
    }
}

fn draw_task(plan: &Plan, rng: &mut SimRng) -> u32 {
    (rng.uniform() * plan.policy().tasks.len() as f64) as u32
}

fn pick(shares: &[f64], rng: &mut SimRng) -> u32 {
    let mut left = rng.uniform() * shares.iter().sum::<f64>();
    let found = shares.iter().position(|share| {
        left -= share;
        left < 0.0
    });
    found.unwrap_or(shares.len() - 1) as u32
}

fn loss(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

fn rng(trial: u64) -> SimRng {
    SimSeed(20_261_116).stream(trial, Stream::Environment)
}

/// An experiment on a grid of these cells.
fn spec(cells: &[u32], arms: u32, epsilon: f64, sources: Vec<Source>) -> Spec {
    let unit = Encoding::unit(cells.len()).unwrap();
    let chosen = Spec::new(arms, unit, loss(epsilon)).unwrap().with_sources(sources).unwrap();
    chosen.with_cells(cells.to_vec()).unwrap()
}

fn source(name: &str, epsilon: f64, people: u64, behaviour: &[f64]) -> Source {
    Source { name: name.into(), epsilon: loss(epsilon), people, behaviour: behaviour.to_vec() }
}

fn agent(spec: Spec, half_life: Option<u64>, trial: u64) -> Contextual {
    Contextual::new(spec, Options { half_life }, SimSeed(3).stream(trial, Stream::Agent)).unwrap()
}

/// Serves so many people; the share of them who got their best arm.
fn serve(agent: &mut Contextual, truth: &Truth, people: u64, rng: &mut SimRng) -> f64 {
    let mut best = 0_u64;
    let grid = agent.spec().grid().clone();
    for _ in 0..people {
        let (_, is_best, report) = truth.person_on(&grid, agent.plan(), rng);
        agent.absorb(&report).unwrap();
        best += u64::from(is_best);
    }
    best as f64 / people as f64
}

/// All people of a source report.
fn hear(agent: &mut Contextual, number: usize, truth: &Truth, rng: &mut SimRng) {
    let plan = Arc::clone(agent.source_plan(number).unwrap());
    let Source { people, behaviour, .. } = agent.spec().sources()[number].clone();
    for _ in 0..people {
        agent.absorb(&truth.record(&plan, &behaviour, rng)).unwrap();
    }
}
