use reticent_learn::pricing::Tally;
use reticent_privacy::Provenance::SystemEntropy;
use reticent_protocol::pricing::Spec;
use reticent_protocol::pricing::log::{LogReader, LogWriter};

use super::*;

/// A log of a seed's reports on so many rows.
fn log(folder: &Folder, name: &str, rows: usize, loss: f64, seed: u64) -> PathBuf {
    let (market, table, out) = (folder.market(), folder.table(rows), folder.path(name));
    let job = Privatise { epsilon: epsilon(loss), records: Some(1000), ..job(&market, &table) };
    job.run_with(&out, &mut SimSeed(seed).stream(0, Stream::Noise), &quiet()).unwrap();
    out
}

fn refused(logs: &[&Path]) -> String {
    count(logs, &quiet()).unwrap_err().to_string()
}

#[test]
fn logs_of_one_spec_become_one_tally_and_others_their_own() {
    let folder = Folder::new();
    let (a, b) = (log(&folder, "a.rpl", 70_000, 1.0, 1), log(&folder, "b.rpl", 500, 1.0, 2));
    let c = log(&folder, "c.rpl", 300, 2.0, 3);
    let tallies = count(&[&a, &c, &b], &quiet()).unwrap();
    assert_eq!(tallies.iter().map(Tally::reports).collect::<Vec<_>>(), [70_500, 300]);
    let mut expected = vec![0_u64; tallies[0].counts().len()];
    for path in [&a, &b] {
        let file = std::fs::read(path).unwrap();
        let (mut log, mut codes) = (LogReader::open(file.as_slice()).unwrap(), Vec::new());
        while log.next_block(&mut codes).unwrap() {
            for &code in &codes {
                expected[code as usize] += 1;
            }
        }
    }
    assert_eq!(tallies[0].counts(), expected);
    assert!(count(&[], &quiet()).unwrap().is_empty());
    assert!(matches!(count(&[&a, &b], &Counting::new(1)), Err(PricingFileError::Interrupted)));
}

#[test]
fn logs_that_do_not_belong_together_are_named() {
    let folder = Folder::new();
    let a = log(&folder, "a.rpl", 500, 1.0, 1);
    let copy = folder.path("copy.rpl");
    std::fs::copy(&a, &copy).unwrap();
    let error = refused(&[&a, &copy]);
    assert!(error.contains("a.rpl and ") && error.contains("copy.rpl hold the same reports"), "{error}");
    folder.write("market.toml", &MARKET.replace("high = 25", "high = 26"));
    let other = log(&folder, "other.rpl", 500, 1.0, 2);
    let error = refused(&[&a, &other]);
    assert!(error.contains("a.rpl and ") && error.contains("other.rpl were made with different"), "{error}");
}

#[test]
fn damaged_logs_are_named() {
    let folder = Folder::new();
    let a = log(&folder, "a.rpl", 70_000, 1.0, 1);
    let file = std::fs::read(&a).unwrap();
    let says = |bytes: &[u8]| {
        std::fs::write(folder.path("bad.rpl"), bytes).unwrap();
        let error = refused(&[&a, &folder.path("bad.rpl")]);
        assert!(error.contains("bad.rpl: "), "{error}");
        error
    };
    assert!(says(&file[..file.len() - 1]).contains("cut short"));
    assert!(says(b"income,price\n").contains("no privatised log"));
    assert!(says(&[&file[..], b"\n"].concat()).contains("behind the log's end"));
    let changed = |place: usize, to: u8| [&file[..place], &[to], &file[place + 1..]].concat();
    assert!(says(&changed(8, 9)).contains("version 9"));
    assert!(says(&changed(20, b'?')).contains("header is damaged"));
    let last = file.len() - 17;
    assert!(says(&changed(last, !file[last])).contains("block 2"));
    assert!(refused(&[&folder.path("nowhere.rpl")]).contains("nowhere.rpl"));
}

/// A program that writes its own logs may be wrong: its checksums are right, its codes are not.
#[test]
fn a_code_that_the_spec_does_not_have_is_refused() {
    let folder = Folder::new();
    let terms = folder.market().terms().clone();
    let sizes = [100_000, 300_000, 1_000_000, 3_000_000];
    let mut specs = sizes.map(|n| Spec::designed(terms.clone(), epsilon(4.0), n).unwrap());
    specs.sort_by_key(Spec::codes);
    // More codes than the other, with as many bytes each.
    let [coarse, .., fine] = specs;
    assert!(fine.codes() > coarse.codes() && fine.report_bytes() == 2 && coarse.report_bytes() == 2);
    let mut file = Vec::new();
    let mut log = LogWriter::new(&mut file, &fine, SystemEntropy).unwrap();
    log.push_code(fine.codes() - 1).unwrap();
    log.finish().unwrap();
    // What is left of an empty log without its first 16 bytes, the header's checksum and the end.
    let header = |spec: &Spec| {
        let mut file = Vec::new();
        LogWriter::new(&mut file, spec, SystemEntropy).unwrap().finish().unwrap();
        file[16..file.len() - 20].to_vec()
    };
    let rest = 16 + header(&fine).len() + 4;
    let mut forged = [&file[..12], &(header(&coarse).len() as u32).to_le_bytes(), &header(&coarse)].concat();
    let mut sum = flate2::Crc::new();
    sum.update(&forged);
    forged.extend(sum.sum().to_le_bytes());
    sum.update(&file[rest..rest + 4]);
    sum.update(&file[rest + 8..rest + 10]);
    forged.extend([&file[rest..rest + 4], &sum.sum().to_le_bytes(), &file[rest + 8..rest + 10]].concat());
    let path = folder.path("forged.rpl");
    std::fs::write(&path, forged).unwrap();
    let error = refused(&[&path]);
    assert!(error.contains("block 1 of the log has a report that its spec does not have"), "{error}");
}
