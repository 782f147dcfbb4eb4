//! The prior: what an arm's reward may look like as a function of the context.
//!
//! It is a sum of four parts, each with an amplitude that is learned and may vanish: an offset that is the same for
//! everybody, an effect of each axis by itself, a smooth function of all axes together, and what each cell has of its
//! own. Or it has one value for each block that cuts of the axes make (`blocks.rs`). The smooth part's covariance is a
//! product over axes of Matern 5/2 kernels, so its eigenfunctions are products of small ones; keeping the largest
//! gives every arm's function as a few dozen independent coefficients.

use super::shape::{Amplitudes, LENGTHS, Shape};
use crate::linear::eigen;
use reticent_protocol::contextual::{AxisCells, Grid, Spec};
use reticent_schema::AxisKind;

/// Two different levels of a category are as far apart as the ends of half an axis.
const LEVEL_DISTANCE: f64 = 0.5;
/// No more functions than this, and no more than make up this share of the prior's variance.
const MAX_RANK: usize = 104;
/// Of these for the effect of one axis, and of all axes together.
const MODES_OF_NUMBERS: usize = 6;
const MODES_OF_LEVELS: usize = 24;
const MAIN_SHARE: usize = 48;
const SHARE: f64 = 0.9999;
/// Blocks of more cuts than this are too many to look at.
const CUT_AXES: usize = 5;

/// The rank is a multiple of it.
pub(super) const LANES: usize = 8;

/// What a function of a basis belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Offset,
    Main,
    Blocks,
    Smooth,
}

impl Part {
    fn of(self, amplitudes: &Amplitudes) -> f64 {
        match self {
            Part::Offset => amplitudes.offset,
            Part::Main => amplitudes.main,
            Part::Blocks => amplitudes.blocks,
            Part::Smooth => amplitudes.smooth,
        }
    }
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
    /// Whether its cells are levels of a category.
    levels: bool,
    borders: Vec<f64>,
    /// For each length: eigenvalues, and eigenvectors as columns.
    modes: Vec<(Vec<f64>, Vec<f64>)>,
}

/// Functions on the cells, scaled by their prior deviations in a part of amplitude 1: row by row, `rank` values for
/// each cell.
#[derive(Debug)]
pub(super) struct Basis {
    pub(super) rank: usize,
    pub(super) values: Vec<f64>,
    parts: Vec<Part>,
}

impl Basis {
    /// What to multiply each function with.
    pub(super) fn scales(&self, amplitudes: &Amplitudes) -> Vec<f64> {
        self.parts.iter().map(|&part| part.of(amplitudes)).collect()
    }
}

/// One function: its part, its prior deviation, and its factor on each axis.
struct Function {
    part: Part,
    deviation: f64,
    factors: Vec<Factor>,
}

/// What a function is along one axis.
#[derive(Debug, Clone, Copy)]
enum Factor {
    Constant,
    /// One of the modes.
    Mode(usize),
}

impl Kernel {
    pub(super) fn new(spec: &Spec, grid: &Grid) -> Kernel {
        let axes = spec.encoding().axes().zip(grid.axes());
        let axes = axes.map(|(axis, cells)| Axis::new(axis.kind, cells)).collect();
        Kernel { axes, cells: grid.cells() }
    }

    /// How many cells there are.
    pub(super) fn cells(&self) -> usize {
        self.cells
    }

    /// Where each cell but the first begins, along an axis of numbers.
    pub(super) fn borders(&self, axis: usize) -> &[f64] {
        &self.axes[axis].borders
    }

    pub(super) fn start(&self) -> Shape {
        Shape::new(self.axes.len())
    }

    /// How many axes there are.
    pub(super) fn axes(&self) -> usize {
        self.axes.len()
    }

    /// Whether the axis has more than one cell.
    pub(super) fn matters(&self, axis: usize) -> bool {
        self.axes[axis].size > 1
    }

    /// All parts of the prior.
    pub(super) fn basis(&self, lengths: &[usize]) -> Basis {
        let factors = vec![Factor::Constant; self.axes.len()];
        let mut functions = vec![Function { part: Part::Offset, deviation: 1.0, factors }];
        functions.extend(self.main(lengths));
        functions.extend(self.smooth(lengths, MAX_RANK - functions.len()));
        self.of(lengths, &functions)
    }

    /// The smooth part alone.
    pub(super) fn smooth_basis(&self, lengths: &[usize], max_rank: usize) -> Basis {
        self.of(lengths, &self.smooth(lengths, max_rank))
    }

    /// The effects of each axis by itself: all its modes but the first, which is all but constant.
    fn main(&self, lengths: &[usize]) -> Vec<Function> {
        if self.axes.iter().filter(|axis| axis.size > 1).count() < 2 {
            return Vec::new();
        }
        let mut functions = Vec::new();
        for (i, (axis, &length)) in self.axes.iter().zip(lengths).enumerate() {
            let (values, _) = &axis.modes[length];
            let mut order: Vec<usize> = (0..axis.size).collect();
            order.sort_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
            let most = if axis.levels { MODES_OF_LEVELS } else { MODES_OF_NUMBERS };
            for &mode in order.iter().skip(1).take(most) {
                let mut factors = vec![Factor::Constant; self.axes.len()];
                factors[i] = Factor::Mode(mode);
                functions.push(Function {
                    part: Part::Main,
                    deviation: values[mode].max(0.0).sqrt(),
                    factors,
                });
            }
        }
        functions.sort_by(|a, b| b.deviation.total_cmp(&a.deviation));
        functions.truncate(MAIN_SHARE);
        functions
    }

