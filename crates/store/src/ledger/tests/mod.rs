//! Crashes at every byte, and retries.

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

mod files;

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
    let never = |_: Paid| -> Result<Vec<u8>, DrawError> { panic!("drawn twice") };
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
fn what_was_spent_is_told_by_group_orphans_included() {
    let (_folder, path) = folder();
    let mut ledger = open(&path);
    let failed = ledger.answer("page/1/a", epsilon(0.25), |_| Err("no entropy".into()));
    assert!(failed.is_err());
    for (request, cost) in [("page/1/a", 0.25), ("page/2/a", 0.125), ("offer/1/a", 0.25)] {
        ledger.answer(request, epsilon(cost), |_| Ok(vec![1])).unwrap();
        ledger.answer(request, epsilon(cost), |_| Ok(vec![1])).unwrap();
    }
    let expected = BTreeMap::from([("page".into(), 625_000_000), ("offer".into(), 250_000_000)]);
    assert_eq!(*ledger.spent_by_group(), expected);
    drop(ledger);
    assert_eq!(*open(&path).spent_by_group(), expected);
}

#[test]
fn two_processes_cannot_share_a_budget() {
    let (_folder, path) = folder();
    let ledger = open(&path);
    assert!(matches!(
        DurableLedger::open(&path, epsilon(1.0)),
        Err(LedgerError::Journal(JournalError::Locked { .. }))
    ));
    drop(ledger);
    open(&path);
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
