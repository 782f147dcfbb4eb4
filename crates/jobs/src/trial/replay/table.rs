//! The table, read once and kept as numbers. Every row is checked before anybody is assigned.

use std::fmt;
use std::io::Read;
use std::path::Path;

use csv::ByteRecord;
use reticent_curate::trial::{Stratum, TrialSpec};

use super::{ReplayError, RowFault, Shown};
use crate::table_file::{self, Trouble};

/// A table's people.
pub struct Table {
    arms: usize,
    strata: Vec<u32>,
    /// In a randomised table the arm that each person got.
    given: Option<Vec<u8>>,
    /// One for each row, or one for each row and arm.
    outcomes: Vec<f64>,
}

/// The shape alone: the values belong to people.
impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("rows", &self.rows()).finish_non_exhaustive()
    }
}

impl From<RowFault> for Trouble<RowFault> {
    fn from(fault: RowFault) -> Trouble<RowFault> {
        Trouble::Fault(fault)
    }
}

impl Table {
    /// Reads a file, decompressed if its name ends in `.gz`.
    pub fn read(path: &Path, spec: &TrialSpec, shown: &Shown) -> Result<Table, ReplayError> {
        let fault = |file, fault| ReplayError::Data { file, fault };
        table_file::read(path, |input| parse(input, spec, shown), fault)
    }

    /// How many people there are.
    pub fn rows(&self) -> u32 {
        self.strata.len() as u32
    }

    /// How many arms there are.
    pub fn arms(&self) -> usize {
        self.arms
    }

    pub(super) fn stratum_number(&self, row: u32) -> usize {
        self.strata[row as usize] as usize
    }

    /// A person's stratum; none for another plan than the one the table was read by.
    pub(super) fn stratum(&self, spec: &TrialSpec, row: u32) -> Option<Stratum> {
        Stratum::new(spec, self.stratum_number(row))
    }

    /// A person's outcome on an arm, if the table shows it.
    pub(super) fn outcome(&self, row: u32, arm: usize) -> Option<f64> {
        let row = row as usize;
        match &self.given {
            Some(given) => (given[row] as usize == arm).then(|| self.outcomes[row]),
            None => Some(self.outcomes[row * self.arms + arm]),
        }
    }

    /// Whether the table shows one arm a person.
    pub fn is_randomised(&self) -> bool {
        self.given.is_some()
    }
}

fn parse(input: impl Read, spec: &TrialSpec, shown: &Shown) -> Result<Table, Trouble<RowFault>> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(input);
    let cells = reader.byte_headers()?;
    if cells.is_empty() {
        return Err(RowFault::NoRows.into());
    }
    let columns = Columns::find(cells, spec, shown)?;
    let mut table = Table {
        arms: spec.arms(),
        strata: Vec::new(),
        given: columns.arm.is_some().then(Vec::new),
        outcomes: Vec::new(),
    };
    let mut record = ByteRecord::new();
    while reader.read_byte_record(&mut record)? {
        columns.add(&record, spec, &mut table)?;
    }
    if table.strata.is_empty() { Err(RowFault::NoRows.into()) } else { Ok(table) }
}

/// Where the named columns are.
struct Columns<'a> {
    width: usize,
    features: Vec<usize>,
    arm: Option<(usize, &'a str, &'a [String])>,
    outcomes: Vec<(usize, &'a str)>,
}

impl<'a> Columns<'a> {
    fn find(header: &ByteRecord, spec: &'a TrialSpec, shown: &'a Shown) -> Result<Columns<'a>, RowFault> {
        let place = |column: &'a str| {
            let mut places = (0..header.len()).filter(|&place| text(header, place) == Some(column));
            let first = places.next().ok_or_else(|| RowFault::NoColumn { column: column.into() })?;
            match places.next() {
                None => Ok(first),
                Some(_) => Err(RowFault::RepeatedColumn { column: column.into() }),
            }
        };
        let outcome = |column: &'a str| Ok((place(column)?, column));
        let features = spec.draft().features.iter().map(|feature| place(&feature.column));
        let (arm, outcomes) = match shown {
            Shown::Randomised { column, values } => (
                Some((place(column)?, column.as_str(), values.as_slice())),
                vec![outcome(&spec.draft().outcome.column)?],
            ),
            Shown::Potential { columns } => {
                (None, columns.iter().map(|column| outcome(column)).collect::<Result<_, RowFault>>()?)
            }
        };
        Ok(Columns { width: header.len(), features: features.collect::<Result<_, _>>()?, arm, outcomes })
    }

    fn add(&self, record: &ByteRecord, spec: &TrialSpec, table: &mut Table) -> Result<(), RowFault> {
        if table.strata.len() >= u32::MAX as usize {
            return Err(RowFault::TooManyRows);
        }
        let row = table.strata.len() as u64 + 1;
        if record.len() != self.width {
            return Err(RowFault::Ragged { row, expected: self.width, got: record.len() });
        }
        let mut stratum = 0;
        for (feature, &place) in spec.draft().features.iter().zip(&self.features) {
            let level = text(record, place).and_then(|cell| feature.level(cell));
            let level = level.ok_or_else(|| RowFault::Level { row, column: feature.column.clone() })?;
            stratum = stratum * feature.count() + level;
        }
        if let (Some((place, column, values)), Some(given)) = (self.arm, &mut table.given) {
            let arm = values.iter().position(|value| text(record, place) == Some(value));
            given.push(arm.ok_or_else(|| RowFault::Arm { row, column: column.into() })? as u8);
        }
        for &(place, column) in &self.outcomes {
            let value = text(record, place).and_then(|cell| cell.parse::<f64>().ok());
            let value = value
                .filter(|value| !value.is_nan())
                .ok_or_else(|| RowFault::NotANumber { row, column: column.into() })?;
            if spec.draft().outcome.steps(value).is_none() {
                return Err(RowFault::OutOfRange { row, column: column.into() });
            }
            table.outcomes.push(value);
        }
        table.strata.push(stratum as u32);
        Ok(())
    }
}

fn text(record: &ByteRecord, place: usize) -> Option<&str> {
    std::str::from_utf8(record.get(place)?).ok().map(str::trim)
}
