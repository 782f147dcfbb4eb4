//! Reads a table.

use std::collections::BTreeMap;
use std::path::Path;

use super::super::WorldError;
use super::header::Header;
use super::mixed::Mixed;
use super::{DataFault, MAX_LABELS, Table};
use reticent_jobs::columns::{self, Batch, Layout, Reading, RowWatcher, TableFiles};
use reticent_schema::Field;
use reticent_store::Fingerprint;

impl Table {
    /// Reads a table.
    pub(in super::super) fn read(place: &Path, target_group: Option<u32>) -> Result<Table, WorldError> {
        let wrong = |fault| WorldError::Data { file: place.display().to_string(), fault };
        let files = TableFiles::one(place)?;
        let header = Header::parse(&columns::header(&files)?.names).map_err(wrong)?;
        let mut rows = Rows::new(&header);
        let mut mixed = Mixed::new(&header.context);
        let watcher = header.mixed.then_some(&mut mixed as &mut dyn RowWatcher);
        let reading = Reading { watcher, once: false };
        columns::read_with(&files, &Layout::numbers(&header.numbers()), reading, |batch| {
            rows.add(&header, batch).map_err(wrong)
        })?;
        if header.mixed {
            rows.take_mixed(mixed).map_err(wrong)?;
        }
        rows.finish(&header, target_group).map_err(wrong)
    }
}

/// The rows so far.
struct Rows {
    contexts: Vec<f64>,
    labels: Vec<u32>,
    groups: BTreeMap<u32, Vec<u32>>,
    ranges: Vec<(f64, f64)>,
    /// What each coordinate is; none for x1, x2, .., which are numbers.
    fields: Vec<Field>,
    fingerprint: Fingerprint,
}

impl Rows {
    fn new(header: &Header) -> Rows {
        let dims = header.dims();
        let mut fingerprint = Fingerprint::default();
        fingerprint.add(&(dims as u64).to_le_bytes());
        Rows {
            contexts: Vec::new(),
            labels: Vec::new(),
            groups: BTreeMap::new(),
            ranges: vec![(f64::INFINITY, f64::NEG_INFINITY); dims],
            fields: Vec::new(),
            fingerprint,
        }
    }

    /// Coordinates, unless they are mixed, then the label, then the group.
    fn add(&mut self, header: &Header, batch: &Batch) -> Result<(), DataFault> {
        let coordinates = if header.mixed { 0 } else { header.dims() };
        for row in 0..batch.rows() {
            let (index, told) = (self.labels.len(), batch.row_in_file(row));
            let index = u32::try_from(index).map_err(|_| DataFault::TooManyRows)?;
            for i in 0..coordinates {
                // Adding zero turns -0 into 0: equal values, equal fingerprints.
                let value = batch.column(i)[row] + 0.0;
                self.fingerprint.add(&value.to_bits().to_le_bytes());
                self.contexts.push(value);
                let (low, high) = self.ranges[i];
                self.ranges[i] = (low.min(value), high.max(value));
            }
            let label = whole(batch.column(coordinates)[row])
                .filter(|&label| label < MAX_LABELS)
                .ok_or(DataFault::BadLabel { row: told })?;
            self.labels.push(label);
            self.fingerprint.add(&label.to_le_bytes());
            if header.group {
                let group = whole(batch.column(coordinates + 1)[row]);
                let group = group.ok_or(DataFault::BadGroup { row: told })?;
                self.fingerprint.add(&group.to_le_bytes());
                self.groups.entry(group).or_default().push(index);
            }
        }
        Ok(())
    }

    /// The contexts of columns with names of their own.
    fn take_mixed(&mut self, mixed: Mixed) -> Result<(), DataFault> {
        let columns = mixed.finish()?;
        self.ranges = columns.iter().map(|(field, _)| super::super::ends(field)).collect();
        for row in 0..self.labels.len() {
            self.contexts.extend(columns.iter().map(|(_, numbers)| numbers[row]));
        }
        for value in &self.contexts {
            self.fingerprint.add(&value.to_bits().to_le_bytes());
        }
        self.fields = columns.into_iter().map(|(field, _)| field).collect();
        for field in &self.fields {
            self.fingerprint.add(field.name().as_bytes());
            if let Field::Category { levels, .. } = field {
                for level in levels {
                    self.fingerprint.add(level.as_bytes());
                }
            }
        }
        Ok(())
    }

    fn finish(mut self, header: &Header, target_group: Option<u32>) -> Result<Table, DataFault> {
        // A table without rows was refused.
        let highest_label = self.labels.iter().max().copied().unwrap_or(0);
        let (target, sources) = match target_group {
            None => ((0..self.labels.len() as u32).collect(), Vec::new()),
            Some(_) if !header.group => return Err(DataFault::NoGroupColumn),
            Some(asked) => match self.groups.remove(&asked) {
                Some(target) => (target, self.groups.into_iter().collect()),
                None => return Err(DataFault::UnknownGroup { asked }),
            },
        };
        Ok(Table {
            dims: header.dims(),
            arms: (highest_label + 1).max(2),
            contexts: self.contexts,
            labels: self.labels,
            target_group,
            target,
            sources,
            ranges: self.ranges,
            fields: self.fields,
            fingerprint: self.fingerprint.value(),
        })
    }
}

fn whole(number: f64) -> Option<u32> {
    let fits = number >= 0.0 && number <= f64::from(u32::MAX) && number == libm::trunc(number);
    fits.then_some(number as u32)
}
