//! Which actions people of a context got, as far as the released numbers tell, and which of them is best.
//!
//! Used where the numbers say that actions are not spread evenly. What was learned of the function's size and
//! smoothness holds where people are; of an action that nobody of a context got it says nothing. So actions are
//! judged by a cautious posterior too, of a function as large as the plan says and as rough as plan or numbers say:
//! an action is supported if that posterior knows its reward, and is recommended if it is supported and worth more
//! than the likeliest action of that context even when the gain is less by a share of what that posterior does not
//! know of it.

use faer::{Mat, MatRef};

use super::search::{first_largest, start};
use super::slices::Slicer;
use super::spread::Spread;
use super::surface::squares;
use super::{Sketch, Surface};
use crate::kernel::algebra::{self, Singular};
use crate::kernel::{KernelSpec, Points};

/// What the cautious posterior may leave of a function's variance, in units of half the rewards' range, at an action
/// that counts as one that people got: a fifth of what the plan says.
const SUPPORTED: f64 = 0.05;
/// By how many cautious deviations a gain counts for less.
const CAUTION: f64 = 0.5;
/// Over which share of a length the density is smoothed along actions, and along contexts.
const NEAR: (f64, f64) = (0.4, 0.5);
/// Actions to choose from, at most.
const ACTIONS: usize = 256;

/// Actions as people got them.
#[derive(Clone)]
pub(super) struct Habits {
    /// The logarithm of the density of actions and contexts.
    density: Slicer,
    grid: Points,
    /// How near actions of the grid are to each other.
    near: Mat<f64>,
    /// By how much each context is moved to smooth the density.
    moves: Vec<f64>,
    /// The cautious variance at w is the square of a row of features times this ...
    factor: Mat<f64>,
    /// ... and this, of faster waves.
    pub(super) left: f64,
}

impl Habits {
    /// From where people are, and the cautious posterior's covariance and rest.
    pub(super) fn read(
        sketch: &Sketch,
        spread: &Spread,
        (covariance, left): (&Mat<f64>, f64),
    ) -> Result<Habits, Singular> {
        let (setting, parts) = (sketch.setting(), sketch.parts());
        let actions = setting.actions();
        let (grid, _) = start(setting);
        let grid = grid.range(0..ACTIONS.min(grid.len()));
        let (values, vectors) = algebra::eigen(covariance.as_ref())?;
        let moved = |input: usize| {
            let input = setting.input(input);
            if input.levels.is_some() { 0.0 } else { NEAR.1 * input.length }
        };
        Ok(Habits {
            density: Slicer::new(&parts.waves, parts.places.len(), actions, &spread.slopes),
            near: nearness(setting, &grid),
            grid,
            moves: (actions..setting.inputs()).map(moved).collect(),
            factor: Mat::from_fn(values.len(), values.len(), |i, j| vectors[(i, j)] * values[j].sqrt()),
            left,
        })
    }

    /// The cautious variance of what rows of features carry.
    pub(super) fn variances(&self, rows: MatRef<'_, f64>) -> Vec<f64> {
        squares(algebra::times(rows, self.factor.as_ref()).as_ref())
    }

    /// Whether so little is unknown that people must have got such actions.
    pub(super) fn support(variance: f64) -> bool {
        variance <= SUPPORTED
    }

    /// The likeliest action of a context: where most people are near.
    pub(super) fn usual(&self, context: &[f64]) -> Vec<f64> {
        let shares = self.shares(context);
        let smooth = algebra::times(self.near.as_ref(), shares.as_ref());
        let top = first_largest(smooth.col(0).iter().copied());
        let weights: Vec<f64> = (0..self.grid.len()).map(|i| self.near[(top, i)] * shares[(i, 0)]).collect();
        let total: f64 = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let middle =
            |input: usize| self.grid.input(input).iter().zip(&weights).map(|(x, w)| x * w / total).sum();
        (0..self.grid.dimensions()).map(middle).collect()
    }

    /// The density of actions over the grid, for people of about this context.
    fn shares(&self, context: &[f64]) -> Mat<f64> {
        let mut around = vec![(1.0, context.to_vec())];
        for (input, by) in self.moves.iter().enumerate() {
            for by in [-by, *by] {
                let mut moved = context.to_vec();
                moved[input] = (moved[input] + by).clamp(0.0, 1.0);
                around.push((0.5 / context.len() as f64, moved));
            }
        }
        let contexts: Vec<Vec<f64>> = around.iter().map(|(_, context)| context.clone()).collect();
        let slices = self.density.cut(&contexts);
        let logarithms = slices.table(&self.grid);
        let mut shares = Mat::<f64>::zeros(self.grid.len(), 1);
        for ((weight, _), column) in around.iter().zip(logarithms.col_iter()) {
            let most = column.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
            let total: f64 = column.iter().map(|x| libm::exp(x - most)).sum();
            let each = shares.col_mut(0).iter_mut().zip(column.iter());
            each.for_each(|(share, x)| *share += weight * libm::exp(x - most) / total);
        }
        shares
    }

    /// The supported action of the grid that is worth most by the cautious account, or the likeliest one if none is
    /// worth more, and whether it is that one.
    pub(super) fn best(&self, surface: &Surface, context: &[f64]) -> (Vec<f64>, bool) {
        let usual = self.usual(context);
        let mut points = Points::new(usual.len() + context.len());
        points.push(&[usual.as_slice(), context].concat());
        for i in 0..self.grid.len() {
            points.push(&[self.grid.point(i).as_slice(), context].concat());
        }
        let rows = surface.features.rows(&points);
        let means = algebra::times(rows.as_ref(), surface.weights.as_ref());
        let apart = Mat::from_fn(rows.nrows(), rows.ncols(), |i, j| rows[(i, j)] - rows[(0, j)]);
        let (unknown, of_gains) = (self.variances(rows.as_ref()), self.variances(apart.as_ref()));
        let worth = (0..points.len()).map(|i| {
            let counts = i == 0 || Habits::support(unknown[i]);
            if counts { means[(i, 0)] - CAUTION * of_gains[i].sqrt() } else { f64::NEG_INFINITY }
        });
        let best = first_largest(worth);
        (points.point(best)[..usual.len()].to_vec(), best == 0)
    }
}

/// How near actions are to each other: a bell of a share of their lengths.
fn nearness(setting: &KernelSpec, grid: &Points) -> Mat<f64> {
    let apart = |i: usize, j: usize| -> f64 {
        let one = |input: usize| {
            let along = grid.input(input);
            let off = (along[i] - along[j]) / (NEAR.0 * setting.input(input).length);
            off * off
        };
        (0..grid.dimensions()).map(one).sum()
    };
    Mat::from_fn(grid.len(), grid.len(), |i, j| libm::exp(-0.5 * apart(i, j)))
}

#[cfg(test)]
mod tests;
