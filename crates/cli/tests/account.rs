//! One account for raw data: whichever command, file, format or folder, what was spent on the same people is
//! found, and nothing is spent unnoticed.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use reticent_curate::trial::DurableTrial;
use reticent_privacy::{SimSeed, Stream};
use serde_json::Value;

const MARKET: &str = "[[context]]\ncolumn = \"age\"\nlow = 18\nhigh = 90\n\n[price]\ncolumn = \"dose\"\nlow = 0\nhigh = 10\n\n\
    [outcome]\nkind = \"sale\"\ncolumn = \"well\"\n";
const DOSE: &str = "[[action]]\ncolumn = \"dose\"\nlow = 0.0\nhigh = 10.0\n\n[[context]]\ncolumn = \"age\"\nlow = 18.0\n\
    high = 90.0\n\n[reward]\ncolumn = \"well\"\nlow = 0.0\nhigh = 1.0\nnoise = 0.2\n\n[kernel]\nfamily = \"squared-exponential\"\nrank = 8\n";
const TRIAL: &str = "name = \"clinic\"\narms = [\"usual\", \"new\"]\npeople = 300\nbetter = \"higher\"\nepsilon = 2.0\nobserved = [0.5, 0.5]\n\n\
    [outcome]\ncolumn = \"well\"\nlow = 0.0\nhigh = 1.0\nbinary = true\n\n\
    [replay]\narm_column = \"arm\"\narm_values = [\"0\", \"1\"]\n";

struct Folder(tempfile::TempDir);

impl Folder {
    /// Plans of three problems, and one table that all of them read.
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        folder.write("market.toml", MARKET);
        folder.write("dose.toml", DOSE);
        folder.write("trial.toml", TRIAL);
        folder.write("people.csv", &people(400, 1));
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    fn command(&self, call: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reticent"));
        command.env("RETICENT_ACCOUNTS", "accounts").current_dir(self.0.path());
        command.args(call.split_whitespace());
        command
    }

    fn run(&self, call: &str) -> Output {
        self.command(call).output().unwrap()
    }

