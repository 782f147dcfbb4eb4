//! Reads a table from CSV.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use csv::ByteRecord;

use super::super::WorldError;
use super::header::Header;
use super::{DataFault, MAX_LABELS, Table};
use reticent_jobs::table_file::{self, Trouble};
use reticent_store::Fingerprint;

impl From<DataFault> for Trouble<DataFault> {
    fn from(fault: DataFault) -> Trouble<DataFault> {
        Trouble::Fault(fault)
    }
}

impl Table {
    /// Reads a file, decompressed if its name ends in `.gz`.
    pub(in super::super) fn read(path: &Path, target_group: Option<u32>) -> Result<Table, WorldError> {
        let fault = |file, fault| WorldError::Data { file, fault };
        table_file::read(path, |input| Table::parse(input, target_group), fault)
    }

    pub(super) fn parse(input: impl Read, target_group: Option<u32>) -> Result<Table, Trouble<DataFault>> {
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(input);
        let cells = reader.byte_headers()?;
        if cells.is_empty() {
            return Err(DataFault::NoRows.into());
        }
        let header = Header::parse(cells)?;
        let mut rows = Rows::new(&header);
        let mut record = ByteRecord::new();
        while reader.read_byte_record(&mut record)? {
            rows.add(&header, &record)?;
        }
        Ok(rows.finish(&header, target_group)?)
    }
}

/// The rows so far.
struct Rows {
    contexts: Vec<f64>,
    labels: Vec<u32>,
    groups: BTreeMap<u32, Vec<u32>>,
    ranges: Vec<(f64, f64)>,
    fingerprint: Fingerprint,
}

impl Rows {
    fn new(header: &Header) -> Rows {
        let dims = header.coordinates.len();
        let mut fingerprint = Fingerprint::default();
        fingerprint.add(&(dims as u64).to_le_bytes());
        Rows {
            contexts: Vec::new(),
            labels: Vec::new(),
            groups: BTreeMap::new(),
            ranges: vec![(f64::INFINITY, f64::NEG_INFINITY); dims],
            fingerprint,
        }
    }

    fn add(&mut self, header: &Header, record: &ByteRecord) -> Result<(), DataFault> {
        let index = u32::try_from(self.labels.len()).map_err(|_| DataFault::TooManyRows)?;
        let row = u64::from(index) + 1;
        if record.len() != header.columns {
            return Err(DataFault::Ragged { row, expected: header.columns, got: record.len() });
        }
        for (i, &place) in header.coordinates.iter().enumerate() {
            let value = number::<f64>(&record[place])
                .filter(|value| value.is_finite())
                .ok_or_else(|| DataFault::NotANumber { row, column: format!("x{}", i + 1) })?;
            // Adding zero turns -0 into 0: equal values, equal fingerprints.
            self.fingerprint.add(&(value + 0.0).to_bits().to_le_bytes());
            self.contexts.push(value + 0.0);
            let (low, high) = self.ranges[i];
            self.ranges[i] = (low.min(value), high.max(value));
        }
        let label = number(&record[header.label])
            .filter(|&label: &u32| label < MAX_LABELS)
            .ok_or(DataFault::BadLabel { row })?;
        self.labels.push(label);
        self.fingerprint.add(&label.to_le_bytes());
        if let Some(place) = header.group {
            let group: u32 = number(&record[place]).ok_or(DataFault::BadGroup { row })?;
            self.fingerprint.add(&group.to_le_bytes());
            self.groups.entry(group).or_default().push(index);
        }
        Ok(())
    }

    fn finish(mut self, header: &Header, target_group: Option<u32>) -> Result<Table, DataFault> {
        let highest_label = *self.labels.iter().max().ok_or(DataFault::NoRows)?;
        let (target, sources) = match target_group {
            None => ((0..self.labels.len() as u32).collect(), Vec::new()),
            Some(_) if header.group.is_none() => return Err(DataFault::NoGroupColumn),
            Some(asked) => match self.groups.remove(&asked) {
                Some(target) => (target, self.groups.into_iter().collect()),
                None => return Err(unknown_group(asked, &self.groups)),
            },
        };
        Ok(Table {
            dims: header.coordinates.len(),
            arms: (highest_label + 1).max(2),
            contexts: self.contexts,
            labels: self.labels,
            target_group,
            target,
            sources,
            ranges: self.ranges,
            fingerprint: self.fingerprint.value(),
        })
    }
}

fn unknown_group(asked: u32, groups: &BTreeMap<u32, Vec<u32>>) -> DataFault {
    let end = |group: Option<&u32>| group.copied().unwrap_or_default();
    let (lowest, highest) = (end(groups.keys().next()), end(groups.keys().next_back()));
    DataFault::UnknownGroup { asked, groups: groups.len(), lowest, highest }
}

fn number<T: std::str::FromStr>(cell: &[u8]) -> Option<T> {
    std::str::from_utf8(cell).ok()?.trim().parse().ok()
}
