//! Tables as people have them, through every command: categories, standard input, several files, `;`.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use reticent_privacy::{SimSeed, Stream};

const MARKET: &str = include_str!("cli/tables.in/market.toml");

struct Folder(tempfile::TempDir, AtomicU32);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap(), AtomicU32::new(0));
        folder.write("market.toml", MARKET);
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn run(&self, args: &[&str], input: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reticent"));
        command.current_dir(self.0.path()).args(args);
        // A release from the same people costs again: each call has accounts of its own.
        command.env("RETICENT_ACCOUNTS", format!("accounts-{}", self.1.fetch_add(1, Ordering::Relaxed)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let input = input.to_string();
        // Whoever refuses its input early closes the pipe.
        let writer = std::thread::spawn(move || drop(pipe.write_all(input.as_bytes())));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        output
    }

    fn works(&self, args: &[&str], input: &str) -> String {
        let output = self.run(args, input);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }
}

/// Offers in two regions, of which the north pays about 300 more.
fn sales(rows: usize) -> String {
    let mut rng = SimSeed(1).stream(0, Stream::Environment);
    let mut text = String::from("customer;signed up;region;age;price;bought\n");
    for row in 0..rows {
        let north = rng.uniform() < 0.5;
        let price = (500.0 + 1000.0 * rng.uniform()).floor();
        let worth = if north { 1150.0 } else { 850.0 };
        let bought = rng.uniform() < (0.5 + (worth - price) / 240.0).clamp(0.02, 0.98);
        let (whole, region) = (price as u32, if north { "North" } else { "South" });
        let amount =
            if whole < 1000 { whole.to_string() } else { format!("{}.{:03}", whole / 1000, whole % 1000) };
        let region = if row % 50 == 0 { "" } else { region };
        let (day, age) =
            (1 + row % 28, if row % 40 == 0 { "n/a".into() } else { (18 + row % 70).to_string() });
        let answer = if bought { "yes" } else { "No" };
        writeln!(text, "C-{row};{day:02}.03.2023;{region};{age};{amount},00 €;{answer}").unwrap();
    }
    text
}

#[test]
fn a_messy_table_becomes_prices_by_region() {
    let folder = Folder::new();
    folder.write("sales.csv", &sales(20_000));
    folder.works(&["check", "market.toml", "sales.csv"], "");
    folder.works(&["price", "privatise", "market.toml", "sales.csv", "--epsilon", "8", "--out", "a.rpl"], "");
    folder.works(&["price", "fit", "a.rpl", "--out", "policy.json"], "");
    folder.write(
        "people.csv",
        "age;region;signed up\n40;North;01.02.2023\n40;South;01.02.2023\nn/a;;01.02.2023\n",
    );
    let call = ["price", "quote", "policy.json", "--contexts", "people.csv", "--table", "market.toml"];
    folder.works(&[&call[..], &["--out", "quotes.csv"]].concat(), "");
    let quotes = folder.read("quotes.csv");
    let rows: Vec<Vec<&str>> = quotes.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0][..4], ["signed up", "region", "age", "price"]);
    assert_eq!([rows[1][1], rows[2][1], rows[3][1]], ["North", "South", "unknown"]);
    assert_eq!((rows[1][0], rows[3][2]), ("31", "54"));
    let price = |row: usize| rows[row][3].parse::<f64>().unwrap();
    assert!(price(1) > price(2) + 50.0, "the north pays more: {quotes}");
    let refused = folder.run(&[&call[..5], &["--out", "other.csv"]].concat(), "");
    let told = String::from_utf8(refused.stderr).unwrap();
    assert!(told.contains("row 1, column `signed up`: not a number"), "{told}");
}

