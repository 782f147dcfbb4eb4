//! One column of a Parquet file, read across the file's row groups.

use parquet::basic::Compression;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;

use super::super::format::iso;
use super::super::watch::{canonical, of_number};
use super::super::{Cell, Fault, Trouble};
use super::guard::guarded;
use super::kind::first_word;
use super::{Kind, Opened, kind_of};

/// A column that is read, and how far it has been.
pub(super) struct Leaf {
    pub(super) name: String,
    /// Its place among the file's columns.
    pub(super) place: usize,
    pub(super) kind: Kind,
    /// The type's name.
    pub(super) found: String,
    number: usize,
    next_group: usize,
    /// The row group at hand and how many of its rows are still to be read.
    group: Option<(ColumnReader, usize)>,
}

/// Some rows of a column. Shows nothing: they belong to people.
pub(crate) struct Loaded {
    pub(super) values: Values,
    /// For each row whether it has no value; empty if all have one.
    absent: Vec<bool>,
}

pub(super) enum Values {
    Numbers(Vec<f64>),
    Singles(Vec<f32>),
    Truths(Vec<bool>),
    /// In seconds after the first moment of 1970; and written out, if somebody watches.
    Instants {
        seconds: Vec<f64>,
        written: Vec<String>,
    },
    Texts(Vec<ByteArray>),
}

impl Leaf {
    /// The column at this place; its type's name if it is not read.
    pub(super) fn find(file: &Opened, place: usize, name: &str) -> Result<Leaf, String> {
        let schema = file.metadata().file_metadata().schema_descr();
        let leaf = (0..schema.num_columns()).find(|&leaf| schema.get_column_root_idx(leaf) == place);
        let leaf = leaf.ok_or("group")?;
        let fields = schema.root_schema().get_fields();
        let (kind, found) = kind_of(&fields[place], schema.column(leaf).type_scale())?;
        Ok(Leaf { name: name.into(), place, kind, found, number: leaf, next_group: 0, group: None })
    }

    /// The next so many rows.
    pub(super) fn load(&mut self, file: &Opened, want: usize, watched: bool) -> Result<Loaded, Trouble> {
        let mut loaded = Loaded { values: Values::Numbers(Vec::new()), absent: Vec::new() };
        let mut have = 0;
        while have < want {
            let Some((reader, left)) = &mut self.group else {
                self.group = Some(self.open(file)?);
                continue;
            };
            let rows = (want - have).min(*left);
            if have == 0 {
                loaded.values = empty(reader, self.kind, want);
            }
            guarded(|| take(reader, self.kind, rows, &mut loaded))?;
            have += rows;
            if loaded.len() != have {
                return Err(Fault::Damaged.into());
            }
            *left -= rows;
            if *left == 0 {
                self.group = None;
            }
        }
        if let Values::Instants { seconds, written } = &mut loaded.values
            && watched
        {
            *written = seconds.iter().map(|&seconds| iso(seconds)).collect();
        }
        Ok(loaded)
    }

    /// Opens the next row group, after checks of what the library takes for granted.
    fn open(&mut self, file: &Opened) -> Result<(ColumnReader, usize), Trouble> {
        let number = self.next_group;
        self.next_group += 1;
        let group = file.metadata().row_groups().get(number).ok_or(Fault::Damaged)?;
        let chunk = group.columns().get(self.number).ok_or(Fault::Damaged)?;
        let starts = [Some(chunk.data_page_offset()), chunk.dictionary_page_offset()];
        let negative = starts.into_iter().flatten().any(|start| start < 0) || chunk.compressed_size() < 0;
        if negative || chunk.num_values() != group.num_rows() {
            return Err(Fault::Damaged.into());
        }
        if !is_readable(chunk.compression()) {
            let found = first_word(&format!("{:?}", chunk.compression()));
            return Err(Fault::Compression { column: self.name.clone(), found }.into());
        }
        let reader = guarded(|| file.get_row_group(number)?.get_column_reader(self.number))?;
        Ok((reader, group.num_rows() as usize))
    }
}

impl Loaded {
    fn len(&self) -> usize {
        match &self.values {
            Values::Numbers(values) | Values::Instants { seconds: values, .. } => values.len(),
            Values::Singles(values) => values.len(),
            Values::Truths(values) => values.len(),
            Values::Texts(values) => values.len(),
        }
    }

    /// Whether a row has a value.
    #[inline]
    pub(super) fn has(&self, row: usize) -> bool {
        !self.absent.get(row).copied().unwrap_or(false)
    }

    /// A row's cell in its one spelling.
    pub(crate) fn cell(&self, row: usize) -> Cell<'_> {
        match &self.values {
            _ if !self.has(row) => Cell::Missing,
            Values::Numbers(numbers) => of_number(numbers[row]),
            Values::Singles(numbers) => of_number(as_written(numbers[row])),
            Values::Truths(truths) => Cell::Number(f64::from(u8::from(truths[row]))),
            Values::Instants { written, .. } => Cell::Text(written[row].as_bytes()),
            Values::Texts(texts) => canonical(texts[row].data()),
        }
    }
}

