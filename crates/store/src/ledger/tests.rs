//! Crashes at every byte, retries, and files that are not what they should be.

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger");
    (folder, path)
}

fn open(path: &Path) -> DurableLedger {
    DurableLedger::open(path, epsilon(1.0)).unwrap()
}

#[test]
fn a_retry_gets_the_stored_answer_also_after_a_restart() {
    let (_folder, path) = folder();
    let mut ledger = open(&path);
    let first = ledger.answer("a", epsilon(0.4), |paid| Ok(vec![1, 2, paid.epsilon().nano() as u8])).unwrap();
    let never = |_: Charge| -> Result<Vec<u8>, DrawError> { panic!("drawn twice") };
    assert_eq!(ledger.answer("a", epsilon(0.4), never).unwrap(), first);
    drop(ledger);
    let mut ledger = open(&path);
    assert_eq!(ledger.answer("a", epsilon(0.4), never).unwrap(), first);
    assert_eq!((ledger.spent_nano(), ledger.orphans()), (400_000_000, 0));
    assert!(matches!(ledger.answer("a", epsilon(0.5), never), Err(LedgerError::OtherLoss)));
    assert!(matches!(ledger.answer("b", epsilon(0.7), never), Err(LedgerError::Budget(_))));
    assert!(matches!(ledger.answer("", epsilon(0.1), never), Err(LedgerError::Name)));
}

#[test]
fn an_orphaned_reservation_stays_spent_and_a_retry_pays_again() {
    let (_folder, path) = folder();
    let mut ledger = open(&path);
    let failed = ledger.answer("a", epsilon(0.3), |_| Err("no entropy".into()));
    assert!(matches!(failed, Err(LedgerError::Draw(_))));
    drop(ledger);
    let mut ledger = open(&path);
    assert_eq!((ledger.spent_nano(), ledger.orphans()), (300_000_000, 1));
    assert_eq!(ledger.answer("a", epsilon(0.3), |_| Ok(vec![9])).unwrap(), [9]);
    assert_eq!((ledger.spent_nano(), ledger.orphans()), (600_000_000, 1));
    drop(ledger);
    let ledger = open(&path);
    assert_eq!((ledger.spent_nano(), ledger.orphans()), (600_000_000, 1));
}

#[test]
fn two_processes_cannot_share_a_budget() {
    let (_folder, path) = folder();
    let ledger = open(&path);
    assert!(matches!(
        DurableLedger::open(&path, epsilon(1.0)),
        Err(LedgerError::Journal(JournalError::Locked))
    ));
    drop(ledger);
    open(&path);
}

#[test]
fn files_that_are_not_what_they_should_be() {
    let (_folder, path) = folder();
    drop(open(&path));
    let limit = DurableLedger::open(&path, epsilon(2.0)).unwrap_err();
    assert!(limit.to_string().contains("1000000000 nano-epsilon, not 2000000000"), "{limit}");
    let header = "{\"reticent-ledger\":{\"version\":2,\"limit_nano\":1000000000}}\n";
    assert_eq!(fs::read_to_string(&path).unwrap(), header, "the format is golden");
    let reserve = "{\"reserve\":{\"request\":\"a\",\"nano\":900000000}}\n";
    let commit = "{\"commit\":{\"request\":\"a\",\"answer\":\"00ff\"}}\n";
    for (text, line) in [
        ("nonsense\n".to_string(), 1),
        (reserve.to_string(), 1),
        (header.to_string() + commit, 2),
        (header.to_string() + reserve + reserve, 3),
        (header.to_string() + reserve + commit + commit, 4),
        (header.to_string() + header, 2),
        (header.replace("nano", "micro"), 1),
        (header.replace(":2,", ":1,"), 1),
        (header.replace(":2,", ":1,\"limit_micro\":1000000,"), 1),
        (header.to_string() + &reserve.replace("}}", ",\"micro\":1}}"), 2),
        (header.to_string() + &reserve.replace(",\"nano\":900000000", ""), 2),
    ] {
        fs::write(&path, text).unwrap();
        match DurableLedger::open(&path, epsilon(1.0)) {
            Err(LedgerError::Journal(JournalError::Corrupt { line: at })) => assert_eq!(at, line),
            other => panic!("{other:?}"),
        }
    }
    for version in [0, 3] {
        fs::write(&path, header.replace(":2,", &format!(":{version},"))).unwrap();
        let opened = DurableLedger::open(&path, epsilon(1.0));
        assert!(matches!(opened, Err(LedgerError::Version(found)) if found == version));
    }
}

