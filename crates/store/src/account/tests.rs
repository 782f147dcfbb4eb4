//! Losses add up, the file remembers, and what version 1 wrote goes on.

use std::io::Error;

use super::*;

fn pair(epsilon: f64, delta: f64) -> (Epsilon, Delta) {
    (Epsilon::new(epsilon).unwrap(), Delta::new(delta).unwrap())
}

fn open(path: &Path) -> Account {
    let (epsilon, delta) = pair(1.0, 1e-6);
    Account::open(path, epsilon, delta).unwrap()
}

fn pure(epsilon: f64) -> Loss {
    Loss::Pure { epsilon: Epsilon::new(epsilon).unwrap() }
}

fn ask(account: &mut Account, request: &str, loss: Loss) -> Result<Answer, AccountError> {
    account.answer(request, loss, || Ok::<_, Error>(format!("answer to {request}")))
}

#[test]
fn kinds_of_loss_add_up_and_the_file_remembers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("account");
    let (epsilon, delta) = pair(0.4, 1e-6);
    let mut account = open(&path);
    ask(&mut account, "one", pure(0.3)).unwrap();
    ask(&mut account, "two", Loss::Approximate { epsilon, delta }).unwrap();
    assert!(matches!(ask(&mut account, "three", pure(0.31)), Err(AccountError::Exhausted { .. })));
    drop(account);
    let mut account = open(&path);
    let (epsilon, delta) = pair(0.7, 1e-6);
    assert_eq!(account.spent(), Some(Loss::Approximate { epsilon, delta }));
    assert!(matches!(ask(&mut account, "three", pure(0.31)), Err(AccountError::Exhausted { .. })));
    assert!(!ask(&mut account, "three", pure(0.3)).unwrap().stored);
    assert!(ask(&mut account, "one", pure(0.3)).unwrap().stored, "a retry is free");
}

#[test]
fn a_second_delta_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut account = open(&folder.path().join("account"));
    let (epsilon, delta) = pair(0.1, 1e-6);
    ask(&mut account, "one", Loss::Approximate { epsilon, delta }).unwrap();
    assert!(ask(&mut account, "two", Loss::Approximate { epsilon, delta }).is_err());
    assert!(ask(&mut account, "three", Loss::Unbounded).is_err());
}

#[test]
fn what_failed_stays_paid_and_the_limit_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("account");
    let mut account = open(&path);
    let failed = account.answer("one", pure(0.6), || Err::<String, _>(Error::other("no")));
    assert!(matches!(failed, Err(AccountError::Draw(_))));
    assert!(ask(&mut account, "one", pure(0.6)).is_err(), "the first attempt was paid for");
    drop(account);
    let (epsilon, delta) = pair(2.0, 1e-6);
    assert!(matches!(Account::open(&path, epsilon, delta), Err(AccountError::OtherLimit { .. })));
    std::fs::write(&path, FIRST_VERSION.replace("\"version\":1", "\"version\":3")).unwrap();
    let (epsilon, delta) = pair(1.0, 1e-6);
    let later = Account::open(&path, epsilon, delta).unwrap_err();
    assert!(matches!(later, AccountError::Journal(JournalError::Version { found: 3, newest: 2 })), "{later}");
}

/// What version 1 wrote: an answer, and a payment that a crash left without one.
const FIRST_VERSION: &str = r#"{"reticent-account":{"version":1,"epsilon":1.0,"delta":0.000001}}
{"paid":{"loss":{"pure":{"epsilon":0.25}}}}
{"answered":{"request":"one","text":"answer to one"}}
{"paid":{"loss":{"pure":{"epsilon":0.25}}}}
"#;

#[test]
fn a_file_of_the_first_version_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("account");
    std::fs::write(&path, FIRST_VERSION).unwrap();
    let mut account = open(&path);
    assert_eq!(account.spent(), Some(pure(0.5)));
    assert!(ask(&mut account, "one", pure(0.25)).unwrap().stored);
    assert!(!ask(&mut account, "two", pure(0.25)).unwrap().stored);
    drop(account);
    let mut account = open(&path);
    assert_eq!(account.spent(), Some(pure(0.75)));
    assert_eq!(ask(&mut account, "two", pure(0.25)).unwrap().text, "answer to two");
    drop(account);
    // Its lines are covered from then on.
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with(FIRST_VERSION));
    std::fs::write(&path, text.replacen("answer to one", "answer to 0ne", 1)).unwrap();
    let (epsilon, delta) = pair(1.0, 1e-6);
    let damaged = Account::open(&path, epsilon, delta).unwrap_err();
    assert!(matches!(damaged, AccountError::Journal(JournalError::Corrupt { line: 5 })), "{damaged}");
    // Files of this version have a checksum on every line but the first.
    std::fs::write(&path, FIRST_VERSION.replacen("\"version\":1", "\"version\":2", 1)).unwrap();
    let damaged = Account::open(&path, epsilon, delta).unwrap_err();
    assert!(matches!(damaged, AccountError::Journal(JournalError::Corrupt { line: 2 })), "{damaged}");
}

#[test]
fn an_older_copy_is_refused_by_whoever_kept_the_head() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("account");
    let mut account = open(&path);
    ask(&mut account, "one", pure(0.3)).unwrap();
    let older = std::fs::read(&path).unwrap();
    ask(&mut account, "two", pure(0.3)).unwrap();
    let head = account.head();
    drop(account);
    let (epsilon, delta) = pair(1.0, 1e-6);
    let account = Account::open_not_older_than(&path, epsilon, delta, head).unwrap();
    assert_eq!(account.spent(), Some(pure(0.6)));
    drop(account);
    std::fs::write(&path, older).unwrap();
    let refused = Account::open_not_older_than(&path, epsilon, delta, head).unwrap_err();
    assert!(matches!(refused, AccountError::Journal(JournalError::Older { line: 5 })), "{refused}");
}
