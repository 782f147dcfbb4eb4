//! Which cells are worth telling apart: as many as there may be, where people are, and on axes that rewards depend on.
//!
//! A cell that is given one arm hides how rewards vary within it. What an axis hides is the mean, over its people, of
//! the prior's variance within a cell, with the length that was learned. Cells of a number are cut so that each hides
//! about as much: their density is the cube root of people's (Panter and Dite 1951). Axes get more cells in turn, always
//! the one that then hides least for each, until there is no room.

use reticent_protocol::contextual::{AxisCells, Grid, STEPS};
use reticent_schema::{AxisKind, Encoding};

use super::kernel::{LEVEL_DISTANCE, matern_5_2};
use super::shape::{LENGTHS, START};

/// Lengths may be wrong: so much of what an axis hides is reckoned with the length that every axis starts with.
const DOUBT: f64 = 0.03;
/// Other cells are taken if they hide no more than this share of what the present ones do.
const WORTHWHILE: f64 = 0.8;
/// More cells of a number than this tell nothing apart that a policy could use.
const MOST: u32 = 64;
/// Points within a cell whose differences stand for all.
const POINTS: usize = 6;

/// What is known of an axis.
struct Axis {
    kind: AxisKind,
    length: f64,
    /// Where people are: their share in each part of the axis that was told apart, from and to where.
    people: Vec<([f64; 2], f64)>,
}

/// Better cells than the grid's, of which there are no more than `limit`, and numbers have powers of two if `halves`;
/// none if the present ones are about as good.
pub(super) fn better(
    encoding: &Encoding,
    grid: &Grid,
    masses: &[f64],
    lengths: &[usize],
    limit: usize,
    halves: bool,
) -> Option<Vec<AxisCells>> {
    let marginals = marginals(grid, masses);
    let kinds = encoding.axes().map(|axis| axis.kind);
    let axes: Vec<Axis> = kinds
        .zip(grid.axes().iter().zip(&marginals).zip(lengths))
        .map(|(kind, ((cells, marginal), &length))| Axis {
            kind,
            length: LENGTHS[length],
            people: people(cells, marginal),
        })
        .collect();
    let mut found: Vec<(AxisCells, f64)> = axes.iter().map(|axis| axis.hidden_by(axis.cells(1))).collect();
    let mut open: Vec<usize> = (0..axes.len()).collect();
    while let Some((axis, next)) = best_step(&axes, &found, &open, halves) {
        let others: usize = (0..axes.len()).filter(|&a| a != axis).map(|a| found[a].0.size() as usize).product();
        if next.0.size() as usize * others > limit {
            open.retain(|&other| other != axis);
        } else {
            found[axis] = next;
        }
    }
    let after: f64 = found.iter().map(|(_, hidden)| hidden).sum();
    let before: f64 = axes.iter().zip(grid.axes()).map(|(axis, cells)| axis.hidden_by(cells.clone()).1).sum();
    (after < WORTHWHILE * before).then(|| found.into_iter().map(|(cells, _)| cells).collect())
}

/// The axis of those that are open whose next cells take most away of what is hidden, for the room that they need.
fn best_step(
    axes: &[Axis],
    found: &[(AxisCells, f64)],
    open: &[usize],
    halves: bool,
) -> Option<(usize, (AxisCells, f64))> {
    let step = |&axis: &usize| {
        let (cells, hidden) = &found[axis];
        let now = cells.size();
        let score = |(next, after): &(AxisCells, f64)| {
            (hidden - after) / libm::log(f64::from(next.size()) / f64::from(now))
        };
        let nexts = axes[axis].next_sizes(now, halves).into_iter();
        let nexts = nexts.map(|size| axes[axis].hidden_by(axes[axis].cells(size))).filter(|(cells, _)| cells.size() > now);
        let best = nexts.map(|next| (score(&next), next)).reduce(|a, b| if b.0 > a.0 { b } else { a });
        best.map(|(score, next)| (score, axis, next))
    };
    let best = open.iter().filter_map(step).reduce(|a, b| if b.0 > a.0 { b } else { a })?;
    (best.0 > 0.0).then_some((best.1, best.2))
}

impl Axis {
    fn next_sizes(&self, now: u32, halves: bool) -> Vec<u32> {
        match self.kind {
            AxisKind::Numeric if now >= MOST => Vec::new(),
            AxisKind::Numeric => vec![if halves { 2 * now } else { now + 1 }],
            AxisKind::Category(levels) => (now + 1..=levels as u32).collect(),
        }
    }

    /// So many cells, if people are where they can be told apart so well.
    fn cells(&self, size: u32) -> AxisCells {
        match self.kind {
            AxisKind::Numeric => self.cuts(size),
            AxisKind::Category(levels) => self.levels(levels, size),
        }
    }

