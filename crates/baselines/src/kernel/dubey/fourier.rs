//! Quadrature Fourier features of the squared exponential kernel (Mutny and Krause 2018).

use faer::Mat;

use super::DubeyError;
use super::hermite::hermite;
use reticent_curate::kernel::{Family, Kernel, Points};

/// Features sqrt(w) cos(omega' x) and sqrt(w) sin(omega' x) over a grid of frequencies: exp(-|d|^2/2) is the
/// average of cos(omega' d) over a standard normal omega, and Gauss-Hermite quadrature takes that average,
/// input by input. A point's features have length one.
///
/// With m nodes an input and lengths `l_i` their inner product is within `sum_i m!/(2m)! l_i^(-2m)` of the
/// kernel on the unit cube ([`FourierMap::error`]). There are m^inputs features: one of two opposite
/// frequencies is kept, with both weights.
#[derive(Clone, Debug, PartialEq)]
pub struct FourierMap {
    /// For each frequency, its entries over the inputs' lengths.
    frequencies: Vec<Vec<f64>>,
    /// The square root of each one's weight.
    roots: Vec<f64>,
    inputs: usize,
    rank: usize,
    error: f64,
}

impl FourierMap {
    /// The most features accepted: their Gram matrix has half a million numbers to put noise on.
    pub const MOST: usize = 1024;

    /// `nodes` nodes for each of the kernel's inputs.
    pub fn new(kernel: &Kernel, nodes: usize) -> Result<FourierMap, DubeyError> {
        if kernel.factors().iter().any(|factor| factor.family != Family::SquaredExponential) {
            return Err(DubeyError::Family);
        }
        let inputs = kernel.inputs();
        let rank =
            (0..inputs).try_fold(1_usize, |rank, _| rank.checked_mul(nodes).filter(|&r| r <= Self::MOST));
        let Some(rank) = rank.filter(|_| nodes > 0) else {
            return Err(DubeyError::Features { nodes, inputs, most: Self::MOST });
        };
        let (rule, lengths) = (hermite(nodes), kernel.lengths().collect::<Vec<_>>());
        let (mut frequencies, mut roots) = (Vec::new(), Vec::new());
        // Numbers of the grid in rising order: place and rank - 1 - place are opposite, so the first half and
        // the middle are enough.
        for place in 0..rank.div_ceil(2) {
            let (mut rest, mut weight, mut frequency) = (place, 1.0, Vec::with_capacity(inputs));
            for length in &lengths {
                let (node, share) = rule[rest % nodes];
                weight *= share;
                frequency.push(node / length);
                rest /= nodes;
            }
            let both = if 2 * place + 1 == rank { weight } else { 2.0 * weight };
            frequencies.push(frequency);
            roots.push(both.sqrt());
        }
        let error = lengths.iter().map(|length| remainder(nodes, *length)).sum();
        Ok(FourierMap { frequencies, roots, inputs, rank, error })
    }

    /// How many features there are.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// How many inputs a point has.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// A bound on the difference of inner products and kernel, on the unit cube.
    pub fn error(&self) -> f64 {
        self.error
    }

    /// The features of each point, a row each.
    pub fn rows(&self, points: &Points) -> Mat<f64> {
        let mut out = Mat::zeros(points.len(), self.rank);
        for (number, (frequency, root)) in self.frequencies.iter().zip(&self.roots).enumerate() {
            for i in 0..points.len() {
                let angle: f64 =
                    frequency.iter().enumerate().map(|(input, f)| f * points.input(input)[i]).sum();
                out[(i, 2 * number)] = root * libm::cos(angle);
                // The frequency zero, in the middle of an odd grid, has no sine.
                if 2 * number + 1 < self.rank {
                    out[(i, 2 * number + 1)] = root * libm::sin(angle);
                }
            }
        }
        out
    }
}

/// m!/(2m)! l^(-2m): the remainder of Gaussian quadrature for cos(d omega / l), d <= 1. A product of numbers
/// in [-1, 1] differs from another by no more than the sum of its factors' differences.
fn remainder(nodes: usize, length: f64) -> f64 {
    (1..=nodes).map(|k| 1.0 / ((nodes + k) as f64 * length * length)).product()
}
