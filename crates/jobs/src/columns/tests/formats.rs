//! Every way in which a table may be written, in CSV and in Parquet.

use super::made::{Cells, packed, parquet, plain, written};
use super::*;

fn format(text: &str) -> TableFormat {
    toml::from_str(text).unwrap()
}

fn wanted() -> Vec<Wanted> {
    let levels = ["north", "south", "unknown"].map(String::from);
    vec![
        Wanted::range("paid", 0.0, 5000.0, false),
        Wanted::range("bought", 0.0, 1.0, false),
        Wanted::range("since", -100.0, 1000.0, false),
        Wanted::levels("region", &levels),
    ]
}

const MESSY: &str = r#"
decimal = ","
thousands = "."
currency = ["€", "EUR"]
blank = ["NA", "-"]
[columns.bought]
yes = ["ja", "yes"]
no = ["nein", "no"]
[columns.since]
date = "DD.MM.YYYY"
origin = "2024-01-01"
[columns.region]
missing = { level = "unknown" }
[columns.paid]
missing = "middle"
"#;

const ROWS: &str = "region;since;bought;paid;note\nnorth;01.01.2024;ja;1.234,50 €;x\nsouth;31.12.2023;NEIN;€ -0;y\n\
    ;02.02.2024;Yes;EUR 17;\n-;02.02.2024;no;NA;z\n";

const READ: [[f64; 4]; 4] =
    [[1234.5, 0.0, 17.0, 2500.0], [1.0, 0.0, 1.0, 0.0], [0.0, -1.0, 32.0, 32.0], [0.5, 1.5, 2.5, 2.5]];

fn columns_of(files: &TableFiles, layout: &Layout) -> Result<Vec<Vec<f64>>, ColumnsError> {
    let mut columns = vec![Vec::new(); layout.names().len()];
    read_with(files, layout, Reading::default(), |batch| -> Result<(), ColumnsError> {
        columns.iter_mut().enumerate().for_each(|(place, all)| all.extend_from_slice(batch.column(place)));
        Ok(())
    })?;
    Ok(columns)
}

#[test]
fn a_messy_table_is_read_as_declared_in_every_delimiter_and_packing() {
    let folder = tempfile::tempdir().unwrap();
    let layout = Layout::new(&format(MESSY), &wanted()).unwrap();
    let tabs = ROWS.replace(';', "\t");
    let said = format!("sep=|\r\n{}", ROWS.replace(';', "|").replace('\n', "\r\n"));
    let quoted = ROWS.replace(';', ",").replace("1.234,50 €", "\"1.234,50 €\"");
    let old = ROWS.replace('\n', "\r");
    for (name, bytes) in [
        ("a.csv", ROWS.as_bytes().to_vec()),
        ("a.tsv", tabs.into_bytes()),
        ("said.csv", said.into_bytes()),
        ("quoted.csv", quoted.into_bytes()),
        ("old.csv", old.into_bytes()),
        ("marked.csv", format!("\u{feff}{ROWS}").into_bytes()),
        ("packed.csv.gz", packed(ROWS.as_bytes())),
        ("packed-without-saying.csv", packed(ROWS.as_bytes())),
    ] {
        let files = TableFiles::one(&written(folder.path(), name, &bytes)).unwrap();
        assert_eq!(columns_of(&files, &layout).unwrap(), READ, "{name}");
    }
    let declared = Layout::new(&format(&format!("delimiter = \",\"\n{MESSY}")), &wanted()).unwrap();
    let files = TableFiles::one(&written(folder.path(), "b.csv", ROWS.as_bytes())).unwrap();
    assert!(columns_of(&files, &declared).is_err(), "what is declared is not guessed");
}

#[test]
fn parquet_has_texts_dates_decimals_and_truths_too() {
    let folder = tempfile::tempdir().unwrap();
    let layout = Layout::new(&format(MESSY), &wanted()).unwrap();
    let path = folder.path().join("t.parquet");
    let rows = |paid: Vec<&'static str>, bought, since, region| {
        vec![Cells::Texts(paid), Cells::Bools(bought), Cells::Ints(since), Cells::Texts(region)]
    };
    let fields = "required binary paid (utf8); required boolean bought; required int32 since (date);
        required binary region (utf8);";
    let days = vec![19_723, 19_722, 19_755, 19_755];
    let cells = rows(
        vec!["1.234,50 €", "€ -0", "EUR 17", "NA"],
        vec![true, false, true, false],
        days.clone(),
        vec!["north", "south", "", "-"],
    );
    parquet(&path, fields, plain(), &[cells]);
    assert_eq!(columns_of(&TableFiles::one(&path).unwrap(), &layout).unwrap(), READ);
    let fields = "required int64 paid (decimal(12,2)); required boolean bought;
        required int64 since (timestamp(millis,true)); required binary region (utf8);";
    let group = vec![
        Cells::Longs(vec![123_450, 0, 1700, 250_000]),
        Cells::Bools(vec![true, false, true, false]),
        Cells::Longs(days.iter().map(|&day| i64::from(day) * 86_400_000).collect()),
        Cells::Texts(vec!["north", "south", "", "unknown"]),
    ];
    parquet(&path, fields, plain(), &[group]);
    assert_eq!(columns_of(&TableFiles::one(&path).unwrap(), &layout).unwrap(), READ);
    let optional = "optional double paid;";
    parquet(&path, optional, plain(), &[vec![Cells::Optional(vec![Some(3.0), None, Some(f64::NAN)])]]);
    let paid = Layout::new(&format(MESSY), &wanted()[..1]).unwrap();
    assert_eq!(columns_of(&TableFiles::one(&path).unwrap(), &paid).unwrap(), [[3.0, 2500.0, 2500.0]]);
}

