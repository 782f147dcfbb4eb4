//! The cells that a policy tells apart, and the coarser ones that a question asks about.

use serde::{Deserialize, Serialize};

use reticent_schema::{AxisKind, Encoding};

/// Cells per axis of the unit cube; a cell's number counts along the last axis first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Grid {
    sizes: Vec<u32>,
}

/// More cells than this make a posterior too large to refresh while people wait.
pub const MAX_CELLS: usize = 1024;
/// Doublings of a numeric axis: alone, and together with others.
const BITS_ALONE: u32 = 6;
const BITS_TOGETHER: u32 = 4;
/// Cells that a refresh has time for, and with many arms; more only so that each of up to ten axes is halved once.
const CELLS: usize = 512;
const MANY_ARMS: u32 = 8;
const CELLS_FOR_MANY_ARMS: usize = 256;
const MAX_BITS: usize = MAX_CELLS.ilog2() as usize;

impl Grid {
    /// The finest grid within the limits: a category axis has a cell for each level, and the numeric axes are
    /// halved in turn. None if the categories alone are too many.
    pub fn fitting(encoding: &Encoding, arms: u32) -> Option<Grid> {
        let numeric = encoding.axes().filter(|axis| axis.kind == AxisKind::Numeric).count();
        let enough = if arms > MANY_ARMS { CELLS_FOR_MANY_ARMS } else { CELLS };
        let limit = enough.max(1 << numeric.min(MAX_BITS));
        let mut sizes: Vec<u32> = encoding
            .axes()
            .map(|axis| if let AxisKind::Category(levels) = axis.kind { levels as u32 } else { 1 })
            .collect();
        let product = |sizes: &[u32]| sizes.iter().try_fold(1_usize, |p, &s| p.checked_mul(s as usize));
        if product(&sizes)? > MAX_CELLS {
            return None;
        }
        let bits = if sizes.len() == 1 { BITS_ALONE } else { BITS_TOGETHER };
        for _ in 0..bits {
            for (i, axis) in encoding.axes().enumerate() {
                if axis.kind == AxisKind::Numeric && 2 * product(&sizes)? <= limit {
                    sizes[i] *= 2;
                }
            }
        }
        Some(Grid { sizes })
    }

    /// A grid with these cells per axis; none empty, and no more than [`MAX_CELLS`] together.
    pub fn new(sizes: Vec<u32>) -> Option<Grid> {
        let cells = sizes.iter().try_fold(1_usize, |p, &s| p.checked_mul(s as usize))?;
        (1..=MAX_CELLS).contains(&cells).then_some(Grid { sizes })
    }

    /// Cells per axis.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// All cells.
    pub fn cells(&self) -> usize {
        self.sizes.iter().map(|&size| size as usize).product()
    }

    /// The cell of a point of the unit cube.
    #[inline]
    pub fn cell(&self, point: &[f64]) -> u32 {
        self.sizes.iter().zip(point).fold(0, |cell, (&size, &x)| {
            // Saturating: whatever the point, the cell is one of the grid's.
            cell * size + ((x * f64::from(size)) as u32).min(size - 1)
        })
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

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_schema::{Axis, Field};

    fn sizes(dimension: usize, arms: u32) -> Vec<u32> {
        Grid::fitting(&Encoding::unit(dimension).unwrap(), arms).unwrap().sizes
    }

    #[test]
    fn resolution_falls_with_the_dimension() {
        assert_eq!(sizes(1, 3), [64]);
        assert_eq!(sizes(2, 3), [16, 16]);
        assert_eq!(sizes(3, 3), [8, 8, 8]);
        assert_eq!(sizes(4, 3), [8, 4, 4, 4]);
        assert_eq!(sizes(2, 50), [16, 16]);
        assert_eq!(sizes(3, 50), [8, 8, 4]);
        assert_eq!(sizes(10, 3), [2; 10]);
        assert_eq!(sizes(10, 50), [2; 10]);
        assert_eq!(sizes(12, 3)[..10], [2; 10]);
        assert_eq!(sizes(12, 3)[10..], [1; 2]);
    }

    #[test]
    fn categories_get_a_cell_for_each_level() {
        let levels = (0..5).map(|i| format!("level {i}")).collect();
        let fields = vec![
            Field::Category { name: "c".into(), levels },
            Field::Numeric { name: "n".into(), low: 0.0, high: 1.0 },
        ];
        let axes = vec![Axis::Field { field: "c".into() }, Axis::Field { field: "n".into() }];
        let grid = Grid::fitting(&Encoding::new(fields, axes).unwrap(), 2).unwrap();
        assert_eq!(grid.sizes, [5, 16]);
        assert_eq!(grid.cell(&[0.5, 0.99]), 2 * 16 + 15);
        assert_eq!(grid.coarse_cells(&[5, 4]), 4);
        assert_eq!(grid.coarse_cells(&[1, 16]), 5);
        assert_eq!(grid.coarsened(&[1, 4])[2 * 16 + 15], 2 * 4 + 3);
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
