//! Forgers among the people of a contextual experiment.

use std::sync::Arc;

use reticent_privacy::SimRng;
use reticent_privacy::oracle::{self, Aggregate, Oracle};
use reticent_protocol::contextual::{Asked, Channel, Grid, Plan};
use reticent_protocol::{Answer, Report};

use crate::contextual::env::World;
use crate::forged::{Forgers, Strategy};

/// Those who forge, and what they know.
#[derive(Debug)]
pub struct Forging {
    forgers: Forgers,
    world: World,
    /// For each cell of the plan below the arm that is worst there.
    worst: Vec<u32>,
    rng: SimRng,
    /// The plan that the reports below are for.
    version: Option<u64>,
    /// For each task what can be sent, with what it does for them, best first.
    reports: Vec<Vec<(f64, oracle::Report)>>,
}

/// Reports of an oracle that are looked at for one that says much of what forgers like.
const TRIED: u32 = 256;
/// Careful forgers of a frequency oracle send any of so many of a task's best reports.
const AMONG: usize = 16;

impl Forging {
    /// Forgers in a world whose contexts lie in the unit cube.
    pub(in crate::contextual) fn new(forgers: Forgers, world: World, rng: SimRng) -> Forging {
        Forging { forgers, world, worst: Vec::new(), rng, version: None, reports: Vec::new() }
    }

    /// Whether the next person forges.
    pub(in crate::contextual) fn is_next(&mut self) -> bool {
        self.rng.uniform() < self.forgers.share
    }

    /// What a forger sends who is in a cell.
    pub(super) fn report(&mut self, plan: &Arc<Plan>, cell: u32) -> Report {
        if self.version != Some(plan.policy().version) {
            self.version = Some(plan.policy().version);
            let grid = plan.grid();
            self.worst = (0..grid.cells()).map(|cell| self.worst_in(grid, cell)).collect();
            self.reports = (0..plan.policy().tasks.len()).map(|task| self.likeable(plan, task)).collect();
        }
        let tasks = self.reports.len();
        let drawn = ((self.rng.uniform() * tasks as f64) as usize).min(tasks - 1);
        let (task, answer) = match self.forgers.strategy {
            Strategy::Vote => {
                let best = |&a: &usize, &b: &usize| self.reports[a][0].0.total_cmp(&self.reports[b][0].0);
                let task = (0..tasks).max_by(best).unwrap_or(0);
                (task, self.reports[task][0].1.clone())
            }
            Strategy::Careful => (drawn, self.careful(plan.channel(drawn), drawn)),
            Strategy::Lie => (drawn, self.lie(plan, drawn, cell, false)),
            Strategy::Outright => (drawn, self.lie(plan, drawn, cell, true)),
        };
        let (experiment, policy) = (plan.policy().experiment.prefix(), plan.policy().version);
        Report { experiment, policy, source: None, question: task as u32, answer: Answer::Symbol(answer) }
    }

    /// The arm that is worst in the middle of a cell.
    fn worst_in(&self, grid: &Grid, cell: usize) -> u32 {
        let means = self.world.means(&grid.middle(cell)).unwrap_or_default();
        (0..).zip(means).min_by(|a: &(u32, f64), b| a.1.total_cmp(&b.1)).map_or(0, |(arm, _)| arm)
    }

    /// Some reports of a task, by how far each moves what is thought of arms: bad ones up, the others down.
    fn likeable(&mut self, plan: &Plan, task: usize) -> Vec<(f64, oracle::Report)> {
        let channel = plan.channel(task);
        let wanted = wanted(plan, task, &self.worst);
        let mut found: Vec<(f64, oracle::Report)> = match channel.asked() {
            Asked::Effect(oracle) => (0..2 * oracle.rows())
                .map(oracle::Report::Index)
                .map(|report| (value(channel, &report, &wanted), report))
                .collect(),
            Asked::Outcome(oracle) => (0..TRIED)
                .map(|draw| {
                    oracle.randomise(oracle.domain().clip(draw % oracle.domain().size()), &mut self.rng)
                })
                .map(|report| (value(channel, &report, &wanted), report))
                .collect(),
            Asked::Place(oracle) => {
                let first = oracle.domain().clip(0);
                vec![(0.0, oracle.randomise(first, &mut self.rng))]
            }
        };
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found
    }

