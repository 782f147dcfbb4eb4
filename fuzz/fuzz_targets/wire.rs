//! What crosses the wall: whatever bytes arrive, nothing panics, and what is accepted is written back as it came.
#![no_main]

use std::fmt::Debug;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use reticent_learn::pricing::Tally;
use reticent_privacy::oracle::{Aggregate, Domain, FrequencyOracle, Oracle, OracleKind};
use reticent_privacy::{Delta, Epsilon, Grid, Guarantee, Ledger, Provenance, Rho};
use reticent_protocol::{Report, contextual, mab, pricing};
use reticent_schema::{Decimal, Encoding, Experiment, Feature, Range};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Every oracle at the edges of its parameters.
static ORACLES: LazyLock<Vec<FrequencyOracle>> = LazyLock::new(|| {
    let mut oracles = Vec::new();
    for size in [1, 2, 3, 16, 100] {
        for epsilon in [1e-6, 1.0, 50.0] {
            let (domain, epsilon) = (Domain::new(size).unwrap(), Epsilon::new(epsilon).unwrap());
            oracles.extend(OracleKind::ALL.map(|kind| FrequencyOracle::new(kind, domain, epsilon)));
        }
    }
    oracles
});

fuzz_target!(|bytes: &[u8]| {
    let Some((&reader, bytes)) = bytes.split_first() else { return };
    match reader {
        0..=29 => report(bytes),
        30..=54 => mab_policy(bytes),
        55..=79 => contextual_policy(bytes),
        80..=159 => oracle_report(&ORACLES[usize::from(reader - 80) % ORACLES.len()], bytes),
        160..=219 => json(bytes),
        _ => pricing_log(bytes),
    }
});

fn report(bytes: &[u8]) {
    if let Ok(report) = Report::decode(bytes) {
        assert_eq!(report.encode(), bytes);
    }
}

fn mab_policy(bytes: &[u8]) {
    if let Ok(policy) = mab::Policy::decode(bytes) {
        assert_eq!(policy.encode(), bytes);
    }
}

/// A small experiment with a source, to hold policies against.
static EXPERIMENT: LazyLock<contextual::Spec> = LazyLock::new(|| {
    let epsilon = Epsilon::new(1.0).unwrap();
    let source = contextual::Source { name: "s".into(), epsilon, people: 9, behaviour: vec![0.5; 2] };
    let spec = contextual::Spec::new(2, Encoding::unit(1).unwrap(), epsilon).unwrap();
    spec.with_sources(vec![source]).unwrap().with_cells(vec![4]).unwrap()
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

/// A log with a header and a block of three reports.
static LOG: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let prices = pricing::Prices::range(0.0, 1.0).unwrap();
    let terms = pricing::Terms::new(Encoding::unit(1).unwrap(), prices, Range::UNIT).unwrap();
    let spec = pricing::Spec::designed(terms, Epsilon::new(1.0).unwrap(), 100).unwrap();
    let mut file = Vec::new();
    let mut log = pricing::log::LogWriter::new(&mut file, &spec, Provenance::SystemEntropy).unwrap();
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
        let mut writer = pricing::log::LogWriter::with_header(&mut again, log.header()).unwrap();
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
    same_again::<mab::Spec>(bytes);
    same_again::<mab::Policy>(bytes);
    same_again::<mab::Squash>(bytes);
    same_again::<Report>(bytes);
    same_again::<Decimal>(bytes);
    same_again::<Experiment>(bytes);
    same_again::<pricing::Table>(bytes);
    same_again::<contextual::Spec>(bytes);
    same_again::<pricing::Spec>(bytes);
    same_again::<Tally>(bytes);
    same_again::<Encoding>(bytes);
    same_again::<Feature>(bytes);
    same_again::<Range>(bytes);
    same_again::<Grid>(bytes);
    same_again::<Ledger>(bytes);
    same_again::<Guarantee>(bytes);
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
