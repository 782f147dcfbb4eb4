//! Columns of a Parquet file. Each is read page by page on its own, so that batches need not end where the
//! file's row groups do.

mod column;

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetStatisticsPolicy, RowGroupMetaData};
use parquet::file::reader::FileReader;
use parquet::file::serialized_reader::{ReadOptionsBuilder, SerializedFileReader};

use super::{BATCH_ROWS, Batch, ColumnsError, Fault, Halt, Stop};
use crate::table_file::Trouble;
use column::Column;
use reticent_store::files::FileError;

pub(super) fn read<E>(
    path: &Path,
    names: &[&str],
    each: impl FnMut(&Batch) -> Result<(), E>,
) -> Result<u64, Stop<E>> {
    let named = |trouble: Trouble<Halt<E>>| match trouble {
        Trouble::Io(source) => FileError::new("cannot read", path, source).into(),
        Trouble::Fault(halt) => halt.of(path.display().to_string()),
    };
    let file = open(path).map_err(|trouble| named(trouble.into()))?;
    stream(&file, names, each).map_err(named)
}

pub(super) fn header(path: &Path) -> Result<Vec<String>, ColumnsError> {
    open(path).map(|file| names_of(&file)).map_err(|trouble| match trouble {
        Trouble::Io(source) => FileError::new("cannot read", path, source).into(),
        Trouble::Fault(fault) => ColumnsError::Data { file: path.display().to_string(), fault },
    })
}

/// Statistics are left out: they cost time, and they are values.
fn open(path: &Path) -> Result<SerializedFileReader<File>, Trouble<Fault>> {
    let options = ReadOptionsBuilder::new()
        .with_column_stats_policy(ParquetStatisticsPolicy::SkipAll)
        .with_size_stats_policy(ParquetStatisticsPolicy::SkipAll);
    let mut file = File::open(path).map_err(Trouble::Io)?;
    let footer = footer_start(&mut file)?;
    let file = guarded(|| SerializedFileReader::new_with_options(file, options.build()))?;
    if ends_before(file.metadata(), footer) { Ok(file) } else { Err(Fault::Damaged.into()) }
}

/// Where the footer begins: the file ends with its length and four letters.
fn footer_start(file: &mut File) -> Result<u64, Trouble<Fault>> {
    let length = file.seek(SeekFrom::End(0)).map_err(Trouble::Io)?;
    let mut end = [0; 8];
    let tail = length.checked_sub(end.len() as u64).ok_or(Fault::Damaged)?;
    file.seek(SeekFrom::Start(tail)).and_then(|_| file.read_exact(&mut end)).map_err(Trouble::Io)?;
    file.rewind().map_err(Trouble::Io)?;
    let [a, b, c, d, ..] = end;
    Ok(tail.checked_sub(u64::from(u32::from_le_bytes([a, b, c, d]))).ok_or(Fault::Damaged)?)
}

/// Whether all that the footer speaks of lies before it. A file that lost bytes from its middle can still be
/// read, as other numbers, but its footer has moved.
fn ends_before(metadata: &ParquetMetaData, footer: u64) -> bool {
    let is_before = |start: i64, length: i64| {
        start.checked_add(length).is_some_and(|end| start >= 0 && length >= 0 && end.unsigned_abs() <= footer)
    };
    let index = |start: Option<i64>, length: Option<i32>| match (start, length) {
        (Some(start), Some(length)) => is_before(start, i64::from(length)),
        _ => true,
    };
    let mut columns = metadata.row_groups().iter().flat_map(RowGroupMetaData::columns);
    columns.all(|column| {
        let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
        is_before(start, column.compressed_size())
            && index(column.column_index_offset(), column.column_index_length())
            && index(column.offset_index_offset(), column.offset_index_length())
    })
}

/// The library panics on some damaged files, such as one whose dictionary cannot be found. What panicked is
/// not used again.
fn guarded<T>(call: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, Trouble<Fault>> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|_| Fault::Damaged)?.map_err(trouble)
}

/// A failure of the system is told as it is. The library's own words stay unsaid, since they may quote what
/// the file holds.
fn trouble(error: ParquetError) -> Trouble<Fault> {
    if let ParquetError::External(source) = error
        && let Ok(source) = source.downcast::<std::io::Error>()
        && source.raw_os_error().is_some()
    {
        return Trouble::Io(*source);
    }
    Fault::Damaged.into()
}

fn names_of(file: &SerializedFileReader<File>) -> Vec<String> {
    let root = file.metadata().file_metadata().schema();
    root.get_fields().iter().map(|field| field.name().to_owned()).collect()
}

fn stream<E>(
    file: &SerializedFileReader<File>,
    names: &[&str],
    mut each: impl FnMut(&Batch) -> Result<(), E>,
) -> Result<u64, Trouble<Halt<E>>> {
    let have = names_of(file);
    let wanted = names.iter().map(|name| Column::find(file, &have, name));
    let mut wanted = wanted.collect::<Result<Vec<_>, _>>()?;
    let rows = rows_of(file)?;
    let mut batch = Batch::new(names.len());
    while batch.next_row() <= rows {
        batch.turn();
        let want = (rows - batch.first_row() + 1).min(BATCH_ROWS as u64) as usize;
        fill(&mut batch, file, &mut wanted, want)?;
        each(&batch).map_err(|error| Trouble::Fault(Halt::Each(error)))?;
    }
    Ok(rows)
}

fn rows_of(file: &SerializedFileReader<File>) -> Result<u64, Fault> {
    let groups = file.metadata().row_groups().iter();
    let mut rows = groups.map(|group| u64::try_from(group.num_rows()).ok());
    let rows = rows.try_fold(0_u64, |sum, rows| sum.checked_add(rows?)).ok_or(Fault::Damaged)?;
    if rows == 0 { Err(Fault::NoRows) } else { Ok(rows) }
}

/// The first fault by row is told, as if rows were read one by one.
fn fill(
    batch: &mut Batch,
    file: &SerializedFileReader<File>,
    wanted: &mut [Column<'_>],
    want: usize,
) -> Result<(), Trouble<Fault>> {
    let mut first: Option<(usize, Fault)> = None;
    let row = batch.next_row();
    for (column, numbers) in wanted.iter_mut().zip(&mut batch.columns) {
        let whole = column.fill(file, want, numbers)?;
        let infinite = numbers.iter().position(|number| !number.is_finite());
        let fault = match infinite {
            Some(place) => (place, Fault::NotFinite { row: row + place as u64, column: column.name() }),
            None if !whole => {
                let place = numbers.len();
                (place, Fault::Missing { row: row + place as u64, column: column.name() })
            }
            None => continue,
        };
        if first.as_ref().is_none_or(|(place, _)| fault.0 < *place) {
            first = Some(fault);
        }
    }
    batch.add(want);
    first.map_or(Ok(()), |(_, fault)| Err(fault.into()))
}
