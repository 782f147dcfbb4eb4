//! How coarse the next questions are.
//!
//! Each group of cells has the same noise, whatever its size. While that noise is below what the group's people vary
//! by themselves, finer groups cost little: about 1 / v of them are free, v the variance of a report. Beyond that
//! half as wide cells have a quarter as much signal in each (in two dimensions), and what is not known yet decides
//! (`worth.rs`). Where nothing is known (sources, and how fine maps may be) a rule balances that with what a group
//! hides: about (n / v)^(d / (2 + 2 d)) groups (Ma et al. 2025, Theorem 2.6). Groups are counted by the people in them:
//! empty ones cost nothing.

use reticent_privacy::Epsilon;
use reticent_protocol::contextual::{Grid, Question, QuestionError, Spec};

use reticent_schema::AxisKind;

use super::shape::LENGTHS;
use super::worth::Unknown;

/// The constant of the rule, measured: docs/contextual.md.
const CELLS_FACTOR: f64 = 0.4;
/// Groups that are free, times the variance of a report.
const FREE: f64 = 1.0;
/// Fewer groups than this say nothing of how two axes act together.
const LEAST: f64 = 4.0;
/// A category is told apart level by level or not at all; it may make so many times as many groups as there should be.
const OVER: f64 = 2.0;
/// Added to the noise: people of a cell vary too.
const OWN_VARIANCE: f64 = 0.02;
/// With more axes the rule would ask about so many cells that no answer is left in each; rewards seldom
/// depend on all of them, and tasks take turns.
const MOST_AXES: usize = 2;
/// Before so many people the rule would ask about less than one cell.
const FIRST: f64 = 100.0;
/// Each task favours another axis by so much, so that all are asked about in turn.
const TURN: f64 = 1.5;
/// A question looks ahead to so many more people for each that there was, over no more groups than this (unless they
/// are free), and an axis is favoured if that is nearly as good.
const AHEAD: f64 = 0.3;
const MOST_GROUPS: f64 = 64.0;
const NEARLY: f64 = 0.8;
/// Below it one signed bit is better than two frequencies: e^epsilon = 3 + sqrt 8.
const SIGNED_BELOW: f64 = 1.762_747;
/// Beyond it a count has no noise to speak of, and e^epsilon would overflow.
const NOISELESS: f64 = 50.0;

/// Whether reports are signed bits: then the places have to be asked for.
pub(super) fn is_signed(epsilon: Epsilon) -> bool {
    epsilon.value() < SIGNED_BELOW
}

/// The variance that one report adds to a difference of good and bad in a cell.
pub(super) fn variance(epsilon: Epsilon) -> f64 {
    let e = libm::exp(epsilon.value().min(NOISELESS));
    if is_signed(epsilon) {
        (e + 1.0) * (e + 1.0) / ((e - 1.0) * (e - 1.0))
    } else {
        8.0 * e / ((e - 1.0) * (e - 1.0))
    }
}

/// Groups that cost little.
pub(super) fn free(grid: &Grid, epsilon: Epsilon) -> f64 {
    let most = grid.cells() as f64;
    (FREE / variance(epsilon).max(1.0 / most)).min(most)
}

/// How many groups of cells `people` reports can tell apart by the rule.
pub(super) fn told(grid: &Grid, people: f64, epsilon: Epsilon) -> f64 {
    let axes = grid.sizes().iter().filter(|&&size| size > 1).count();
    let dimension = axes.clamp(1, MOST_AXES) as f64;
    let reports = people.max(FIRST) / (variance(epsilon) + OWN_VARIANCE);
    let told = CELLS_FACTOR * libm::pow(reports, dimension / (2.0 + 2.0 * dimension));
    told.max(LEAST).min(grid.cells() as f64)
}

/// How many groups of cells `people` reports can tell apart.
pub(super) fn groups(grid: &Grid, people: f64, epsilon: Epsilon) -> f64 {
    told(grid, people, epsilon).max(free(grid, epsilon))
}

/// Finds how to group the cells of a grid.
pub(super) struct Grouping<'a> {
    spec: &'a Spec,
    grid: &'a Grid,
    lengths: &'a [usize],
    masses: &'a [f64],
    /// For each cell its place on each axis.
    places: Vec<Vec<u32>>,
}

