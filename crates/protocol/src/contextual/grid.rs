//! The cells that a policy tells apart, and the coarser ones that a question asks about.

use reticent_privacy::Epsilon;
use reticent_schema::{AxisKind, Encoding};

use super::AxisCells;

/// The cells of each axis of the unit cube; a cell's number counts along the last axis first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    sizes: Vec<u32>,
    axes: Vec<AxisCells>,
}

/// More cells than this make a posterior too large to refresh while people wait.
pub const MAX_CELLS: usize = 1024;
/// Cells of a numeric axis: alone, and together with others.
const MOST_ALONE: u32 = 64;
const MOST_TOGETHER: u32 = 16;
const MOST_TOGETHER_FINE: u32 = 32;
/// Cells that a refresh has time for where questions group them, and with many arms; more only so that each of up to
/// ten axes is halved once.
const CELLS: usize = 512;
const MANY_ARMS: u32 = 8;
const CELLS_FOR_MANY_ARMS: usize = 256;
const MAX_BITS: usize = MAX_CELLS.ilog2() as usize;
/// From here on so many groups are told apart for nothing that every cell is asked about, and more of them cost memory
/// alone: 16 bytes for each pair of cells and each arm.
const FINE_EPSILON: f64 = 10.0;
const PAIRS: f64 = 6e6;

impl Grid {
    /// Cells per axis of the finest grid within the limits: a category axis has a cell for each level, as long as
    /// there is room, and the numeric axes are cut in turn; in halves, where questions take cells together.
    pub(super) fn fitting(encoding: &Encoding, arms: u32, epsilon: Epsilon) -> Vec<u32> {
        let numeric = encoding.axes().filter(|axis| axis.kind == AxisKind::Numeric).count();
        let enough = if arms > MANY_ARMS { CELLS_FOR_MANY_ARMS } else { CELLS };
        let fine = ((PAIRS / f64::from(arms)).sqrt() as usize).min(MAX_CELLS);
        let enough = if epsilon.value() >= FINE_EPSILON { fine.max(enough) } else { enough };
        let limit = enough.max(1 << numeric.min(MAX_BITS));
        let most: Vec<u32> = encoding
            .axes()
            .map(|axis| match axis.kind {
                AxisKind::Category(levels) => levels as u32,
                AxisKind::Numeric if encoding.dimension() == 1 => MOST_ALONE,
                AxisKind::Numeric if epsilon.value() >= FINE_EPSILON => MOST_TOGETHER_FINE,
                AxisKind::Numeric => MOST_TOGETHER,
            })
            .collect();
        let is_numeric: Vec<bool> = encoding.axes().map(|axis| axis.kind == AxisKind::Numeric).collect();
        cut(&most, &is_numeric, epsilon.value() < FINE_EPSILON, limit)
    }

    /// A grid with so many even cells per axis; none empty, and no more than [`MAX_CELLS`] together.
    pub fn new(sizes: Vec<u32>) -> Option<Grid> {
        let Grid { sizes, axes } = Grid::even(sizes);
        Grid::with(sizes, axes)
    }

    fn even(sizes: Vec<u32>) -> Grid {
        let axes = sizes.iter().map(|&size| AxisCells::Even(size)).collect();
        Grid { sizes, axes }
    }

    /// These cells, of so many for each axis.
    pub(super) fn with(sizes: Vec<u32>, axes: Vec<AxisCells>) -> Option<Grid> {
        let cells = sizes.iter().try_fold(1_usize, |p, &s| p.checked_mul(s as usize))?;
        (1..=MAX_CELLS).contains(&cells).then_some(Grid { sizes, axes })
    }

    /// Cells per axis.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The cells of each axis.
    pub fn axes(&self) -> &[AxisCells] {
        &self.axes
    }

    /// All cells.
    pub fn cells(&self) -> usize {
        self.sizes.iter().map(|&size| size as usize).product()
    }

    /// The cell of a point of the unit cube.
    #[inline]
    pub fn cell(&self, point: &[f64]) -> u32 {
        let axes = self.sizes.iter().zip(&self.axes).zip(point);
        axes.fold(0, |cell, ((&size, axis), &x)| cell * size + axis.cell(x))
    }

    /// The cell's place on each axis.
    pub fn places(&self, cell: usize) -> Vec<u32> {
        let mut rest = cell as u32;
        let mut places: Vec<u32> = self
            .sizes
            .iter()
            .rev()
            .map(|&size| {
                let place = rest % size;
                rest /= size;
                place
            })
            .collect();
        places.reverse();
        places
    }

    /// A point in the middle of the cell; of levels that share one, in the first.
    pub fn middle(&self, cell: usize) -> Vec<f64> {
        let middle = |(axis, place): (&AxisCells, u32)| {
            let [low, high] = axis.parts(place)[0];
            f64::midpoint(low, high)
        };
        self.axes.iter().zip(self.places(cell)).map(middle).collect()
    }

    /// The number of coarse cells when `widths` cells of each axis are taken together.
    pub fn coarse_cells(&self, widths: &[u32]) -> usize {
        self.sizes.iter().zip(widths).map(|(&size, &width)| size.div_ceil(width.max(1)) as usize).product()
    }

