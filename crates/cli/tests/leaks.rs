//! Nothing of a data file leaves by the side door: thousands of marked values go through every command that reads one,
//! whether it succeeds or refuses, and none is found in what is said, logged, drawn or written.
//!
//! Some files hold rows by design, and are their owner's own: the tables that `price quote --contexts` and
//! `tune predict --contexts` write beside the contexts that they were asked for, actions for the contexts of
//! `tune fit --target`, and the curator's state of a trial.
//! The first two show that the search can find something. Prices and actions that were learned from raw tables protect
//! nobody, and need not hold any.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod desk;
#[path = "leaks/marks.rs"]
mod marks;

use desk::{Desk, TRIAL};
use marks::{Column, Marks, Shape, parquet, table};

const SALES: [Column; 3] =
    [Column::Numbers("income", 0, 99), Column::Numbers("price", 5, 24), Column::Levels("bought", ["0", "1"])];
const DOSES: [Column; 3] =
    [Column::Numbers("dose", 0, 9), Column::Numbers("age", 18, 89), Column::Numbers("response", 0, 1)];
const PEOPLE: [Column; 3] = [
    Column::Levels("site", ["north", "south"]),
    Column::Levels("treat", ["0", "1"]),
    Column::Numbers("score", 0, 99),
];
const WORLD: [Column; 3] =
    [Column::Numbers("x1", 0, 9), Column::Numbers("x2", 0, 9), Column::Levels("label", ["0", "1"])];
const VISITORS: [Column; 1] = [Column::Numbers("income", 0, 99)];
const PATIENTS: [Column; 1] = [Column::Numbers("age", 18, 89)];

/// Each command that reads a table: the table's columns, and the call. TABLE is the table, OUT a fresh folder; `*` is
/// for the good tables and the worst ones only, since the work takes long.
const READERS: [(&[Column], &str); 35] = [
    (&SALES, "price privatise market.toml TABLE --epsilon 1 --out OUT/sales.rpl -vv"),
    (&SALES, "price privatise market.toml TABLE --epsilon 1 --out OUT/sales.rpl --json"),
    (&SALES, "price privatise market.toml TABLE --epsilon 1 --clip --records 500 --out OUT/sales.rpl"),
    (
        &VISITORS,
        "* price fit sales.rpl --prices 8,12,16 --target TABLE --out OUT/policy.json --plot OUT/policy.svg -vv",
    ),
    (&VISITORS, "price quote policy.json --contexts TABLE --out OUT/quotes.csv -vv"),
    // What is learned from raw tables protects nobody, and says so; but nothing else shows any of them.
    (
        &SALES,
        "price fit TABLE --method nw-lcb --not-private --market market.toml --target visitors.csv --out OUT/raw-prices.csv -vv",
    ),
    (
        &SALES,
        "price fit TABLE --method ldp-nw-lcb --not-private --epsilon 1 --market market.toml --target visitors.csv --out OUT/raw-prices.csv --json",
    ),
    (&VISITORS, "* price evaluate policy.json sales.rpl --target TABLE --json"),
    (&SALES, "* price evaluate policy.json sales.rpl --prices-of TABLE --json"),
    (&DOSES, "tune fit dose.toml TABLE --epsilon 1 --out OUT/dose.json --plot OUT/dose.svg -vv"),
    (&DOSES, "tune fit dose.toml TABLE --epsilon 1 --out OUT/dose.json --json"),
    (&DOSES, "tune fit dose.toml TABLE --epsilon 1 --once age=40 --json"),
    (
        &DOSES,
        "tune fit dose.toml TABLE --method gp --not-private --target patients.csv --out OUT/raw-actions.json -vv",
    ),
    (
        &DOSES,
        "tune fit dose.toml TABLE --method dubey --epsilon 1 --target patients.csv --out OUT/actions.json --json",
    ),
    (
        &PATIENTS,
        "tune fit dose.toml log.csv --method gp --not-private --target TABLE --out OUT/own-actions.json",
    ),
    (&DOSES, "* tune plan dose.toml --people 1000 --public TABLE --json"),
    (&PATIENTS, "tune predict dose.json --contexts TABLE --out OUT/predictions.csv -vv"),
    (&PEOPLE, "trial run marked.toml --data TABLE --out OUT/report -vv"),
    (&PEOPLE, "trial run marked.toml --data TABLE --json"),
    (&PEOPLE, "trial analyse marked.toml --data TABLE --json"),
    (&PEOPLE, "trial analyse marked.toml --data TABLE --seed 1 --out OUT/analysed -vv"),
    (&PEOPLE, "trial run marked.toml --data TABLE --no-privacy --seed 1 --out OUT/report"),
    (&PEOPLE, "trial run marked.toml --data TABLE --seed 1 --shuffles 2 --json"),
    (&PEOPLE, "trial run marked.toml --data TABLE --in-order --state OUT/trial.state"),
    (&WORLD, "simulate --env data:TABLE --epsilon 4 --users 50 --trials 1 --plot OUT/regret.svg -vv"),
    (&WORLD, "simulate --env data:TABLE --epsilon 4 --users 50 --trials 1 --json"),
    (
        &SALES,
        "price privatise market.toml TABLE --epsilon 1 --accounts OUT/accounts --out OUT/sales.rpl --quiet",
    ),
    (&SALES, "check market.toml TABLE -vv"),
    (&SALES, "check market.toml TABLE --json"),
    (&DOSES, "check dose.toml TABLE --json"),
    (&PEOPLE, "check marked.toml TABLE"),
    // The names in a header are what `init` is for; but this header has a record's number in it.
    (&SALES, "init price TABLE -vv"),
    (&DOSES, "init tune TABLE --out OUT/plan.toml"),
    (&PEOPLE, "init trial TABLE"),
    (&SALES, "init price TABLE --out OUT/plan.toml -vv"),
];

