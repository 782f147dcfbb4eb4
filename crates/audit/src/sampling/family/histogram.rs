//! Histograms: the log-odds of the cell that an observation falls in, for coordinates, for pairs of them, and summed.

use super::screen::Screen;
use super::{Family, Score};
use crate::sampling::sample::{Both, value_at};

pub(super) struct Histograms;

/// Cells of a coordinate and of each side of a pair.
const CELLS: usize = 64;
const PAIR_CELLS: usize = 10;
/// A cell with fewer runs than this on average says little.
const ROWS_PER_CELL: usize = 100;
const SMOOTHING: f64 = 1.0;

impl Family for Histograms {
    fn fit(&self, runs: Both<'_>, screen: &Screen) -> Vec<Box<dyn Score>> {
        let cells = CELLS.min(runs.first.len() / ROWS_PER_CELL).max(4);
        let single: Vec<Line> =
            screen.coordinates.iter().map(|&index| Line::fit(runs, index, cells)).collect();
        let mut scores: Vec<Box<dyn Score>> = Vec::new();
        for &(a, b) in &screen.pairs {
            scores.push(Box::new(Plane::fit(runs, a, b)));
        }
        for line in &single {
            scores.push(Box::new(line.clone()));
        }
        if single.len() > 1 {
            scores.push(Box::new(Product(single)));
        }
        scores
    }
}

/// Quantiles of one coordinate; below the first are the missing values alone.
#[derive(Clone)]
struct Edges {
    coordinate: usize,
    edges: Vec<f64>,
}

impl Edges {
    fn fit(runs: Both<'_>, coordinate: usize, cells: usize) -> Edges {
        let mut values = runs.sorted_coordinate(coordinate);
        values.retain(|value| *value > f64::NEG_INFINITY);
        let mut edges: Vec<f64> =
            (0..cells).filter_map(|cell| values.get(cell * values.len() / cells).copied()).collect();
        edges.dedup();
        Edges { coordinate, edges }
    }

    #[inline]
    fn cell(&self, seen: &[f64]) -> usize {
        let value = value_at(seen, self.coordinate);
        self.edges.partition_point(|edge| *edge <= value)
    }

    fn cells(&self) -> usize {
        self.edges.len() + 1
    }
}

/// Log-odds of each cell, smoothed.
fn log_odds(runs: Both<'_>, cells: usize, cell: impl Fn(&[f64]) -> usize) -> Vec<f64> {
    let (mut first, mut second) = (vec![SMOOTHING; cells], vec![SMOOTHING; cells]);
    runs.first.iter().for_each(|seen| first[cell(seen)] += 1.0);
    runs.second.iter().for_each(|seen| second[cell(seen)] += 1.0);
    first.iter().zip(&second).map(|(a, b)| libm::log(a / b)).collect()
}

/// One coordinate.
#[derive(Clone)]
struct Line {
    edges: Edges,
    odds: Vec<f64>,
}

impl Line {
    fn fit(runs: Both<'_>, coordinate: usize, cells: usize) -> Line {
        let edges = Edges::fit(runs, coordinate, cells);
        let odds = log_odds(runs, edges.cells(), |seen| edges.cell(seen));
        Line { edges, odds }
    }
}

impl Score for Line {
    fn score(&self, seen: &[f64]) -> f64 {
        self.odds[self.edges.cell(seen)]
    }

    fn name(&self) -> String {
        format!("log-odds of the cell of coordinate {}", self.edges.coordinate)
    }
}

/// Two coordinates together.
struct Plane {
    a: Edges,
    b: Edges,
    odds: Vec<f64>,
}

impl Plane {
    fn fit(runs: Both<'_>, a: usize, b: usize) -> Plane {
        let (a, b) = (Edges::fit(runs, a, PAIR_CELLS), Edges::fit(runs, b, PAIR_CELLS));
        let odds = log_odds(runs, a.cells() * b.cells(), |seen| a.cell(seen) * b.cells() + b.cell(seen));
        Plane { a, b, odds }
    }
}

impl Score for Plane {
    fn score(&self, seen: &[f64]) -> f64 {
        self.odds[self.a.cell(seen) * self.b.cells() + self.b.cell(seen)]
    }

    fn name(&self) -> String {
        format!("log-odds of the cell of coordinates {} and {}", self.a.coordinate, self.b.coordinate)
    }
}

/// All coordinates as if they were independent: the best score there is when they are.
struct Product(Vec<Line>);

impl Score for Product {
    fn score(&self, seen: &[f64]) -> f64 {
        self.0.iter().map(|line| line.score(seen)).sum()
    }

    fn name(&self) -> String {
        "summed log-odds of the coordinates' cells".to_owned()
    }
}