impl<'a> Grouping<'a> {
    /// For rewards that change with these lengths, and people who are so spread.
    pub(super) fn new(
        spec: &'a Spec,
        grid: &'a Grid,
        lengths: &'a [usize],
        masses: &'a [f64],
    ) -> Grouping<'a> {
        let places = (0..grid.cells()).map(|cell| grid.places(cell)).collect();
        Grouping { spec, grid, lengths, masses, places }
    }

    /// Widths that make about `groups` groups of people, if the grid has them.
    pub(super) fn widths(&self, groups: f64, turn: usize) -> Vec<u32> {
        let sizes = self.grid.sizes();
        if groups >= self.places.len() as f64 {
            return vec![1; sizes.len()];
        }
        self.finer(groups, turn).pop().unwrap_or_else(|| sizes.to_vec())
    }

    /// Ever finer widths, from all cells together until there are `most` groups of people: always the axis is split
    /// whose cells are widest against its length scale, with the axis of this turn favoured.
    fn finer(&self, most: f64, turn: usize) -> Vec<Vec<u32>> {
        let sizes = self.grid.sizes();
        let mut widths = sizes.to_vec();
        let mut all = vec![widths.clone()];
        let mut open: Vec<usize> = (0..sizes.len()).filter(|&axis| sizes[axis] > 1).collect();
        let favoured = open.get(turn % open.len().max(1)).copied();
        let score = |axis: usize, width: u32| {
            let relative = f64::from(width) / f64::from(sizes[axis]) / LENGTHS[self.lengths[axis]];
            if Some(axis) == favoured { TURN * relative } else { relative }
        };
        while self.count(&widths) < most {
            let widest =
                open.iter().copied().max_by(|&a, &b| score(a, widths[a]).total_cmp(&score(b, widths[b])));
            let Some(axis) = widest else { break };
            let before = widths[axis];
            widths[axis] = if self.is_category(axis) { 1 } else { before.div_ceil(2) };
            if self.is_category(axis) && all.len() > 1 && self.count(&widths) > OVER * most {
                widths[axis] = before;
            } else {
                all.push(widths.clone());
            }
            if widths[axis] == 1 || widths[axis] == before {
                open.retain(|&other| other != axis);
            }
        }
        all
    }

    /// The widths that are worth most, for each axis that is worth favouring: what is not known says so.
    pub(super) fn worthwhile(&self, unknown: &Unknown, people: f64) -> Vec<Vec<u32>> {
        let (sizes, epsilon) = (self.grid.sizes(), self.spec.epsilon());
        let (noise, own) = (variance(epsilon), !is_signed(epsilon));
        let free = free(self.grid, epsilon);
        if free >= self.places.len() as f64 {
            return vec![vec![1; sizes.len()]];
        }
        let reports = AHEAD * people.max(FIRST) / f64::from(self.spec.arms());
        let best = |turn: usize| {
            let finer = self.finer(free.max(MOST_GROUPS), turn);
            let few = finer
                .iter()
                .take_while(|widths| {
                    self.count(widths) < free || self.grid.coarse_cells(widths) < LEAST as usize
                })
                .count()
                .min(finer.len() - 1);
            let worth = |widths: Vec<u32>| {
                (unknown.worth(&self.grid.coarsened(&widths), reports, noise, own), widths)
            };
            finer.into_iter().skip(few).map(worth).reduce(|a, b| if b.0 > a.0 { b } else { a })
        };
        let turns = sizes.iter().filter(|&&size| size > 1).count().max(1);
        let found: Vec<(f64, Vec<u32>)> = (0..turns).filter_map(best).collect();
        let most = found.iter().fold(0.0, |most: f64, (worth, _)| most.max(*worth));
        found.into_iter().filter(|(worth, _)| *worth >= NEARLY * most).map(|(_, widths)| widths).collect()
    }

    /// Makes the cells that are widest against their length scale half as wide.
    pub(super) fn halve(&self, widths: &mut [u32]) {
        let sizes = self.grid.sizes();
        let relative =
            |axis: usize| f64::from(widths[axis]) / f64::from(sizes[axis]) / LENGTHS[self.lengths[axis]];
        let open = (0..sizes.len()).filter(|&axis| widths[axis] > 1);
        if let Some(axis) = open.max_by(|&a, &b| relative(a).total_cmp(&relative(b))) {
            widths[axis] = if self.is_category(axis) { 1 } else { widths[axis].div_ceil(2) };
        }
    }

    fn is_category(&self, axis: usize) -> bool {
        self.spec.encoding().axes().nth(axis).is_some_and(|axis| matches!(axis.kind, AxisKind::Category(_)))
    }

    /// How many groups of people there are: as many as even ones would be in which two people are as seldom together.
    pub(super) fn count(&self, widths: &[u32]) -> f64 {
        let sizes = self.grid.sizes();
        let mut masses = vec![0.0; self.grid.coarse_cells(widths)];
        for (places, mass) in self.places.iter().zip(self.masses) {
            let axes = places.iter().zip(sizes).zip(widths);
            let group =
                axes.fold(0, |group, ((place, size), width)| group * size.div_ceil(*width) + place / width);
            masses[group as usize] += mass;
        }
        1.0 / masses.iter().map(|mass| mass * mass).sum::<f64>()
    }
}

