use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::WriterVersion;

use super::made::{Cells, form, log, parquet, plain};
use super::*;

fn table(fields: &str, groups: &[Vec<Cells>], names: &[&str]) -> Result<Vec<Vec<f64>>, ColumnsError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.parquet");
    parquet(&path, fields, plain(), groups);
    all(&path, names)
}

fn fault_of(fields: &str, groups: &[Vec<Cells>], name: &str) -> Fault {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.PARQUET");
    parquet(&path, fields, plain(), groups);
    fault(&path, &[name])
}

#[test]
fn every_compression_page_form_and_encoding_gives_the_same_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.parquet");
    let rows = 12_000;
    let (actions, rewards): (Vec<f64>, Vec<f64>) =
        (0..rows).map(|row| (made::action(row) as f64, made::reward(row))).unzip();
    for compression in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::ZSTD(ZstdLevel::default()),
    ] {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            for dictionary in [false, true] {
                log(&path, &[5000, 1, 6999], form(compression, version, dictionary));
                let read = all(&path, &["action", "reward"]).unwrap();
                assert!(read[0] == actions && read[1] == rewards, "{compression} {version:?} {dictionary}");
            }
        }
    }
}

#[test]
fn every_type_of_number_is_read() {
    let fields = "required boolean flag; required int32 i8 (integer(8,true)); required int32 u8 (integer(8,false));
        required int32 u32 (integer(32,false)); required int64 i64 (integer(64,true)); required int64 u64 (integer(64,false));
        required int32 old (uint_32); required float f; required double d; optional double o;";
    let group = vec![
        Cells::Bools(vec![true, false]),
        Cells::Ints(vec![-128, 127]),
        Cells::Ints(vec![0, 255]),
        Cells::Ints(vec![-1, 1]),
        Cells::Longs(vec![i64::MIN, i64::MAX]),
        Cells::Longs(vec![-1, 1]),
        Cells::Ints(vec![-1, 1]),
        Cells::Floats(vec![0.1, -2.5]),
        Cells::Doubles(vec![0.1, f64::MAX]),
        Cells::Optional(vec![Some(0.25), Some(-4.0)]),
    ];
    let names = ["flag", "i8", "u8", "u32", "i64", "u64", "old", "f", "d", "o"];
    let expected = [
        [1.0, 0.0],
        [-128.0, 127.0],
        [0.0, 255.0],
        [4_294_967_295.0, 1.0],
        [-9_223_372_036_854_775_808.0, 9_223_372_036_854_775_807.0],
        [18_446_744_073_709_551_615.0, 1.0],
        [4_294_967_295.0, 1.0],
        [f64::from(0.1_f32), -2.5],
        [0.1, f64::MAX],
        [0.25, -4.0],
    ];
    assert_eq!(table(fields, &[group], &names).unwrap(), expected);
}

#[test]
fn a_type_that_is_not_read_is_named() {
    let wrong = |found: &str| Fault::WrongType { column: "a".into(), found: found.into() };
    for (field, cells, found) in [
        ("required int32 a (date);", Cells::Ints(vec![7193]), "INT32 (DATE)"),
        ("required int64 a (timestamp(micros,true));", Cells::Longs(vec![7193]), "INT64 (TIMESTAMP_MICROS)"),
        ("required int64 a (timestamp(nanos,true));", Cells::Longs(vec![7193]), "INT64 (Timestamp)"),
        ("required group a { required double x; }", Cells::Doubles(vec![7193.0]), "group"),
    ] {
        let fault = fault_of(field, &[vec![cells]], "a");
        assert_eq!(fault, wrong(found));
        assert!(!fault.to_string().contains("7193"));
    }
    let repeated = fault_of("repeated double a;", &[], "a");
    assert_eq!(repeated, wrong("repeated DOUBLE"));
}

#[test]
fn other_columns_may_be_of_any_type_and_come_first() {
    let fields = "required group g { required double x; required double y; } required double a;";
    let groups = [vec![
        Cells::Doubles(vec![1.0, 2.0]),
        Cells::Doubles(vec![3.0, 4.0]),
        Cells::Doubles(vec![5.0, 6.0]),
    ]];
    assert_eq!(table(fields, &groups, &["a"]).unwrap(), [[5.0, 6.0]]);
}

#[test]
fn the_first_bad_row_is_told_wherever_the_row_groups_end() {
    let fields = "required double a; optional double b;";
    let good = |rows| vec![Cells::Doubles(vec![1.0; rows]), Cells::Optional(vec![Some(2.0); rows])];
    let bad = |a: [f64; 3], b: [Option<f64>; 3]| vec![Cells::Doubles(a.into()), Cells::Optional(b.into())];
    let (row, fine) = (BATCH_ROWS as u64 + 12, [Some(7193.5); 3]);
    let cell = |row, column: &str, fault| Fault::Cell { row, column: column.into(), fault };
    let missing = cell(row, "b", CellFault::Missing);
    let not_finite = |row, column: &str| cell(row, column, CellFault::NotFinite);
    for (group, expected) in [
        (bad([1.0; 3], [Some(7193.5), None, None]), missing.clone()),
        (bad([1.0, 1.0, f64::NAN], [Some(7193.5), None, Some(1.0)]), missing),
        (bad([1.0, f64::NAN, 7193.5], fine), not_finite(row, "a")),
        (bad([1.0; 3], [Some(f64::INFINITY), None, Some(1.0)]), not_finite(row - 1, "b")),
        (bad([1.0, f64::NEG_INFINITY, 1.0], [Some(1.0), None, None]), not_finite(row, "a")),
    ] {
        let groups = [good(BATCH_ROWS + 3), good(7), group, good(2)];
        let error = table(fields, &groups, &["a", "b"]).unwrap_err();
        assert!(!error.to_string().contains("7193"), "{error}");
        assert!(matches!(error, ColumnsError::Data { fault, .. } if fault == expected));
    }
}

#[test]
fn a_table_without_rows_or_with_a_repeated_column_is_refused() {
    assert_eq!(fault_of("required double a;", &[], "a"), Fault::NoRows);
    assert_eq!(fault_of("required double a;", &[vec![Cells::Doubles(vec![])]], "a"), Fault::NoRows);
    let twice = [vec![Cells::Doubles(vec![1.0]), Cells::Doubles(vec![1.0])]];
    let fields = "required double a; required double a;";
    assert_eq!(fault_of(fields, &twice, "a"), Fault::RepeatedColumn { column: "a".into() });
}

#[test]
fn an_empty_row_group_is_passed_over() {
    let group = |cells: &[f64]| vec![Cells::Doubles(cells.to_vec())];
    let groups = [group(&[]), group(&[1.0]), group(&[]), group(&[2.0])];
    assert_eq!(table("required double a;", &groups, &["a"]).unwrap(), [[1.0, 2.0]]);
}
