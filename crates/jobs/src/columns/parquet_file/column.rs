//! One column of a Parquet file, read across the file's row groups.

use std::fs::File;

use parquet::basic::{Compression, ConvertedType, Repetition, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::reader::FileReader;
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::schema::types::Type;

use super::super::{Fault, find};
use super::guarded;
use crate::table_file::Trouble;

/// A wanted column and how far it has been read.
pub(super) struct Column<'a> {
    name: &'a str,
    leaf: usize,
    unsigned: bool,
    next_group: usize,
    /// The row group at hand and how many of its rows are still to be read.
    group: Option<(ColumnReader, usize)>,
}

impl<'a> Column<'a> {
    pub(super) fn find(
        file: &SerializedFileReader<File>,
        have: &[String],
        name: &'a str,
    ) -> Result<Column<'a>, Fault> {
        let schema = file.metadata().file_metadata().schema_descr();
        let place = find(have, name)?;
        let unsigned = is_unsigned(&schema.root_schema().get_fields()[place])
            .map_err(|found| Fault::WrongType { column: name.into(), found })?;
        let leaf = (0..schema.num_columns()).find(|&leaf| schema.get_column_root_idx(leaf) == place);
        let leaf = leaf.ok_or(Fault::Damaged)?;
        Ok(Column { name, leaf, unsigned, next_group: 0, group: None })
    }

    pub(super) fn name(&self) -> String {
        self.name.into()
    }

    /// Adds numbers until there are `want`. Tells whether it came so far: a row without a value ends it.
    pub(super) fn fill(
        &mut self,
        file: &SerializedFileReader<File>,
        want: usize,
        numbers: &mut Vec<f64>,
    ) -> Result<bool, Trouble<Fault>> {
        while numbers.len() < want {
            let Some((reader, left)) = &mut self.group else {
                self.group = Some(self.open(file)?);
                continue;
            };
            let rows = (want - numbers.len()).min(*left);
            let (read, whole) = guarded(|| take(reader, self.unsigned, rows, numbers))?;
            if !whole {
                return Ok(false);
            }
            if read < rows {
                return Err(Fault::Damaged.into());
            }
            *left -= rows;
            if *left == 0 {
                self.group = None;
            }
        }
        Ok(true)
    }

    /// Opens the next row group, after checks of what the library takes for granted.
    fn open(&mut self, file: &SerializedFileReader<File>) -> Result<(ColumnReader, usize), Trouble<Fault>> {
        let number = self.next_group;
        self.next_group += 1;
        let group = file.metadata().row_groups().get(number).ok_or(Fault::Damaged)?;
        let chunk = group.columns().get(self.leaf).ok_or(Fault::Damaged)?;
        let starts = [Some(chunk.data_page_offset()), chunk.dictionary_page_offset()];
        let negative = starts.into_iter().flatten().any(|start| start < 0) || chunk.compressed_size() < 0;
        if negative || chunk.num_values() != group.num_rows() {
            return Err(Fault::Damaged.into());
        }
        if !is_readable(chunk.compression()) {
            let found = first_word(&format!("{:?}", chunk.compression()));
            return Err(Fault::Compression { column: self.name(), found }.into());
        }
        let reader = guarded(|| file.get_row_group(number)?.get_column_reader(self.leaf))?;
        Ok((reader, group.num_rows() as usize))
    }
}

fn is_readable(compression: Compression) -> bool {
    matches!(
        compression,
        Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::GZIP(_) | Compression::ZSTD(_)
    )
}

/// Whether a column's integers are unsigned; the type's name if it is none of numbers. Dates, times and
/// decimals are stored as integers in a unit, which would be lost.
fn is_unsigned(field: &Type) -> Result<bool, String> {
    if field.is_group() {
        return Err("group".into());
    }
    let (info, physical) = (field.get_basic_info(), field.get_physical_type());
    if info.repetition() == Repetition::REPEATED {
        return Err(format!("repeated {physical}"));
    }
    let unit = match (info.converted_type(), info.logical_type_ref()) {
        (ConvertedType::NONE, None) => None,
        (ConvertedType::NONE, Some(logical)) => Some(first_word(&format!("{logical:?}"))),
        (converted, _) => Some(converted.to_string()).filter(|name| !name.contains("INT_")),
    };
    if let Some(unit) = unit {
        return Err(format!("{physical} ({unit})"));
    }
    match physical {
        Physical::BOOLEAN | Physical::INT32 | Physical::INT64 | Physical::FLOAT | Physical::DOUBLE => {
            Ok(info.converted_type().to_string().starts_with("UINT_"))
        }
        other => Err(other.to_string()),
    }
}

fn first_word(text: &str) -> String {
    text.chars().take_while(|&letter| letter.is_ascii_alphanumeric() || letter == '_').collect()
}

/// Adds up to `rows` numbers. Returns how many rows it read and whether each had a value; if not, the numbers
/// are those before the first without.
fn take(
    reader: &mut ColumnReader,
    unsigned: bool,
    rows: usize,
    numbers: &mut Vec<f64>,
) -> Result<(usize, bool), ParquetError> {
    use ColumnReader as R;
    match reader {
        R::BoolColumnReader(reader) => typed(reader, rows, numbers, |&bit| f64::from(u8::from(bit))),
        R::Int32ColumnReader(reader) if unsigned => typed(reader, rows, numbers, |&n| f64::from(n as u32)),
        R::Int32ColumnReader(reader) => typed(reader, rows, numbers, |&n| f64::from(n)),
        R::Int64ColumnReader(reader) if unsigned => typed(reader, rows, numbers, |&n| n as u64 as f64),
        R::Int64ColumnReader(reader) => typed(reader, rows, numbers, |&n| n as f64),
        R::FloatColumnReader(reader) => typed(reader, rows, numbers, |&x| f64::from(x)),
        R::DoubleColumnReader(reader) => typed(reader, rows, numbers, |&x| x),
        _ => Err(ParquetError::General("not a column of numbers".into())),
    }
}

fn typed<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    numbers: &mut Vec<f64>,
    number: impl Fn(&T::T) -> f64,
) -> Result<(usize, bool), ParquetError> {
    let (mut levels, mut values) = (Vec::new(), Vec::with_capacity(rows));
    let (read, found, _) = reader.read_records(rows, Some(&mut levels), None, &mut values)?;
    // Level 1 is a value and 0 is none; a column that demands values has no levels.
    let whole = if found == read { found } else { levels.iter().take_while(|&&level| level > 0).count() };
    numbers.extend(values.iter().take(whole).map(number));
    Ok((read, found == read))
}