/// What version 1 wrote for a limit of 1.0000005: an answer, and a charge that a crash left without one.
const FIRST_VERSION: &str = r#"{"reticent-ledger":{"version":1,"limit_micro":1000000}}
{"reserve":{"request":"a","micro":333334}}
{"commit":{"request":"a","answer":"00ff"}}
{"reserve":{"request":"b","micro":100000}}
"#;

#[test]
fn a_file_of_the_first_version_goes_on() {
    let (_folder, path) = folder();
    fs::write(&path, FIRST_VERSION).unwrap();
    let limit = Epsilon::from_nano(1_000_000_500).unwrap();
    let open = || DurableLedger::open(&path, limit).unwrap();
    let third = Epsilon::new(1.0 / 3.0).unwrap();
    let mut ledger = open();
    // Its charges are taken as they were: rounded up.
    assert_eq!((ledger.spent_nano(), ledger.left_nano(), ledger.orphans()), (433_334_000, 566_666_000, 1));
    assert_eq!(ledger.answer("a", third, |_| panic!("drawn twice")).unwrap(), [0, 255]);
    assert!(matches!(ledger.reserve("a", epsilon(0.4)), Err(LedgerError::OtherLoss)));
    assert_eq!(ledger.answer("b", epsilon(0.1), |_| Ok(vec![7])).unwrap(), [7]);
    let rest = Epsilon::from_nano(466_666_000).unwrap();
    assert_eq!(ledger.answer("c", rest, |_| Ok(vec![8])).unwrap(), [8]);
    assert_eq!(ledger.left_nano(), 0);
    drop(ledger);
    let mut ledger = open();
    assert_eq!((ledger.left_nano(), ledger.orphans()), (0, 1));
    for (request, cost, answer) in
        [("a", third, vec![0, 255]), ("b", epsilon(0.1), vec![7]), ("c", rest, vec![8])]
    {
        assert_eq!(ledger.answer(request, cost, |_| panic!("drawn twice")).unwrap(), answer);
    }
    drop(ledger);
    let other = DurableLedger::open(&path, epsilon(1.1)).unwrap_err();
    assert!(matches!(
        other,
        LedgerError::OtherLimit { stored_nano: 1_000_000_000, asked_nano: 1_100_000_000 }
    ));
    // A limit below a micro-epsilon was stored as none.
    fs::write(&path, FIRST_VERSION.lines().next().unwrap().replace("1000000", "0") + "\n").unwrap();
    let mut none = DurableLedger::open(&path, Epsilon::from_nano(500).unwrap()).unwrap();
    assert!(matches!(none.reserve("a", Epsilon::MIN), Err(LedgerError::Budget(_))));
}

#[test]
fn a_charge_of_the_whole_limit_is_accepted() {
    let (_folder, path) = folder();
    let limit = Epsilon::from_nano(1_000_000_500).unwrap();
    let mut ledger = DurableLedger::open(&path, limit).unwrap();
    ledger.answer("a", limit, |_| Ok(vec![1])).unwrap();
    assert!(matches!(ledger.reserve("b", Epsilon::MIN), Err(LedgerError::Budget(_))));
    drop(ledger);
    assert_eq!(DurableLedger::open(&path, limit).unwrap().left_nano(), 0);
}

