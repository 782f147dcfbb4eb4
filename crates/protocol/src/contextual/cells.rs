//! Cells that a policy has learned to tell apart, in place of the experiment's own: narrow where people are and where
//! rewards change, wide where nothing depends on it.

use reticent_schema::{AxisKind, AxisView, Encoding};
use serde::{Deserialize, Serialize};

use super::Grid;

/// A number's axis is cut at multiples of one over this.
pub const STEPS: u32 = 4096;

/// The cells of one axis.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AxisCells {
    /// So many, all of the same width; of a category, one for each level.
    Even(u32),
    /// Of a number: where each cell but the first begins, in steps.
    Cuts(Vec<u16>),
    /// Of a category: for each level its cell. Cells are numbered in the order of their first levels.
    Levels(Vec<u16>),
}

impl AxisCells {
    /// How many cells there are.
    pub fn size(&self) -> u32 {
        match self {
            AxisCells::Even(size) => *size,
            AxisCells::Cuts(cuts) => cuts.len() as u32 + 1,
            AxisCells::Levels(levels) => levels.iter().map(|&cell| u32::from(cell) + 1).max().unwrap_or(0),
        }
    }

    /// The cell of a place on the axis.
    #[inline]
    pub fn cell(&self, x: f64) -> u32 {
        // Saturating: whatever the place, the cell is one of the axis's.
        match self {
            AxisCells::Even(size) => ((x * f64::from(*size)) as u32).min(size - 1),
            AxisCells::Cuts(cuts) => {
                let step = (x * f64::from(STEPS)) as u32;
                cuts.partition_point(|&cut| u32::from(cut) <= step) as u32
            }
            AxisCells::Levels(levels) => {
                let level = ((x * levels.len() as f64) as usize).min(levels.len() - 1);
                u32::from(levels[level])
            }
        }
    }

    /// The parts of the axis that the cell is made of, each from and to where.
    pub fn parts(&self, cell: u32) -> Vec<[f64; 2]> {
        let even = |at: usize, of: usize| [at as f64 / of as f64, (at + 1) as f64 / of as f64];
        match self {
            AxisCells::Even(size) => vec![even(cell as usize, *size as usize)],
            AxisCells::Cuts(cuts) => {
                let cut = |at: usize| f64::from(cuts[at]) / f64::from(STEPS);
                let low = if cell == 0 { 0.0 } else { cut(cell as usize - 1) };
                let high = if cell as usize == cuts.len() { 1.0 } else { cut(cell as usize) };
                vec![[low, high]]
            }
            AxisCells::Levels(levels) => {
                let own = (0..levels.len()).filter(|&level| u32::from(levels[level]) == cell);
                own.map(|level| even(level, levels.len())).collect()
            }
        }
    }

    fn fits(&self, kind: AxisKind) -> bool {
        match (self, kind) {
            (AxisCells::Even(size), AxisKind::Numeric) => (1..=STEPS).contains(size),
            (AxisCells::Even(size), AxisKind::Category(levels)) => *size as usize == levels,
            (AxisCells::Cuts(cuts), AxisKind::Numeric) => {
                cuts.iter().all(|&cut| (1..STEPS).contains(&u32::from(cut)))
                    && cuts.windows(2).all(|pair| pair[0] < pair[1])
            }
            (AxisCells::Levels(cells), AxisKind::Category(levels)) => {
                let mut next = 0;
                let in_order = cells.iter().all(|&cell| {
                    let known = cell <= next;
                    next += u16::from(cell == next);
                    known
                });
                cells.len() == levels && in_order
            }
            _ => false,
        }
    }
}

impl Grid {
    /// So many cells on each axis: of a number, even ones; of a category, of as many levels each as can be, in the
    /// order of their list. None if there are too many, more than levels, or not one size for each axis.
    pub fn sized(encoding: &Encoding, sizes: &[u32]) -> Option<Grid> {
        let cells = |(axis, &size): (AxisView<'_>, &u32)| match axis.kind {
            AxisKind::Category(levels) if (1..levels).contains(&(size as usize)) => {
                let cell = |level: usize| ((2 * level + 1) * size as usize / (2 * levels)) as u16;
                AxisCells::Levels((0..levels).map(cell).collect())
            }
            _ => AxisCells::Even(size),
        };
        let axes = encoding.axes().zip(sizes).map(cells).collect();
        if sizes.len() == encoding.dimension() { Grid::of(encoding, axes) } else { None }
    }