    /// By the public coins, and as bad as can be given them.
    fn careful(&mut self, channel: &Channel, task: usize) -> oracle::Report {
        let reports = &self.reports[task];
        let pick = |many: usize, rng: &mut SimRng| ((rng.uniform() * many as f64) as usize).min(many - 1);
        match channel.asked() {
            Asked::Effect(oracle) => {
                let row = pick(oracle.rows() as usize, &mut self.rng) as u32;
                let of_row = |report: &&(f64, oracle::Report)| matches!(&report.1, oracle::Report::Index(index) if index / 2 == row);
                reports
                    .iter()
                    .find(of_row)
                    .map_or(oracle::Report::Index(2 * row), |(_, report)| report.clone())
            }
            Asked::Outcome(_) => reports[pick(AMONG.min(reports.len()), &mut self.rng)].1.clone(),
            Asked::Place(oracle) => {
                let any = pick(oracle.domain().size() as usize, &mut self.rng) as u32;
                oracle.randomise(oracle.domain().clip(any), &mut self.rng)
            }
        }
    }

    /// The arm of the map, and that it was good if it is the worst; with the device's noise, or without.
    fn lie(&mut self, plan: &Plan, task: usize, cell: u32, outright: bool) -> oracle::Report {
        let channel = plan.channel(task);
        let arm = u32::from(plan.map(task)[cell as usize]);
        let good = arm == self.worst[cell as usize];
        let symbol = channel.place_and_arm(cell, arm);
        let tries = if outright { TRIED / 16 } else { 1 };
        match channel.asked() {
            Asked::Effect(oracle) => {
                let index = oracle.domain().clip(symbol);
                if !outright {
                    return oracle.randomise(index, good, &mut self.rng);
                }
                let row = (self.rng.uniform() * f64::from(oracle.rows())) as u32;
                let of = |bit: u32| oracle::Report::Index(2 * row + bit);
                let mut wanted = vec![0.0; oracle.domain().size() as usize];
                wanted[symbol as usize] = if good { 1.0 } else { -1.0 };
                if value(channel, &of(1), &wanted) > 0.0 { of(1) } else { of(0) }
            }
            Asked::Outcome(oracle) => {
                let index = 2 * symbol + u32::from(good);
                let mut wanted = vec![0.0; oracle.domain().size() as usize];
                wanted[index as usize] = 1.0;
                let draws = (0..tries).map(|_| oracle.randomise(oracle.domain().clip(index), &mut self.rng));
                let valued = draws.map(|report| (value(channel, &report, &wanted), report));
                valued.reduce(|a, b| if b.0 > a.0 { b } else { a }).expect("one try at least").1
            }
            Asked::Place(oracle) => {
                oracle.randomise(oracle.domain().clip(channel.coarse(cell)), &mut self.rng)
            }
        }
    }
}

/// What forgers want each symbol to say: that the worst arm is good, as often as the map gives it, and the others bad.
fn wanted(plan: &Plan, task: usize, worst: &[u32]) -> Vec<f64> {
    let (channel, map) = (plan.channel(task), plan.map(task));
    let mut wanted = match channel.asked() {
        Asked::Effect(oracle) => vec![0.0; oracle.domain().size() as usize],
        Asked::Outcome(oracle) | Asked::Place(oracle) => vec![0.0; oracle.domain().size() as usize],
    };
    for (cell, (&arm, &worst)) in (0..).zip(map.iter().zip(worst)) {
        let symbol = channel.place_and_arm(cell, u32::from(arm)) as usize;
        let up = if u32::from(arm) == worst { 1.0 } else { -1.0 };
        match channel.asked() {
            Asked::Effect(_) => wanted[symbol] += up,
            Asked::Outcome(_) => {
                wanted[2 * symbol + 1] += up;
                wanted[2 * symbol] -= up;
            }
            Asked::Place(_) => {}
        }
    }
    wanted
}

/// How far a report moves what is wanted.
fn value(channel: &Channel, report: &oracle::Report, wanted: &[f64]) -> f64 {
    let shares = match channel.asked() {
        Asked::Effect(oracle) => {
            let mut counts = vec![0; oracle.shape().cells()];
            let counted = oracle.shape().count(report, &mut counts);
            counted.map(|()| oracle.estimate(&counts)).unwrap_or_default()
        }
        Asked::Outcome(oracle) | Asked::Place(oracle) => {
            let mut one = Aggregate::new(oracle);
            let counted = one.add(oracle, report);
            counted.and_then(|()| oracle.estimate(&one)).unwrap_or_default()
        }
    };
    shares.iter().zip(wanted).map(|(share, wanted)| share * wanted).sum()
}
