//! Aggregates: merging, limits, and what may be loaded.

use proptest::prelude::*;

use super::*;

fn filled(oracle: &FrequencyOracle, people: u32, trial: u64) -> Aggregate {
    let mut source = rng(trial);
    let mut aggregate = Aggregate::new(oracle);
    for person in 0..people {
        let symbol = oracle.domain().symbol(person % oracle.domain().size()).unwrap();
        aggregate.add(oracle, &oracle.randomise(symbol, &mut source)).unwrap();
    }
    aggregate
}

fn merged(mut a: Aggregate, b: &Aggregate) -> Aggregate {
    a.merge(b).unwrap();
    a
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn merging_is_adding_in_any_order(
        kind in prop::sample::select(&OracleKind::ALL[..]), size in 1_u32..100, people in prop::array::uniform3(0_u32..50),
    ) {
        let oracle = FrequencyOracle::new(kind, domain(size), epsilon(1.0));
        let [a, b, c] = [0, 1, 2].map(|i| filled(&oracle, people[i], i as u64));
        let left = merged(merged(a.clone(), &b), &c);
        prop_assert_eq!(&left, &merged(a.clone(), &merged(b.clone(), &c)));
        prop_assert_eq!(&left, &merged(merged(c, &b), &a));
        prop_assert_eq!(left.reports(), people.iter().map(|&n| u64::from(n)).sum::<u64>());
        // All reports added to one.
        let mut all = Aggregate::new(&oracle);
        for trial in 0..3 {
            let mut source = rng(trial);
            for person in 0..people[trial as usize] {
                let symbol = oracle.domain().symbol(person % size).unwrap();
                all.add(&oracle, &oracle.randomise(symbol, &mut source)).unwrap();
            }
        }
        prop_assert_eq!(&left, &all);
        let json = serde_json::to_string(&left).unwrap();
        prop_assert_eq!(serde_json::from_str::<Aggregate>(&json).unwrap(), left);
    }
}

#[test]
fn another_oracle_is_refused_and_nothing_changes() {
    let oracle = FrequencyOracle::new(OracleKind::KaryResponse, domain(8), epsilon(1.0));
    let others = [
        FrequencyOracle::new(OracleKind::UnaryEncoding, domain(8), epsilon(1.0)),
        FrequencyOracle::new(OracleKind::KaryResponse, domain(9), epsilon(1.0)),
        FrequencyOracle::new(OracleKind::KaryResponse, domain(8), epsilon(2.0)),
    ];
    let before = filled(&oracle, 10, 0);
    for other in others {
        let mut aggregate = before.clone();
        let report = other.randomise(other.domain().symbol(0).unwrap(), &mut rng(1));
        assert_eq!(aggregate.add(&other, &report), Err(AggregateError::OtherOracle));
        assert_eq!(aggregate.merge(&filled(&other, 3, 2)), Err(AggregateError::OtherOracle));
        assert_eq!(other.estimate(&aggregate), Err(AggregateError::OtherOracle));
        assert_eq!(aggregate, before);
    }
    let mut aggregate = before.clone();
    let refused = aggregate.add(&oracle, &Report::Index(8));
    assert_eq!(refused, Err(AggregateError::Report(ReportError::OutOfRange)));
    assert_eq!(aggregate, before);
}

fn stored(kind: &str, reports: u64, counts: &str) -> Result<Aggregate, serde_json::Error> {
    let design =
        kind.parse().map_or([0, 0], |kind| FrequencyOracle::new(kind, domain(3), epsilon(1.0)).design());
    let text = format!(
        r#"{{"kind":"{kind}","domain":3,"epsilon":1.0,"design":{design:?},"reports":{reports},"counts":{counts}}}"#
    );
    serde_json::from_str(&text)
}

#[test]
fn counts_of_another_design_are_refused_and_not_misread() {
    for oracle in oracles(100, 2.0) {
        let json = serde_json::to_string(&filled(&oracle, 5, 0)).unwrap();
        let [a, b] = oracle.design();
        let other = json.replace(&format!("\"design\":[{a},{b}]"), &format!("\"design\":[{},{b}]", a + 1));
        assert_ne!(json, other);
        assert!(serde_json::from_str::<Aggregate>(&json).is_ok(), "{}", oracle.kind());
        let error = serde_json::from_str::<Aggregate>(&other).unwrap_err().to_string();
        assert!(error.contains("another design"), "{error}");
    }
}

#[test]
fn too_many_reports_are_refused_and_nothing_changes() {
    let most = Aggregate::MAX_REPORTS;
    let full = stored("k-rr", most, &format!("[{most},0,0]")).unwrap();
    let oracle = FrequencyOracle::new(OracleKind::KaryResponse, domain(3), epsilon(1.0));
    let mut aggregate = full.clone();
    assert_eq!(aggregate.add(&oracle, &Report::Index(0)), Err(AggregateError::TooMany));
    assert_eq!(aggregate.merge(&filled(&oracle, 1, 0)), Err(AggregateError::TooMany));
    assert_eq!(aggregate.merge(&full), Err(AggregateError::TooMany));
    assert_eq!(aggregate, full);
    assert!(oracle.estimate(&full).unwrap()[0] > 1.0);
}

#[test]
fn only_what_reports_add_up_to_is_loaded() {
    for (kind, reports, counts, loads) in [
        ("k-rr", 3, "[1,2,0]", true),
        ("k-rr", 4, "[1,2,0]", false),
        ("k-rr", 3, "[1,2]", false),
        ("k-rr", 3, "[1,2,0,0]", false),
        ("k-rr", u64::MAX, "[1,2,0]", false),
        ("unary-encoding", 3, "[3,3,0]", true),
        ("unary-encoding", 3, "[4,0,0]", false),
        ("subset-selection", 3, "[1,1,1]", true),
        ("subset-selection", 3, "[3,3,0]", false),
        ("nothing", 0, "[0,0,0]", false),
    ] {
        assert_eq!(stored(kind, reports, counts).is_ok(), loads, "{kind} {reports} {counts}");
    }
}
