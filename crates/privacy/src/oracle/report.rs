//! What leaves a device, and its form on the wire.

use serde::{Deserialize, Serialize};

/// One person's answer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Report {
    /// The number of one output.
    Index(u32),
    /// A set of symbols: symbol i is bit i mod 64 of word i / 64.
    Set(Vec<u64>),
}

/// What an oracle's reports look like: the one place that knows their form on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One of `outputs` numbers.
    Index {
        /// How many outputs there are.
        outputs: u32,
    },
    /// A set of some of `symbols` symbols.
    Set {
        /// How many symbols there are.
        symbols: u32,
        /// How many of them each set has, if that is fixed.
        members: Option<u32>,
    },
}

/// Why bytes or a report are none of this oracle's. Never contains the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// Too few bytes, or too many.
    #[error(
        "a report of this oracle has {expected} bytes, not {got}; check that the device uses the same settings"
    )]
    Length {
        /// The length of each report.
        expected: usize,
        /// The length that came.
        got: usize,
    },
    /// An index beyond the outputs, or bits beyond the symbols.
    #[error(
        "the report names an output that this oracle does not have; check that the device uses the same settings"
    )]
    OutOfRange,
    /// A set of another size.
    #[error(
        "each set of this oracle has {expected} symbols, the report's has not; it was not made by this oracle"
    )]
    SetSize {
        /// The size of each set.
        expected: u32,
    },
    /// A set where an index is due, or the reverse.
    #[error("the report is of another kind of oracle; check that the device uses the same settings")]
    OtherShape,
    /// Counts of another length.
    #[error(
        "the counts have {got} cells where this oracle has {expected}; start them as zeros, one for each cell"
    )]
    Cells {
        /// The oracle's cells.
        expected: usize,
        /// The cells given.
        got: usize,
    },
}

impl Shape {
    /// The number of counts: outputs of an index, symbols of a set.
    #[inline]
    pub fn cells(self) -> usize {
        match self {
            Shape::Index { outputs: cells } | Shape::Set { symbols: cells, .. } => cells as usize,
        }
    }

    /// The length of each encoded report.
    #[inline]
    pub fn bytes(self) -> usize {
        match self {
            // The largest index decides; one output needs no byte.
            Shape::Index { outputs } => {
                (u32::BITS - outputs.saturating_sub(1).leading_zeros()).div_ceil(8) as usize
            }
            Shape::Set { symbols, .. } => symbols.div_ceil(8) as usize,
        }
    }

    /// Is this a report of this shape?
    #[inline]
    pub fn check(self, report: &Report) -> Result<(), ReportError> {
        match (self, report) {
            (Shape::Index { outputs }, Report::Index(index)) => {
                if *index < outputs {
                    Ok(())
                } else {
                    Err(ReportError::OutOfRange)
                }
            }
            (Shape::Set { symbols, members }, Report::Set(words)) => check_set(symbols, members, words),
            _ => Err(ReportError::OtherShape),
        }
    }

    /// The report's bytes, [`bytes`](Self::bytes) of them: an index or a set's bits, lowest first. Bytes
    /// of a report of another shape are cut or filled up to that length, and mean nothing.
    pub fn encode(self, report: &Report) -> Vec<u8> {
        let mut bytes: Vec<u8> = match report {
            Report::Index(index) => index.to_le_bytes().to_vec(),
            Report::Set(words) => words.iter().flat_map(|word| word.to_le_bytes()).collect(),
        };
        bytes.resize(self.bytes(), 0);
        bytes
    }

    /// The report of these bytes: accepts what [`encode`](Self::encode) writes for a report of this shape, and nothing
    /// else.
    pub fn decode(self, bytes: &[u8]) -> Result<Report, ReportError> {
        if bytes.len() != self.bytes() {
            return Err(ReportError::Length { expected: self.bytes(), got: bytes.len() });
        }
        let report = match self {
            Shape::Index { .. } => Report::Index(little_endian(bytes) as u32),
            Shape::Set { .. } => Report::Set(bytes.chunks(8).map(little_endian).collect()),
        };
        self.check(&report)?;
        Ok(report)
    }

    /// Adds a checked report to `counts`.
    #[inline]
    pub fn count(self, report: &Report, counts: &mut [u64]) -> Result<(), ReportError> {
        if counts.len() != self.cells() {
            return Err(ReportError::Cells { expected: self.cells(), got: counts.len() });
        }
        self.check(report)?;
        match report {
            Report::Index(index) => counts[*index as usize] = counts[*index as usize].saturating_add(1),
            Report::Set(words) => {
                for (cells, &word) in counts.chunks_mut(64).zip(words) {
                    let mut rest = word;
                    while rest != 0 {
                        let cell = &mut cells[rest.trailing_zeros() as usize];
                        *cell = cell.saturating_add(1);
                        rest &= rest - 1;
                    }
                }
            }
        }
        Ok(())
    }
}

fn check_set(symbols: u32, members: Option<u32>, words: &[u64]) -> Result<(), ReportError> {
    let expected = symbols.div_ceil(64) as usize;
    if words.len() != expected {
        return Err(ReportError::Length { expected: 8 * expected, got: 8 * words.len() });
    }
    // Bits beyond the symbols, in the last word.
    let beyond = if symbols.is_multiple_of(64) { 0 } else { u64::MAX << (symbols % 64) };
    if words.last().is_some_and(|last| last & beyond != 0) {
        return Err(ReportError::OutOfRange);
    }
    let size: u32 = words.iter().map(|word| word.count_ones()).sum();
    match members {
        Some(members) if members != size => Err(ReportError::SetSize { expected: members }),
        _ => Ok(()),
    }
}

/// Up to eight bytes, lowest first.
fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}