/// A table where something else belongs.
const MISTAKEN: [&str; 28] = [
    "price privatise TABLE sales.csv --epsilon 1 --out OUT/x.rpl",
    "price privatise TABLE TABLE --epsilon 1 --out OUT/x.rpl --json",
    "price fit TABLE --out OUT/x.json",
    "price fit sales.rpl TABLE --out OUT/x.json",
    "price quote TABLE --at income=4",
    "price evaluate TABLE sales.rpl",
    "price evaluate policy.json TABLE --json",
    "tune plan TABLE",
    "tune plan TABLE --json",
    "tune fit TABLE log.csv --epsilon 1 --out OUT/x.json",
    "tune fit dose.toml log.csv --epsilon 1 --account TABLE --out OUT/x.json",
    "tune fit dose.toml log.csv --epsilon 1 --again --contexts TABLE --out OUT/x.json",
    "tune predict TABLE --at age=40",
    "trial run TABLE --data people.csv",
    "trial start TABLE --state OUT/state",
    "trial start trial.toml --state TABLE",
    "trial status --state TABLE --json",
    "trial assign --state TABLE --patient a",
    "trial correct --state TABLE --patient a --outcome 1",
    "trial log --state TABLE --json",
    "trial report TABLE --out OUT/tables",
    "trial report TABLE --json",
    "experiment TABLE",
    "check TABLE",
    "check TABLE TABLE --json",
    "simulate --env file:TABLE --epsilon 1",
    "simulate --load TABLE --epsilon 1 --trials 1 -vv",
    "reproduce ctx-table2 --data TABLE",
];

/// Rows that are their owner's own, by design.
const OWN: [&str; 6] = [
    "quotes.csv",
    "predictions.csv",
    "trial.state",
    "raw-prices.csv",
    "own-actions.json",
    "raw-actions.json",
];

struct Search {
    desk: Desk,
    marks: Marks,
    tables: u64,
    calls: u64,
    succeeded: u64,
    leaks: Vec<String>,
}

impl Search {
    fn new() -> Search {
        let desk = Desk::new();
        desk.write("marked.toml", &TRIAL.replace("high = 1.0\nbinary = true", "high = 100.0"));
        std::fs::create_dir(desk.path("tables")).unwrap();
        Search { desk, marks: Marks::default(), tables: 0, calls: 0, succeeded: 0, leaks: Vec::new() }
    }

    /// A new table; its name says nothing of what is in it.
    fn table(&mut self, ending: &str, bytes: &[u8]) -> String {
        self.tables += 1;
        let name = format!("tables/{}{ending}", self.tables);
        std::fs::write(self.desk.path(&name), bytes).unwrap();
        name
    }

    /// Runs a call and looks at what it says.
    fn run(&mut self, call: &str, table: &str, what: &dyn std::fmt::Debug) {
        self.calls += 1;
        let out = format!("out/{}", self.calls);
        std::fs::create_dir_all(self.desk.path(&out)).unwrap();
        let call = call.trim_start_matches("* ").replace("TABLE", table).replace("OUT", &out);
        let output = self.desk.output(&call);
        let code = output.status.code();
        assert!(matches!(code, Some(0..=2)), "{call} ({what:?}): {code:?}");
        self.succeeded += u64::from(code == Some(0));
        for said in [&output.stdout, &output.stderr] {
            let found = self.marks.found_in(said);
            self.leaks.extend(found.map(|found| format!("{call} ({what:?}) says {found:?}")));
        }
    }

