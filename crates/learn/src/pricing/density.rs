//! Where the log's records are: the share of each finest cell, learned from the same reports.
//!
//! The density relative to an even one is 1 plus a smooth function. How smooth and how uneven it is, is chosen by the evidence, and an even density is one of the
//! choices: a log that is even pays nothing for learning it.

use super::answers::Answers;
use super::axes::{Axes, LENGTHS};
use super::basis::Basis;
use super::shape::Shape;
use super::system::System;

/// How uneven a density may be, in standard deviations.
const AMPLITUDES: [f64; 3] = [0.2, 0.6, 1.5];
/// How smooth: indices into the lengths.
const SMOOTHNESS: [usize; 3] = [2, 3, LENGTHS.len() - 2];
/// Evidence that an uneven density must have over an even one.
const HURDLE: f64 = 1.0;
/// No cell counts as emptier than this, relative to an even density.
const EMPTIEST: f64 = 0.01;

/// The masses of the finest cells, adding up to 1.
pub(super) fn masses(axes: &Axes, answers: &[Answers]) -> Vec<f64> {
    let cells = axes.cells();
    let even = 1.0 / cells as f64;
    let spots: Vec<_> = axes.each.iter().map(|axis| &axis.cells[..]).collect();
    let mut best = (HURDLE, vec![1.0; cells]);
    for length in SMOOTHNESS {
        for amplitude in AMPLITUDES {
            let shape = Shape { lengths: vec![length; axes.each.len()], amplitude };
            let basis = Basis::new(axes, &shape);
            let rows = basis.over(axes, &spots);
            let mut system = System::new(basis.rank());
            for question in answers {
                observe(&mut system, question, &rows, basis.rank(), even);
            }
            let posterior = system.posterior();
            if posterior.evidence() > best.0 {
                let density = rows.chunks_exact(basis.rank()).map(|row| 1.0 + posterior.mean(row));
                best = (posterior.evidence(), density.collect());
            }
        }
    }
    let raised: Vec<f64> = best.1.into_iter().map(|density| density.max(EMPTIEST)).collect();
    let total: f64 = raised.iter().sum();
    raised.into_iter().map(|density| density / total).collect()
}

/// Each cell's share, beyond what an even density has there, observes the uneven part.
fn observe(system: &mut System, question: &Answers, rows: &[f64], rank: usize, even: f64) {
    let sums = question.summed(rows, rank);
    let base = question.summed(&vec![even; question.cell_of.len()], 1);
    for (cell, row) in sums.chunks_exact(rank).enumerate() {
        let row: Vec<f64> = row.iter().map(|value| even * value).collect();
        let share = base[cell];
        let variance =
            (2.0 * question.noise + share * (1.0 - share)) / question.reports + question.reports.powi(-2);
        system.observe(&row, question.share(cell) - share, variance);
    }
}