#[test]
fn only_the_awaited_reservation_can_be_committed() {
    let (_folder, path) = folder();
    let mut ledger = open(&path);
    let reserve = |ledger: &mut DurableLedger| match ledger.reserve("a", epsilon(0.1)).unwrap() {
        Attempt::Reserved(_paid, reservation) => reservation,
        Attempt::Stored(_) => panic!("stored"),
    };
    let (first, second) = (reserve(&mut ledger), reserve(&mut ledger));
    assert!(matches!(ledger.commit(first, vec![1]), Err(LedgerError::Stale)));
    // Of another ledger, and of this file before it was opened again.
    let (_other_folder, other_path) = folder();
    let mut other = open(&other_path);
    assert!(matches!(other.commit(reserve(&mut ledger), vec![1]), Err(LedgerError::Stale)));
    assert!(matches!(ledger.commit(second, vec![2]), Err(LedgerError::Stale)));
    let kept = reserve(&mut ledger);
    drop(ledger);
    let mut ledger = open(&path);
    assert!(matches!(ledger.commit(kept, vec![3]), Err(LedgerError::Stale)));
    let last = reserve(&mut ledger);
    ledger.commit(last, vec![4]).unwrap();
    drop(ledger);
    let ledger = open(&path);
    assert_eq!(ledger.stored("a"), Some(&[4][..]));
    assert_eq!((ledger.spent_nano(), ledger.orphans()), (500_000_000, 4));
    assert_eq!(open(&other_path_of(other, &other_path)).spent_nano(), 0);
}

/// The path, once its ledger is closed.
fn other_path_of(ledger: DurableLedger, path: &Path) -> PathBuf {
    drop(ledger);
    path.to_path_buf()
}

#[test]
fn a_file_that_is_no_ledger_is_left_alone() {
    let (_folder, path) = folder();
    for text in ["dear diary", "{\"reticent", "{\"reticent-lodger\":"] {
        fs::write(&path, text).unwrap();
        let opened = DurableLedger::open(&path, epsilon(1.0));
        if START.starts_with(text) {
            assert!(opened.is_ok(), "a header that was cut short was never acknowledged");
        } else {
            assert!(matches!(opened, Err(LedgerError::Journal(JournalError::Corrupt { line: 1 }))));
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }
}
const START: &str = "{\"reticent-ledger\":";

/// What a life of requests can consist of.
#[derive(Debug, Clone)]
enum Op {
    Answer(u8),
    Fail(u8),
    Restart,
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let op = prop_oneof![
        4 => (0_u8..6).prop_map(Op::Answer),
        1 => (0_u8..6).prop_map(Op::Fail),
        1 => Just(Op::Restart),
    ];
    prop::collection::vec(op, 0..14)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    /// Whatever happens, and wherever the file is cut: an answer that left is kept, and its charge with it.
    #[test]
    fn no_crash_forgets_a_charge_or_an_answer(ops in ops()) {
        let (_folder, path) = folder();
        let mut ledger = open(&path);
        let mut left = BTreeMap::new();
        for (time, op) in ops.into_iter().enumerate() {
            match op {
                Op::Answer(name) => {
                    let drawn = vec![name, time as u8];
                    if let Ok(answer) = ledger.answer(&name.to_string(), epsilon(0.15), |_| Ok(drawn)) {
                        let before = left.insert(name, answer.clone());
                        prop_assert!(before.is_none_or(|before| before == answer), "noise drawn twice");
                    }
                }
                Op::Fail(name) => drop(ledger.answer(&name.to_string(), epsilon(0.15), |_| Err("cut".into()))),
                Op::Restart => {
                    drop(ledger);
                    ledger = open(&path);
                }
            }
            prop_assert!(ledger.spent_nano() >= 150_000_000 * left.len() as u64);
        }
        let spent = ledger.spent_nano();
        drop(ledger);
        let bytes = fs::read(&path).unwrap();
        prop_assert_eq!(open(&path).spent_nano(), spent);
        for cut in 0..bytes.len() {
            fs::write(&path, &bytes[..cut]).unwrap();
            let reopened = open(&path);
            let stored = reopened.requests.values().filter(|entry| entry.answer.is_some()).count();
            prop_assert!(reopened.spent_nano() >= 150_000_000 * stored as u64);
            prop_assert!(reopened.spent_nano() <= spent);
        }
    }
}
