use std::fs::File;
use std::sync::Arc;

use parquet::data_type::{FloatType, Int32Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use reticent_device::pricing::Device;
use reticent_privacy::Provenance;
use reticent_protocol::pricing::Spec;
use reticent_protocol::pricing::log::LogReader;

use super::*;

fn codes(file: &[u8]) -> Vec<u32> {
    let mut log = LogReader::open(file).unwrap();
    let (mut all, mut codes) = (Vec::new(), Vec::new());
    while log.next_block(&mut codes).unwrap() {
        all.extend_from_slice(&codes);
    }
    all
}

/// The log holds what the production device says to each row, in the rows' order, whether rows were counted
/// first or not.
#[test]
fn a_log_holds_a_report_of_each_row_by_the_production_device() {
    const ROWS: usize = 70_000;
    let folder = Folder::new();
    let (market, table) = (folder.market(), folder.table(ROWS));
    let (done, file) = seeded(&job(&market, &table), &folder.path("a.rpl")).unwrap();
    assert_eq!((done.rows, done.bytes), (ROWS as u64, file.len() as u64));
    let spec = Spec::designed(market.terms().clone(), epsilon(1.0), ROWS as u64).unwrap();
    assert_eq!(LogReader::open(file.as_slice()).unwrap().spec(), &spec);
    let mut device = Device::simulated(&spec, epsilon(1.0), noise());
    let direct: Vec<u32> = (0..ROWS)
        .map(|i| {
            let price: f64 = format!("{}", 5.0 + (i % 2001) as f64 / 100.0).parse().unwrap();
            device.next_person(epsilon(1.0));
            let record = device.record_numbers(&[((i * 7) % 101) as f64], price).unwrap();
            let report = device.answer(record, (i % 2) as f64).unwrap();
            spec.code(spec.received(&report).unwrap()).unwrap()
        })
        .collect();
    assert_eq!(codes(&file), direct);
    let expected = Privatise { records: Some(ROWS as u64), ..job(&market, &table) };
    assert_eq!(seeded(&expected, &folder.path("b.rpl")).unwrap().1, file);
    let fewer = Privatise { records: Some(10), ..job(&market, &table) };
    assert_eq!(seeded(&fewer, &folder.path("c.rpl")).unwrap().0.rows, ROWS as u64);
}

#[test]
fn only_noise_from_the_operating_system_is_called_private() {
    let folder = Folder::new();
    let (market, table) = (folder.market(), folder.table(100));
    // A loss of less than a millionth's precision is paid for too.
    let exact = Privatise { epsilon: epsilon(0.333_333_333), ..job(&market, &table) };
    let real = exact.run(&folder.path("a.rpl"), &quiet()).unwrap();
    assert_eq!(real.provenance, Provenance::SystemEntropy);
    assert_eq!(real.guarantee().to_string(), "0.333333333-DP, local model");
    let (simulated, _) = seeded(&exact, &folder.path("b.rpl")).unwrap();
    let words = "simulation, not private (would be 0.333333333-DP, local model)";
    assert_eq!(simulated.guarantee().to_string(), words);
    for (file, said) in [("a.rpl", real.guarantee()), ("b.rpl", simulated.guarantee())] {
        let log = std::fs::read(folder.path(file)).unwrap();
        assert_eq!(LogReader::open(log.as_slice()).unwrap().guarantee(), said, "the log says it itself");
    }
    // Equal with probability below 2^-100.
    exact.run(&folder.path("c.rpl"), &quiet()).unwrap();
    assert_ne!(std::fs::read(folder.path("a.rpl")).unwrap(), std::fs::read(folder.path("c.rpl")).unwrap());
}

/// In both forms: rows counted first, and in one pass, with the bad row far behind those that were privatised
/// before it.
#[test]
fn bad_rows_are_named_without_their_values_and_leave_no_file() {
    let good = "50,9.5,1\n".repeat(40_000);
    for (bad, says) in [
        ("-47.11,9.5,1", "row 40001, column `income`: outside"),
        ("50,4711,1", "row 40001, column `price`: outside"),
        ("50,9.5,47.11", "row 40001, column `bought`: outside"),
        ("50,NaN,1", "row 40001, column `price`: not a finite number"),
        ("50,9.5,inf", "row 40001, column `bought`: not a finite number"),
        ("4711x,9.5,1", "row 40001, column `income`: not a number"),
        ("50,,1", "row 40001, column `price`: no value"),
        ("50,4711", "row 40001: 2 columns"),
    ] {
        let folder = Folder::new();
        let table = folder.write("sales.csv", &format!("income,price,bought\n{good}{bad}\n50,-4711,1\n"));
        let market = folder.market();
        for records in [None, Some(100_000)] {
            let job = Privatise { records, ..job(&market, &table) };
            let error = seeded(&job, &folder.path("a.rpl")).unwrap_err().to_string();
            assert!(error.contains(says) && error.contains("sales.csv"), "{bad}: {error}");
            let told = error.replace(&table.display().to_string(), "");
            assert!(!told.contains("47") && !told.contains("NaN"), "{error}");
            assert_eq!(folder.files(), 2, "{bad} left a file behind");
        }
    }
}

#[test]
fn rows_outside_are_clipped_if_asked_for() {
    let folder = Folder::new();
    let table = folder.write("sales.csv", "income,price,bought\n-7,9999,3\n1e300,-1e300,-1\n");
    let edge = folder.write("edge.csv", "income,price,bought\n0,25,1\n100,5,0\n");
    let market = folder.market();
    let clip = Privatise { clip: true, ..job(&market, &table) };
    let at_the_edge = seeded(&job(&market, &edge), &folder.path("b.rpl")).unwrap();
    assert_eq!(seeded(&clip, &folder.path("a.rpl")).unwrap(), at_the_edge);
}

#[test]
fn a_price_that_is_not_in_the_list_is_named() {
    let folder = Folder::new();
    folder.write("market.toml", &MARKET.replace("low = 5\nhigh = 25", "points = [4.99, 9.99, 14.99]"));
    let market = folder.market();
    let table = folder.write("sales.csv", "income,price,bought\n5,9.99,1\n5,10.49,1\n");
    let error = seeded(&job(&market, &table), &folder.path("a.rpl")).unwrap_err().to_string();
    assert!(
        error.contains("row 2, column `price`: none of the declared prices") && !error.contains("10.49"),
        "{error}"
    );
    let clip = Privatise { clip: true, ..job(&market, &table) };
    assert_eq!(seeded(&clip, &folder.path("a.rpl")).unwrap().0.rows, 2);
}

/// 9.99 in single precision is another number than in double; so is the end of a range.
#[test]
fn parquet_of_single_precision_is_taken_at_its_word() {
    let folder = Folder::new();
    folder.write(
        "market.toml",
        &MARKET
            .replace("low = 5\nhigh = 25", "points = [4.99, 9.99, 14.99]")
            .replace("high = 100", "high = 99.9"),
    );
    let path = folder.path("sales.parquet");
    let schema = "message sales { required float income; required float price; required int32 bought; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer = SerializedFileWriter::new(File::create(&path).unwrap(), schema, properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for cells in [[99.9, 0.0], [9.99, 14.99]] {
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<FloatType>().write_batch(&cells, None, None).unwrap();
        column.close().unwrap();
    }
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<Int32Type>().write_batch(&[1, 0], None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    let market = folder.market();
    let table = folder.write("sales.csv", "income,price,bought\n99.9,9.99,1\n0,14.99,0\n");
    let from_csv = seeded(&job(&market, &table), &folder.path("a.rpl")).unwrap();
    assert_eq!(seeded(&job(&market, &path), &folder.path("b.rpl")).unwrap(), from_csv);
}

#[test]
fn an_interrupted_job_leaves_no_file() {
    let folder = Folder::new();
    let (market, table) = (folder.market(), folder.table(100_000));
    // In the first pass, and in the second.
    for most in [20_000, 120_000] {
        let stopped =
            job(&market, &table).run_with(&folder.path("a.rpl"), &mut noise(), &Counting::new(most));
        assert!(matches!(stopped, Err(PricingFileError::Interrupted)));
        assert_eq!(folder.files(), 2);
    }
    let none = Privatise { records: Some(0), ..job(&market, &table) };
    assert!(matches!(seeded(&none, &folder.path("a.rpl")), Err(PricingFileError::NoRecords)));
}
