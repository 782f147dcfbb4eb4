//! What is kept in files: saved agents, journals, accounts, releases, policies, plans and tables. Whatever a
//! file holds, nothing panics, and what is accepted can be used.
#![no_main]

use std::panic;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use parquet::data_type::DoubleType;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use reticent_curate::kernel::{
    Collector, Draft as KernelDraft, Input, KernelSpec, Population, Records, ReleaseLoss, Reward, Shape,
};
use reticent_curate::trial::{Draft, DurableTrial, Stratum, Trial, TrialSpec, analyse};
use reticent_jobs::begin::names;
use reticent_jobs::check::check;
use reticent_jobs::columns::{
    self, ColumnsError, Fault, Layout, Reading, Row, RowWatcher, TableFiles, TableFormat, Wanted,
};
use reticent_jobs::plan_text::table_format;
use reticent_jobs::price::policy::{read_policy, write_policy};
use reticent_jobs::price::{EXAMPLE as MARKET, read_market};
use reticent_jobs::trial::plan_file;
use reticent_jobs::trial::replay::TrialFile;
use reticent_jobs::trial::report;
use reticent_jobs::tune::{EXAMPLE as DOSE, Function, read_plan};
use reticent_learn::mab::{Agent, AgentKind};
use reticent_learn::pricing::{Earns, Objective, Tally, fit};
use reticent_learn::{contextual, mab};
use reticent_privacy::{Delta, Epsilon, Loss, Provenance, SimSeed, Stream};
use reticent_protocol::contextual::Spec;
use reticent_protocol::pricing;
use reticent_protocol::{Answer, Report};
use reticent_schema::{Encoding, Range};
use reticent_store::guard::is_guarded;
use reticent_store::{Account, DurableLedger};

fuzz_target!(|bytes: &[u8]| {
    LazyLock::force(&HOOK);
    let Some((&reader, bytes)) = bytes.split_first() else { return };
    match reader {
        0..=39 => mab_agent(usize::from(reader) % MAB_AGENTS.len(), bytes),
        40..=59 => contextual_agent(bytes),
        60..=89 => text_plans(bytes),
        90..=109 => trial_journal(bytes),
        110..=129 => account(bytes),
        130..=149 => ledger(bytes),
        150..=169 => released_function(bytes),
        170..=179 => pricing_policy(bytes),
        180..=189 => published(bytes),
        190..=209 => table("t.csv", bytes),
        210..=219 => table("t.csv.gz", bytes),
        _ => table("t.parquet", &changed(&PARQUET, bytes)),
    }
});

/// The fuzzer ends at every panic; those that are told as a damaged file are none.
static HOOK: LazyLock<()> = LazyLock::new(|| {
    let end = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if !is_guarded() {
            end(panic);
        }
    }));
});

/// One folder for the whole run: each reader has a file of its own in it.
static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());

fn written(name: &str, bytes: &[u8]) -> PathBuf {
    let path = FOLDER.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// Most documents are longer than the fuzzer's inputs, so these are changes to one: where, how much is left
/// out, and what comes in its place.
fn changed(document: &[u8], bytes: &[u8]) -> Vec<u8> {
    let [low, high, out, ref change @ ..] = *bytes else { return document.to_vec() };
    let mut text = document.to_vec();
    let at = usize::from(u16::from_le_bytes([low, high])) % text.len();
    let end = (at + usize::from(out)).min(text.len());
    text.splice(at..end, change.iter().copied());
    text
}

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

static MAB_AGENTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let saved = |kind: AgentKind| {
        let mut agent = kind.build(3, epsilon(1.0), SimSeed(1).stream(0, Stream::Agent)).unwrap();
        [true, false, true].into_iter().for_each(|bit| play(&mut agent, bit));
        mab::save(&agent).unwrap()
    };
    AgentKind::ALL.map(saved).to_vec()
});

/// What is loaded can be saved again, and goes on.
fn mab_agent(which: usize, bytes: &[u8]) {
    let text = changed(MAB_AGENTS[which].as_bytes(), bytes);
    let Some(mut agent) = std::str::from_utf8(&text).ok().and_then(|text| mab::load(text).ok()) else {
        return;
    };
    assert!(mab::load(&mab::save(&agent).unwrap()).is_ok());
    (0..3).for_each(|_| play(&mut agent, true));
    agent.policy(1_000);
    agent.estimates();
}

