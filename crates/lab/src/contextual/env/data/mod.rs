//! Classification data as a bandit: the labels are the arms (Section 4.2 of the paper).

mod fault;
mod header;
mod mixed;
mod read;
#[cfg(test)]
mod tests;

use std::fmt;

use super::Identity;
use reticent_schema::Field;

pub use fault::DataFault;

/// The most labels of a file.
pub const MAX_LABELS: u32 = 1000;

/// A file's rows. Contexts are as in the file; to bring them into [0, 1] is the encoder's business.
pub(super) struct Table {
    dims: usize,
    arms: u32,
    contexts: Vec<f64>,
    labels: Vec<u32>,
    target_group: Option<u32>,
    /// The rows that are served.
    target: Vec<u32>,
    /// Every other group and its rows, by number.
    sources: Vec<(u32, Vec<u32>)>,
    ranges: Vec<(f64, f64)>,
    fields: Vec<Field>,
    fingerprint: u64,
}

impl Table {
    pub(super) fn dims(&self) -> usize {
        self.dims
    }

    #[inline]
    pub(super) fn arms(&self) -> u32 {
        self.arms
    }

    #[inline]
    pub(super) fn context(&self, row: u32) -> &[f64] {
        &self.contexts[row as usize * self.dims..][..self.dims]
    }

    #[inline]
    pub(super) fn label(&self, row: u32) -> u32 {
        self.labels[row as usize]
    }

    pub(super) fn target(&self) -> &[u32] {
        &self.target
    }

    pub(super) fn sources(&self) -> &[(u32, Vec<u32>)] {
        &self.sources
    }

    pub(super) fn ranges(&self) -> &[(f64, f64)] {
        &self.ranges
    }

    /// What each coordinate is: as declared by the file's words, or a number of its range.
    pub(super) fn fields(&self) -> Vec<Field> {
        if !self.fields.is_empty() {
            return self.fields.clone();
        }
        let number = |(i, &(low, high)): (usize, &(f64, f64))| {
            // A coordinate that never changes says nothing wherever it is put.
            let (low, high) = if low < high { (low, high) } else { (0.0, 1.0) };
            Field::Numeric { name: format!("x{}", i + 1), low, high }
        };
        self.ranges.iter().enumerate().map(number).collect()
    }

    pub(super) fn identity(&self) -> Identity {
        Identity::Data {
            dims: self.dims,
            rows: self.labels.len() as u64,
            arms: self.arms,
            target_group: self.target_group,
            values: format!("{:016x}", self.fingerprint),
        }
    }
}

/// The shape alone: the values belong to people.
impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table")
            .field("dims", &self.dims)
            .field("rows", &self.labels.len())
            .field("arms", &self.arms)
            .finish_non_exhaustive()
    }
}