    /// A grid with these cells on each axis of the encoding; none empty, and no more than
    /// [`MAX_CELLS`](super::MAX_CELLS) together.
    pub fn of(encoding: &Encoding, axes: Vec<AxisCells>) -> Option<Grid> {
        let fit = axes.len() == encoding.dimension()
            && axes.iter().zip(encoding.axes()).all(|(cells, axis)| cells.fits(axis.kind));
        let sizes = axes.iter().map(AxisCells::size).collect();
        if fit { Grid::with(sizes, axes) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_schema::{Axis, Field};

    fn encoding() -> Encoding {
        let levels = (0..5).map(|i| format!("level {i}")).collect();
        let fields = vec![
            Field::Category { name: "c".into(), levels },
            Field::Numeric { name: "n".into(), low: 0.0, high: 1.0 },
        ];
        let axes = vec![Axis::Field { field: "c".into() }, Axis::Field { field: "n".into() }];
        Encoding::new(fields, axes).unwrap()
    }

    #[test]
    fn a_point_is_in_the_cell_whose_parts_hold_it() {
        let axes = vec![AxisCells::Levels(vec![0, 1, 0, 2, 1]), AxisCells::Cuts(vec![1, 2048, 4095])];
        let grid = Grid::of(&encoding(), axes).unwrap();
        assert_eq!((grid.sizes(), grid.cells()), (&[3, 4][..], 12));
        for (x, y) in [(0.1, 0.0), (0.5, 0.3), (0.3, 0.5), (0.9, 0.9999), (0.7, 1.0), (0.3, 0.0002)] {
            let places = grid.places(grid.cell(&[x, y]) as usize);
            for ((axis, &place), at) in grid.axes().iter().zip(&places).zip([x, y]) {
                let inside = |[low, high]: &[f64; 2]| (low..=high).contains(&&at);
                assert!(axis.parts(place).iter().any(inside), "{x} {y}: {places:?}");
            }
        }
        // Whatever the point, there is a cell.
        assert_eq!(grid.cell(&[f64::NAN, f64::INFINITY]), 3);
        let wide = |axis: &AxisCells| -> f64 {
            (0..axis.size()).flat_map(|cell| axis.parts(cell)).map(|[low, high]| high - low).sum()
        };
        assert!(grid.axes().iter().all(|axis| (wide(axis) - 1.0).abs() < 1e-12));
    }

    #[test]
    fn fewer_cells_than_levels_hold_them_in_their_order() {
        let grid = |sizes: &[u32]| Grid::sized(&encoding(), sizes).map(|grid| grid.axes().to_vec());
        assert_eq!(grid(&[2, 3]), Some(vec![AxisCells::Levels(vec![0, 0, 1, 1, 1]), AxisCells::Even(3)]));
        assert_eq!(grid(&[5, 1]), Some(vec![AxisCells::Even(5), AxisCells::Even(1)]));
        for sizes in [&[6, 2][..], &[0, 2], &[2], &[2, 2, 2], &[5, 500]] {
            assert_eq!(grid(sizes), None, "{sizes:?}");
        }
    }

    #[test]
    fn cells_that_are_none_are_refused() {
        let even = AxisCells::Even(2);
        let of = |c: AxisCells, n: AxisCells| Grid::of(&encoding(), vec![c, n]);
        assert!(of(AxisCells::Even(5), even.clone()).is_some());
        assert!(of(AxisCells::Levels(vec![0; 5]), AxisCells::Cuts(Vec::new())).is_some());
        for refused in [
            AxisCells::Even(6),
            AxisCells::Even(4),
            AxisCells::Even(0),
            AxisCells::Cuts(vec![5]),
            AxisCells::Levels(vec![0; 4]),
            AxisCells::Levels(vec![1, 0, 0, 0, 0]),
            AxisCells::Levels(vec![0, 2, 1, 0, 0]),
        ] {
            assert!(of(refused.clone(), even.clone()).is_none(), "{refused:?}");
        }
        for refused in [
            AxisCells::Even(0),
            AxisCells::Even(600),
            AxisCells::Cuts(vec![0]),
            AxisCells::Cuts(vec![4096]),
            AxisCells::Cuts(vec![7, 7]),
            AxisCells::Levels(vec![0; 5]),
        ] {
            assert!(of(AxisCells::Even(2), refused.clone()).is_none(), "{refused:?}");
        }
        assert!(Grid::of(&encoding(), vec![even]).is_none());
    }
}
