//! Whatever bytes arrive, nothing panics, and what is accepted is written back as it came.
#![no_main]

use std::fmt::Debug;
use std::io::Write;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use reticent_learn::contextual as learn;
use reticent_learn::pricing::Tally;
use reticent_privacy::oracle::{Aggregate, Domain, FrequencyOracle, Kind, Oracle};
use reticent_privacy::{Delta, DurableLedger, Epsilon, Grid, Ledger, Rho, SimSeed, Stream};
use reticent_protocol::mab::{Policy, Report, Spec, Squash};
use reticent_protocol::{abse, contextual, gradient, pricing};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Every oracle at the edges of its parameters.
static ORACLES: LazyLock<Vec<FrequencyOracle>> = LazyLock::new(|| {
    let mut oracles = Vec::new();
    for size in [1, 2, 3, 16, 100] {
        for epsilon in [1e-6, 1.0, 50.0] {
            let (domain, epsilon) = (Domain::new(size).unwrap(), Epsilon::new(epsilon).unwrap());
            oracles.extend(Kind::ALL.map(|kind| FrequencyOracle::new(kind, domain, epsilon)));
        }
    }
    oracles
});

fuzz_target!(|bytes: &[u8]| {
    let Some((&reader, bytes)) = bytes.split_first() else { return };
    match reader {
        0..=19 => mab_report(bytes),
        20..=29 => pricing_log(bytes),
        30..=54 => contextual_report(bytes),
        55..=79 => contextual_policy(bytes),
        80..=159 => oracle_report(&ORACLES[usize::from(reader - 80) % ORACLES.len()], bytes),
        160..=219 => json(bytes),
        220..=229 => bins_report(bytes),
        230..=239 => gradient_report(bytes),
        240..=249 => contextual_agent(bytes),
        // Rare: each one writes a file.
        _ => ledger_file(bytes),
    }
});

fn mab_report(bytes: &[u8]) {
    if let Ok(report) = Report::decode(bytes) {
        assert_eq!(report.encode(), bytes);
    }
}

fn contextual_report(bytes: &[u8]) {
    if let Ok(report) = contextual::Report::decode(bytes) {
        assert_eq!(report.encode(), bytes);
    }
}

/// A small experiment with a source, to hold policies against.
static EXPERIMENT: LazyLock<contextual::Spec> = LazyLock::new(|| {
    let epsilon = Epsilon::new(1.0).unwrap();
    let source = contextual::Source { name: "s".into(), epsilon, people: 9, behaviour: vec![0.5; 2] };
    let spec = contextual::Spec::new(2, contextual::Encoding::unit(1).unwrap(), epsilon).unwrap();
    let mut spec = serde_json::to_value(spec.with_sources(vec![source]).unwrap()).unwrap();
    spec["cells"] = serde_json::json!([4]);
    serde_json::from_value(spec).unwrap()
});

fn contextual_policy(bytes: &[u8]) {
    let Ok(policy) = contextual::Policy::decode(bytes) else { return };
    assert_eq!(policy.encode(), bytes);
    let Ok(plan) = contextual::Plan::new(&EXPERIMENT, policy) else { return };
    for task in 0..plan.policy().tasks.len() {
        assert_eq!(plan.channel(task).coarse(3) as usize + 1, plan.channel(task).coarse_cells());
        if plan.policy().source.is_none() {
            assert_eq!(plan.map(task).len(), 4);
        }
    }
}

fn bins_report(bytes: &[u8]) {
    if let Ok(report) = abse::Report::decode(bytes) {
        assert_eq!(report.encode(), bytes);
    }
}

/// A log with a header and a block of three reports.
static LOG: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let sold = contextual::RewardRange { low: 0.0, high: 1.0 };
    let prices = pricing::Prices::range(0.0, 1.0).unwrap();
    let terms = pricing::Terms::new(contextual::Encoding::unit(1).unwrap(), prices, sold).unwrap();
    let spec = pricing::Spec::designed(terms, Epsilon::new(1.0).unwrap(), 100).unwrap();
    let mut file = Vec::new();
    let mut log = pricing::log::LogWriter::new(&mut file, &spec).unwrap();
    for code in 0..3 {
        log.push_code(code).unwrap();
    }
    log.finish().unwrap();
    file
});

