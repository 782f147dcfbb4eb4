//! Columns of a CSV file.

use std::io::Read;
use std::path::Path;

use csv::ByteRecord;

use super::{BATCH_ROWS, Batch, ColumnsError, Fault, Halt, Stop, find};
use crate::table_file::{self, Trouble};

/// How much of the file is read at once.
const BLOCK: usize = 1 << 16;

pub(super) fn read<E>(
    path: &Path,
    names: &[&str],
    each: impl FnMut(&Batch) -> Result<(), E>,
) -> Result<u64, Stop<E>> {
    table_file::read(path, |input| parse(input, names, each), |file, halt: Halt<E>| halt.of(file))
}

pub(super) fn header(path: &Path) -> Result<Vec<String>, ColumnsError> {
    let first = |input: &mut dyn Read| Ok(texts(reader(input).byte_headers()?));
    let names: Vec<String> = table_file::read(path, first, |file, fault| ColumnsError::Data { file, fault })?;
    if names.is_empty() {
        return Err(ColumnsError::Data { file: path.display().to_string(), fault: Fault::NoRows });
    }
    Ok(names)
}

fn parse<E>(
    input: &mut dyn Read,
    names: &[&str],
    mut each: impl FnMut(&Batch) -> Result<(), E>,
) -> Result<u64, Trouble<Halt<E>>> {
    let mut reader = reader(input);
    let header = texts(reader.byte_headers()?);
    if header.is_empty() {
        return Err(Fault::NoRows.into());
    }
    let wanted = places(&header, names)?;
    let mut batch = Batch::new(names.len());
    let mut record = ByteRecord::new();
    while reader.read_byte_record(&mut record)? {
        if batch.rows() == BATCH_ROWS {
            each(&batch).map_err(|error| Trouble::Fault(Halt::Each(error)))?;
            batch.turn();
        }
        add(&mut batch, &record, header.len(), &wanted)?;
    }
    if batch.rows() == 0 {
        return Err(Fault::NoRows.into());
    }
    each(&batch).map_err(|error| Trouble::Fault(Halt::Each(error)))?;
    Ok(batch.next_row() - 1)
}

/// A leading byte order mark is skipped by `csv`.
fn reader(input: &mut dyn Read) -> csv::Reader<&mut dyn Read> {
    csv::ReaderBuilder::new().flexible(true).buffer_capacity(BLOCK).from_reader(input)
}

fn texts(record: &ByteRecord) -> Vec<String> {
    record.iter().map(|cell| String::from_utf8_lossy(cell.trim_ascii()).into_owned()).collect()
}

/// The wanted columns' names and where they are.
fn places<'a>(header: &[String], names: &[&'a str]) -> Result<Vec<(usize, &'a str)>, Fault> {
    names
        .iter()
        .map(|&column| match find(header, column) {
            Err(Fault::NoColumn { column, .. }) if header.iter().any(|name| name.parse::<f64>().is_ok()) => {
                Err(Fault::NoHeader { column })
            }
            found => Ok((found?, column)),
        })
        .collect()
}

fn add(batch: &mut Batch, record: &ByteRecord, width: usize, wanted: &[(usize, &str)]) -> Result<(), Fault> {
    let row = batch.next_row();
    if record.len() != width {
        return Err(Fault::Ragged { row, expected: width, got: record.len() });
    }
    for (numbers, &(place, column)) in batch.columns.iter_mut().zip(wanted) {
        let cell = record[place].trim_ascii();
        if cell.is_empty() {
            return Err(Fault::Missing { row, column: column.into() });
        }
        let number = std::str::from_utf8(cell).ok().and_then(|cell| cell.parse::<f64>().ok());
        let number = number.ok_or_else(|| Fault::NotANumber { row, column: column.into() })?;
        if !number.is_finite() {
            return Err(Fault::NotFinite { row, column: column.into() });
        }
        numbers.push(number);
    }
    batch.add(1);
    Ok(())
}