fn play(agent: &mut mab::AnyAgent, bit: bool) {
    let policy = agent.policy(1);
    let answer = Answer::Bit { arm: policy.arms.last_arm(), bit };
    let (experiment, question) = (policy.experiment.prefix(), policy.question);
    agent.absorb(&Report { experiment, policy: policy.version, source: None, question, answer }).unwrap();
}

static CONTEXTUAL_AGENT: LazyLock<String> = LazyLock::new(|| {
    let spec = Spec::new(2, Encoding::unit(1).unwrap(), epsilon(1.0)).unwrap();
    let spec = spec.with_cells(vec![4]).unwrap();
    let rng = SimSeed(1).stream(0, Stream::Agent);
    contextual::save(&contextual::Contextual::new(spec, contextual::Options::default(), rng).unwrap())
        .unwrap()
});

fn contextual_agent(bytes: &[u8]) {
    let text = changed(CONTEXTUAL_AGENT.as_bytes(), bytes);
    let loaded = std::str::from_utf8(&text).ok().and_then(|text| contextual::load(text).ok());
    let Some(mut agent) = loaded else { return };
    assert!(contextual::load(&contextual::save(&agent).unwrap()).is_ok());
    agent.refresh();
}

static TRIAL_PLAN: LazyLock<String> = LazyLock::new(|| {
    plan_file(&TrialSpec::new(Draft::simple("drug", 100, 1.0).with_levels("region", 3)).unwrap())
});

/// A market whose tables are written in every way that there is.
const TABLES: &str = "[[context]]\ncolumn = \"c\"\nlow = 0\nhigh = 9\n[[context]]\ncolumn = \"b\"\nlevels = [\"x\", \"y\"]\n\
    [price]\ncolumn = \"a\"\nlow = 1\nhigh = 2\n[outcome]\nkind = \"sale\"\ncolumn = \"d\"\n[table]\ndelimiter = \";\"\n\
    decimal = \",\"\nthousands = \".\"\n[table.columns.c]\ndate = \"D.M.YYYY\"\norigin = \"2024-01-01\"\nunit = \"weeks\"\n\
    [table.columns.b]\nmissing = { level = \"x\" }\nother = \"y\"\n[table.columns.d]\nyes = [\"ja\"]\nno = [\"nein\"]\n";

/// The plans that people write, changed or made up. A trial's plan that is accepted can be written and read again.
fn text_plans(bytes: &[u8]) {
    for text in [changed(TRIAL_PLAN.as_bytes(), bytes), bytes.to_vec()] {
        if let Ok(text) = std::str::from_utf8(&text) {
            drop(TrialFile::parse("plan.toml", text));
        }
    }
    drop(read_plan(&written("dose.toml", &changed(DOSE.as_bytes(), bytes))));
    drop(read_market(&written("market.toml", &changed(MARKET.as_bytes(), bytes))));
    drop(read_market(&written("tables.toml", &changed(TABLES.as_bytes(), bytes))));
    if let Ok(text) = std::str::from_utf8(bytes) {
        drop(table_format(text));
    }
}

/// A journal with a few people, as version 1 wrote it: a checksum would stop every change before it is read.
static TRIAL: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let spec = TrialSpec::new(Draft::simple("drug", 100, 1.0).with_levels("region", 2)).unwrap();
    let path = FOLDER.path().join("trial.whole");
    let mut trial = DurableTrial::open(&path, spec.clone()).unwrap();
    for person in 0..4 {
        let patient = person.to_string();
        trial.assign(&patient, Stratum::new(&spec, person % 2).unwrap()).unwrap();
        trial.record(&patient, (person % 2) as f64).unwrap();
    }
    trial.correct("2", None, Some("typing")).unwrap();
    trial.withdraw("3", None).unwrap();
    drop(trial);
    let text = std::fs::read_to_string(path).unwrap().replacen("\"version\":3", "\"version\":1", 1);
    let said = |line: &str| match line.strip_prefix('[') {
        Some(chained) => chained.rsplitn(3, ",\"").nth(2).unwrap().to_string(),
        None => line.to_string(),
    };
    text.lines().map(|line| said(line) + "\n").collect::<String>().into_bytes()
});

