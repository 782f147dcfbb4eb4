//! The policy as a table that any device can read: one price for each cell of the contexts.

use reticent_protocol::pricing::{Table, TableError};
use reticent_schema::{AxisKind, Digest};

use super::Policy;

/// Cells that a table has at most, if its categories leave room.
const CELLS: u32 = 4_096;
/// A numeric axis is cut no finer.
const FINEST: u32 = 64;

impl Policy {
    /// The price at the middle of each cell: a category has a cell for each level, and the numeric axes are
    /// halved in turn while there are at most 4,096 cells.
    pub fn table(&self, experiment: Digest, version: u64) -> Result<Table, TableError> {
        let axes = self.terms.context().axes();
        let start = |kind| if let AxisKind::Category(levels) = kind { levels as u32 } else { 1 };
        let mut cells: Vec<u32> = axes.clone().map(|axis| start(axis.kind)).collect();
        let numeric: Vec<usize> =
            axes.enumerate().filter(|(_, axis)| axis.kind == AxisKind::Numeric).map(|(i, _)| i).collect();
        let all = |cells: &[u32]| cells.iter().fold(1_u32, |all, &size| all.saturating_mul(size));
        let mut turn = 0;
        while let Some(&axis) = numeric.get(turn % numeric.len().max(1)) {
            if cells[axis] >= FINEST || all(&cells).saturating_mul(2) > CELLS {
                break;
            }
            cells[axis] *= 2;
            turn += 1;
        }
        let quotes: Vec<f64> =
            (0..all(&cells)).map(|cell| self.quote_point(&middle(&cells, cell)).price).collect();
        let mut prices = quotes.clone();
        prices.sort_by(f64::total_cmp);
        prices.dedup();
        let number = |price: &f64| prices.iter().position(|other| other == price).unwrap_or(0) as u32;
        let map = quotes.iter().map(number).collect();
        Table::new(experiment, version, cells, prices, map)
    }
}

/// The middle of a cell; the last axis counts first.
fn middle(cells: &[u32], cell: u32) -> Vec<f64> {
    let mut rest = cell;
    let mut point: Vec<f64> = cells
        .iter()
        .rev()
        .map(|&size| {
            let place = rest % size;
            rest /= size;
            (f64::from(place) + 0.5) / f64::from(size)
        })
        .collect();
    point.reverse();
    point
}