/// Any bytes, and the bytes in place of some of a log's: what is read is written again as it was, and counted.
fn pricing_log(bytes: &[u8]) {
    let [low, high, ref change @ ..] = *bytes else { return };
    let at = usize::from(u16::from_le_bytes([low, high])) % LOG.len();
    let mut changed = LOG.clone();
    changed.splice(at..(at + change.len()).min(LOG.len()), change.iter().copied());
    for file in [bytes, &changed] {
        let Ok(mut log) = pricing::log::LogReader::open(file) else { continue };
        let spec = log.spec().clone();
        let (mut again, mut codes, mut tally) = (Vec::new(), Vec::new(), Tally::new(&spec));
        let mut writer = pricing::log::LogWriter::new(&mut again, &spec).unwrap();
        while let Ok(true) = log.next_block(&mut codes) {
            for &code in &codes {
                writer.push_code(code).unwrap();
                tally.add(spec.report(code).unwrap()).unwrap();
            }
        }
        assert_eq!(writer.finish().unwrap(), tally.reports());
        assert!(log.reports() >= tally.reports());
    }
}

fn gradient_report(bytes: &[u8]) {
    if let Ok(report) = gradient::Report::decode(bytes) {
        assert_eq!(report.encode(), bytes);
    }
}

/// A saved agent is longer than the fuzzer's inputs, so they are changes to one: where, how much is left out, and what comes in its place.
static SAVED: LazyLock<String> = LazyLock::new(|| {
    let rng = SimSeed(1).stream(0, Stream::Agent);
    let agent = learn::Contextual::new(EXPERIMENT.clone(), learn::Options::default(), rng).unwrap();
    learn::save(&agent).unwrap()
});

/// What is loaded can be saved again, and goes on.
fn contextual_agent(bytes: &[u8]) {
    let [low, high, out, ref change @ ..] = *bytes else { return };
    let mut text = SAVED.clone().into_bytes();
    let at = usize::from(u16::from_le_bytes([low, high])) % text.len();
    let end = (at + usize::from(out)).min(text.len());
    text.splice(at..end, change.iter().copied());
    let Ok(mut agent) = String::from_utf8(text).map_err(drop).and_then(|t| learn::load(&t).map_err(drop))
    else {
        return;
    };
    assert!(learn::load(&learn::save(&agent).unwrap()).is_ok());
    agent.refresh();
}

fn oracle_report(oracle: &FrequencyOracle, bytes: &[u8]) {
    let Ok(report) = oracle.decode(bytes) else { return };
    assert_eq!(oracle.encode(&report), bytes);
    let mut aggregate = Aggregate::new(oracle);
    aggregate.add(oracle, &report).unwrap();
    let frequencies = oracle.estimate(&aggregate).unwrap();
    assert_eq!(frequencies.len(), oracle.domain().size() as usize);
    assert!(frequencies.iter().all(|f| f.is_finite()));
}

fn json(bytes: &[u8]) {
    same_again::<Aggregate>(bytes);
    same_again::<Spec>(bytes);
    same_again::<contextual::Spec>(bytes);
    same_again::<abse::Spec>(bytes);
    same_again::<abse::Policy>(bytes);
    same_again::<pricing::Spec>(bytes);
    same_again::<Tally>(bytes);
    same_again::<gradient::Spec>(bytes);
    same_again::<gradient::Policy>(bytes);
    same_again::<Policy>(bytes);
    same_again::<Squash>(bytes);
    same_again::<Grid>(bytes);
    same_again::<Ledger>(bytes);
    same_again::<Epsilon>(bytes);
    same_again::<Delta>(bytes);
    same_again::<Rho>(bytes);
    same_again::<Domain>(bytes);
}

fn same_again<T: Serialize + DeserializeOwned + PartialEq + Debug>(bytes: &[u8]) {
    if let Ok(value) = serde_json::from_slice::<T>(bytes) {
        let text = serde_json::to_vec(&value).unwrap();
        assert_eq!(serde_json::from_slice::<T>(&text).unwrap(), value);
    }
}

fn ledger_file(bytes: &[u8]) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    if let Ok(mut ledger) = DurableLedger::open(file.path(), Epsilon::new(1.0).unwrap()) {
        let spent = ledger.spent_micro();
        assert!(spent <= 1_000_000);
        drop(ledger.reserve("fuzz", Epsilon::new(0.1).unwrap()));
        assert!(ledger.spent_micro() >= spent);
    }
}