/// The number that the shortest decimal of a single stands for: what a CSV file has in its place.
fn as_written(single: f32) -> f64 {
    single.to_string().parse().unwrap_or(f64::NAN)
}

fn is_readable(compression: Compression) -> bool {
    matches!(
        compression,
        Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::GZIP(_) | Compression::ZSTD(_)
    )
}

fn empty(reader: &ColumnReader, kind: Kind, rows: usize) -> Values {
    match (kind, reader) {
        (Kind::Truth, _) => Values::Truths(Vec::with_capacity(rows)),
        (Kind::Text, _) => Values::Texts(Vec::with_capacity(rows)),
        (Kind::Instant { .. }, _) => {
            Values::Instants { seconds: Vec::with_capacity(rows), written: Vec::new() }
        }
        (_, ColumnReader::FloatColumnReader(_)) => Values::Singles(Vec::with_capacity(rows)),
        _ => Values::Numbers(Vec::with_capacity(rows)),
    }
}

/// Adds so many rows.
fn take(reader: &mut ColumnReader, kind: Kind, rows: usize, loaded: &mut Loaded) -> Result<(), ParquetError> {
    use ColumnReader as R;
    let Loaded { values, absent } = loaded;
    let unsigned = kind == Kind::Number { unsigned: true };
    match (values, reader) {
        (Values::Truths(to), R::BoolColumnReader(from)) => typed(from, rows, to, absent, |&bit| bit),
        (Values::Texts(to), R::ByteArrayColumnReader(from)) => {
            typed(from, rows, to, absent, ByteArray::clone)
        }
        (Values::Singles(to), R::FloatColumnReader(from)) => typed(from, rows, to, absent, |&x| x),
        (Values::Instants { seconds: to, .. }, R::Int32ColumnReader(from)) => {
            typed(from, rows, to, absent, |&n| instant(i64::from(n), kind))
        }
        (Values::Instants { seconds: to, .. }, R::Int64ColumnReader(from)) => {
            typed(from, rows, to, absent, |&n| instant(n, kind))
        }
        (Values::Numbers(to), reader) => {
            let unit = match kind {
                Kind::Decimal { scale } => (0..scale.clamp(0, 38)).fold(1.0, |unit, _| unit * 10.0),
                _ => 1.0,
            };
            match reader {
                R::Int32ColumnReader(from) if unsigned => {
                    typed(from, rows, to, absent, |&n| f64::from(n as u32))
                }
                R::Int32ColumnReader(from) => typed(from, rows, to, absent, |&n| f64::from(n) / unit),
                R::Int64ColumnReader(from) if unsigned => typed(from, rows, to, absent, |&n| n as u64 as f64),
                R::Int64ColumnReader(from) => typed(from, rows, to, absent, |&n| n as f64 / unit),
                R::DoubleColumnReader(from) => typed(from, rows, to, absent, |&x| x),
                R::ByteArrayColumnReader(from) => {
                    typed(from, rows, to, absent, |bytes| whole(bytes.data()) / unit)
                }
                R::FixedLenByteArrayColumnReader(from) => {
                    typed(from, rows, to, absent, |bytes| whole(bytes.data()) / unit)
                }
                _ => Err(ParquetError::General("not a column of numbers".into())),
            }
        }
        _ => Err(ParquetError::General("not a column of cells".into())),
    }
}

/// Seconds after the first moment of 1970.
fn instant(number: i64, kind: Kind) -> f64 {
    match kind {
        Kind::Instant { per_second: Some(parts) } => number as f64 / parts as f64,
        _ => number as f64 * 86_400.0,
    }
}

/// A whole number in two's complement, the highest byte first.
fn whole(bytes: &[u8]) -> f64 {
    if bytes.len() > 16 {
        return f64::NAN;
    }
    let start = if bytes.first().is_some_and(|&byte| byte >= 0x80) { -1_i128 } else { 0 };
    bytes.iter().fold(start, |sum, &byte| sum << 8 | i128::from(byte)) as f64
}

fn typed<T: DataType, V: Default>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    to: &mut Vec<V>,
    absent: &mut Vec<bool>,
    value: impl Fn(&T::T) -> V,
) -> Result<(), ParquetError> {
    let (mut levels, mut values) = (Vec::new(), Vec::with_capacity(rows));
    let (read, found, _) = reader.read_records(rows, Some(&mut levels), None, &mut values)?;
    if found == read {
        to.extend(values.iter().map(value));
        if !absent.is_empty() {
            absent.resize(to.len(), false);
        }
        return Ok(());
    }
    absent.resize(to.len(), false);
    let mut values = values.iter();
    // Level 1 is a value and 0 is none.
    for &level in levels.iter().take(read) {
        let next = if level > 0 { values.next() } else { None };
        absent.push(next.is_none());
        to.push(next.map(&value).unwrap_or_default());
    }
    Ok(())
}
