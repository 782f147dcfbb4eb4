//! What `{:?}` shows of types that hold people's names, requests and answers: their shape, and nothing in
//! them.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::fmt::Debug;

use reticent_privacy::{Delta, Epsilon, Loss};
use reticent_store::{Account, Attempt, DurableLedger, Journal, JournalKind};

const SECRET: &str = "SECRET-7f3a";
const NOTES: JournalKind = JournalKind { name: "notes", version: 2 };

/// The secret as text, and as bytes are printed: in decimals and in hexadecimal digits.
fn marks() -> [String; 3] {
    let list = |digits: fn(&u8) -> String| SECRET.as_bytes().iter().map(digits).collect::<Vec<_>>();
    [SECRET.into(), list(u8::to_string).join(","), list(|byte| format!("{byte:02x}")).concat()]
}

fn tells(text: &str) -> bool {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    marks().iter().any(|mark| text.contains(mark))
}

fn quiet(value: &impl Debug) {
    for text in [format!("{value:?}"), format!("{value:#?}")] {
        assert!(!tells(&text), "{text}");
    }
}

/// Types that hold a secret: `filled_with_secrets_they_show_none` prints each.
const HOLD_SECRETS: &str = "Account Answer Attempt DurableLedger Journal Memory Reservation";
/// Looked at: kinds, limits and line numbers; a moment alone is nobody's. `Draw` of an error carries what the
/// caller's own closure failed with; documents and fingerprints are of published things.
const HOLD_NONE: &str = "AccountError Claim ClaimError Clock DocumentError Fingerprint Form Head JournalError \
    JournalKind LedgerError Moment NoHead NoMoment Storage SystemClock";

#[test]
fn a_search_for_secrets_finds_them() {
    assert!(
        tells(SECRET) && tells(&format!("{:#?}", SECRET.as_bytes())) && tells("005345435245542d37663361")
    );
    assert!(!tells("Account { .. }"));
}

#[test]
fn filled_with_secrets_they_show_none() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let one = Epsilon::new(1.0).unwrap();
    let half = Epsilon::new(0.5).unwrap();

    let mut ledger = DurableLedger::open(&at("ledger"), one).unwrap();
    let attempt = ledger.reserve(SECRET, half).unwrap();
    quiet(&attempt);
    let Attempt::Reserved(_paid, reservation) = attempt else { panic!("nothing is stored yet") };
    quiet(&reservation);
    ledger.commit(reservation, SECRET.into()).unwrap();
    quiet(&ledger);
    quiet(&ledger.reserve(SECRET, half).unwrap());
    quiet(&ledger.reserve(SECRET, one).unwrap_err());

    let mut account = Account::open(&at("account"), one, Delta::new(1e-6).unwrap()).unwrap();
    let loss = Loss::Pure { epsilon: half };
    quiet(&account.answer(SECRET, loss, || Ok::<_, std::io::Error>(SECRET.into())).unwrap());
    quiet(&account);

    // The name of a file may be a person's.
    let (mut journal, _) = Journal::<String>::open(&at(SECRET), NOTES).unwrap();
    journal.append(&SECRET.to_string()).unwrap();
    quiet(&journal);
    drop(journal);
    quiet(&Journal::<u64>::open(&at(SECRET), NOTES).unwrap_err());
}

/// What a crate exports, by the `pub use` lines of its root.
fn exported(root: &str) -> BTreeSet<&str> {
    let uses = root.split("pub use ").skip(1).filter_map(|rest| rest.split(';').next());
    let names = uses.flat_map(|list| list.split(|c: char| !c.is_alphanumeric() && c != '_'));
    names.filter(|name| name.starts_with(char::is_uppercase)).collect()
}

/// A new public type is noticed: decide whether it can hold a secret, and list it.
#[test]
fn every_public_type_was_looked_at() {
    let known: BTreeSet<&str> = HOLD_SECRETS.split_whitespace().chain(HOLD_NONE.split_whitespace()).collect();
    assert_eq!(exported(include_str!("../src/lib.rs")), known);
}
