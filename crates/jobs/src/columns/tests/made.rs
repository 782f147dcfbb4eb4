//! Tables made for the tests.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::Compression as Level;
use flate2::write::GzEncoder;
use parquet::basic::Compression;
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type,
};
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;

/// A column's values; those of an optional column have a level each.
pub(super) enum Cells {
    Bools(Vec<bool>),
    Ints(Vec<i32>),
    Longs(Vec<i64>),
    Floats(Vec<f32>),
    Doubles(Vec<f64>),
    Texts(Vec<&'static str>),
    Optional(Vec<Option<f64>>),
}

impl Cells {
    fn write(&self, writer: &mut SerializedColumnWriter<'_>) {
        match self {
            Cells::Bools(cells) => put::<BoolType>(writer, cells, None),
            Cells::Ints(cells) => put::<Int32Type>(writer, cells, None),
            Cells::Longs(cells) => put::<Int64Type>(writer, cells, None),
            Cells::Floats(cells) => put::<FloatType>(writer, cells, None),
            Cells::Doubles(cells) => put::<DoubleType>(writer, cells, None),
            Cells::Texts(cells) => {
                put::<ByteArrayType>(
                    writer,
                    &cells.iter().map(|&cell| ByteArray::from(cell)).collect::<Vec<_>>(),
                    None,
                );
            }
            Cells::Optional(cells) => {
                let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
                put::<DoubleType>(
                    writer,
                    &cells.iter().flatten().copied().collect::<Vec<_>>(),
                    Some(&levels),
                );
            }
        }
    }
}

fn put<T: DataType>(writer: &mut SerializedColumnWriter<'_>, cells: &[T::T], levels: Option<&[i16]>) {
    writer.typed::<T>().write_batch(cells, levels, None).unwrap();
}

pub(super) fn plain() -> WriterProperties {
    WriterProperties::builder().build()
}

/// One of the forms that Parquet comes in. The pages are small, so that there are many.
pub(super) fn form(compression: Compression, version: WriterVersion, dictionary: bool) -> WriterProperties {
    WriterProperties::builder()
        .set_compression(compression)
        .set_writer_version(version)
        .set_dictionary_enabled(dictionary)
        .set_data_page_row_count_limit(30)
        .set_write_batch_size(10)
        .build()
}

/// Writes row groups of the given columns, whose types are told in Parquet's own notation.
pub(super) fn parquet(path: &Path, fields: &str, properties: WriterProperties, groups: &[Vec<Cells>]) {
    let schema = Arc::new(parse_message_type(&format!("message m {{ {fields} }}")).unwrap());
    let mut writer =
        SerializedFileWriter::new(File::create(path).unwrap(), schema, Arc::new(properties)).unwrap();
    for group in groups {
        let mut columns = writer.next_row_group().unwrap();
        for cells in group {
            let mut column = columns.next_column().unwrap().unwrap();
            cells.write(&mut column);
            column.close().unwrap();
        }
        columns.close().unwrap();
    }
    writer.close().unwrap();
}

pub(super) fn action(row: usize) -> i64 {
    (row * row % 11) as i64 - 3
}

/// As many digits as a double has.
pub(super) fn reward(row: usize) -> f64 {
    (row as f64 * 0.37 - 900.0) / 7.0
}

const LOG: &str = "required int64 action; required binary context (utf8); required double reward;";

/// A log of actions in row groups of the given sizes.
pub(super) fn log(path: &Path, sizes: &[usize], properties: WriterProperties) {
    let mut from = 0;
    let mut group = |rows: usize| {
        let rows = from..from + rows;
        from = rows.end;
        vec![
            Cells::Longs(rows.clone().map(action).collect()),
            Cells::Texts(rows.clone().map(|row| ["home", "work"][row % 2]).collect()),
            Cells::Doubles(rows.map(reward).collect()),
        ]
    };
    let groups: Vec<_> = sizes.iter().map(|&rows| group(rows)).collect();
    parquet(path, LOG, properties, &groups);
}

/// The same log in each kind of file. The row groups' sizes have nothing to do with the batches'.
pub(super) fn both(folder: &Path, rows: usize) -> Vec<PathBuf> {
    let line = |row| format!("{},{},{}\n", action(row), ["home", "work"][row % 2], reward(row));
    let text: String = std::iter::once("action,context,reward\n".into()).chain((0..rows).map(line)).collect();
    let group = 1 + rows / 5;
    let sizes: Vec<usize> = (0..rows).step_by(group).map(|from| group.min(rows - from)).collect();
    let path = folder.join("log.parquet");
    log(&path, &sizes, plain());
    vec![
        written(folder, "log.csv", text.as_bytes()),
        written(folder, "log.csv.gz", &packed(text.as_bytes())),
        written(folder, "log.data", text.as_bytes()),
        path,
    ]
}

pub(super) fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Level::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(super) fn written(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    // Some file systems wait for the disk when a file is written over, and the tests of damage write tens of thousands.
    let _ = std::fs::remove_file(&path);
    std::fs::write(&path, bytes).unwrap();
    path
}
