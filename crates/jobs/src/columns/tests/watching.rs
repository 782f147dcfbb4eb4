//! Whoever watches sees the same people, whatever the file and the plan.

use super::made::{Cells, packed, parquet, plain, written};
use super::*;

#[derive(Default)]
struct Seen {
    names: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl RowWatcher for Seen {
    fn columns(&mut self, names: &[String]) {
        self.names = names.to_vec();
    }

    fn row(&mut self, row: &Row<'_>) {
        assert!(!row.is_empty());
        assert_eq!(format!("{row:?} {:?}", row.cell(0)), "Row(..) Cell(..)");
        let shown = |cell| match cell {
            Cell::Missing => "none".to_string(),
            Cell::Number(number) => format!("{:x}", number.to_bits()),
            Cell::Text(text) => String::from_utf8(text.to_vec()).unwrap(),
        };
        self.rows.push((0..row.len()).map(|place| shown(row.cell(place))).collect());
    }
}

fn seen(path: &Path, names: &[&str]) -> Seen {
    let mut seen = Seen::default();
    let reading = Reading { watcher: Some(&mut seen), once: false };
    let files = TableFiles::one(path).unwrap();
    read_with(&files, &Layout::numbers(names), reading, |_| Ok::<(), ColumnsError>(())).unwrap();
    seen
}

#[test]
fn csv_gzip_and_parquet_look_alike_under_any_plan() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "id,price,name,flag,day,single\n7,9.90, Ada ,TRUE,2024-01-31,0.1\n-0,1e3,,false,1969-12-31,-2.5\n";
    let csv = written(folder.path(), "a.csv", text.as_bytes());
    let gzip = written(folder.path(), "a.csv.gz", &packed(text.replace(',', ";").as_bytes()));
    let fields =
        "required int64 id; optional double price; required binary name (utf8); required boolean flag;
        required int32 day (date); required float single; required group g { required double x; }";
    let group = vec![
        Cells::Longs(vec![7, 0]),
        Cells::Optional(vec![Some(9.9), Some(1000.0)]),
        Cells::Texts(vec!["Ada", ""]),
        Cells::Bools(vec![true, false]),
        Cells::Ints(vec![19_753, -1]),
        Cells::Floats(vec![0.1, -2.5]),
        Cells::Doubles(vec![1.0, 2.0]),
    ];
    let path = folder.path().join("a.parquet");
    parquet(&path, fields, plain(), &[group]);
    let first = seen(&csv, &["price"]);
    assert_eq!(first.rows[0][2..5], ["Ada", "3ff0000000000000", "2024-01-31"]);
    assert_eq!(first.rows[1][2], "none");
    for other in [seen(&gzip, &["id", "price"]), seen(&path, &["price"]), seen(&csv, &[])] {
        assert_eq!((&other.names, &other.rows), (&first.names, &first.rows));
    }
}
