//! How much is wrong in a table, by column and kind. Counts of raw data: they are for its owner.

use std::collections::BTreeMap;

use super::CellFault;

/// What is wrong in a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Survey {
    /// How many rows there are.
    pub rows: u64,
    /// How many of them have another number of cells than the header.
    pub ragged: u64,
    /// What is wrong in each of the wanted columns, in their order.
    pub columns: Vec<Surveyed>,
}

/// What is wrong in a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surveyed {
    /// Its name in the plan.
    pub name: String,
    /// How many cells are refused, and why.
    pub faults: BTreeMap<CellFault, u64>,
    /// How many lie outside the range and are clipped to it.
    pub clipped: u64,
}

impl Survey {
    pub(super) fn new<'a>(names: impl Iterator<Item = &'a str>) -> Survey {
        let column = |name: &str| Surveyed { name: name.into(), faults: BTreeMap::new(), clipped: 0 };
        Survey { rows: 0, ragged: 0, columns: names.map(column).collect() }
    }

    pub(super) fn fault(&mut self, column: usize, fault: CellFault) {
        *self.columns[column].faults.entry(fault).or_default() += 1;
    }

    /// How many cells and rows are refused.
    pub fn faults(&self) -> u64 {
        self.ragged + self.columns.iter().flat_map(|column| column.faults.values()).sum::<u64>()
    }

    /// Whether the table would be taken as it is.
    pub fn is_clean(&self) -> bool {
        self.faults() == 0
    }
}