    /// The document of a call that must succeed.
    fn json(&self, call: &str) -> Value {
        let output = self.run(&format!("{call} --json"));
        assert!(output.status.success(), "{call}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// What a call says that an account does not allow.
    fn refused(&self, call: &str) -> String {
        let output = self.run(call);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && output.stdout.is_empty(), "{call}: {error}");
        error
    }
}

fn people(rows: usize, seed: u64) -> String {
    let mut rng = SimSeed(seed).stream(0, Stream::Environment);
    let mut text = String::from("id,age,dose,arm,well\n");
    for id in 0..rows {
        let (age, dose) = (18.0 + 72.0 * rng.uniform(), 10.0 * rng.uniform());
        let (arm, well) = (u8::from(rng.uniform() < 0.5), u8::from(rng.uniform() < 0.5));
        writeln!(text, "{seed}-{id},{age},{dose},{arm},{well}").unwrap();
    }
    text
}

#[test]
fn local_and_central_charges_of_the_same_people_add_up() {
    let folder = Folder::new();
    let first = folder.json("price privatise market.toml people.csv --epsilon 0.5 --out a.rpl");
    assert_eq!(first["account"]["spent"]["pure"]["epsilon"], 0.5);
    assert!(first["account"]["spent_before"].is_null() && first["stored"] == false);
    let tune = "tune fit dose.toml people.csv --epsilon 1 --out f.json";
    let error = folder.refused(tune);
    for words in
        ["accounts/accounts.journal", "epsilon 0.5 was spent", "epsilon 1.5 and delta 0.000001 would be"]
    {
        assert!(error.contains(words), "{error}");
    }
    assert!(!folder.path("f.json").exists());
    let second = folder.json(&format!("{tune} --again"));
    assert_eq!(second["account"]["spent"]["approximate"]["epsilon"], 1.5);
    assert!(folder.refused("trial run trial.toml --data people.csv").contains("epsilon 1.5 and delta"));
    let third = folder.json("trial run trial.toml --data people.csv --again");
    assert_eq!(third["account"]["spent"]["approximate"]["epsilon"], 3.5);
    let stored = folder.json("trial run trial.toml --data people.csv");
    assert_eq!((&stored["stored"], &stored["effects"]), (&true.into(), &third["effects"]));
    let accounts = folder.json("account show");
    assert_eq!((&accounts["format"], &accounts["version"]), (&"reticent-accounts".into(), &1.into()));
    assert_eq!(accounts["accounts"][0]["charges"].as_array().unwrap().len(), 3);
    // A seed protects nobody and is not charged.
    let seeded = folder.json("trial run trial.toml --data people.csv --seed 1");
    assert!(seeded["account"].is_null() && folder.json("account show") == accounts);
}

#[test]
fn copies_orders_formats_and_folders_find_the_account() {
    let folder = Folder::new();
    folder.json("price privatise market.toml people.csv --epsilon 1 --out a.rpl");
    let text = people(400, 1);
    let mut lines: Vec<&str> = text.lines().skip(1).collect();
    lines.reverse();
    folder.write("other.csv", &format!("id,age,dose,arm,well\n{}\n", lines.join("\n")));
    std::fs::create_dir(folder.path("elsewhere")).unwrap();
    folder.write("elsewhere/copy.csv", &text.replace(',', ";"));
    let moved: String = text.lines().map(|line| line.split_once(',').unwrap().1.to_string() + "\n").collect();
    folder.write("no-id.csv", &moved);
    for table in ["other.csv", "elsewhere/copy.csv", "no-id.csv"] {
        let again =
            folder.json(&format!("price privatise market.toml {table} --epsilon 1 --out {table}.rpl"));
        assert_eq!(
            (&again["stored"], &again["account"]["spent"]["pure"]["epsilon"]),
            (&true.into(), &1.0.into())
        );
        let logs = ["a.rpl".to_string(), format!("{table}.rpl")]
            .map(|log| std::fs::read(folder.path(&log)).unwrap());
        assert!(logs[0] == logs[1], "the stored log was copied");
        let one_pass =
            format!("price privatise market.toml {table} --epsilon 1 --records 400 --out b.rpl --force");
        assert_eq!(folder.json(&one_pass)["stored"], true);
    }
    // Some of its rows, or more of them.
    for (rows, name) in
        [(&text[..text.len() / 2], "head.csv"), (&(text.clone() + "x,50,5,1,1\n"), "more.csv")]
    {
        folder.write(name, &(rows.rsplit_once('\n').unwrap().0.to_string() + "\n"));
        let error = folder.refused(&format!("price privatise market.toml {name} --epsilon 1 --out c.rpl"));
        assert!(error.contains("shares rows with") && error.contains("--other-people"), "{error}");
    }
    // Other people are others.
    folder.write("others.csv", &people(400, 2));
    let others = folder.json("price privatise market.toml others.csv --epsilon 1 --out d.rpl");
    assert!(others["account"]["spent_before"].is_null());
    // A stored log that is gone costs again.
    std::fs::remove_file(folder.path("a.rpl")).unwrap();
    let error = folder.refused("price privatise market.toml people.csv --epsilon 1 --out e.rpl");
    assert!(error.contains("is gone or changed"), "{error}");
}

#[test]
fn limits_and_merges_hold() {
    let folder = Folder::new();
    folder.write("others.csv", &people(400, 2));
    let id = |table: &str| {
        let call = format!("price privatise market.toml {table} --epsilon 1 --out {table}.rpl");
        folder.json(&call)["account"]["id"].as_str().unwrap().to_string()
    };
    let (one, two) = (id("people.csv"), id("others.csv"));
    folder.json(&format!("account limit {one} --epsilon 2.5"));
    let merged = folder.json(&format!("account merge {two} {one}"));
    assert_eq!(merged["accounts"][0]["spent"]["pure"]["epsilon"], 2.0);
    let tune = "tune fit dose.toml others.csv --once age=40 --epsilon";
    assert!(folder.refused(&format!("{tune} 0.6 --again")).contains("the limit is epsilon 2.5"));
    let note = folder.run(&format!("{tune} 0.5"));
    let said = String::from_utf8_lossy(&note.stderr);
    assert!(note.status.success() && said.contains("epsilon 2 was spent, and epsilon 2.5 will be"), "{said}");
    assert_eq!(folder.run("account limit ffff --epsilon 1").status.code(), Some(2));
    assert_eq!(folder.run(&format!("account show {}", &one[..5])).status.code(), Some(0));
}

/// An interrupted trial was paid for: its file goes on at no cost, and a new file costs again.
#[test]
fn a_trial_in_a_file_is_paid_for_once() {
    let folder = Folder::new();
    let run = "trial run trial.toml --data people.csv --in-order --state";
    let first = folder.json(&format!("{run} a.state"));
    let again = folder.json(&format!("{run} b.state"));
    assert_eq!((&again["stored"], &again["effects"]), (&true.into(), &first["effects"]));
    assert!(!folder.path("b.state").exists(), "there was nothing to do");
    folder.write("others.csv", &people(400, 2));
    let run = "trial run trial.toml --data others.csv --in-order --state";
    // Paid for, and killed after the first line of the file was written.
    let whole = folder.json(&format!("{run} c.state"));
    let book = std::fs::read_to_string(folder.path("accounts/accounts.journal")).unwrap();
    let cut = book.trim_end().rfind('\n').unwrap() + 1;
    std::fs::write(folder.path("accounts/accounts.journal"), &book[..cut]).unwrap();
    let goes_on = folder.json(&format!("{run} c.state"));
    assert_eq!(goes_on["account"]["spent"]["pure"]["epsilon"], 2.0);
    assert_eq!(goes_on["effects"], whole["effects"], "what was drawn is not drawn again");
}

#[test]
fn commands_on_one_trial_wait_their_turn() {
    let folder = Folder::new();
    assert!(folder.run("trial start trial.toml --state s").status.success());
    let assign = |number: usize| {
        let mut command = folder.command(&format!("trial assign --state s --patient p{number}"));
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let all: Vec<_> = (0..20).map(assign).collect();
    for child in all {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let held = DurableTrial::reopen(&folder.path("s")).unwrap();
    assert_eq!(held.release().enrolled(), 20);
    let refused = folder.run("trial status --state s --wait 1");
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(
        refused.status.code() == Some(2) && error.contains("in use") && error.contains("wait of 1 s"),
        "{error}"
    );
}
