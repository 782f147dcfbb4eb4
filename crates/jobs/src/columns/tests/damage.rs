//! Files that were cut short, changed or never were tables: an error each, and no panic.

use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterVersion};
use proptest::prelude::*;

use super::made::{form, log, plain, written};
use super::*;

fn small(properties: WriterProperties) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.parquet");
    log(&path, &[50, 20], properties);
    std::fs::read(path).unwrap()
}

fn forms() -> Vec<Vec<u8>> {
    let make = |compression, version, dictionary| small(form(compression, version, dictionary));
    vec![
        make(Compression::UNCOMPRESSED, WriterVersion::PARQUET_1_0, false),
        make(Compression::UNCOMPRESSED, WriterVersion::PARQUET_2_0, true),
        make(Compression::SNAPPY, WriterVersion::PARQUET_2_0, false),
        make(Compression::ZSTD(ZstdLevel::default()), WriterVersion::PARQUET_1_0, true),
        make(Compression::GZIP(GzipLevel::default()), WriterVersion::PARQUET_1_0, true),
    ]
}

#[test]
fn a_parquet_file_that_was_cut_short_is_refused_wherever_the_cut_is() {
    let folder = tempfile::tempdir().unwrap();
    for bytes in forms() {
        for end in 0..bytes.len() {
            let path = written(folder.path(), "t.parquet", &bytes[..end]);
            assert_eq!(fault(&path, &["action", "reward"]), Fault::Damaged, "{end}");
            assert!(names(&path).is_err());
        }
    }
}

#[test]
fn a_parquet_file_that_lost_bytes_from_its_middle_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = small(plain());
    for from in 8..bytes.len() / 2 {
        let cut = [&bytes[..from], &bytes[bytes.len() / 2..]].concat();
        let path = written(folder.path(), "t.parquet", &cut);
        assert!(all(&path, &["action", "reward"]).is_err(), "{from}");
    }
}

#[test]
fn every_byte_of_a_parquet_file_may_be_changed() {
    let folder = tempfile::tempdir().unwrap();
    for bytes in forms() {
        for place in 0..bytes.len() {
            for change in [0x01, 0xff] {
                let mut changed = bytes.clone();
                changed[place] ^= change;
                let path = written(folder.path(), "t.parquet", &changed);
                // A changed number may still be one.
                let _ = all(&path, &["action", "reward"]);
            }
        }
    }
}

/// Brotli is number 4 where no compression is 0, and Thrift writes numbers doubled.
#[test]
fn a_compression_that_is_not_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = small(plain());
    let faults = (0..bytes.len()).filter(|&place| bytes[place] == 0).filter_map(|place| {
        let mut changed = bytes.clone();
        changed[place] = 8;
        match all(&written(folder.path(), "t.parquet", &changed), &["action"]) {
            Err(ColumnsError::Data { fault, .. }) => Some(fault),
            _ => None,
        }
    });
    let expected = Fault::Compression { column: "action".into(), found: "BROTLI".into() };
    assert!(faults.into_iter().any(|fault| fault == expected));
}

proptest! {
    #[test]
    fn random_bytes_are_no_parquet_file(mut bytes in prop::collection::vec(any::<u8>(), 0..400), ends: bool) {
        let folder = tempfile::tempdir().unwrap();
        if ends {
            // As far as the ends go this is one, and the metadata are random.
            let length = bytes.len() as u32;
            bytes.splice(0..0, *b"PAR1");
            bytes.extend(length.to_le_bytes());
            bytes.extend(b"PAR1");
        }
        let path = written(folder.path(), "t.parquet", &bytes);
        prop_assert!(all(&path, &["a"]).is_err());
        prop_assert!(names(&path).is_err() || ends);
    }

    #[test]
    fn random_bytes_are_read_as_csv_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let folder = tempfile::tempdir().unwrap();
        for name in ["t.csv", "t.csv.gz"] {
            let path = written(folder.path(), name, &[b"a\n", bytes.as_slice()].concat());
            let _ = all(&path, &["a"]);
        }
    }
}
