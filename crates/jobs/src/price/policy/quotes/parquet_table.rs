//! Quotes as Parquet.

use std::fs::File;
use std::io::{self, Seek};
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use reticent_schema::Field;
use reticent_store::files::{self, FileError};

use super::{Columns, PolicyFileError, Quoted, QuotesWritten, Quoting, level};

/// Blocks in a group of rows.
const GROUP: usize = 16;

/// A table of columns.
pub(super) struct ParquetTable<'a> {
    pub(super) columns: &'a Columns<'a>,
    pub(super) out: &'a Path,
}

impl ParquetTable<'_> {
    /// Into a file without a name first: Parquet wants to own what it writes to.
    pub(super) fn write(&self, quoting: &Quoting<'_>) -> Result<QuotesWritten, PolicyFileError> {
        let file = files::unnamed_beside(self.out)?;
        let mut kept = file.try_clone().map_err(|source| self.failed(source))?;
        let mut writer = self.writer(file).map_err(|fault| self.parquet_failed(fault))?;
        let mut waiting = Vec::with_capacity(GROUP);
        let written = quoting.run(
            |quoted| quoted,
            |quoted| {
                waiting.push(quoted);
                if waiting.len() == GROUP {
                    self.group(&mut writer, &mut waiting).map_err(|fault| self.parquet_failed(fault))?;
                }
                Ok(())
            },
        )?;
        let rest = if waiting.is_empty() { Ok(()) } else { self.group(&mut writer, &mut waiting) };
        rest.and_then(|()| writer.close()).map_err(|fault| self.parquet_failed(fault))?;
        kept.rewind().map_err(|source| self.failed(source))?;
        files::write_stream(self.out, |out| io::copy(&mut kept, out).map_err(|source| self.failed(source)))?;
        Ok(written)
    }

    fn failed(&self, source: io::Error) -> PolicyFileError {
        FileError::new("cannot write", self.out, source).into()
    }

    fn parquet_failed(&self, fault: ParquetError) -> PolicyFileError {
        self.failed(io::Error::other(fault))
    }

    fn writer(&self, file: File) -> Result<SerializedFileWriter<File>, ParquetError> {
        let context = |(_, field): &(usize, &Field)| match field {
            Field::Numeric { .. } => Physical::DOUBLE,
            Field::Category { .. } => Physical::BYTE_ARRAY,
        };
        let quote =
            [Physical::DOUBLE, Physical::DOUBLE, Physical::DOUBLE, Physical::BOOLEAN, Physical::DOUBLE];
        let kinds = self.columns.fields.iter().map(context).chain(quote);
        let mut columns = Vec::new();
        for (name, kind) in self.columns.names.iter().zip(kinds) {
            let text = if kind == Physical::BYTE_ARRAY { ConvertedType::UTF8 } else { ConvertedType::NONE };
            let column = Type::primitive_type_builder(name, kind)
                .with_repetition(Repetition::REQUIRED)
                .with_converted_type(text);
            columns.push(Arc::new(column.build()?));
        }
        let schema = Type::group_type_builder("quotes").with_fields(columns).build()?;
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties))
    }

    fn group(
        &self,
        writer: &mut SerializedFileWriter<File>,
        waiting: &mut Vec<Quoted>,
    ) -> Result<(), ParquetError> {
        let mut group = writer.next_row_group()?;
        for (place, field) in &self.columns.fields {
            let all = waiting.iter().flat_map(|quoted| &quoted.block.columns[*place]);
            match field {
                Field::Numeric { .. } => numbers(&mut group, &all.copied().collect::<Vec<_>>())?,
                Field::Category { levels, .. } => {
                    let levels = all.map(|&place| ByteArray::from(level(levels, place))).collect::<Vec<_>>();
                    let mut column = group.next_column()?.ok_or_else(missing)?;
                    column.typed::<ByteArrayType>().write_batch(&levels, None, None)?;
                    column.close()?;
                }
            }
        }
        let quotes = || waiting.iter().flat_map(|quoted| &quoted.quotes);
        numbers(&mut group, &quotes().map(|quote| quote.price).collect::<Vec<_>>())?;
        numbers(&mut group, &quotes().map(|quote| quote.mean).collect::<Vec<_>>())?;
        numbers(&mut group, &quotes().map(|quote| quote.lower).collect::<Vec<_>>())?;
        let fallbacks: Vec<bool> = quotes().map(|quote| quote.fallback).collect();
        let mut column = group.next_column()?.ok_or_else(missing)?;
        column.typed::<BoolType>().write_batch(&fallbacks, None, None)?;
        column.close()?;
        numbers(&mut group, &quotes().map(|quote| quote.density).collect::<Vec<_>>())?;
        group.close()?;
        waiting.clear();
        Ok(())
    }
}

fn numbers(group: &mut SerializedRowGroupWriter<'_, File>, values: &[f64]) -> Result<(), ParquetError> {
    let mut column = group.next_column()?.ok_or_else(missing)?;
    column.typed::<DoubleType>().write_batch(values, None, None)?;
    column.close()
}

fn missing() -> ParquetError {
    ParquetError::General("fewer columns than declared".into())
}
