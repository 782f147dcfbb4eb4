//! Where the log's records are: the share of each finest cell, learned from the same reports.
//!
//! The density relative to an even one is 1 plus a smooth function. How smooth and how uneven it is, is
//! chosen by the evidence, and an even density is one of the choices: a log that is even pays nothing for
//! learning it.

use super::answers::Answers;
use super::axes::{Axes, LENGTHS, START};
use super::basis::Basis;
use super::shape::Shape;
use super::system::{Posterior, System};

/// How uneven a density may be, in standard deviations.
const AMPLITUDES: [f64; 3] = [0.2, 0.6, 1.5];
/// How smooth: indices into the lengths.
const SMOOTHNESS: [usize; 4] = [1, 2, START, LENGTHS.len() - 2];
/// Evidence that an uneven density must have over an even one.
const HURDLE: f64 = 1.0;
/// No cell counts as emptier than this, relative to an even density.
const EMPTIEST: f64 = 0.01;
/// What is believed of how uneven a density is that the reports do not show to be uneven: enough for parts of
/// it to be empty.
const PERHAPS: f64 = 0.6;
/// Deviations below the mean at which a density is surely reached.
const SURELY: f64 = 2.0;

/// Where records are.
#[derive(Debug)]
pub(super) struct Density {
    /// The masses of the finest cells, adding up to 1.
    pub(super) masses: Vec<f64>,
    /// The density of each finest cell relative to an even one that is surely reached: zero where the reports
    /// cannot tell.
    pub(super) surely: Vec<f64>,
    /// What it is not known by.
    doubt: Candidate,
}

impl Density {
    pub(super) fn learned(axes: &Axes, answers: &[Answers]) -> Density {
        let shape = |length, amplitude| Shape { lengths: vec![length; axes.each.len()], amplitude };
        let mut best: Option<Candidate> = None;
        for length in SMOOTHNESS {
            for amplitude in AMPLITUDES {
                let candidate = Candidate::of(axes, answers, &shape(length, amplitude));
                let least = best.as_ref().map_or(HURDLE, |best| best.posterior.evidence());
                if candidate.posterior.evidence() > least {
                    best = Some(candidate);
                }
            }
        }
        let density = best.as_ref().map_or_else(|| vec![1.0; axes.cells()], Candidate::density);
        let doubt = best.unwrap_or_else(|| Candidate::of(axes, answers, &shape(START, PERHAPS)));
        let surely = density
            .iter()
            .zip(doubt.deviation())
            .map(|(density, doubt)| (density - SURELY * doubt).max(0.0))
            .collect();
        let raised: Vec<f64> = density.into_iter().map(|density| density.max(EMPTIEST)).collect();
        let total: f64 = raised.iter().sum();
        Density { masses: raised.into_iter().map(|density| density / total).collect(), surely, doubt }
    }

    /// The variance of the mass of each of a question's cells.
    pub(super) fn variances(&self, question: &Answers) -> Vec<f64> {
        let rank = self.doubt.rank;
        let even = 1.0 / self.masses.len() as f64;
        let sums = question.summed(&self.doubt.rows, rank);
        sums.chunks_exact(rank).map(|row| (even * self.doubt.posterior.deviation(row)).powi(2)).collect()
    }
}

/// The uneven part under one prior.
#[derive(Debug)]
struct Candidate {
    rank: usize,
    rows: Vec<f64>,
    posterior: Posterior,
}

impl Candidate {
    fn of(axes: &Axes, answers: &[Answers], shape: &Shape) -> Candidate {
        let basis = Basis::new(axes, shape);
        let spots: Vec<_> = axes.each.iter().map(|axis| &axis.cells[..]).collect();
        let rows = basis.over(axes, &spots);
        let even = 1.0 / axes.cells() as f64;
        let mut system = System::new(basis.rank());
        for question in answers {
            observe(&mut system, question, &rows, basis.rank(), even);
        }
        Candidate { rank: basis.rank(), rows, posterior: system.posterior() }
    }

    fn density(&self) -> Vec<f64> {
        self.rows.chunks_exact(self.rank).map(|row| 1.0 + self.posterior.mean(row)).collect()
    }

    fn deviation(&self) -> Vec<f64> {
        self.rows.chunks_exact(self.rank).map(|row| self.posterior.deviation(row)).collect()
    }
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