    /// Axes that are cut, each with its number of cells; none if there are too many.
    pub(super) fn cut_axes(&self) -> Vec<(usize, u32)> {
        let open = self.axes.iter().enumerate().filter(|(_, axis)| !axis.levels && axis.size > 1);
        let open: Vec<(usize, u32)> = open.map(|(i, axis)| (i, axis.size as u32)).collect();
        if open.len() > CUT_AXES { Vec::new() } else { open }
    }

    /// For each cell the block that it is in, and how many blocks there are, if axes are cut at these places. Blocks
    /// are counted along the `leading` axis last.
    pub(super) fn blocks(&self, cuts: &[Vec<u32>], leading: usize) -> (Vec<u32>, usize) {
        let open = self.cut_axes();
        let mut order: Vec<usize> = (0..open.len()).collect();
        order.sort_by_key(|&axis| axis != leading);
        let block = |cell: usize| {
            let at: Vec<usize> = self.places(cell).collect();
            let part = |axis: usize| {
                let place = at[open[axis].0];
                cuts[axis].iter().filter(|&&cut| place >= cut as usize).count()
            };
            order.iter().fold(0, |block, &axis| block * (cuts[axis].len() + 1) + part(axis)) as u32
        };
        let many = order.iter().map(|&axis| cuts[axis].len() + 1).product();
        ((0..self.cells).map(block).collect(), many)
    }

    /// An offset and a value for each of `many` blocks, which add up to nothing.
    pub(super) fn blocks_basis(many: usize) -> Basis {
        let rank = many.next_multiple_of(LANES);
        let mut values = vec![0.0; many * rank];
        for (block, row) in values.chunks_exact_mut(rank).enumerate() {
            row[0] = 1.0;
            for (together, value) in row.iter_mut().enumerate().take(many).skip(1) {
                let sign = if (block & together).count_ones() % 2 == 0 { 1.0 } else { -1.0 };
                *value = sign / (many as f64).sqrt();
            }
        }
        let mut parts = vec![Part::Blocks; many];
        parts.resize(rank, Part::Offset);
        parts[0] = Part::Offset;
        Basis { rank, values, parts }
    }

    /// The leading eigenfunctions of the smooth part.
    fn smooth(&self, lengths: &[usize], max_rank: usize) -> Vec<Function> {
        let picked: Vec<&Vec<f64>> =
            self.axes.iter().zip(lengths).map(|(axis, &length)| &axis.modes[length].0).collect();
        let value =
            |mode: usize| self.places(mode).zip(&picked).map(|(place, values)| values[place]).product();
        let mut modes: Vec<(f64, usize)> = (0..self.cells).map(|mode| (value(mode), mode)).collect();
        modes.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let total: f64 = modes.iter().map(|mode| mode.0.max(0.0)).sum();
        let mut sum = 0.0;
        let enough = modes.iter().position(|mode| {
            sum += mode.0.max(0.0);
            sum >= SHARE * total
        });
        let rank = enough.map_or(modes.len(), |last| last + 1).min(max_rank);
        let function = |&(eigenvalue, mode): &(f64, usize)| Function {
            part: Part::Smooth,
            deviation: eigenvalue.max(0.0).sqrt(),
            factors: self.places(mode).map(Factor::Mode).collect(),
        };
        modes[..rank].iter().map(function).collect()
    }

    /// The functions' values on the cells. Functions that are zero everywhere fill up the last lane: vectors then
    /// need no rest.
    fn of(&self, lengths: &[usize], functions: &[Function]) -> Basis {
        let rank = functions.len().next_multiple_of(LANES);
        let mut values = vec![0.0; self.cells * rank];
        let mut parts: Vec<Part> = functions.iter().map(|function| function.part).collect();
        parts.resize(rank, Part::Offset);
        for cell in 0..self.cells {
            let places: Vec<usize> = self.places(cell).collect();
            for (column, function) in functions.iter().enumerate() {
                let mut value = function.deviation;
                for (axis, &factor) in function.factors.iter().enumerate() {
                    value *= self.axes[axis].value(lengths[axis], factor, places[axis]);
                }
                values[cell * rank + column] = value;
            }
        }
        Basis { rank, values, parts }
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
    fn new(kind: AxisKind, cells: &AxisCells) -> Axis {
        let size = cells.size() as usize;
        // What is cut finer may change faster: distances are counted in cells.
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
        let borders = (1..size as u32).map(|cell| cells.parts(cell)[0][0]).collect();
        Axis { size, levels: matches!(kind, AxisKind::Category(_)), borders, modes: modes.into() }
    }

    /// A factor at a place of the axis.
    fn value(&self, length: usize, factor: Factor, place: usize) -> f64 {
        match factor {
            Factor::Mode(mode) => self.modes[length].1[place * self.size + mode],
            Factor::Constant => 1.0,
        }
    }
}

fn matern_5_2(r: f64) -> f64 {
    let t = 5_f64.sqrt() * r;
    (1.0 + t + t * t / 3.0) * libm::exp(-t)
}

#[cfg(test)]
mod tests {
    use super::super::shape::START;
    use super::*;
    use reticent_privacy::Epsilon;
    use reticent_schema::Encoding;