/// The question about the outcome in these cells, in the form that suits the loss.
pub(super) fn about_outcome(
    spec: &Spec,
    grid: &Grid,
    widths: Vec<u32>,
    epsilon: Epsilon,
) -> Result<Question, QuestionError> {
    if is_signed(epsilon) {
        Ok(Question::effect(widths))
    } else {
        Question::outcome(grid, widths, spec.arms(), epsilon)
    }
}

#[cfg(test)]
mod tests {
    use super::super::shape::START;
    use super::*;
    use reticent_schema::Encoding;

    fn spec(dimension: usize) -> Spec {
        Spec::new(3, Encoding::unit(dimension).unwrap(), Epsilon::new(1.0).unwrap()).unwrap()
    }

    #[test]
    fn the_crossover_is_where_the_variances_meet() {
        let at = |value: f64| variance(Epsilon::new(value).unwrap());
        assert!((at(1.762_746) - at(1.762_748)).abs() < 1e-4);
        assert!(at(1.0) > at(1.7) && at(1.8) > at(4.0) && at(1024.0) < 1e-20);
    }

    #[test]
    fn groups_follow_the_length_scales_and_take_turns() {
        let two = spec(2);
        let even = vec![1.0 / 256.0; 256];
        let widths = |lengths: &[usize], groups: f64, turn: usize| {
            Grouping::new(&two, two.grid(), lengths, &even).widths(groups, turn)
        };
        assert_eq!(widths(&[START, START], 1.0, 0), [16, 16]);
        assert_eq!(widths(&[START, START], 2.0, 0), [8, 16]);
        assert_eq!(widths(&[START, START], 2.0, 1), [16, 8]);
        assert_eq!(widths(&[2, 6], 8.0, 1), [2, 16]);
        assert_eq!(widths(&[START, START], 1e9, 0), [1, 1]);
        let ten = spec(10);
        let even = vec![1.0 / 1024.0; 1024];
        for turn in 0..10 {
            assert_eq!(Grouping::new(&ten, ten.grid(), &[START; 10], &even).widths(2.0, turn)[turn], 1);
        }
        assert!(groups(two.grid(), 1e4, two.epsilon()) < groups(two.grid(), 1e5, two.epsilon()));
    }

    #[test]
    fn empty_groups_cost_nothing_and_without_noise_every_cell_is_asked_about() {
        let two = spec(2);
        // Two cells of the same quarter: they are told apart although there are 256.
        let mut masses = vec![0.0; 256];
        (masses[0], masses[17]) = (0.5, 0.5);
        let grouping = Grouping::new(&two, two.grid(), &[START, START], &masses);
        assert!(grouping.widths(2.0, 0).contains(&1));
        let even = vec![1.0 / 256.0; 256];
        let noiseless = Epsilon::new(1024.0).unwrap();
        let all = groups(two.grid(), 1.0, noiseless);
        assert_eq!(Grouping::new(&two, two.grid(), &[6, 6], &even).widths(all, 0), [1, 1]);
        // At epsilon 4 some are free, whatever the number of people.
        let free = groups(two.grid(), 1.0, Epsilon::new(4.0).unwrap());
        assert!((6.0..7.0).contains(&free), "{free}");
    }
}