    /// Every file that was written, with whether it holds a marked value.
    fn written(&self) -> Vec<(String, Option<String>)> {
        let is_table = |path: &str| {
            path.starts_with("tables/") && path.matches('.').count() <= 2 && !path.ends_with(".account")
        };
        let name =
            |path: &std::path::Path| path.strip_prefix(self.desk.folder()).unwrap().display().to_string();
        let all = self.desk.files().into_iter().map(|path| (name(&path), path));
        all.filter(|(name, _)| !is_table(name))
            .map(|(name, path)| (name, self.marks.found_in(&std::fs::read(path).unwrap())))
            .collect()
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(bytes).unwrap();
    gz.finish().unwrap()
}

#[test]
fn no_command_shows_anything_of_a_record() {
    let mut search = Search::new();
    for (columns, call) in READERS {
        for shape in Shape::ALL {
            let few =
                matches!(shape, Shape::Good | Shape::NoHeader | Shape::WordInColumn | Shape::Semicolons);
            if call.starts_with('*') && !few {
                continue;
            }
            let bytes = table(shape, columns, &mut search.marks);
            let plain = search.table(".csv", &bytes);
            search.run(call, &plain, &shape);
            if few {
                let packed = search.table(".csv.gz", &gzip(&bytes));
                search.run(call, &packed, &(shape, "gzip"));
            }
        }
        let bytes = gzip(&table(Shape::Good, columns, &mut search.marks));
        let cut = search.table(".csv.gz", &bytes[..bytes.len() / 2]);
        search.run(call, &cut, &"cut short");
        // A Parquet file has names by its form, and names are what `init` takes.
        for text in [false, true].into_iter().filter(|_| !call.starts_with("init")) {
            let name = search.table(".parquet", &[]);
            parquet(&search.desk.path(&name), columns, text, &mut search.marks);
            search.run(call, &name, &("Parquet", text));
        }
    }
    for call in MISTAKEN {
        for shape in [Shape::Good, Shape::NoHeader, Shape::Semicolons, Shape::EscapesInHeader, Shape::NotText]
        {
            let bytes = table(shape, &SALES, &mut search.marks);
            let name = search.table(".csv", &bytes);
            search.run(call, &name, &shape);
        }
        // What looks like a plan or a document until the record comes.
        for start in ["name = \"", "{\"format\": \"", "[", "{\"reticent-trial\":{\"version\":1}}\n"] {
            let text = format!("{start}{}", search.marks.word());
            let name = search.table(".toml", text.as_bytes());
            search.run(call, &name, &start);
        }
    }
    let written = search.written();
    for (name, found) in &written {
        let own = OWN.iter().any(|own| name.ends_with(own));
        if let Some(found) = found.as_ref().filter(|_| !own) {
            search.leaks.push(format!("{name} holds {found:?}"));
        }
    }
    assert!(search.leaks.is_empty(), "{} leaks:\n{}", search.leaks.len(), search.leaks.join("\n"));
    // The search can find: the owner's own tables do hold marked values.
    for own in ["quotes.csv", "predictions.csv"] {
        assert!(written.iter().any(|(name, found)| name.ends_with(own) && found.is_some()), "{own}");
    }
    let (marked, files) = (search.marks.made(), written.len());
    println!(
        "{marked} marked values in {} tables, {} calls of which {} succeeded, {files} files",
        search.tables, search.calls, search.succeeded
    );
    assert!(marked > 100_000 && search.calls > 400 && search.succeeded > 30, "enough was tried");
}

/// A planted leak is found in whatever it hides.
#[test]
fn the_search_finds_what_is_planted() {
    let mut marks = Marks::default();
    let (word, number) = (marks.word(), marks.number(41));
    assert!(marks.found_in(b"error: row 3, column `income`: not a number").is_none());
    for planted in [
        format!("error: {word} is not a number"),
        format!("{{\"column\":\"{}\"}}", word.to_uppercase()),
        format!("<svg><text>{number}</text></svg>"),
        format!("the column `\\u001b[31m{word}`"),
        format!("mean {}", &number[..13]),
    ] {
        assert!(marks.found_in(planted.as_bytes()).is_some(), "{planted}");
    }
    let value: f64 = number.parse().unwrap();
    let bytes = [&[1, 2, 3][..], &value.to_le_bytes(), &[4, 5]].concat();
    assert!(marks.found_in(&bytes).is_some(), "a number as it is in memory");
    assert!(marks.found_in(&[&[1, 2, 3][..], &41.0_f64.to_le_bytes()].concat()).is_none());
}
