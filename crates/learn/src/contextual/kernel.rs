//! The prior: smooth functions of the context, with a length scale for each axis.
//!
//! The covariance is a product over axes of Matern 5/2 kernels, so its eigenfunctions are products of small
//! ones. Keeping the largest gives every arm's function as a few dozen independent coefficients.

use reticent_protocol::contextual::Spec;
use reticent_schema::AxisKind;
use serde::{Deserialize, Serialize};

use crate::linear::eigen;

/// Length scales in units of an axis, from wiggly to flat: an axis with the last one does not matter.
pub(super) const LENGTHS: [f64; 7] = [0.08, 0.15, 0.3, 0.6, 1.2, 2.5, 10.0];
/// Where each axis starts: changes over the whole axis.
pub(super) const START: usize = 3;
/// Two different levels of a category are as far apart as the ends of half an axis.
const LEVEL_DISTANCE: f64 = 0.5;
/// No more functions than this, and no more than make up this share of the prior's variance.
const MAX_RANK: usize = 100;
const SHARE: f64 = 0.9999;

/// The rank is a multiple of it.
pub(super) const LANES: usize = 8;

/// What the prior believes of how fast rewards change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shape {
    /// An index into [`LENGTHS`] for each axis.
    pub(super) lengths: Vec<usize>,
    /// The standard deviation of a reward function around its level, in units of the half range.
    pub(super) amplitude: f64,
}

/// The eigenfunctions of each axis for each length.
#[derive(Debug)]
pub(super) struct Kernel {
    axes: Vec<Axis>,
    cells: usize,
}

#[derive(Debug)]
struct Axis {
    size: usize,
    /// For each length: eigenvalues, and eigenvectors as columns.
    modes: Vec<(Vec<f64>, Vec<f64>)>,
}

/// Functions on the cells, scaled by their prior deviations: row by row, `rank` values for each cell.
#[derive(Debug)]
pub(super) struct Basis {
    pub(super) rank: usize,
    pub(super) values: Vec<f64>,
}

impl Kernel {
    pub(super) fn new(spec: &Spec) -> Kernel {
        let axes = spec.encoding().axes().zip(spec.grid().sizes());
        let axes = axes.map(|(axis, &size)| Axis::new(axis.kind, size as usize)).collect();
        Kernel { axes, cells: spec.grid().cells() }
    }

    pub(super) fn start(&self, amplitude: f64) -> Shape {
        Shape { lengths: vec![START; self.axes.len()], amplitude }
    }

    /// How many axes there are.
    pub(super) fn axes(&self) -> usize {
        self.axes.len()
    }

    /// Whether the axis has more than one cell.
    pub(super) fn matters(&self, axis: usize) -> bool {
        self.axes[axis].size > 1
    }

    /// The leading eigenfunctions of the prior.
    pub(super) fn basis(&self, shape: &Shape, max_rank: usize) -> Basis {
        let picked: Vec<&(Vec<f64>, Vec<f64>)> =
            self.axes.iter().zip(&shape.lengths).map(|(axis, &length)| &axis.modes[length]).collect();
        let mut modes: Vec<(f64, usize)> = (0..self.cells)
            .map(|mode| {
                (self.places(mode).zip(&picked).map(|(place, (values, _))| values[place]).product(), mode)
            })
            .collect();
        modes.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let total: f64 = modes.iter().map(|mode| mode.0.max(0.0)).sum();
        let mut sum = 0.0;
        let enough = modes.iter().position(|mode| {
            sum += mode.0.max(0.0);
            sum >= SHARE * total
        });
        let rank = enough.map_or(modes.len(), |last| last + 1).min(max_rank.min(MAX_RANK));
        // Functions that are zero everywhere fill up the last lane: vectors then need no rest.
        let (kept, rank) = (rank, rank.next_multiple_of(LANES));
        let mut values = vec![0.0; self.cells * rank];
        for (column, &(eigenvalue, mode)) in modes[..kept].iter().enumerate() {
            let scale = shape.amplitude * eigenvalue.max(0.0).sqrt();
            for cell in 0..self.cells {
                let parts = self.places(cell).zip(self.places(mode)).zip(self.axes.iter().zip(&picked));
                let value: f64 =
                    parts.map(|((x, k), (axis, (_, vectors)))| vectors[x * axis.size + k]).product();
                values[cell * rank + column] = scale * value;
            }
        }
        Basis { rank, values }
    }

    /// The places of a cell (or of a product of modes) on the axes, first axis first.
    fn places(&self, cell: usize) -> impl Iterator<Item = usize> + '_ {
        let mut stride = self.cells;
        let mut rest = cell;
        self.axes.iter().map(move |axis| {
            stride /= axis.size;
            let place = rest / stride;
            rest %= stride;
            place
        })
    }
}

impl Axis {
    fn new(kind: AxisKind, size: usize) -> Axis {
        let distance = |i: usize, j: usize| match kind {
            AxisKind::Numeric => i.abs_diff(j) as f64 / size as f64,
            AxisKind::Category(_) => {
                if i == j {
                    0.0
                } else {
                    LEVEL_DISTANCE
                }
            }
        };
        let modes = LENGTHS.map(|length| {
            let matrix = (0..size * size).map(|at| matern_5_2(distance(at / size, at % size) / length));
            eigen(size, matrix.collect())
        });
        Axis { size, modes: modes.into() }
    }
}

fn matern_5_2(r: f64) -> f64 {
    let t = 5_f64.sqrt() * r;
    (1.0 + t + t * t / 3.0) * libm::exp(-t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_privacy::Epsilon;
    use reticent_schema::Encoding;

    fn kernel(dimension: usize) -> Kernel {
        let spec = Spec::new(2, Encoding::unit(dimension).unwrap(), Epsilon::new(1.0).unwrap()).unwrap();
        Kernel::new(&spec)
    }

    fn row(basis: &Basis, cell: usize) -> &[f64] {
        &basis.values[cell * basis.rank..(cell + 1) * basis.rank]
    }

    /// The basis times its transpose is the covariance, up to the share left out.
    #[test]
    fn the_basis_has_the_priors_covariance() {
        let kernel = kernel(2);
        let shape = Shape { lengths: vec![3, 5], amplitude: 0.7 };
        let basis = kernel.basis(&shape, 100);
        for (a, b) in [(0_usize, 0_usize), (0, 255), (37, 200), (16, 17)] {
            let (pa, pb) = ([a / 16, a % 16], [b / 16, b % 16]);
            let product: f64 = (0..2)
                .map(|i| matern_5_2(pa[i].abs_diff(pb[i]) as f64 / 16.0 / LENGTHS[shape.lengths[i]]))
                .product();
            let covariance: f64 = row(&basis, a).iter().zip(row(&basis, b)).map(|(x, y)| x * y).sum();
            assert!((covariance - 0.49 * product).abs() < 0.49 * 0.05, "{a} {b}: {covariance}");
        }
    }

    #[test]
    fn flat_axes_cost_no_functions_and_ten_dimensions_work() {
        let two = kernel(2);
        let rank = |lengths: Vec<usize>| two.basis(&Shape { lengths, amplitude: 1.0 }, 100).rank;
        assert!(rank(vec![2, 6]) < rank(vec![2, 3]));
        let ten = kernel(10);
        assert_eq!(ten.basis(&ten.start(1.0), 100).values.len() % 1024, 0);
    }
}