#[test]
fn numbers_that_are_written_otherwise_are_refused_and_not_read_as_others() {
    let read = |format_text: &str, cell: &str| {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(&format(format_text), &[Wanted::number("a")]).unwrap();
        let path = written(folder.path(), "t.csv", format!("a;b\n{cell};1\n").as_bytes());
        columns_of(&TableFiles::one(&path).unwrap(), &layout).map(|columns| columns[0][0]).ok()
    };
    let german = "decimal = \",\"\nthousands = \".\"\ncurrency = [\"€\"]";
    for (cell, value) in [
        ("1.234.567,5", 1_234_567.5),
        ("-1.234", -1234.0),
        ("−€1.234,00", -1234.0),
        ("€-5", -5.0),
        ("12,5e3", 12_500.0),
        (",5", 0.5),
        ("17\u{a0}€", 17.0),
    ] {
        assert_eq!(read(german, cell), Some(value), "{cell}");
    }
    for cell in [
        "1.5",
        "1.23",
        "12.34.567",
        "1.2345",
        "1,5,5",
        "€",
        "",
        "5 $",
        "--5",
        "1..234",
        ".5",
        "inf",
        "1234.567",
    ] {
        assert_eq!(read(german, cell), None, "{cell}");
    }
    assert_eq!(read("thousands = \" \"", "1 234 567"), Some(1_234_567.0));
    assert_eq!(read("thousands = \" \"", "1\u{202f}234.5"), Some(1234.5));
    assert_eq!(read("thousands = \"'\"", "1'234"), Some(1234.0));
    assert_eq!(read("thousands = \",\"", "\"1,234.5\""), Some(1234.5));
    assert_eq!(read("currency = [\"US$\", \"$\"]", "US$5"), Some(5.0));
    let long = "1".repeat(100);
    assert_eq!(read(german, &long), None);
}

#[test]
fn each_kind_of_fault_is_told_by_place_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let layout = Layout::new(&format(MESSY), &wanted()).unwrap();
    let strict = Layout::new(&TableFormat::default(), &wanted()[3..]).unwrap();
    let row =
        |region: &str, since: &str, bought: &str, paid: &str| format!("{region};{since};{bought};{paid};x\n");
    let bad = [
        (row("4711", "01.01.2024", "ja", "1"), "region", CellFault::NoLevel),
        (row("north", "2024-01-01", "ja", "1"), "since", CellFault::NotADate),
        (row("north", "01.01.2024", "4711", "1"), "bought", CellFault::NeitherYesNorNo),
        (row("north", "01.01.2024", "ja", "4711 $"), "paid", CellFault::NotANumber),
        (row("north", "01.01.2024", "ja", "7777"), "paid", CellFault::Outside),
        (row("north", "", "ja", "1"), "since", CellFault::Missing),
    ];
    let header = "region;since;bought;paid;note\n";
    for (line, column, fault) in &bad {
        let path = written(folder.path(), "t.csv", format!("{header}{line}").as_bytes());
        let error = columns_of(&TableFiles::one(&path).unwrap(), &layout).unwrap_err();
        let expected = Fault::Cell { row: 1, column: (*column).into(), fault: *fault };
        assert!(!error.to_string().contains("4711"), "{error}");
        assert!(matches!(error, ColumnsError::Data { fault, .. } if fault == expected), "{line}");
    }
    let lines: String = bad.iter().map(|(line, ..)| line.as_str()).chain(["north;1\n"]).collect();
    let path = written(folder.path(), "t.csv", format!("{header}{lines}{lines}").as_bytes());
    let files = TableFiles::one(&path).unwrap();
    let survey = survey(&files, &layout, &|_| true).unwrap().unwrap();
    assert_eq!((survey.rows, survey.ragged, survey.faults()), (14, 2, 14));
    let paid = &survey.columns[0];
    assert_eq!(paid.faults, [(CellFault::NotANumber, 2), (CellFault::Outside, 2)].into());
    assert_eq!(survey.columns[3].faults, [(CellFault::NoLevel, 2)].into());
    let missing = written(folder.path(), "missing.csv", b"region;x\n;1\n");
    assert!(columns_of(&TableFiles::one(&missing).unwrap(), &strict).is_err());
    let stopped = super::super::survey(&files, &layout, &|_| false).unwrap();
    assert_eq!(stopped, None);
}

