//! Cells that are learned: nothing that was counted is lost, and reports about earlier ones are still understood.

use super::super::regrid::Regrid;
use super::super::statistics::Statistics;
use super::*;
use crate::linear::dot;

fn masses(cells: usize, rng: &mut SimRng) -> Vec<f64> {
    let raw: Vec<f64> = (0..cells).map(|_| 0.2 + rng.uniform()).collect();
    let total: f64 = raw.iter().sum();
    raw.into_iter().map(|mass| mass / total).collect()
}

/// Minus twice the log-likelihood of a function, up to a constant.
fn misfit(statistics: &Statistics, masses: &[f64], function: &[f64]) -> f64 {
    let weighted: Vec<f64> = function.iter().zip(masses).map(|(f, m)| f * m).collect();
    let sums = &statistics.arms[0];
    let square: f64 = (0..masses.len()).map(|x| weighted[x] * dot(sums.gram_row(x), &weighted)).sum();
    let alone: f64 = sums.alone().iter().zip(function).map(|([p, b], f)| p * f * f - 2.0 * b * f).sum();
    square - 2.0 * dot(&weighted, &sums.moments(masses)) + alone
}

/// What was said of old cells is said of new ones: any function on the new cells fits both alike.
#[test]
fn statistics_say_the_same_in_other_cells() {
    let mut rng = rng(0);
    let old = Grid::new(vec![4, 3]).unwrap();
    let encoding = Encoding::unit(2).unwrap();
    let axes = vec![AxisCells::Cuts(vec![300, 1024, 1500, 2048]), AxisCells::Even(2)];
    let new = Grid::of(&encoding, axes).unwrap();
    let before = masses(12, &mut rng);
    let mut statistics = Statistics::new(12, 1);
    let sums = &mut statistics.arms[0];
    sums.add(&[0, 1, 2, 5], &[], 0.7, 40.0, 3.0);
    sums.add_without(&[3, 4, 9, 11], &[0.5, 1.0, 0.2, 0.9], 1.3, 70.0, -5.0, 0.4);
    // No new cell holds all of these.
    sums.add_alone(3, 5.0, 0.6);
    sums.add_alone(7, 2.0, -0.3);
    let way = Regrid::new(&old, &before, &new);
    let after = way.statistics(&statistics, &before, &before);
    assert!((way.masses().iter().sum::<f64>() - 1.0).abs() < 1e-12);
    assert!(after.is_possible(10, 1));
    for _ in 0..20 {
        let function: Vec<f64> = (0..10).map(|_| rng.uniform() - 0.5).collect();
        let on_old = way.back(&before, &function);
        let (here, there) = (misfit(&statistics, &before, &on_old), misfit(&after, way.masses(), &function));
        assert!((here - there).abs() < 1e-9 * here.abs().max(1.0), "{here} {there}");
    }
}

/// A finer grid and back again is what it was.
#[test]
fn there_and_back_again_nothing_is_lost() {
    let mut rng = rng(1);
    let (coarse, fine) = (Grid::new(vec![2, 4]).unwrap(), Grid::new(vec![8, 4]).unwrap());
    let before = masses(8, &mut rng);
    let there = Regrid::new(&coarse, &before, &fine);
    let back = Regrid::new(&fine, there.masses(), &coarse);
    let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(close(back.masses(), &before));
    let function: Vec<f64> = (0..8).map(|_| rng.uniform()).collect();
    assert!(close(&back.onwards(&there.onwards(&function)), &function));
}

/// People in a corner, whose rewards change within it; the second axis does not matter. Without noise.
fn crowded() -> (Contextual, u64) {
    (agent(spec(&[8, 8], 2, 1024.0, Vec::new()), None, 0), 6_000)
}

fn person(plan: &Plan, rng: &mut SimRng) -> (bool, Report) {
    let point = [0.125 * rng.uniform(), rng.uniform()];
    let cell = plan.grid().cell(&point);
    let task = draw_task(plan, rng);
    let arm = u32::from(plan.map(task as usize)[cell as usize]);
    let is_best = (point[0] < 0.05) == (arm == 0);
    (is_best, report(plan, task, cell, arm, rng.uniform() < if is_best { 0.8 } else { 0.2 }, rng))
}

