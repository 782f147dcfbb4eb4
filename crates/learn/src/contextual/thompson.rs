//! Maps from cells to arms, drawn from the posterior.
//!
//! A map is one draw of every arm's function (and of whom to trust), and gives each coarse cell of its
//! question the arm that is best there on average. A cell departs from its coarse cell only where the
//! posterior is sure: elsewhere one arm in the whole coarse cell makes the report say more.

use reticent_privacy::SimRng;

use super::belief::{Belief, Systems};
use super::posterior::Posterior;
use super::trust;

/// Deviations by which an arm must be ahead for a cell to depart from its coarse cell.
const SURE: f64 = 1.0;

/// One map for each of the questions' coarsenings (for each cell its coarse cell).
pub(super) fn maps(
    belief: &Belief,
    systems: &Systems,
    coarse: &[Vec<u32>],
    rng: &mut SimRng,
) -> Vec<Vec<u8>> {
    let mut known: Vec<Option<Vec<Posterior>>> = belief.trust.iter().map(|_| None).collect();
    coarse
        .iter()
        .map(|coarse| {
            let hypothesis = trust::draw(&belief.trust, rng.uniform());
            let posteriors = known[hypothesis]
                .get_or_insert_with(|| systems.posteriors(&belief.trust[hypothesis].weights));
            let drawn: Vec<Vec<f64>> =
                posteriors.iter().map(|posterior| posterior.sample(&systems.basis, rng)).collect();
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
