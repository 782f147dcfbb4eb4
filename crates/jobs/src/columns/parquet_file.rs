//! Columns of a Parquet file. Each is read page by page on its own, so that batches need not end where the
//! file's row groups do.

mod column;
mod guard;
mod kind;

use std::io::{Read, Seek, SeekFrom};

use parquet::file::metadata::{ParquetMetaData, ParquetStatisticsPolicy, RowGroupMetaData};
use parquet::file::reader::FileReader;
use parquet::file::serialized_reader::{ReadOptions, ReadOptionsBuilder, SerializedFileReader};

use super::csv_file::hand_over;
use super::files::Stored;
use super::{BATCH_ROWS, Batch, CellFault, Each, Fault, Header, Row, Stop, Task, Trouble, header as head};
pub(super) use column::Loaded;
use column::{Leaf, Values};
use guard::guarded;
use kind::{Kind, kind_of};

type Opened = Box<dyn FileReader>;

/// What this module needs of a file: which columns are read, and which of them are the wanted ones.
struct Plan {
    leaves: Vec<Leaf>,
    /// For each wanted column its place among these.
    wanted: Vec<usize>,
}

pub(super) fn read<E>(
    stored: Stored,
    task: &mut Task<'_, '_>,
    batch: &mut Batch,
    each: Each<'_, E>,
) -> Result<(), Stop<E>> {
    let file = open(stored)?;
    let mut plan = Plan::new(&file, task)?;
    let rows = rows_of(&file)?;
    let mut left = rows;
    while left > 0 {
        let want = left.min(BATCH_ROWS as u64) as usize;
        let loaded = plan.load(&file, want, task.watcher.is_some())?;
        if let Some(watcher) = &mut task.watcher {
            (0..want).for_each(|row| watcher.row(&Row::of_columns(&loaded, row)));
        }
        fill(task, batch, &plan.wanted, &loaded, want)?;
        hand_over(task, batch, each)?;
        left -= want as u64;
    }
    Ok(())
}

pub(super) fn header(stored: Stored) -> Result<Header, Trouble> {
    let names = names_of(&open(stored)?);
    Ok(Header { names, delimiter: None, sample: Vec::new() })
}

/// Statistics are left out: they cost time, and they are values.
fn options() -> ReadOptions {
    let options = ReadOptionsBuilder::new()
        .with_column_stats_policy(ParquetStatisticsPolicy::SkipAll)
        .with_size_stats_policy(ParquetStatisticsPolicy::SkipAll);
    options.build()
}

fn open(stored: Stored) -> Result<Opened, Trouble> {
    let (footer, file) = match stored {
        Stored::File(mut file) => {
            let length = file.seek(SeekFrom::End(0))?;
            let mut end = [0; END];
            let tail = length.checked_sub(END as u64).ok_or(Fault::Damaged)?;
            file.seek(SeekFrom::Start(tail)).and_then(|_| file.read_exact(&mut end))?;
            file.rewind()?;
            let open = guarded(|| SerializedFileReader::new_with_options(file, options()))?;
            (footer_start(tail, end)?, Box::new(open) as Opened)
        }
        Stored::Bytes(bytes) => {
            let tail = bytes.len().checked_sub(END).ok_or(Fault::Damaged)?;
            let mut end = [0; END];
            end.copy_from_slice(&bytes[tail..]);
            let open = guarded(|| SerializedFileReader::new_with_options(bytes, options()))?;
            (footer_start(tail as u64, end)?, Box::new(open) as Opened)
        }
    };
    if ends_before(file.metadata(), footer) { Ok(file) } else { Err(Fault::Damaged.into()) }
}

/// The file ends with the length of its footer and four letters.
const END: usize = 8;

/// Where the footer begins.
fn footer_start(tail: u64, end: [u8; END]) -> Result<u64, Fault> {
    let [a, b, c, d, ..] = end;
    tail.checked_sub(u64::from(u32::from_le_bytes([a, b, c, d]))).ok_or(Fault::Damaged)
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

fn names_of(file: &Opened) -> Vec<String> {
    let root = file.metadata().file_metadata().schema();
    root.get_fields().iter().map(|field| field.name().to_owned()).collect()
}

fn rows_of(file: &Opened) -> Result<u64, Fault> {
    let groups = file.metadata().row_groups().iter();
    let mut rows = groups.map(|group| u64::try_from(group.num_rows()).ok());
    rows.try_fold(0_u64, |sum, rows| sum.checked_add(rows?)).ok_or(Fault::Damaged)
}

impl Plan {
    fn new(file: &Opened, task: &mut Task<'_, '_>) -> Result<Plan, Fault> {
        let names = names_of(file);
        let places = head::places(&names, task.layout.names())?;
        let mut plan = Plan { leaves: Vec::new(), wanted: Vec::new() };
        if let Some(watcher) = &mut task.watcher {
            // Lists and groups are no cells.
            let flat = (0..names.len()).filter_map(|place| Leaf::find(file, place, &names[place]).ok());
            plan.leaves = flat.collect();
            watcher.columns(&plan.leaves.iter().map(|leaf| leaf.name.clone()).collect::<Vec<_>>());
        }
        for (place, column) in places.into_iter().zip(&task.layout.columns) {
            let leaf = Leaf::find(file, place, &column.name)
                .and_then(|leaf| match leaf.kind {
                    Kind::Instant { .. } if !column.is_date() => Err(leaf.found),
                    _ => Ok(leaf),
                })
                .map_err(|found| Fault::WrongType { column: column.name.clone(), found })?;
            let at = plan.leaves.iter().position(|known| known.place == leaf.place).unwrap_or_else(|| {
                plan.leaves.push(leaf);
                plan.leaves.len() - 1
            });
            plan.wanted.push(at);
        }
        Ok(plan)
    }

    fn load(&mut self, file: &Opened, rows: usize, watched: bool) -> Result<Vec<Loaded>, Trouble> {
        self.leaves.iter_mut().map(|leaf| leaf.load(file, rows, watched)).collect()
    }
}

/// The first fault by row is told, as if rows were read one by one.
fn fill(
    task: &mut Task<'_, '_>,
    batch: &mut Batch,
    wanted: &[usize],
    loaded: &[Loaded],
    rows: usize,
) -> Result<(), Fault> {
    let mut first: Option<(usize, usize, CellFault)> = None;
    for (number, (&at, column)) in wanted.iter().zip(&task.layout.columns).enumerate() {
        for row in 0..rows {
            let read = match (&loaded[at].values, loaded[at].has(row)) {
                (_, false) => column.missing(),
                (Values::Numbers(numbers), _) => column.read_number(numbers[row]),
                (Values::Singles(numbers), _) => column.read_number(f64::from(numbers[row])),
                (Values::Truths(truths), _) => column.read_truth(truths[row]),
                (Values::Instants { seconds, .. }, _) => column.read_instant(seconds[row]),
                (Values::Texts(texts), _) => column.read(texts[row].data()),
            };
            let value = match (read, &mut task.survey) {
                (Ok(value), _) => value,
                (Err(fault), Some(survey)) => {
                    survey.fault(number, fault);
                    f64::NAN
                }
                (Err(fault), None) => {
                    if first.is_none_or(|(earliest, ..)| row < earliest) {
                        first = Some((row, number, fault));
                    }
                    break;
                }
            };
            batch.columns[number].push(value);
        }
    }
    if let Some((row, number, fault)) = first {
        let column = task.layout.columns[number].name.clone();
        return Err(Fault::Cell { row: batch.row_in_file(row), column, fault });
    }
    batch.add(rows);
    Ok(())
}
