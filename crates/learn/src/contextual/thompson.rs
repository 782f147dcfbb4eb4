//! Maps from cells to arms, drawn from the posterior.
//!
//! A map is one draw of every arm's function (and of whom to trust), and gives each coarse cell of its
//! question the arm that is best there on average. A cell departs from its coarse cell only where the
//! posterior is sure: elsewhere one arm in the whole coarse cell makes the report say more.

use reticent_privacy::SimRng;

use super::belief::{Belief, Systems};
use super::posterior::Posterior;
use super::structure::Structure;
use super::trust;

/// Deviations by which an arm must be ahead for a cell to depart from its coarse cell.
const SURE: f64 = 1.0;

/// Maps are drawn with so much of the posterior's deviation: they try less of what is not known. One of so many is
/// drawn with all of it, or what was missed at first would stay so.
const NARROW: f64 = 0.5;
const WIDE_EVERY: usize = 2;

/// What a map takes for true: a hypothesis about the sources, and what rewards depend on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hypothesis {
    trust: usize,
    pub(super) structure: Structure,
}

impl Hypothesis {
    pub(super) fn draw(belief: &Belief, rng: &mut SimRng) -> Hypothesis {
        let trust = trust::draw(&belief.trust, rng.uniform());
        Hypothesis { trust, structure: belief.structures.draw(rng.uniform()) }
    }
}

/// One map for each hypothesis and the coarsening (for each cell its coarse cell) that goes with it.
pub(super) fn maps(
    belief: &Belief,
    systems: &Systems,
    drawn: &[(Hypothesis, Vec<u32>)],
    rng: &mut SimRng,
) -> Vec<Vec<u8>> {
    let many = belief.trust.len() * Structure::ALL.len();
    let mut known: Vec<Option<Vec<Posterior>>> = (0..many).map(|_| None).collect();
    drawn
        .iter()
        .enumerate()
        .map(|(number, (Hypothesis { trust, structure }, coarse))| {
            let spread = if number % WIDE_EVERY == 0 { 1.0 } else { NARROW };
            let posteriors = known[trust * Structure::ALL.len() + *structure as usize]
                .get_or_insert_with(|| systems.posteriors(&belief.trust[*trust].weights, *structure));
            let drawn: Vec<Vec<f64>> =
                posteriors.iter().map(|posterior| posterior.sample(&systems.basis, spread, rng)).collect();
            map(belief, &drawn, coarse)
        })
        .collect()
}

fn map(belief: &Belief, drawn: &[Vec<f64>], coarse: &[u32]) -> Vec<u8> {
    let arms = drawn.len();
    let coarse_cells = coarse.iter().max().map_or(0, |&last| last as usize + 1);
    let mut sums = vec![0.0; coarse_cells * arms];
    for (cell, &place) in coarse.iter().enumerate() {
        for (arm, function) in drawn.iter().enumerate() {
            sums[place as usize * arms + arm] += belief.masses[cell] * function[cell];
        }
    }
    let leaders: Vec<usize> = sums.chunks_exact(arms).map(|sums| best(arms, |arm| sums[arm])).collect();
    coarse
        .iter()
        .enumerate()
        .map(|(cell, &place)| {
            let leader = leaders[place as usize];
            let here = best(arms, |arm| drawn[arm][cell]);
            (if is_surely_better(belief, here, leader, cell) { here } else { leader }) as u8
        })
        .collect()
}

fn is_surely_better(belief: &Belief, arm: usize, other: usize, cell: usize) -> bool {
    let ahead = belief.mean[arm][cell] - belief.mean[other][cell];
    let square = |arm: usize| belief.deviation[arm][cell] * belief.deviation[arm][cell];
    arm != other && ahead > SURE * (square(arm) + square(other)).sqrt()
}

fn best(arms: usize, value: impl Fn(usize) -> f64) -> usize {
    (1..arms).fold(0, |best, arm| if value(arm) > value(best) { arm } else { best })
}
