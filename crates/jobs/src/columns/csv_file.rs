//! Columns of a CSV file.

use std::io::BufRead;

use csv::ByteRecord;

use super::ending::Ending;
use super::header::{self, Start};
use super::{BATCH_ROWS, Batch, Each, Fault, Header, Row, Stop, Task, Trouble};

/// So many rows are looked at to tell a header from a record.
const SAMPLE: usize = 100;

pub(super) fn read<E>(
    mut input: Box<dyn BufRead>,
    task: &mut Task<'_, '_>,
    batch: &mut Batch,
    each: Each<'_, E>,
) -> Result<(), Stop<E>> {
    let start = Start::read(&mut input)??;
    let layout = task.layout;
    let delimiter = start.delimiter(layout.delimiter, layout.names());
    let names = start.names(delimiter);
    if names.is_empty() {
        return Err(Fault::NoRows.into());
    }
    let places = header::places(&names, layout.names())?;
    if let Some(watcher) = &mut task.watcher {
        watcher.columns(&names);
    }
    let mut rows = header::rows(Ending::new(input), delimiter);
    let mut record = ByteRecord::new();
    let mut has_lines = false;
    while rows.read_byte_record(&mut record).map_err(Trouble::from)? {
        has_lines = ends_in_lines(&record);
        if batch.rows() == BATCH_ROWS {
            hand_over(task, batch, each)?;
        }
        add(task, batch, &record, names.len(), &places)?;
    }
    // A quote that is never closed takes all that follows into its cell.
    if has_lines && rows.get_ref().is_unquoted() {
        return Err(Fault::OpenQuote { row: batch.next_row_in_file() - 1 }.into());
    }
    if batch.rows() > 0 { hand_over(task, batch, each) } else { Ok(()) }
}

/// Whether the last cell of a row has several lines.
#[inline]
fn ends_in_lines(record: &ByteRecord) -> bool {
    let last = record.len().checked_sub(1).and_then(|last| record.get(last));
    last.is_some_and(|cell| cell.iter().any(|byte| matches!(byte, b'\n' | b'\r')))
}

/// Gives a batch away and makes room for the next.
pub(super) fn hand_over<E>(
    task: &mut Task<'_, '_>,
    batch: &mut Batch,
    each: Each<'_, E>,
) -> Result<(), Stop<E>> {
    task.note(batch);
    each(batch).map_err(Stop::Each)?;
    batch.turn();
    Ok(())
}

#[inline]
fn add(
    task: &mut Task<'_, '_>,
    batch: &mut Batch,
    record: &ByteRecord,
    width: usize,
    places: &[usize],
) -> Result<(), Fault> {
    if record.len() != width {
        return ragged(task, batch, width, record.len());
    }
    if let Some(watcher) = &mut task.watcher {
        watcher.row(&Row::of_record(record));
    }
    let layout = task.layout;
    for (column, &place) in places.iter().enumerate() {
        let number = match layout.columns[column].read(&record[place]) {
            Ok(number) => number,
            Err(fault) => task.fault(batch.next_row_in_file(), column, fault)?,
        };
        batch.columns[column].push(number);
    }
    batch.add(1);
    Ok(())
}

/// A row that is counted has no cells that could be.
fn ragged(task: &mut Task<'_, '_>, batch: &mut Batch, expected: usize, got: usize) -> Result<(), Fault> {
    let Some(survey) = &mut task.survey else {
        return Err(Fault::Ragged { row: batch.next_row_in_file(), expected, got });
    };
    survey.ragged += 1;
    batch.columns.iter_mut().for_each(|column| column.push(f64::NAN));
    batch.add(1);
    Ok(())
}

pub(super) fn header(mut input: Box<dyn BufRead>) -> Result<Header, Trouble> {
    let start = Start::read(&mut input)??;
    let delimiter = start.likely_delimiter();
    let names = start.names(delimiter);
    if names.is_empty() {
        return Err(Fault::NoRows.into());
    }
    let mut rows = header::rows(input, delimiter);
    let (mut record, mut sample) = (ByteRecord::new(), Vec::new());
    while sample.len() < SAMPLE && rows.read_byte_record(&mut record)? {
        sample.push(record.iter().map(|cell| String::from_utf8_lossy(cell).trim().to_owned()).collect());
    }
    Ok(Header { names, delimiter: Some(char::from(delimiter)), sample })
}