    fn kernel(dimension: usize) -> Kernel {
        let spec = Spec::new(2, Encoding::unit(dimension).unwrap(), Epsilon::new(1.0).unwrap()).unwrap();
        Kernel::new(&spec, spec.grid())
    }

    fn row(basis: &Basis, cell: usize) -> &[f64] {
        &basis.values[cell * basis.rank..(cell + 1) * basis.rank]
    }

    /// The basis times its transpose is the covariance, up to the share left out.
    #[test]
    fn the_basis_has_the_priors_covariance() {
        let kernel = kernel(2);
        let lengths = [3, 5];
        let basis = kernel.basis(&lengths);
        let amplitudes = Amplitudes { offset: 0.4, main: 0.0, blocks: 0.0, smooth: 0.7, own: 0.0 };
        let scales = basis.scales(&amplitudes);
        for (a, b) in [(0_usize, 0_usize), (0, 255), (37, 200), (16, 17)] {
            let (pa, pb) = ([a / 16, a % 16], [b / 16, b % 16]);
            let product: f64 = (0..2)
                .map(|i| matern_5_2(pa[i].abs_diff(pb[i]) as f64 / 16.0 / LENGTHS[lengths[i]]))
                .product();
            let rows = row(&basis, a).iter().zip(row(&basis, b)).zip(&scales);
            let covariance: f64 = rows.map(|((x, y), scale)| x * y * scale * scale).sum();
            assert!((covariance - 0.16 - 0.49 * product).abs() < 0.49 * 0.05, "{a} {b}: {covariance}");
        }
    }

    /// The effect of an axis depends on that axis alone, and has about the deviation that the amplitude says.
    #[test]
    fn main_effects_are_of_one_axis_each() {
        let kernel = kernel(2);
        let basis = kernel.basis(&[2, 2]);
        let scales = basis.scales(&Amplitudes { offset: 0.0, main: 1.0, blocks: 0.0, smooth: 0.0, own: 0.0 });
        let value = |cell: usize, column: usize| row(&basis, cell)[column] * scales[column];
        let columns: Vec<usize> = (0..basis.rank).filter(|&column| scales[column] > 0.0).collect();
        assert_eq!(columns.len(), 12);
        for &column in &columns {
            let by_first =
                (0..256).all(|cell| (value(cell, column) - value(cell / 16 * 16, column)).abs() < 1e-12);
            let by_second =
                (0..256).all(|cell| (value(cell, column) - value(cell % 16, column)).abs() < 1e-12);
            assert!(by_first != by_second, "{column}");
        }
        let variance: f64 = columns.iter().map(|&column| value(100, column) * value(100, column)).sum();
        assert!((0.3..2.0).contains(&variance), "{variance}");
    }

    /// Cells share a value if they are on the same side of all cuts, and blocks have as good as nothing to do with each
    /// other, wherever the cuts are.
    #[test]
    fn blocks_have_values_of_their_own() {
        let kernel = kernel(2);
        let basis = Kernel::blocks_basis(4);
        let scales = basis.scales(&Amplitudes { blocks: 1.0, ..Amplitudes::smooth(0.0) });
        assert_eq!(scales.iter().filter(|&&scale| scale > 0.0).count(), 3);
        let (groups, many) = kernel.blocks(&[vec![3], vec![9]], 0);
        assert_eq!(many, 4);
        let covariance = |a: usize, b: usize| -> f64 {
            let rows = row(&basis, groups[a] as usize).iter().zip(row(&basis, groups[b] as usize));
            rows.zip(&scales).map(|((x, y), scale)| x * y * scale * scale).sum()
        };
        let cell = |x: usize, y: usize| 16 * x + y;
        for (other, expected) in [
            (cell(0, 0), 0.75),
            (cell(2, 8), 0.75),
            (cell(2, 9), -0.25),
            (cell(3, 8), -0.25),
            (cell(15, 15), -0.25),
        ] {
            assert!((covariance(0, other) - expected).abs() < 1e-12, "{other}: {}", covariance(0, other));
        }
        // With too many numbers there are too many blocks.
        assert_eq!(self::kernel(10).blocks(&[], 0).1, 1);
    }

    #[test]
    fn flat_axes_cost_no_functions_and_ten_dimensions_work() {
        let two = kernel(2);
        let rank = |lengths: [usize; 2]| two.smooth_basis(&lengths, 100).rank;
        assert!(rank([2, 6]) < rank([2, 3]));
        let ten = kernel(10);
        assert_eq!(ten.basis(&[START; 10]).values.len() % 1024, 0);
    }
}
