//! Where the log's records are: the share of each finest cell, learned from the same reports.
//!
//! The density relative to an even one is 1 plus a smooth function. How smooth and how uneven it is, is
//! chosen by the evidence, and an even density is one of the choices: a log that is even pays nothing for
//! learning it.

use super::answers::Answers;
use super::axes::{Axes, LENGTHS, START};
use super::basis::Basis;
use super::gathered::Gathered;
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
    /// The variances of the masses of each question's cells.
    pub(super) variances: Vec<Vec<f64>>,
}

impl Density {
    pub(super) fn learned(axes: &Axes, answers: &[Answers]) -> Density {
        let shape = |length, amplitude| Shape { lengths: vec![length; axes.each.len()], amplitude };
        let even = vec![1.0 / axes.cells() as f64; axes.cells()];
        let gathered = Gathered::new(axes, answers, &even);
        let mut best: Option<Candidate> = None;
        for length in SMOOTHNESS {
            for amplitude in AMPLITUDES {
                let candidate = Candidate::of(axes, answers, &gathered, &shape(length, amplitude));
                let least = best.as_ref().map_or(HURDLE, |best| best.posterior.evidence());
                if candidate.posterior.evidence() > least {
                    best = Some(candidate);
                }
            }
        }
        let uneven = best.is_some();
        let doubt = best.unwrap_or_else(|| Candidate::of(axes, answers, &gathered, &shape(START, PERHAPS)));
        let rows = doubt.rows(axes);
        let each = rows.chunks_exact(doubt.basis.rank());
        let (mut density, mut surely) = (Vec::new(), Vec::new());
        for row in each {
            let here = if uneven { 1.0 + doubt.posterior.mean(row) } else { 1.0 };
            density.push(here);
            surely.push((here - SURELY * doubt.posterior.deviation(row)).max(0.0));
        }
        let sums = gathered.rows(&doubt.basis);
        let deviations = |rows: &Vec<f64>| {
            rows.chunks_exact(doubt.basis.rank()).map(|row| doubt.posterior.deviation(row).powi(2)).collect()
        };
        let variances = sums.iter().map(deviations).collect();
        let raised: Vec<f64> = density.into_iter().map(|density| density.max(EMPTIEST)).collect();
        let total: f64 = raised.iter().sum();
        Density { masses: raised.into_iter().map(|density| density / total).collect(), surely, variances }
    }
}

/// The uneven part under one prior.
#[derive(Debug)]
struct Candidate {
    basis: Basis,
    posterior: Posterior,
}

impl Candidate {
    fn of(axes: &Axes, answers: &[Answers], gathered: &Gathered<'_>, shape: &Shape) -> Candidate {
        let basis = Basis::new(axes, shape);
        let mut system = System::new(basis.rank());
        for (question, rows) in answers.iter().zip(gathered.rows(&basis)) {
            observe(&mut system, question, &rows);
        }
        Candidate { basis, posterior: system.posterior() }
    }

    /// The functions in all finest cells.
    fn rows(&self, axes: &Axes) -> Vec<f64> {
        let spots: Vec<_> = axes.each.iter().map(|axis| &axis.cells[..]).collect();
        self.basis.over(axes, &spots)
    }
}

/// Each cell's share, beyond what an even density has there, observes the uneven part.
fn observe(system: &mut System, question: &Answers, rows: &[f64]) {
    let even = 1.0 / question.cell_of.len() as f64;
    let base = question.summed(&vec![even; question.cell_of.len()], 1);
    let cell = |(cell, share): (usize, &f64)| {
        let variance =
            (2.0 * question.noise + share * (1.0 - share)) / question.reports + question.reports.powi(-2);
        (question.share(cell) - share, variance)
    };
    system.observe(rows, &base.iter().enumerate().map(cell).collect::<Vec<_>>());
}
