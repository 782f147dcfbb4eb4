use std::cell::Cell;
use std::io::Write;
use std::path::{Path, PathBuf};

use reticent_curate::trial::{DurableTrial, Trial, TrialSpec};
use reticent_privacy::{SimRng, SimSeed, Stream};

use super::*;
use crate::columns::{CellFault, ColumnsError, Fault, TableFiles};

fn toml(people: u64, more: &str, replay: &str) -> String {
    format!(
        "name = \"t\"\narms = [\"old\", \"new\"]\npeople = {people}\nbetter = \"higher\"\nepsilon = 1.0\nfirst_epoch = 20\n{more}\n\
        [outcome]\ncolumn = \"y\"\nlow = 0.0\nhigh = 10.0\n\
        [[feature]]\ncolumn = \"site\"\nlevels = [\"n\", \"s\"]\n[replay]\n{replay}\n"
    )
}

fn randomised(people: u64) -> TrialFile {
    let text = toml(people, "observed = [0.5, 0.5]", "arm_column = \"t\"\narm_values = [\"0\", \"1\"]");
    TrialFile::parse("t.toml", &text).unwrap()
}

fn both(people: u64) -> TrialFile {
    TrialFile::parse("t.toml", &toml(people, "", "outcome_columns = [\"y0\", \"y1\"]")).unwrap()
}

fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// A table of `rows` people whose outcomes tell their row and arm.
fn potential(folder: &Path, rows: u32) -> (TrialSpec, Table) {
    let cell =
        |row: u32| format!("{},{},{}\n", if row.is_multiple_of(3) { "n" } else { "s" }, row % 7, row % 7 + 2);
    let text: String = std::iter::once("site,y0,y1\n".into()).chain((0..rows).map(cell)).collect();
    let file = both(100);
    let spec = file.spec().unwrap();
    let table = table_at(&written(folder, "both.csv", &text), &spec, &file).unwrap();
    (spec, table)
}

fn table_at(path: &Path, spec: &TrialSpec, file: &TrialFile) -> Result<Table, ReplayError> {
    Table::read(&TableFiles::one(path)?, spec, file, None)
}

fn noise(number: u64) -> SimRng {
    SimSeed(9).stream(number, Stream::Noise)
}

#[test]
fn a_compressed_table_is_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    let text = "t,site,other,y\n1,n,x,4\n0, s ,x,2.5\n1,s,x,7\n0,n,x,1\n";
    let plain = written(folder.path(), "t.csv", text);
    let packed = folder.path().join("t.csv.GZ");
    let mut encoder =
        flate2::write::GzEncoder::new(std::fs::File::create(&packed).unwrap(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap();
    let file = randomised(40);
    for path in [plain, packed] {
        let table = table_at(&path, &file.spec().unwrap(), &file).unwrap();
        assert_eq!(format!("{table:?}"), "Table { rows: 4, .. }");
        assert_eq!(
            (table.outcome(0, 1), table.outcome(0, 0), table.outcome(1, 0)),
            (Some(4.0), None, Some(2.5))
        );
        assert_eq!((0..4).map(|row| table.stratum_number(row)).collect::<Vec<_>>(), [0, 1, 1, 0]);
        let effects: Vec<_> = reference(&table, 2).iter().map(|one| one.effect).collect();
        assert_eq!(effects, [Some(3.75), Some(3.0), Some(4.5)]);
    }
}

#[test]
fn a_bad_row_is_named_and_its_value_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let file = randomised(40);
    let fault = |text: &str| {
        let path = written(folder.path(), "bad.csv", text);
        match table_at(&path, &file.spec().unwrap(), &file).unwrap_err() {
            ReplayError::Data(ColumnsError::Data { fault, file }) => {
                assert!(file.ends_with("bad.csv") && !fault.to_string().contains("31415"), "{fault}");
                fault
            }
            other => panic!("{other}"),
        }
    };
    let column = String::from;
    let cell = |name, fault| Fault::Cell { row: 2, column: column(name), fault };
    let good = "site,t,y\nn,0,1\n";
    assert_eq!(fault(&format!("{good}31415,0,1")), cell("site", CellFault::NoLevel));
    assert_eq!(fault(&format!("{good}n,31415,1")), cell("t", CellFault::NoLevel));
    assert_eq!(fault(&format!("{good}n,0,31415")), cell("y", CellFault::Outside));
    assert_eq!(fault(&format!("{good}n,0,inf")), cell("y", CellFault::NotFinite));
    assert_eq!(fault(&format!("{good}n,0,x31415")), cell("y", CellFault::NotANumber));
    assert_eq!(fault(&format!("{good}n,0,")), cell("y", CellFault::Missing));
    assert_eq!(fault(&format!("{good}n,0")), Fault::Ragged { row: 2, expected: 3, got: 2 });
    assert_eq!(fault("site,t\nn,0\n"), Fault::NoColumns { missing: vec![column("y")], columns: 2 });
    assert_eq!(fault("site,t,t,y\nn,0,0,1\n"), Fault::RepeatedColumn { column: column("t") });
    assert_eq!((fault("site,t,y\n"), fault("")), (Fault::NoRows, Fault::NoRows));
}

#[test]
fn orders_are_what_they_say() {
    let order = |drawn, people| Order::new(drawn, 50, people, &mut noise(0)).rows().to_vec();
    assert_eq!(order(Drawn::InOrder, 3), [0, 1, 2]);
    let mut shuffled = order(Drawn::Shuffled, 80);
    assert_ne!(shuffled, (0..50).collect::<Vec<_>>());
    shuffled.sort_unstable();
    assert_eq!(shuffled, (0..50).collect::<Vec<_>>());
    let (few, mut sorted) = (order(Drawn::Shuffled, 20), order(Drawn::Shuffled, 20));
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!((few.len(), sorted.len()), (20, 20));
    let drawn = order(Drawn::Bootstrap, 80);
    assert!(drawn.len() == 80 && drawn.iter().all(|&row| row < 50));
}