    fn cuts(&self, size: u32) -> AxisCells {
        let weight = |&([low, high], mass): &([f64; 2], f64)| (high - low) * libm::cbrt(mass / (high - low));
        let total: f64 = self.people.iter().map(weight).sum();
        let mut cuts: Vec<u16> = Vec::new();
        let mut parts = self.people.iter();
        let (mut part, mut passed) = (parts.next(), 0.0);
        for cell in 1..size {
            let goal = total * f64::from(cell) / f64::from(size);
            while let Some(here) = part.filter(|here| passed + weight(here) < goal) {
                passed += weight(here);
                part = parts.next();
            }
            let Some(here) = part else { break };
            let [low, high] = here.0;
            let at = low + (high - low) * (goal - passed) / weight(here);
            let step = libm::round(at * f64::from(STEPS)).clamp(1.0, f64::from(STEPS - 1)) as u16;
            if cuts.last().is_none_or(|&last| last < step) {
                cuts.push(step);
            }
        }
        let many = cuts.len() as u32 + 1;
        let even = (1..many).all(|cell| u32::from(cuts[cell as usize - 1]) * many == cell * STEPS);
        if even { AxisCells::Even(many) } else { AxisCells::Cuts(cuts) }
    }

    /// The levels that most people have get cells of their own, the others one together.
    fn levels(&self, levels: usize, size: u32) -> AxisCells {
        let share = |level: usize| {
            let middle = (level as f64 + 0.5) / levels as f64;
            let here = self.people.iter().filter(|([low, high], _)| (*low..*high).contains(&middle));
            here.map(|([low, high], mass)| mass / (high - low)).sum::<f64>()
        };
        let mut order: Vec<(usize, f64)> = (0..levels).map(|level| (level, share(level))).collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut group = vec![usize::MAX; levels];
        order.iter().take(size as usize - 1).zip(0..).for_each(|(&(level, _), own)| group[level] = own);
        let mut names: Vec<usize> = Vec::new();
        let numbered = group.iter().map(|own| {
            let known = names.iter().position(|name| name == own);
            known.unwrap_or_else(|| {
                names.push(*own);
                names.len() - 1
            }) as u16
        });
        let numbered: Vec<u16> = numbered.collect();
        if names.len() == levels { AxisCells::Even(levels as u32) } else { AxisCells::Levels(numbered) }
    }

    /// These cells, with what they hide.
    fn hidden_by(&self, cells: AxisCells) -> (AxisCells, f64) {
        let one = |cell: u32| {
            let parts = cells.parts(cell);
            self.mass(&parts) * self.variance_within(&parts)
        };
        let hidden = (0..cells.size()).map(one).sum();
        (cells, hidden)
    }

    fn mass(&self, parts: &[[f64; 2]]) -> f64 {
        let common = |&([a, b], mass): &([f64; 2], f64)| -> f64 {
            let width: f64 = parts.iter().map(|&[low, high]| (b.min(high) - a.max(low)).max(0.0)).sum();
            mass * width / (b - a)
        };
        self.people.iter().map(common).sum()
    }

    /// The prior's variance within a cell, of a function with a variance of one.
    fn variance_within(&self, parts: &[[f64; 2]]) -> f64 {
        let of = |length: f64| match self.kind {
            AxisKind::Numeric => {
                let width: f64 = parts.iter().map(|[low, high]| high - low).sum();
                let correlation = |i: usize| matern_5_2(width * i as f64 / POINTS as f64 / length);
                let pairs = (1..POINTS).map(|i| 2.0 * (POINTS - i) as f64 * correlation(i)).sum::<f64>();
                1.0 - (POINTS as f64 + pairs) / (POINTS * POINTS) as f64
            }
            AxisKind::Category(_) => {
                let masses: Vec<f64> = parts.iter().map(|part| self.mass(&[*part])).collect();
                let all: f64 = masses.iter().sum();
                let alike: f64 = masses.iter().map(|mass| mass * mass).sum::<f64>() / (all * all).max(f64::MIN_POSITIVE);
                (1.0 - matern_5_2(LEVEL_DISTANCE / length)) * (1.0 - alike)
            }
        };
        (1.0 - DOUBT) * of(self.length) + DOUBT * of(LENGTHS[START])
    }
}

/// The share of people in each cell of each axis.
fn marginals(grid: &Grid, masses: &[f64]) -> Vec<Vec<f64>> {
    let mut marginals: Vec<Vec<f64>> = grid.sizes().iter().map(|&size| vec![0.0; size as usize]).collect();
    for (cell, mass) in masses.iter().enumerate() {
        for (marginal, place) in marginals.iter_mut().zip(grid.places(cell)) {
            marginal[place as usize] += mass;
        }
    }
    marginals
}

/// Where people are along an axis whose cells hold so many of them: those of a cell are evenly spread in it.
fn people(cells: &AxisCells, marginal: &[f64]) -> Vec<([f64; 2], f64)> {
    let mut people = Vec::new();
    for (cell, mass) in (0..).zip(marginal) {
        let parts = cells.parts(cell);
        let width: f64 = parts.iter().map(|[low, high]| high - low).sum();
        people.extend(parts.into_iter().map(|[low, high]| ([low, high], mass * (high - low) / width)));
    }
    people.sort_by(|a, b| a.0[0].total_cmp(&b.0[0]));
    people
}
