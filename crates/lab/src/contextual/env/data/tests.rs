//! Data worlds: what is read, what is refused, and in which order people come.

use std::io::Write;
use std::path::Path;

use super::super::testing::{LEVEL, chi_square_p, rng};
use super::super::{World, WorldError, WorldOptions};
use super::*;

const SMALL: &str = "x1,x2,label,group\n0.5,-3,1,0\n0.25,1e2,0,4\n1,2,2,0\n0,7,0,9\n0.125,0,1,4\n";

fn parse(text: &str, target: Option<u32>) -> Result<Table, WorldError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    std::fs::write(&path, text).unwrap();
    Table::read(&path, target)
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    format!("data:{}", path.display())
}

fn open(name: &str, target_group: Option<u32>) -> Result<World, WorldError> {
    World::open(name, &WorldOptions { target_group, ..WorldOptions::default() })
}

fn zipped(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// A file of `rows` rows whose context is the row's number and whose label is its last bit.
fn numbered(rows: u32) -> String {
    (0..rows).fold("label,x1\n".to_string(), |text, row| format!("{text}{},{row}\n", row % 2))
}

fn contexts(world: &World, trial: u64) -> Vec<f64> {
    let mut rng = rng(trial);
    let mut crowd = world.crowd(1, &mut rng);
    let mut seen = Vec::new();
    while let Some(person) = crowd.next(&mut rng) {
        seen.push(person.context()[0]);
    }
    seen
}

#[test]
fn a_good_file_is_read() {
    let table = parse(SMALL, Some(4)).unwrap();
    assert_eq!((table.dims(), table.arms(), table.target()), (2, 3, &[1, 4][..]));
    assert_eq!((table.context(1), table.label(2)), (&[0.25, 100.0][..], 2));
    assert_eq!(table.sources(), [(0, vec![0, 2]), (9, vec![3])]);
    assert_eq!(table.ranges(), [(0.0, 1.0), (-3.0, 100.0)]);
    let all = parse(SMALL, None).unwrap();
    assert_eq!((all.target(), all.sources().len()), (&[0, 1, 2, 3, 4][..], 0));
    // Columns in another order, spaces, and one label only: still two arms.
    let other = parse("label, x2 ,x1\n0, 2 ,1\n", None).unwrap();
    assert_eq!((other.context(0), other.arms()), (&[1.0, 2.0][..], 2));
    assert_eq!(format!("{table:?}"), "Table { dims: 2, rows: 5, arms: 3, .. }");
}

#[test]
fn errors_name_the_place_and_never_the_value() {
    let far = u64::from(u32::MAX) + 1;
    let cases = [
        ("", "there are no rows"),
        ("x1,label\n", "there are no rows"),
        ("0.777,label\n1,0\n", "header, column 1: not x1"),
        ("x1,x01,label\n1,1,0\n", "header, column 2: not x1"),
        ("x0,label\n1,0\n", "header, column 1: not x1"),
        ("x1,label,x1\n1,0,1\n", "header, column 3: there is a column `x1` before it"),
        ("x1,label,label\n1,0,1\n", "header, column 3: there is a column `label` before it"),
        ("x1,x3,label\n1,1,0\n", "no column `x2`"),
        ("label\n1\n", "no column `x1`"),
        ("x1,group\n1,1\n", "no column `label`"),
        ("x1001,label\n1,1\n", "header, column 1: a context has at most 1000 coordinates"),
        ("x1,label\n1,0\n0.777\n", "row 2: 1 columns where the header has 2"),
        ("x1,label\n1,0,0.777\n", "row 1: 3 columns where the header has 2"),
        ("x1,x2,label\n1,1,0\n1,0.777?,0\n", "row 2, column `x2`: not a number"),
        ("x1,label\n,0\n", "row 1, column `x1`: no value"),
        ("x1,label\nNaN,0\n", "row 1, column `x1`: not a finite number"),
        ("x1,label\n-inf,0\n", "row 1, column `x1`: not a finite number"),
        ("x1,label\n1e999,0\n", "row 1, column `x1`: not a finite number"),
        ("x1,label\n1,0.777\n", "row 1, column `label`: not a whole number from 0 to 999"),
        ("x1,label\n1,-1\n", "row 1, column `label`: not a whole number from 0 to 999"),
        ("x1,label\n1,1000\n", "row 1, column `label`: not a whole number from 0 to 999"),
        (
            "x1,label,group\n1,0,1\n1,0,0.777\n",
            "row 2, column `group`: not a whole number from 0 to 4294967295",
        ),
        (&format!("x1,label,group\n1,0,{far}\n"), "row 1, column `group`: not a whole number"),
    ];
    for (text, message) in cases {
        let fault = parse(text, None).unwrap_err().to_string();
        assert!(fault.contains(message), "{text:?}: {fault}");
        assert!(!fault.contains("777"), "{text:?}: {fault}");
    }
    let fault = |text, group| match parse(text, group).unwrap_err() {
        WorldError::Data { fault, .. } => fault,
        other => panic!("{other}"),
    };
    assert_eq!(fault("x1,label\n1,0\n", Some(0)), DataFault::NoGroupColumn);
    // Which groups there are is nobody's business.
    assert_eq!(fault(SMALL, Some(5)).to_string(), "no row is of group 5");
}

#[test]
fn plain_and_zipped_files_are_the_same_world() {
    let folder = tempfile::tempdir().unwrap();
    let plain = open(&write(folder.path(), "a.csv", SMALL.as_bytes()), Some(0)).unwrap();
    let packed = open(&write(folder.path(), "a.csv.gz", &zipped(SMALL)), Some(0)).unwrap();
    assert_eq!((plain.identity(), plain.people()), (packed.identity(), Some(2)));
    assert_eq!((plain.means(&[0.0, 0.0]), plain.ranges()[1]), (None, (-3.0, 100.0)));
    assert_eq!(plain.labels(), ["label 0", "label 1", "label 2"]);
    let cut = &zipped(SMALL)[..30];
    let error = open(&write(folder.path(), "cut.csv.gz", cut), None).unwrap_err();
    assert!(error.to_string().contains("cannot read") && matches!(error, WorldError::Columns(_)), "{error}");
    let error = open(&write(folder.path(), "b.csv", b"x1,label\n1,z\n"), None).unwrap_err().to_string();
    assert!(error.contains("b.csv: row 1, column `label`"), "{error}");
}

#[test]
fn the_identity_notices_every_change() {
    let identity = |text: &str, target| parse(text, target).unwrap().identity();
    let original = identity(SMALL, Some(0));
    let json = serde_json::to_string(&original).unwrap();
    assert_eq!(serde_json::from_str::<Identity>(&json).unwrap(), original);
    assert_eq!(identity(&SMALL.replace("0.5,", "0.50,").replace(",0,1,4", ",-0,1,4"), Some(0)), original);
    assert_ne!(identity(SMALL, Some(4)), original);
    for (from, to) in [("0.5,", "0.51,"), ("-3,1", "-3,0"), ("0,7,0,9", "0,7,0,8"), ("0,7,0,9\n", "")] {
        assert_ne!(identity(&SMALL.replace(from, to), Some(0)), original, "{from} to {to}");
    }
}

#[test]
fn people_come_in_a_fresh_order_and_each_once() {
    let folder = tempfile::tempdir().unwrap();
    let world = open(&write(folder.path(), "n.csv", numbered(100).as_bytes()), None).unwrap();
    let (first, second) = (contexts(&world, 1), contexts(&world, 2));
    // Alike with probability 1/100!.
    assert_ne!(first, second);
    assert_eq!(first, contexts(&world, 1));
    let mut sorted = first;
    sorted.sort_by(f64::total_cmp);
    assert_eq!(sorted, (0..100).map(f64::from).collect::<Vec<_>>());
}

/// All 24 orders of four rows are equally likely; a shuffle that swaps any two places would not pass.
#[test]
fn all_orders_are_equally_likely() {
    let folder = tempfile::tempdir().unwrap();
    let world = open(&write(folder.path(), "n.csv", numbered(4).as_bytes()), None).unwrap();
    let mut counts = [0_u64; 256];
    for trial in 0..24_000 {
        let code = contexts(&world, trial).iter().fold(0, |code, &x| 4 * code + x as usize);
        counts[code] += 1;
    }
    let seen: Vec<u64> = counts.into_iter().filter(|&count| count > 0).collect();
    assert_eq!(seen.len(), 24);
    assert!(chi_square_p(&seen, &[1.0 / 24.0; 24]) > LEVEL, "{seen:?}");
    // Power: swapping each place with any place makes some of 4^4 = 256 outcomes 15 times and some 8 times.
    let naive = naive_orders(24_000);
    assert!(chi_square_p(&naive, &[1.0 / 24.0; 24]) < LEVEL, "{naive:?}");
}

fn naive_orders(draws: u64) -> Vec<u64> {
    let mut rng = rng(77);
    let mut counts = [0_u64; 256];
    for _ in 0..draws {
        let mut order = [0, 1, 2, 3];
        for place in 0..4 {
            order.swap(place, (4.0 * rng.uniform()) as usize);
        }
        counts[order.iter().fold(0, |code, x| 4 * code + x)] += 1;
    }
    counts.into_iter().filter(|&count| count > 0).collect()
}

#[test]
fn the_right_label_earns_and_a_crowd_can_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let world = open(&write(folder.path(), "n.csv", numbered(50).as_bytes()), None).unwrap();
    let whole = contexts(&world, 3);
    let mut rng = rng(3);
    let mut crowd = world.crowd(1, &mut rng);
    crowd.skip(20);
    for expected in &whole[20..] {
        let person = crowd.next(&mut rng).unwrap();
        assert_eq!(person.context()[0], *expected);
        let label = *expected as u32 % 2;
        assert_eq!((person.reward(label, &mut rng), person.regret(label)), (1.0, 0.0));
        assert_eq!((person.reward(1 - label, &mut rng), person.regret(1 - label)), (0.0, 1.0));
        assert_eq!(format!("{person:?}"), "Person { .. }");
    }
    assert!(crowd.next(&mut rng).is_none());
    crowd.skip(u64::MAX);
    assert!(crowd.next(&mut rng).is_none());
}