/// All 24 orders of four rows, and all first pairs, are as likely as each other (chi-square at level 1e-6); a
/// constant order is not.
#[test]
fn shuffles_are_fair() {
    let mut rng = noise(1);
    let mut counts = [0_u32; 24];
    for _ in 0..24_000 {
        let order = Order::new(Drawn::Shuffled, 4, 4, &mut rng).rows().to_vec();
        let rank = |place: usize| order[place + 1..].iter().filter(|&&later| later < order[place]).count();
        counts[rank(0) * 6 + rank(1) * 2 + rank(2)] += 1;
    }
    let chi: f64 = counts.iter().map(|&count| (f64::from(count) - 1000.0).powi(2) / 1000.0).sum();
    // The quantile 1 - 1e-6 of chi-square with 23 degrees of freedom is 73.5.
    assert!(chi < 73.5, "{chi}");
    assert!(23_000_f64.powi(2) / 1000.0 + 23.0 * 1000.0 > 73.5, "a constant order would be seen");
}

#[test]
fn nobody_is_skipped_and_what_a_table_cannot_show_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let rows = (0..60).map(|row| format!("n,{},{}\n", row % 2, 4));
    let text: String = std::iter::once("site,t,y\n".into()).chain(rows).collect();
    let mut file = randomised(60);
    file.plan.private = false;
    let spec = file.spec().unwrap();
    let table = table_at(&written(folder.path(), "t.csv", &text), &spec, &file).unwrap();
    let order = Order::new(Drawn::Shuffled, 60, 60, &mut noise(5));
    let mut trial = Trial::with_noise(spec, noise(6));
    replay(&table, &order, &mut trial, &|_| true).unwrap();
    let release = trial.release();
    let cells = release.tables().iter().flat_map(|table| (0..table.cells()).map(|cell| table.cell(cell)));
    let (seen, missing) = cells.fold((0.0, 0.0), |(a, b), cell| (a + cell.people(), b + cell.missing));
    assert!(release.is_complete() && seen > 10.0 && missing > 10.0, "{seen} {missing}");
    assert!((seen + missing - 60.0).abs() < 1e-9);
}

#[test]
fn an_interrupted_replay_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (spec, table) = potential(folder.path(), 200);
    let path = folder.path().join("state");
    let order = Order::new(Drawn::Shuffled, 200, 100, &mut noise(0));
    let served = Cell::new(0);
    let go_on = |people| {
        served.set(served.get() + people);
        false
    };
    let trial = DurableTrial::open_with(&path, spec.clone(), noise(1)).unwrap();
    let stopped = replay_durably(&table, &order, trial, &go_on).unwrap_err();
    assert!(matches!(stopped, ReplayError::Interrupted { enrolled: 64 }) && served.get() == 64);
    let mut trial = DurableTrial::open_with(&path, spec.clone(), noise(7)).unwrap();
    assert_eq!(trial.release().enrolled(), 64, "whoever was enrolled is in the file");
    // One more is assigned, and the process dies before the outcome is recorded.
    let next = order.rows()[64];
    let name = (next + 1).to_string();
    let arm = trial.assign(&name, table.stratum(&spec, next).unwrap()).unwrap().arm;
    let (tables, before) = (trial.release().tables().to_vec(), std::fs::read(&path).unwrap());
    drop(trial);
    let trial = DurableTrial::open_with(&path, spec, noise(2)).unwrap();
    served.set(0);
    let go_on = |people| {
        served.set(served.get() + people);
        true
    };
    let trial = replay_durably(&table, &order, trial, &go_on).unwrap();
    assert_eq!(served.get(), 100);
    assert!(trial.release().is_complete() && trial.release().tables().starts_with(&tables));
    assert_eq!(trial.assignment(&name).unwrap().arm, arm, "an assigned row keeps its arm");
    let after = std::fs::read(&path).unwrap();
    assert!(after.starts_with(&before));
    let _trial = replay_durably(&table, &order, trial, &|_| true).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), after, "once more changes nothing");
}

#[test]
fn plans_that_cannot_read_a_table_are_refused() {
    let problem = |text: &str| TrialFile::parse("t.toml", text).unwrap_err().to_string();
    assert!(problem(&toml(9, "", "arm_column = \"t\"")).contains("needs either"));
    assert!(problem(&toml(9, "", "outcome_columns = [\"a\"]")).contains("one entry for each of the 2 arms"));
    assert!(problem(&toml(9, "", "outcome_columns = [\"a\", \"a\"]")).contains("all different"));
    assert!(problem(&toml(9, "alhpa = 1.0", "")).starts_with("t.toml: line 7: unknown field `alhpa`"));
    assert!(problem("name = ").starts_with("t.toml: line 1: this is no plan"));
    let without =
        TrialFile::parse("t.toml", &toml(9, "", "arm_column = \"t\"\narm_values = [\"0\", \"1\"]")).unwrap();
    assert!(without.table().unwrap_err().to_string().contains("`observed`"));
    let mut file = both(9);
    file.plan.observed = Some(vec![0.5, 0.5]);
    assert!(file.table().unwrap_err().to_string().contains("leave `observed` out"));
    file.plan.people = 0;
    assert!(file.spec().is_err());
}

#[test]
fn nobody_writes_an_experiments_digest_by_hand() {
    let text =
        toml(40, &format!("experiment = \"{}\"", "0".repeat(64)), "outcome_columns = [\"y0\", \"y1\"]");
    let error = TrialFile::parse("t.toml", &text).unwrap_err().to_string();
    assert!(error.contains("give the document"), "{error}");
}