    /// For each cell, the coarse cell that it lies in.
    pub fn coarsened(&self, widths: &[u32]) -> Vec<u32> {
        (0..self.cells())
            .map(|cell| {
                let axes = self.places(cell).into_iter().zip(&self.sizes).zip(widths);
                axes.fold(0, |coarse, ((place, &size), &width)| {
                    coarse * size.div_ceil(width.max(1)) + place / width.max(1)
                })
            })
            .collect()
    }
}

/// Sizes of at most `most` each, and of at most `limit` cells together: always the axis with the fewest cells gets one
/// more, or a number twice as many if `halves`, while there is room. Categories come first, and leave room for halves
/// of the numbers.
fn cut(most: &[u32], is_numeric: &[bool], halves: bool, limit: usize) -> Vec<u32> {
    let numbers = is_numeric.iter().filter(|numeric| **numeric).count().min(MAX_BITS);
    let mut sizes = vec![1_u32; most.len()];
    for (numeric, limit) in [(false, limit >> numbers), (true, limit)] {
        let mut open: Vec<usize> =
            (0..most.len()).filter(|&axis| is_numeric[axis] == numeric && most[axis] > 1).collect();
        while let Some(axis) = open.iter().copied().min_by_key(|&axis| (sizes[axis], axis)) {
            let before = sizes[axis];
            sizes[axis] = if numeric && halves { 2 * before } else { before + 1 };
            let cells: usize = sizes.iter().map(|&size| size as usize).product();
            if cells > limit {
                sizes[axis] = before;
            }
            if cells > limit || sizes[axis] == most[axis] {
                open.retain(|&other| other != axis);
            }
        }
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_schema::{Axis, Field};

    fn sizes(dimension: usize, arms: u32, epsilon: f64) -> Vec<u32> {
        Grid::fitting(&Encoding::unit(dimension).unwrap(), arms, Epsilon::new(epsilon).unwrap())
    }

    #[test]
    fn resolution_falls_with_the_dimension_and_rises_without_noise() {
        assert_eq!(sizes(1, 3, 1.0), [64]);
        assert_eq!(sizes(2, 3, 1.0), [16, 16]);
        assert_eq!(sizes(2, 3, 10.0), [32, 32]);
        assert_eq!(sizes(3, 3, 1.0), [8, 8, 8]);
        assert_eq!(sizes(3, 50, 1.0), [8, 8, 4]);
        assert_eq!(sizes(3, 3, 10.0), [10, 10, 10]);
        assert_eq!(sizes(3, 10, 10.0), [9, 9, 9]);
        assert_eq!(sizes(10, 3, 1.0), [2; 10]);
        assert_eq!(sizes(10, 50, 1.0), [2; 10]);
        assert_eq!(sizes(12, 3, 1.0)[..10], [2; 10]);
        assert_eq!(sizes(12, 3, 1.0)[10..], [1; 2]);
    }

    #[test]
    fn categories_get_a_cell_for_each_level_while_there_is_room() {
        let grid = |levels: usize| {
            let levels = (0..levels).map(|i| format!("level {i}")).collect();
            let fields = vec![
                Field::Category { name: "c".into(), levels },
                Field::Numeric { name: "n".into(), low: 0.0, high: 1.0 },
            ];
            let axes = vec![Axis::Field { field: "c".into() }, Axis::Field { field: "n".into() }];
            let encoding = Encoding::new(fields, axes).unwrap();
            let sizes = Grid::fitting(&encoding, 2, Epsilon::new(1.0).unwrap());
            Grid::sized(&encoding, &sizes).unwrap()
        };
        assert_eq!(grid(5).sizes, [5, 16]);
        assert_eq!(grid(5).cell(&[0.5, 0.99]), 2 * 16 + 15);
        assert_eq!(grid(5).coarse_cells(&[5, 4]), 4);
        assert_eq!(grid(5).coarse_cells(&[1, 16]), 5);
        assert_eq!(grid(5).coarsened(&[1, 4])[2 * 16 + 15], 2 * 4 + 3);
        assert_eq!(grid(100).sizes, [100, 4]);
        assert_eq!(grid(300).sizes, [256, 2]);
    }

    #[test]
    fn every_point_has_a_cell_and_places_undo_numbers() {
        let grid = Grid::new(vec![3, 4, 2]).unwrap();
        for cell in 0..grid.cells() {
            let places = grid.places(cell);
            let middle: Vec<f64> =
                places.iter().zip(grid.sizes()).map(|(&p, &s)| (f64::from(p) + 0.5) / f64::from(s)).collect();
            assert_eq!(grid.cell(&middle) as usize, cell);
        }
        assert_eq!(grid.cell(&[1.0, 1.0, 1.0]) as usize, grid.cells() - 1);
        assert_eq!(grid.cell(&[-1.0, f64::NAN, 0.0]), 0);
        assert!(Grid::new(vec![0]).is_none() && Grid::new(vec![64, 64]).is_none());
    }
}