#[test]
fn what_lies_outside_is_clipped_by_others_if_they_say_so_and_then_counted() {
    let folder = tempfile::tempdir().unwrap();
    let layout = Layout::new(&TableFormat::default(), &[Wanted::range("a", 0.0, 1.0, true)]).unwrap();
    let files = TableFiles::one(&written(folder.path(), "t.csv", b"a\n0.5\n7\n-1\n1.0000000001\n")).unwrap();
    assert_eq!(columns_of(&files, &layout).unwrap(), [[0.5, 7.0, -1.0, 1.000_000_000_1]]);
    let survey = survey(&files, &layout, &|_| true).unwrap().unwrap();
    assert!(survey.is_clean() && survey.columns[0].clipped == 2);
}

#[test]
fn other_levels_count_as_the_one_that_is_declared_for_them() {
    let folder = tempfile::tempdir().unwrap();
    let layout = Layout::new(&format("[columns.region]\nother = \"unknown\""), &wanted()[3..]).unwrap();
    let files = TableFiles::one(&written(folder.path(), "t.csv", b"region\nsouth\nmoon\n")).unwrap();
    assert_eq!(columns_of(&files, &layout).unwrap(), [[1.5, 2.5]]);
}

#[test]
fn several_files_are_one_table_and_faults_name_theirs() {
    let folder = tempfile::tempdir().unwrap();
    written(folder.path(), "a.csv", b"a,b\n1,2\n3,4\n");
    written(folder.path(), "b.csv", b"b;a\n6;5\n");
    written(folder.path(), "empty.csv", b"a,b\n");
    let fields = "required double a; required double b;";
    parquet(
        &folder.path().join("c.parquet"),
        fields,
        plain(),
        &[vec![Cells::Doubles(vec![7.0]), Cells::Doubles(vec![8.0])]],
    );
    let layout = Layout::numbers(&["a", "b"]);
    let files = TableFiles::one(folder.path()).unwrap();
    let mut rows = Vec::new();
    let read = read_with(&files, &layout, Reading::default(), |batch| -> Result<(), ColumnsError> {
        rows.push((batch.first_row(), batch.row_in_file(0), batch.column(0).to_vec()));
        Ok(())
    });
    assert_eq!(read.unwrap(), 4);
    assert_eq!(rows, [(1, 1, vec![1.0, 3.0]), (3, 1, vec![5.0]), (4, 1, vec![7.0])]);
    written(folder.path(), "d.csv", b"a,b\n9,x\n");
    let error = columns_of(&TableFiles::one(folder.path()).unwrap(), &layout).unwrap_err().to_string();
    assert!(error.ends_with("d.csv: row 1, column `b`: not a number"), "{error}");
}

#[test]
fn declarations_that_cannot_be_are_refused() {
    let refused = |text: &str| Layout::new(&format(text), &wanted()).unwrap_err().to_string();
    for (text, words) in [
        ("delimiter = \"x\"", "[table]: `delimiter` is one of"),
        ("decimal = \";\"", "`decimal` is"),
        ("decimal = \",\"\nthousands = \",\"", "`decimal` is"),
        ("currency = [\"5\"]", "`currency`"),
        ("[columns.paid]\nmissing = { level = \"x\" }", "is for a column that has levels"),
        ("[columns.region]\nmissing = { level = \"x\" }", "none of the column's levels"),
        ("[columns.region]\nmissing = \"middle\"", "is for a number"),
        ("[columns.region]\nother = \"x\"", "none of the column's levels"),
        ("[columns.region]\nyes = [\"x\"]", "levels, which are texts"),
        ("[columns.paid]\nother = \"x\"", "`other` is for a column that has levels"),
        ("[columns.paid]\nmissing = \"lost\"", "is for the outcome of a trial"),
        ("[columns.bought]\nyes = [\"x\"]", "give `yes` and `no`"),
        ("[columns.bought]\nyes = [\"x\"]\nno = [\"X\"]", "none in both"),
        ("[columns.since]\ndate = \"DD.MM.YYYY\"", "needs `origin`"),
        ("[columns.since]\nunit = \"days\"", "give `date` too"),
        ("[columns.since]\ndate = \"DD.MM\"\norigin = \"2024-01-01\"", "`date` needs YYYY"),
    ] {
        let error = refused(text);
        assert!(error.contains(words), "{text}: {error}");
    }
    let names = format("[columns.prize]\nmissing = \"middle\"").check_names(["price"]);
    assert!(names.unwrap_err().to_string().contains("\"prize\"]: the plan declares no column"));
    assert!(toml::from_str::<TableFormat>("delimeter = \";\"").is_err());
}
