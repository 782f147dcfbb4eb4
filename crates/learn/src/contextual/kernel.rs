//! The prior: what an arm's reward may look like as a function of the context.
//!
//! It is a sum of five parts, each with an amplitude that is learned and may vanish: an offset that is the same for
//! everybody, an effect of each axis by itself, a value of each block of halves, a smooth function of all axes
//! together, and what each cell has of its own. The smooth part's covariance is a product over axes of Matern 5/2
//! kernels, so its eigenfunctions are products of small ones; keeping the largest gives every arm's function as a few
//! dozen independent coefficients.

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
const MAX_RANK: usize = 104;
/// Of these for the effect of one axis, and of all axes together.
const MODES_OF_NUMBERS: usize = 6;
const MODES_OF_LEVELS: usize = 24;
const MAIN_SHARE: usize = 48;
const SHARE: f64 = 0.9999;
/// Halves of more numbers than this are too many to look at.
const HALVED_AXES: usize = 5;

/// The rank is a multiple of it.
pub(super) const LANES: usize = 8;

/// What the prior believes of how rewards vary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shape {
    /// An index into [`LENGTHS`] for each axis.
    pub(super) lengths: Vec<usize>,
    /// How large each part is.
    #[serde(default)]
    pub(super) amplitudes: Amplitudes,
    /// What there was before rewards had parts: no longer written.
    #[serde(default, skip_serializing)]
    amplitude: Option<f64>,
}

/// The standard deviation of each part of a reward function around its level, in units of the half range.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Amplitudes {
    /// The same for everybody.
    pub(super) offset: f64,
    /// Of each axis by itself.
    pub(super) main: f64,
    /// Of the halves of all axes together.
    #[serde(default)]
    pub(super) halves: f64,
    /// Of all axes together.
    pub(super) smooth: f64,
    /// Of each cell.
    pub(super) own: f64,
}

impl Default for Amplitudes {
    fn default() -> Amplitudes {
        Amplitudes { offset: 0.3, main: 0.25, halves: 0.25, smooth: 0.35, own: 0.05 }
    }
}

impl Amplitudes {
    /// Of one part alone.
    pub(super) const fn smooth(smooth: f64) -> Amplitudes {
        Amplitudes { offset: 0.0, main: 0.0, halves: 0.0, smooth, own: 0.0 }
    }

    fn of(&self, part: Part) -> f64 {
        match part {
            Part::Offset => self.offset,
            Part::Main => self.main,
            Part::Halves => self.halves,
            Part::Smooth => self.smooth,
        }
    }

    pub(super) fn all(&mut self) -> [&mut f64; 5] {
        [&mut self.offset, &mut self.main, &mut self.halves, &mut self.smooth, &mut self.own]
    }
}

/// What a function of a basis belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Offset,
    Main,
    Halves,
    Smooth,
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
        self.parts.iter().map(|&part| amplitudes.of(part)).collect()
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
    /// -1 in the lower half, and 1 in the upper one.
    Half,
}

impl Kernel {
    pub(super) fn new(spec: &Spec) -> Kernel {
        let axes = spec.encoding().axes().zip(spec.grid().sizes());
        let axes = axes.map(|(axis, &size)| Axis::new(axis.kind, size as usize)).collect();
        Kernel { axes, cells: spec.grid().cells() }
    }

    pub(super) fn start(&self) -> Shape {
        Shape { lengths: vec![START; self.axes.len()], amplitudes: Amplitudes::default(), amplitude: None }
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
        functions.extend(self.halves());
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

    /// What depends alone on which half of each number a person is in: each block of halves has a value of its own.
    fn halves(&self) -> Vec<Function> {
        let open: Vec<usize> = (0..self.axes.len())
            .filter(|&axis| !self.axes[axis].levels && self.axes[axis].size > 1)
            .collect();
        if open.len() > HALVED_AXES || open.is_empty() {
            return Vec::new();
        }
        let blocks = 1_usize << open.len();
        let function = |together: usize| {
            let mut factors = vec![Factor::Constant; self.axes.len()];
            for (bit, &axis) in open.iter().enumerate() {
                if (together >> bit) & 1 == 1 {
                    factors[axis] = Factor::Half;
                }
            }
            Function { part: Part::Halves, deviation: 1.0 / (blocks as f64).sqrt(), factors }
        };
        (1..blocks).map(function).collect()
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
        Axis { size, levels: matches!(kind, AxisKind::Category(_)), modes: modes.into() }
    }

    /// A factor at a place of the axis.
    fn value(&self, length: usize, factor: Factor, place: usize) -> f64 {
        match factor {
            Factor::Mode(mode) => self.modes[length].1[place * self.size + mode],
            Factor::Half if 2 * place < self.size => -1.0,
            Factor::Constant | Factor::Half => 1.0,
        }
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
        let lengths = [3, 5];
        let basis = kernel.basis(&lengths);
        let amplitudes = Amplitudes { offset: 0.4, main: 0.0, halves: 0.0, smooth: 0.7, own: 0.0 };
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
        let scales = basis.scales(&Amplitudes { offset: 0.0, main: 1.0, halves: 0.0, smooth: 0.0, own: 0.0 });
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

    /// Cells share a value if they share all halves, and blocks have as good as nothing to do with each other.
    #[test]
    fn blocks_of_halves_have_values_of_their_own() {
        let kernel = kernel(2);
        let basis = kernel.basis(&[START, START]);
        let scales = basis.scales(&Amplitudes { halves: 1.0, ..Amplitudes::smooth(0.0) });
        assert_eq!(scales.iter().filter(|&&scale| scale > 0.0).count(), 3);
        for (other, covariance) in [(0, 0.75), (7 * 16 + 7, 0.75), (8, -0.25), (8 * 16, -0.25), (255, -0.25)]
        {
            let rows = row(&basis, 0).iter().zip(row(&basis, other)).zip(&scales);
            let found: f64 = rows.map(|((x, y), scale)| x * y * scale * scale).sum();
            assert!((found - covariance).abs() < 1e-12, "{other}: {found}");
        }
        // With too many numbers there are too many blocks.
        assert!(self::kernel(10).halves().is_empty());
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
