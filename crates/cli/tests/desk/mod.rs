//! A folder with everything that commands read, small: plans, tables, and what was made from them.
#![allow(dead_code, reason = "each test takes what it needs")]

pub(crate) mod served;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use reticent_privacy::{SimSeed, Stream};

pub(crate) const MARKET: &str = "
[[context]]
column = \"income\"
low = 0
high = 100

[price]
column = \"price\"
low = 5
high = 25

[outcome]
kind = \"sale\"
column = \"bought\"
";

pub(crate) const DOSE: &str = "
[[action]]
column = \"dose\"
low = 0.0
high = 10.0
length = 0.5

[[context]]
column = \"age\"
low = 18.0
high = 90.0
length = 0.5

[reward]
column = \"response\"
low = 0.0
high = 1.0
noise = 0.2

[kernel]
family = \"squared-exponential\"
rank = 16
";

pub(crate) const TRIAL: &str = "
name = \"clinic\"
arms = [\"usual care\", \"new care\"]
people = 200
better = \"higher\"
epsilon = 2.0
observed = [0.5, 0.5]

[outcome]
column = \"score\"
low = 0.0
high = 1.0
binary = true

[[feature]]
column = \"site\"
levels = [\"north\", \"south\"]

[replay]
arm_column = \"treat\"
arm_values = [\"0\", \"1\"]
";

pub(crate) const PAGE: &str = "
name = \"landing page\"
epsilon = \"1\"
report_window_days = 7

[problem]
kind = \"bandit\"
arms = [\"blue\", \"green\", \"red\"]
reward = { low = \"0\", high = \"1\" }
";

/// The folder, and what runs in it.
pub(crate) struct Desk(tempfile::TempDir);

impl Desk {
    /// Plans and tables.
    pub(crate) fn with_tables() -> Desk {
        let desk = Desk(tempfile::tempdir().unwrap());
        for (name, text) in
            [("market.toml", MARKET), ("dose.toml", DOSE), ("trial.toml", TRIAL), ("page.toml", PAGE)]
        {
            desk.write(name, text);
        }
        desk.write("sales.csv", &sales(1500));
        desk.write("log.csv", &doses(400));
        desk.write("people.csv", &people(240));
        desk.write("wrong.csv", "income,price,bought\n4711,9,1\nmuch,9,1\n50,9,1\n");
        desk.write("visitors.csv", "income\n10\n50\n90\n");
        desk.write("patients.csv", "age\n20\n50\n80\n");
        desk
    }

    /// The same, with a privatised log, a policy, a released function and a trial under way.
    pub(crate) fn new() -> Desk {
        let desk = Desk::with_tables();
        for call in [
            "price privatise market.toml sales.csv --epsilon 4 --out sales.rpl",
            "price fit sales.rpl --prices 8,12,16 --out policy.json",
            "tune fit dose.toml log.csv --epsilon 2 --out dose.json",
            "trial start trial.toml --state clinic.journal",
            "trial assign --state clinic.journal --patient first --feature site=north",
        ] {
            desk.done(call);
        }
        desk
    }

    pub(crate) fn folder(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// A call as it would be typed; quotes are for one word with spaces.
    pub(crate) fn command(&self, call: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reticent"));
        command.current_dir(self.folder()).args(words(call));
        // What a command keeps for its user stays here too.
        command.env("HOME", self.path("home")).env("XDG_DATA_HOME", self.path("home/data"));
        command.env_remove("NO_COLOR").env_remove("RETICENT_ACCOUNTS").env_remove("RETICENT_ACTOR");
        command.env_remove("RETICENT_KEY");
        command
    }

    pub(crate) fn output(&self, call: &str) -> Output {
        self.command(call).output().unwrap()
    }

    pub(crate) fn done(&self, call: &str) -> String {
        let output = self.output(call);
        assert!(output.status.success(), "{call}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// All files below the folder, in order.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let mut all = Vec::new();
        let mut folders = vec![self.folder().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
                let path = entry.path();
                if path.is_dir() { folders.push(path) } else { all.push(path) }
            }
        }
        all.sort();
        all
    }
}

fn words(call: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (place, part) in call.split('\'').enumerate() {
        if place % 2 == 1 {
            words.push(part.to_string());
        } else {
            words.extend(part.split_whitespace().map(String::from));
        }
    }
    words
}

fn sales(rows: usize) -> String {
    let mut rng = SimSeed(3).stream(0, Stream::Environment);
    let mut text = String::from("income,price,bought\n");
    for _ in 0..rows {
        let (income, price) = (100.0 * rng.uniform(), 5.0 + 20.0 * rng.uniform());
        let bought = u8::from(rng.uniform() < 0.9 - price / 40.0);
        writeln!(text, "{income:.2},{price:.2},{bought}").unwrap();
    }
    text
}

fn doses(rows: usize) -> String {
    let mut rng = SimSeed(4).stream(0, Stream::Environment);
    let mut text = String::from("dose,age,response\n");
    for _ in 0..rows {
        let (dose, age) = (10.0 * rng.uniform(), 18.0 + 72.0 * rng.uniform());
        writeln!(text, "{dose:.3},{age:.2},{:.3}", 0.2 + 0.6 * rng.uniform()).unwrap();
    }
    text
}

fn people(rows: usize) -> String {
    let mut rng = SimSeed(5).stream(0, Stream::Environment);
    let mut text = String::from("site,treat,score\n");
    for _ in 0..rows {
        let site = if rng.uniform() < 0.5 { "north" } else { "south" };
        writeln!(text, "{site},{},{}", u8::from(rng.uniform() < 0.5), u8::from(rng.uniform() < 0.4)).unwrap();
    }
    text
}

/// Every command in each of its forms, in an order in which they can be made on one desk. What they answer with is
/// yes; `audit` and `reproduce` are the quickest that there are.
pub(crate) const CALLS: [&str; 70] = [
    "--help",
    "--version",
    "help trial run",
    "trial --help",
    "tune fit --help",
    "serve --help",
    "key make --help",
    "list",
    "list --json",
    "simulate --epsilon 1 --users 3000 --trials 2",
    "simulate --epsilon 1 --users 3000 --trials 2 --json",
    "simulate --epsilon 1 --users 3000 --trials 2 --plot regret.svg",
    "simulate --epsilon 4 --env exponential-code --users 300 --trials 2",
    "simulate --epsilon 4 --env exponential-code --users 300 --trials 2 --json",
    "audit k-rr --epsilon 1 --samples 200",
    "audit k-rr --epsilon 1 --samples 200 --json",
    "audit k-rr --epsilon 1 --samples 200 --out audit",
    "audit --command cat --input 0 --input 0.0 --epsilon 1 --samples 200",
    "forgers --epsilon 1",
    "forgers --epsilon 1 --share 0.02 --difference 0.1 --json",
    "report randomised-response --epsilon 1 --input true --count 50000",
    "check dose.json sales.rpl policy.json",
    "check dose.json --json",
    "experiment page.toml",
    "experiment page.toml --json",
    "experiment --schema",
    "trial simulate --people 120 --epsilon 2 --trials 2",
    "trial simulate --people 120 --epsilon 2 --trials 2 --json",
    "trial simulate --people 120 --epsilon 2 --trials 2 --out simulated",
    "trial plan --better higher --effect 0.5 --base 0.2 --epsilon 4 --trials 4 --max-people 800 --power 0.2",
    "trial plan --better higher --effect 0.5 --base 0.2 --epsilon 4 --trials 4 --max-people 800 --power 0.2 --json",
    "trial run trial.toml --data people.csv",
    "trial run trial.toml --data people.csv --json",
    "trial run trial.toml --data people.csv --out report",
    "trial run trial.toml --data people.csv --seed 1 --shuffles 2",
    "trial run trial.toml --data people.csv --seed 1 --shuffles 2 --json",
    "trial start trial.toml --state new.journal",
    "trial assign --state clinic.journal --patient second --feature site=north",
    "trial assign --state clinic.journal --patient third --feature site=south --json",
    "trial assignment --state clinic.journal --patient second",
    "trial record --state clinic.journal --patient second --outcome 1",
    "trial missing --state clinic.journal --patient third --json",
    "trial status --state clinic.journal",
    "trial status --state clinic.journal --json",
    "trial correct --state clinic.journal --patient second --outcome 0 --reason typing --actor 'ward 3'",
    "trial correct --state clinic.journal --patient second --missing --json",
    "trial withdraw --state clinic.journal --patient first",
    "trial withdraw --state clinic.journal --patient first --json",
    "trial log --state clinic.journal",
    "trial log --state clinic.journal --json",
    "trial stop --state clinic.journal --yes",
    "trial report report/release.json --out tables",
    "trial report report/release.json --json",
    "tune plan --example",
    "tune plan dose.toml --people 1000",
    "tune plan dose.toml --people 1000 --json",
    "tune fit dose.toml log.csv --epsilon 2 --out again.json",
    "tune fit dose.toml log.csv --epsilon 2 --out other.json --json",
    "tune predict dose.json --at age=40",
    "tune predict dose.json --at age=40 --json",
    "tune predict dose.json --contexts patients.csv --out predictions.csv --json",
    "price privatise --example",
    "price fit sales.rpl --prices 8,12,16 --out other-policy.json --json",
    "price quote policy.json --at income=40",
    "price quote policy.json --at income=40 --json",
    "price quote policy.json --contexts visitors.csv --out quotes.csv --json",
    "price evaluate policy.json sales.rpl --json",
    "account show",
    "account show --json",
    "completions bash",
];
