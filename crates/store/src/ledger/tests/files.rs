//! Files that are not what they should be: damaged, changed, of other versions, older copies.

use std::{fs, io};

use super::super::*;
use super::{epsilon, folder, open};

#[test]
fn files_that_are_not_what_they_should_be() {
    let (_folder, path) = folder();
    drop(open(&path));
    let limit = DurableLedger::open(&path, epsilon(2.0)).unwrap_err();
    assert!(limit.to_string().contains("1000000000 nano-epsilon, not 2000000000"), "{limit}");
    let header = "{\"reticent-ledger\":{\"version\":2,\"limit_nano\":1000000000}}\n";
    assert_eq!(fs::read_to_string(&path).unwrap(), header, "the format is golden");
    // Lines without a checksum can only be in files that version 1 began.
    let first = "{\"reticent-ledger\":{\"version\":1,\"limit_micro\":1000000}}\n";
    let reserve = "{\"reserve\":{\"request\":\"a\",\"nano\":900000000}}\n";
    let commit = "{\"commit\":{\"request\":\"a\",\"answer\":\"00ff\"}}\n";
    for (text, line) in [
        ("nonsense\n".to_string(), 1),
        (reserve.to_string(), 1),
        (header.to_string() + reserve, 2),
        (first.to_string() + commit, 2),
        (first.to_string() + reserve + reserve, 3),
        (first.to_string() + reserve + commit + commit, 4),
        (first.to_string() + first, 2),
        (header.replace("nano", "micro"), 1),
        (header.replace(":2,", ":1,"), 1),
        (header.replace(":2,", ":1,\"limit_micro\":1000000,"), 1),
        (first.to_string() + &reserve.replace("}}", ",\"micro\":1}}"), 2),
        (first.to_string() + &reserve.replace(",\"nano\":900000000", ""), 2),
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
        let later = |error: &LedgerError| matches!(error, LedgerError::Journal(JournalError::Version { .. }));
        assert!(later(&opened.unwrap_err()));
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

/// What this version writes, with marks and checksums by another program.
const SECOND_VERSION: &str = r#"{"reticent-ledger":{"version":2,"limit_nano":1000000000}}
[{"reserve":{"request":"a","nano":400000000}},"0123456789abcdef","fccbdb34ede2436f"]
[{"commit":{"request":"a","answer":"00ff"}},"fedcba9876543210","378cd2e233e22a06"]
"#;

#[test]
fn the_format_is_what_it_was() {
    let (_folder, path) = folder();
    fs::write(&path, SECOND_VERSION).unwrap();
    let mut ledger = open(&path);
    assert_eq!((ledger.spent_nano(), ledger.orphans()), (400_000_000, 0));
    assert_eq!(ledger.stored("a"), Some(&[0, 255][..]));
    assert_eq!(ledger.head().to_string(), "3-fedcba9876543210");
    ledger.answer("b", epsilon(0.1), |_| Ok(vec![1])).unwrap();
    drop(ledger);
    let text = fs::read_to_string(&path).unwrap();
    let line = text.strip_prefix(SECOND_VERSION).unwrap().lines().next().unwrap();
    assert!(line.starts_with(r#"[{"reserve":{"request":"b","nano":100000000}},""#), "{line}");
}

#[test]
fn a_charge_that_was_taken_out_of_the_file_is_noticed() {
    let (_folder, path) = folder();
    let mut ledger = open(&path);
    for request in ["a", "b", "c"] {
        ledger.answer(request, epsilon(0.2), |_| Ok(vec![1])).unwrap();
    }
    drop(ledger);
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    // Without their answers these lines fit each other: the header, and two of the three requests.
    fs::write(&path, [&lines[..3], &lines[5..]].concat().concat()).unwrap();
    let opened = DurableLedger::open(&path, epsilon(1.0));
    assert!(matches!(opened, Err(LedgerError::Journal(JournalError::Corrupt { line: 4 }))));
}

#[test]
fn an_older_copy_is_refused_by_whoever_kept_the_head() {
    let (_folder, path) = folder();
    let mut ledger = open(&path);
    ledger.answer("a", epsilon(0.4), |_| Ok(vec![1])).unwrap();
    let older = fs::read(&path).unwrap();
    ledger.answer("b", epsilon(0.4), |_| Ok(vec![2])).unwrap();
    let head = ledger.head();
    ledger.answer("c", epsilon(0.1), |_| Ok(vec![3])).unwrap();
    drop(ledger);
    let anchored = || DurableLedger::open_not_older_than(&path, epsilon(1.0), head);
    assert_eq!(anchored().unwrap().spent_nano(), 900_000_000);
    fs::write(&path, &older).unwrap();
    let refused = anchored().unwrap_err();
    assert!(matches!(refused, LedgerError::Journal(JournalError::Older { line: 5 })), "{refused}");
    assert_eq!(fs::read(&path).unwrap(), older);
    // Also when it went on and is as long as the newest, with the same words.
    let mut again = open(&path);
    again.answer("b", epsilon(0.4), |_| Ok(vec![2])).unwrap();
    again.answer("c", epsilon(0.1), |_| Ok(vec![3])).unwrap();
    drop(again);
    assert!(matches!(anchored(), Err(LedgerError::Journal(JournalError::Older { line: 5 }))));
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

/// A storage of somebody else's, such as a browser's: shared bytes that outlive the ledger.
#[derive(Clone, Default)]
struct Elsewhere(Arc<std::sync::Mutex<Vec<u8>>>);

impl Storage for Elsewhere {
    fn read(&mut self) -> io::Result<Vec<u8>> {
        Ok(self.0.lock().unwrap().clone())
    }
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.lock().unwrap().extend(bytes);
        Ok(())
    }
    fn settle(&mut self, length: u64) -> io::Result<()> {
        self.0.lock().unwrap().truncate(length as usize);
        Ok(())
    }
}

#[test]
fn a_storage_of_ones_own_keeps_budget_and_answers() {
    let elsewhere = Elsewhere::default();
    let one = Epsilon::new(1.0).unwrap();
    let answer = |bytes: Vec<u8>| {
        let mut ledger = DurableLedger::over(elsewhere.clone(), one, None).unwrap();
        (ledger.answer("a", one, |_| Ok(bytes)).unwrap(), ledger.head())
    };
    let (first, head) = answer(vec![1]);
    elsewhere.0.lock().unwrap().extend(b"{\"torn");
    assert_eq!(answer(vec![2]), (first, head));
    let older = crate::Memory::default();
    assert!(DurableLedger::over(older, one, Some(head)).is_err(), "an older copy is told");
}