fn trial_journal(bytes: &[u8]) {
    let path = written("trial.journal", &changed(&TRIAL, bytes));
    if let Ok(mut trial) = DurableTrial::reopen(&path) {
        drop(analyse(trial.release()));
        drop(trial.correct("0", Some(1.0), None));
        drop(trial.withdraw("1", None));
        drop(trial.stop());
    }
}

fn account(bytes: &[u8]) {
    let (whole, small) = (epsilon(1.0), Delta::new(1e-6).unwrap());
    let start = br#"{"reticent-account":{"version":1,"epsilon":1.0,"delta":0.000001}}
{"paid":{"loss":{"pure":{"epsilon":0.5}}}}
{"answered":{"request":"a","text":"b"}}
"#;
    let path = written("data.account", &changed(start, bytes));
    if let Ok(mut account) = Account::open(&path, whole, small) {
        let loss = Loss::Pure { epsilon: epsilon(0.25) };
        drop(account.answer("fuzz", loss, || Ok::<_, std::io::Error>("answer".into())));
    }
}

fn ledger(bytes: &[u8]) {
    if let Ok(mut ledger) = DurableLedger::open(&written("ledger", bytes), epsilon(1.0)) {
        let spent = ledger.spent_nano();
        assert!(spent <= 1_000_000_000);
        drop(ledger.reserve("fuzz", epsilon(0.1)));
        assert!(ledger.spent_nano() >= spent);
    }
}

/// A function of one action and one context, as coarse as can be.
static RELEASE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let input =
        |column: &str| Input { column: column.into(), low: 0.0, high: 1.0, length: 0.5, levels: None };
    let spec: KernelSpec = KernelDraft {
        experiment: None,
        actions: vec![input("dose")],
        contexts: vec![input("age")],
        reward: Reward { column: "benefit".into(), low: -1.0, high: 1.0, noise: 0.2 },
        kernel: Shape { rank: 4, ..Shape::default() },
    }
    .try_into()
    .unwrap();
    let loss = ReleaseLoss::new(epsilon(1.0), Delta::new(1e-6).unwrap()).unwrap();
    let mut collector = Collector::new(&spec, &Population::Uniform, 50, loss, 1).unwrap();
    let mut records = Records::new(2);
    (0..50).for_each(|i| records.push(&[f64::from(i) / 50.0, 0.5], 0.3));
    collector.add(&records).unwrap();
    serde_json::to_vec(&collector.release().unwrap()).unwrap()
});

fn released_function(bytes: &[u8]) {
    if let Ok(function) = Function::read(&written("dose.json", &changed(&RELEASE, bytes)), 1) {
        let contexts = function.setting().draft().contexts.len();
        drop(function.best(&vec![0.5; contexts]));
    }
}

static POLICY: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let prices = pricing::Prices::points(vec![1.0, 2.0, 4.0]).unwrap();
    let terms = pricing::Terms::new(Encoding::unit(1).unwrap(), prices, Range::UNIT).unwrap();
    let spec = pricing::Spec::designed(terms.clone(), epsilon(4.0), 100).unwrap();
    let mut tally = Tally::new(&spec);
    (0..spec.codes().min(60)).for_each(|code| tally.add(spec.report(code).unwrap()).unwrap());
    let policy = fit(&[tally]).unwrap().policy(Objective::new(&terms, Earns::Margin { cost: 0.0 })).unwrap();
    let path = FOLDER.path().join("policy.whole");
    write_policy(&policy, &spec.guarantee().made_with(Provenance::SystemEntropy), &path).unwrap();
    std::fs::read(path).unwrap()
});

fn pricing_policy(bytes: &[u8]) {
    if let Ok(read) = read_policy(&written("policy.json", &changed(&POLICY, bytes))) {
        drop(read.policy.quote(&[0.5]));
    }
}

/// What a trial publishes: its tables, and what they say.
static TRIAL_DOCUMENTS: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
    let spec = TrialSpec::new(Draft::simple("drug", 20, 1.0)).unwrap();
    let everyone = Stratum::new(&spec, 0).unwrap();
    let mut trial = Trial::start(spec).unwrap();
    for _ in 0..20 {
        let number = trial.assign(everyone).unwrap().number;
        trial.record(number, 1.0).unwrap();
    }
    trial.stop().unwrap();
    let release = trial.release();
    let report = report::document(release, &analyse(release), None);
    [serde_json::to_vec(release).unwrap(), serde_json::to_vec(&report).unwrap()]
});

