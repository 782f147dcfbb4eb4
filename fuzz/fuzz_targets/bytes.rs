//! Whatever bytes arrive, nothing panics, and what is accepted is written back as it came.
#![no_main]

use std::fmt::Debug;
use std::io::Write;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use reticent_privacy::oracle::{Aggregate, Domain, FrequencyOracle, Kind, Oracle};
use reticent_privacy::{Delta, DurableLedger, Epsilon, Grid, Ledger, Rho};
use reticent_protocol::mab::{Policy, Report, Spec, Squash};
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
        0..=79 => mab_report(bytes),
        80..=159 => oracle_report(&ORACLES[usize::from(reader - 80) % ORACLES.len()], bytes),
        160..=249 => json(bytes),
        // Rare: each one writes a file.
        _ => ledger_file(bytes),
    }
});

fn mab_report(bytes: &[u8]) {
    if let Ok(report) = Report::decode(bytes) {
        assert_eq!(report.encode(), bytes);
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
    same_again::<Spec>(bytes);
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