#[test]
fn cells_go_where_people_are_and_reports_of_the_old_ones_still_count() {
    let ((mut agent, people), mut rng) = (crowded(), rng(2));
    let first = Arc::clone(agent.plan());
    let mut best = 0;
    for number in 0..people {
        let (is_best, report) = person(agent.plan(), &mut rng);
        agent.absorb(&report).unwrap();
        best += u64::from(is_best && number >= people / 2);
    }
    // In an eighth of an axis even cells would tell nobody apart: all would get one arm, which suits 7 of 12.
    assert!(best as f64 > 0.9 * (people / 2) as f64, "{best} of {}", people / 2);
    let grid = agent.plan().grid();
    assert!(grid != agent.spec().grid() && grid.cells() <= 64, "{:?}", grid.axes());
    assert!((0..grid.sizes()[0]).filter(|&cell| grid.axes()[0].parts(cell)[0][1] <= 0.125).count() >= 6);
    (0..50).for_each(|_| agent.absorb(&person(&first, &mut rng).1).unwrap());
    agent.refresh();
    assert_eq!(agent.target.people, people as f64 + 50.0);
    // For people to look at, cells stay the experiment's.
    let insight = agent.insight();
    assert_eq!((insight.grid, insight.masses.len(), insight.best.len()), (vec![8, 8], 64, 64));
    assert!((insight.masses.iter().sum::<f64>() - 1.0).abs() < 1e-9);
}

#[test]
fn an_agent_with_cells_of_its_own_can_be_saved() {
    let ((mut agent, people), mut draws) = (crowded(), rng(3));
    (0..people).for_each(|_| agent.absorb(&person(agent.plan(), &mut draws).1).unwrap());
    assert!(agent.own_cells().is_some() && !agent.replaced.is_empty());
    let text = save(&agent).unwrap();
    let mut loaded = load(&text).unwrap();
    for _ in 0..1_500 {
        let report = person(agent.plan(), &mut draws).1;
        agent.absorb(&report).unwrap();
        loaded.absorb(&report).unwrap();
    }
    assert_eq!(save(&loaded).unwrap(), save(&agent).unwrap());
    // What no run can have: cells that are none, and policies of other ones.
    let damaged = text.replacen("\"cells\":[", "\"cells\":[{\"even\":0},", 1);
    assert!(damaged != text && load(&damaged).is_err());
    let forgotten = text.replacen("\"replaced\":[", "\"replaced\":[],\"x\":[", 1);
    assert!(forgotten != text && load(&forgotten).is_err());
}

/// Evenly spread people and rewards that change along all axes alike have the cells that they had.
#[test]
fn even_people_keep_even_cells() {
    let mut agent = agent(spec(&[16, 16], 3, 4.0, Vec::new()), None, 0);
    let mut rng = rng(4);
    for _ in 0..6_000 {
        let plan = Arc::clone(agent.plan());
        let point = [rng.uniform(), rng.uniform()];
        let (task, cell) = (draw_task(&plan, &mut rng), plan.grid().cell(&point));
        let arm = u32::from(plan.map(task as usize)[cell as usize]);
        let good = rng.uniform() < if f64::from(arm) < point[0] + point[1] { 0.7 } else { 0.4 };
        agent.absorb(&report(&plan, task, cell, arm, good, &mut rng)).unwrap();
    }
    let sizes = agent.plan().grid().sizes();
    assert!(sizes.iter().all(|size| (8..=32).contains(size)), "{:?}", agent.plan().grid());
}

/// What a source's people said cannot be told apart further: cells stay the experiment's.
#[test]
fn where_there_are_sources_cells_stay() {
    let sources = vec![source("old", 8.0, 2_000, &[0.5, 0.5])];
    let mut agent = agent(spec(&[8, 8], 2, 1024.0, sources), None, 0);
    let mut rng = rng(5);
    (0..4_000).for_each(|_| {
        let report = person(agent.plan(), &mut rng).1;
        agent.absorb(&report).unwrap();
    });
    assert!(agent.own_cells().is_none());
}