#[test]
fn standard_input_and_several_files_are_tables_too() {
    let folder = Folder::new();
    let text = sales(300);
    for place in ["-", "/dev/stdin"] {
        for more in [&["--records", "300"][..], &[]] {
            let call =
                ["price", "privatise", "market.toml", place, "--epsilon", "1", "--out", "a.rpl", "--force"];
            let shown = folder.works(&[&call[..], more].concat(), &text);
            assert!(shown.starts_with("300 rows privatised"), "{shown}");
        }
    }
    let (head, rows) = text.split_once('\n').unwrap();
    let (first, rest) = rows.split_at(rows.match_indices('\n').nth(99).unwrap().0 + 1);
    folder.write("1.csv", &format!("{head}\n{first}"));
    folder.write("2.csv", &format!("{head}\n{rest}"));
    for places in [&["1.csv", "2.csv"][..], &["*.csv"], &["."]] {
        let call = ["--epsilon", "1", "--out", "b.rpl", "--force"];
        let shown = folder.works(&[&["price", "privatise", "market.toml"][..], places, &call].concat(), "");
        assert!(shown.starts_with("300 rows privatised"), "{places:?}: {shown}");
    }
    let empty =
        folder.run(&["price", "privatise", "market.toml", "-", "--epsilon", "1", "--out", "c.rpl"], "");
    assert_eq!(String::from_utf8(empty.stderr).unwrap(), "error: standard input: there are no rows\n");
}

const DOSE: &str = "[[action]]\ncolumn = \"price\"\nlow = 500\nhigh = 1500\n[[context]]\ncolumn = \"region\"\n\
    levels = [\"North\", \"South\", \"unknown\"]\n[reward]\ncolumn = \"bought\"\nlow = 0\nhigh = 1\n\
    [kernel]\nfamily = \"matern-5/2\"\nrank = 40\n[table]\ndecimal = \",\"\nthousands = \".\"\ncurrency = [\"€\"]\n\
    [table.columns.region]\nmissing = { level = \"unknown\" }\n[table.columns.bought]\nyes = [\"yes\"]\nno = [\"no\"]\n";

/// By the seed of the rows: with epsilon 8 the noise is small against the difference of the regions.
#[test]
fn a_tuning_plan_has_categories_and_asks_for_them_by_name() {
    let folder = Folder::new();
    folder.write("dose.toml", DOSE);
    let input = sales(20_000);
    let call = ["tune", "fit", "dose.toml", "-", "--epsilon", "8", "--out", "f.json"];
    let shown = folder.works(&call, &input);
    assert!(shown.contains("--at \"region=South\""), "{shown}");
    let expected = |region: &str| {
        let at = format!("region={region}");
        let call = ["tune", "predict", "f.json", "--at", &at, "--action", "price=1000", "--json"];
        let text = folder.works(&call, "");
        let document: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(document["context"]["region"], region);
        document["mean"].as_f64().unwrap()
    };
    let (north, south) = (expected("North"), expected("South"));
    assert!(north > 0.7 && south < 0.3, "{north} {south}");
    folder.write("people.csv", "region\nSouth\n\n\"\"\nNorth\n");
    let call =
        ["tune", "predict", "f.json", "--contexts", "people.csv", "--table", "dose.toml", "--out", "p.csv"];
    folder.works(&call, "");
    let written = folder.read("p.csv");
    let regions: Vec<&str> = written.lines().map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(regions, ["region", "South", "unknown", "North"]);
    folder.works(&["tune", "predict", "f.json", "--plot", "f.svg"], "");
    let moon = folder.run(&["tune", "predict", "f.json", "--at", "region=Moon"], "");
    let told = String::from_utf8(moon.stderr).unwrap();
    assert!(told.contains("region is none of North, South, unknown") && !told.contains("Moon"), "{told}");
}

#[test]
fn a_trial_reads_the_same_tables_and_outcomes_may_be_lost() {
    let folder = Folder::new();
    folder
        .write("trial.toml", &include_str!("cli/tables.in/trial.toml").replace("people = 3", "people = 200"));
    let text = sales(200).replace(";No\n", ";no\n");
    let shown = folder.works(&["trial", "run", "trial.toml", "--data", "-", "--seed", "1"], &text);
    assert!(shown.starts_with("letters: 200 of 200 planned people"), "{shown}");
    let strict = folder.read("trial.toml").replace("missing = \"lost\"", "");
    folder.write("strict.toml", &strict);
    let refused = folder.run(&["trial", "run", "strict.toml", "--data", "-", "--seed", "1"], &text);
    let told = String::from_utf8(refused.stderr).unwrap();
    assert!(told.contains("standard input: row 1, column `age`: no value"), "{told}");
}