/// A file that passes the check, whatever was changed in it, says where its noise came from or that it does not.
fn published(bytes: &[u8]) {
    let [release, report] = &*TRIAL_DOCUMENTS;
    for document in [&RELEASE, &POLICY, release, report] {
        if let Ok(checked) = check(&written("published", &changed(document, bytes)), 1) {
            assert_eq!(checked.guarantee.protects() == None, checked.verdict().contains("does not say"));
        }
    }
}

/// Two columns of numbers in two row groups.
static PARQUET: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let schema = "message t { required double a; required double b; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut file = Vec::new();
    let mut writer =
        SerializedFileWriter::new(&mut file, schema, Arc::new(WriterProperties::builder().build())).unwrap();
    for _ in 0..2 {
        let mut group = writer.next_row_group().unwrap();
        while let Some(mut column) = group.next_column().unwrap() {
            column.typed::<DoubleType>().write_batch(&[0.5, 0.25, 0.125], None, None).unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.close().unwrap();
    file
});

/// A table that is written in every way that there is.
static MESSY: LazyLock<TableFormat> = LazyLock::new(|| {
    let text = r#"{"table": {"decimal": ",", "thousands": ".", "currency": ["€"], "blank": ["NA"], "columns": {
        "a": {"missing": "middle"}, "b": {"missing": {"level": "x"}, "other": "y"},
        "c": {"date": "D.M.YYYY", "origin": "2024-01-01"}, "d": {"yes": ["ja"], "no": ["nein"]}}}}"#;
    table_format(text).unwrap()
});

/// Counts rows and cells.
#[derive(Default)]
struct Watcher(usize, u64);

impl RowWatcher for Watcher {
    fn columns(&mut self, names: &[String]) {
        self.0 = names.len();
    }
    fn row(&mut self, row: &Row<'_>) {
        assert_eq!(row.len(), self.0);
        (0..row.len()).for_each(|place| drop(format!("{:?}", row.cell(place))));
        self.1 += 1;
    }
}

/// Whatever a table holds, each wanted cell is read or counted as a fault, and who watches sees every row.
fn messy(files: &TableFiles) {
    let levels = ["x".to_string(), "y".to_string()];
    let wanted = [
        Wanted::range("a", 0.0, 1000.0, false),
        Wanted::levels("b", &levels),
        Wanted::range("c", -1e6, 1e6, true),
        Wanted::range("d", 0.0, 1.0, false),
    ];
    drop(names(files, false));
    for count in 1..=wanted.len() {
        let layout = Layout::new(&MESSY, &wanted[..count]).unwrap();
        let Ok(found) = columns::survey(files, &layout, &|_| true) else { return };
        let found = found.unwrap();
        let mut watcher = Watcher::default();
        let reading = Reading { watcher: Some(&mut watcher), once: false };
        let read = columns::read_with(files, &layout, reading, |_| Ok::<_, ColumnsError>(()));
        match read {
            Ok(rows) => {
                assert!(found.is_clean());
                assert_eq!((rows, watcher.1), (found.rows, found.rows));
            }
            // Who watches reads every column, also those that the survey was not asked about.
            Err(ColumnsError::Data { fault: Fault::Damaged | Fault::Compression { .. }, .. }) => {}
            Err(_) => assert!(!found.is_clean()),
        }
    }
}

/// Every number that is read is finite, and rows are counted.
fn table(name: &str, bytes: &[u8]) {
    let path = written(name, bytes);
    let names: &[&str] = if name.ends_with("parquet") { &["a", "b"] } else { &["a"] };
    let files = TableFiles::one(&path).unwrap();
    messy(&files);
    let mut rows = 0;
    let read = columns::read(&path, names, |batch| {
        rows += batch.rows() as u64;
        for column in 0..names.len() {
            assert!(batch.column(column).iter().all(|number| number.is_finite()));
        }
        Ok::<_, ColumnsError>(())
    });
    if let Ok(read) = read {
        assert_eq!(read, rows);
    }
}
