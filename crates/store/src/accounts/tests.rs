//! Accounts are found by what the data are, charges add up, and nothing is spent unnoticed.

use std::sync::atomic::{AtomicUsize, Ordering};

use reticent_privacy::{Delta, Epsilon, Loss};

use super::*;
use crate::{Account, Storage};

fn pure(epsilon: f64) -> Loss {
    Loss::Pure { epsilon: Epsilon::new(epsilon).unwrap() }
}

fn limit(epsilon: f64) -> Limit {
    Limit { epsilon: Epsilon::new(epsilon).unwrap(), delta: Delta::ZERO }
}

/// A table of the rows with these numbers.
fn table(key: &Key, numbers: impl IntoIterator<Item = u64>) -> Sighting {
    let mut viewer = Viewer::default();
    numbers.into_iter().for_each(|number| viewer.add(key.row(number)));
    let whole = viewer.finish(0);
    Sighting { name: "sales.csv".into(), declared: whole.clone(), whole }
}

fn ask<'a>(seen: &'a Sighting, question: &'a str, epsilon: f64) -> Ask<'a> {
    let (loss, allowed) = (pure(epsilon), Permission::default());
    Ask {
        seen,
        question,
        older: None,
        loss,
        what: "test",
        allowed,
        state: None,
        goes_on: false,
        fresh: false,
    }
}

fn again(ask: Ask<'_>) -> Ask<'_> {
    Ask { allowed: Permission { again: true, ..ask.allowed }, ..ask }
}

/// Pays and answers; the standing, and the answer with whether it was stored.
fn release(accounts: &Accounts, ask: &Ask) -> Result<(Standing, String, bool), AccountsError> {
    // The book must be closed before it is opened again.
    let paid = accounts.book()?.pay(ask)?;
    match paid {
        (Payment::Stored(text), standing) => Ok((standing, text, true)),
        (Payment::Reserved(reserved), standing) => {
            let text = format!("answer to {}", ask.question);
            accounts.book()?.answer(reserved, text.clone())?;
            Ok((standing, text, false))
        }
    }
}

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> (Place, Accounts) {
        let place = Place(tempfile::tempdir().unwrap());
        let accounts = Accounts::open(&place.folder()).unwrap();
        (place, accounts)
    }

    fn folder(&self) -> PathBuf {
        self.0.path().join("accounts")
    }
}

#[test]
fn the_same_question_is_free_and_another_needs_a_word() {
    let (place, accounts) = Place::new();
    let seen = table(accounts.key(), 0..500);
    let (standing, ..) = release(&accounts, &ask(&seen, "one", 1.0)).unwrap();
    assert_eq!((standing.known, standing.before, standing.after), (Known::New, None, Some(pure(1.0))));
    // The same rows in another order, by another process.
    let accounts = Accounts::open(&place.folder()).unwrap();
    let copy = table(accounts.key(), (0..500).rev());
    let (standing, text, stored) = release(&accounts, &ask(&copy, "one", 1.0)).unwrap();
    assert!(stored && text == "answer to one" && standing.after == Some(pure(1.0)));
    let refused = release(&accounts, &ask(&copy, "two", 0.5)).unwrap_err();
    let words = refused.to_string();
    for part in ["accounts.journal", "epsilon 1 was spent", "epsilon 1.5 would be spent", "--again"] {
        assert!(words.contains(part), "{words}");
    }
    assert!(refused.is_refusal());
    let (standing, ..) = release(&accounts, &again(ask(&copy, "two", 0.5))).unwrap();
    assert_eq!((standing.before, standing.after), (Some(pure(1.0)), Some(pure(1.5))));
}

#[test]
fn a_limit_is_a_standing_permission_and_ends_it() {
    let (_place, accounts) = Place::new();
    let seen = table(accounts.key(), 0..500);
    let limited = |question, epsilon| Ask {
        allowed: Permission { limit: Some(limit(1.5)), ..Permission::default() },
        ..ask(&seen, question, epsilon)
    };
    assert!(
        release(&accounts, &limited("all", 1.6)).unwrap_err().is_refusal(),
        "more than there ever will be"
    );
    assert!(accounts.book().unwrap().accounts().is_empty(), "what was refused left no trace");
    release(&accounts, &limited("one", 1.0)).unwrap();
    release(&accounts, &ask(&seen, "two", 0.5)).unwrap();
    let refused = release(&accounts, &again(ask(&seen, "three", 0.1))).unwrap_err();
    assert!(matches!(refused, AccountsError::Exhausted { .. }), "{refused}");
    let other = Ask {
        allowed: Permission { limit: Some(limit(9.0)), ..Permission::default() },
        ..limited("three", 0.1)
    };
    assert!(matches!(release(&accounts, &other), Err(AccountsError::OtherLimit { .. })));
    let mut book = accounts.book().unwrap();
    let id = book.accounts()[0].id.clone();
    assert_eq!(book.set_limit(&id[..6], limit(1.6)).unwrap(), Some(limit(1.5)));
    assert!(book.set_limit("", limit(1.6)).is_err() && book.set_limit("xyz", limit(1.6)).is_err());
    drop(book);
    release(&accounts, &ask(&seen, "three", 0.1)).unwrap();
}

#[test]
fn tables_that_share_rows_have_one_account_and_their_charges_add_up() {
    let (_place, accounts) = Place::new();
    let key = accounts.key();
    let (today, other) = (table(key, 0..500), table(key, 1000..1500));
    release(&accounts, &ask(&today, "one", 1.0)).unwrap();
    release(&accounts, &ask(&other, "one", 0.5)).unwrap();
    assert_eq!(accounts.book().unwrap().accounts().len(), 2);
    let appended = table(key, 0..600);
    let refused = release(&accounts, &ask(&appended, "three", 0.25)).unwrap_err();
    assert!(refused.to_string().contains("shares rows with others"), "{refused}");
    let (standing, _, stored) = release(&accounts, &again(ask(&appended, "three", 0.25))).unwrap();
    assert!(!stored && standing.known == Known::Overlaps && standing.after == Some(pure(1.25)));
    // A table with rows of both joins all three.
    let both = table(key, 550..1100);
    let (standing, ..) = release(&accounts, &again(ask(&both, "four", 0.125))).unwrap();
    assert_eq!((standing.before, standing.after), (Some(pure(1.75)), Some(pure(1.875))));
    let shown = accounts.book().unwrap().accounts();
    assert_eq!((shown.len(), shown[0].data_sets.len(), shown[0].charges.len()), (1, 4, 4));
    // Whichever of them is asked about.
    let (_, standing) = accounts.book().unwrap().outlook(&again(ask(&other, "five", 1.0))).unwrap();
    assert_eq!(standing.before, Some(pure(1.875)));
}

#[test]
fn the_curator_can_say_that_they_are_other_people_or_the_same() {
    let (_place, accounts) = Place::new();
    let key = accounts.key();
    let (one, alike) = (table(key, 0..500), table(key, 400..900));
    release(&accounts, &ask(&one, "one", 1.0)).unwrap();
    let apart = Permission { other_people: true, ..Permission::default() };
    release(&accounts, &Ask { allowed: apart, ..ask(&alike, "two", 1.0) }).unwrap();
    let mut book = accounts.book().unwrap();
    assert_eq!(book.accounts().len(), 2);
    // It stays said.
    let (_, standing) = book.outlook(&again(ask(&alike, "three", 0.5))).unwrap();
    assert_eq!((standing.known, standing.after), (Known::Same, Some(pure(1.5))));
    // A copy cannot be of other people.
    assert!(book.outlook(&Ask { allowed: apart, ..ask(&one, "three", 0.5) }).is_err());
    let ids: Vec<String> = book.accounts().iter().map(|account| account.id.clone()).collect();
    assert_eq!(book.merge(&ids[1], &ids[0]).unwrap(), ids[0]);
    assert_eq!(book.merge(&ids[1], &ids[0]).unwrap(), ids[0], "once more changes nothing");
    assert_eq!(book.accounts().iter().map(|account| account.spent).collect::<Vec<_>>(), [Some(pure(2.0))]);
    assert_eq!(book.shown_account(&ids[1]).unwrap().id, ids[0], "a merged one is found by its old name");
}

#[test]
fn the_stricter_limit_holds_for_both() {
    let (_place, accounts) = Place::new();
    let (one, two) = (table(accounts.key(), 0..500), table(accounts.key(), 1000..1500));
    for (seen, most) in [(&one, 3.0), (&two, 2.0)] {
        let allowed = Permission { limit: Some(limit(most)), ..Permission::default() };
        release(&accounts, &Ask { allowed, ..ask(seen, "one", 1.0) }).unwrap();
    }
    let mut book = accounts.book().unwrap();
    let ids: Vec<String> = book.accounts().iter().map(|account| account.id.clone()).collect();
    book.merge(&ids[0], &ids[1]).unwrap();
    assert_eq!(book.accounts()[0].limit, Some(limit(2.0)));
    drop(book);
    assert!(release(&accounts, &ask(&one, "two", 0.1)).is_err());
}

#[test]
fn what_was_paid_and_not_answered_stays_spent_unless_its_work_goes_on() {
    let (_place, accounts) = Place::new();
    let seen = table(accounts.key(), 0..500);
    let durable = Ask { state: Some("/trial.state"), ..ask(&seen, "one", 1.0) };
    drop(accounts.book().unwrap().pay(&durable).unwrap());
    let book = accounts.book().unwrap();
    assert!(book.outlook(&ask(&seen, "one", 1.0)).unwrap_err().is_refusal(), "it would be drawn again");
    assert!(book.outlook(&durable).unwrap_err().is_refusal(), "the file is gone");
    let goes_on = Ask { goes_on: true, ..durable };
    assert_eq!(book.outlook(&goes_on).unwrap().0, Outlook::GoesOn);
    assert!(book.outlook(&Ask { state: Some("/other.state"), ..goes_on }).is_err());
    drop(book);
    let (standing, _, stored) = release(&accounts, &goes_on).unwrap();
    assert!(!stored && standing.after == Some(pure(1.0)), "what was paid is not paid again");
    assert!(release(&accounts, &ask(&seen, "one", 1.0)).unwrap().2, "and its answer is stored");
    let fresh = Ask { fresh: true, ..ask(&seen, "one", 1.0) };
    assert!(release(&accounts, &fresh).unwrap_err().is_refusal(), "an answer that is lost costs again");
    release(&accounts, &again(fresh)).unwrap();
}

#[test]
fn two_at_once_do_not_both_spend_what_is_left() {
    let (place, accounts) = Place::new();
    let seen = table(accounts.key(), 0..500);
    let allowed = Permission { limit: Some(limit(1.0)), ..Permission::default() };
    let done = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for number in 0..8 {
            let (folder, seen, done) = (place.folder(), &seen, &done);
            scope.spawn(move || {
                let accounts = Accounts::open(&folder).unwrap();
                let question = format!("question {number}");
                let asked = Ask { allowed, ..ask(seen, &question, 0.3) };
                if release(&accounts, &asked).is_ok() {
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(done.into_inner(), 3, "three times 0.3 of 1");
    assert_eq!(accounts.book().unwrap().accounts()[0].spent, Some(pure(0.9)));
}

/// A disk with room for so many bytes.
struct SmallDisk(Vec<u8>, usize);

impl Storage for SmallDisk {
    fn read(&mut self) -> std::io::Result<Vec<u8>> {
        Ok(self.0.clone())
    }
    fn append(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        if self.0.len() + bytes.len() > self.1 {
            return Err(std::io::ErrorKind::StorageFull.into());
        }
        self.0.extend(bytes);
        Ok(())
    }
    fn settle(&mut self, _: u64) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_names_the_file_and_says_what_is_spent() {
    let key = Key::of(&[7; 32]);
    let seen = table(&key, 0..20);
    let on = |room| {
        let (journal, lines) = Journal::over(SmallDisk(Vec::new(), room), KIND, None).unwrap();
        Book::read(journal, lines, "the.journal".into(), &key)
    };
    assert!(on(10).unwrap_err().to_string().contains("nothing was spent"));
    let mut small = on(200).unwrap();
    let error = small.pay(&ask(&seen, "one", 1.0)).unwrap_err().to_string();
    assert!(error.starts_with("the.journal: ") && error.contains("nothing was spent before"), "{error}");
    let mut larger = on(1200).unwrap();
    let (Payment::Reserved(reserved), _) = larger.pay(&ask(&seen, "one", 1.0)).unwrap() else {
        panic!("new")
    };
    let error = larger.answer(reserved, "x".repeat(1000)).unwrap_err().to_string();
    assert!(error.starts_with("the.journal: ") && error.contains("epsilon 1 is spent so far"), "{error}");
    assert!(error.contains("not given out"), "{error}");
}

#[test]
fn the_key_belongs_to_its_book() {
    let (place, accounts) = Place::new();
    release(&accounts, &ask(&table(accounts.key(), 0..50), "one", 1.0)).unwrap();
    let key = place.folder().join("key");
    let text = std::fs::read_to_string(&key).unwrap();
    std::fs::remove_file(&key).unwrap();
    assert!(matches!(Accounts::open(&place.folder()), Err(AccountsError::Key { .. })), "no new one is made");
    std::fs::write(&key, &text[..text.len() - 10]).unwrap();
    let damaged = Accounts::open(&place.folder()).unwrap_err().to_string();
    assert!(!damaged.contains(&text[60..80]), "{damaged}");
    let other =
        text.replace(|digit| ('0'..='4').contains(&digit), "5").replace("\"version\":5", "\"version\":1");
    std::fs::write(&key, other).unwrap();
    let other = Accounts::open(&place.folder()).unwrap().book().unwrap_err().to_string();
    assert!(other.contains("another key"), "{other}");
    std::fs::write(&key, text).unwrap();
    Accounts::open(&place.folder()).unwrap().book().unwrap();
}

#[cfg(unix)]
#[test]
fn nobody_else_looks_into_the_folder() {
    use std::os::unix::fs::PermissionsExt;
    let (place, accounts) = Place::new();
    accounts.book().unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let folder = place.folder();
    let modes = [&folder, &folder.join("key"), &accounts.file()].map(|path| mode(path));
    assert_eq!(modes, [0o700, 0o600, 0o600]);
    let open = || std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    open();
    Accounts::open(&folder).unwrap();
    assert_eq!(mode(&folder), 0o700, "closed again");
    open();
    std::fs::write(folder.join("holiday.jpg"), "").unwrap();
    assert!(matches!(Accounts::open(&folder), Err(AccountsError::Folder { .. })), "not only ours");
    assert_eq!(mode(&folder), 0o755);
}

#[test]
fn an_account_of_the_first_versions_is_taken_over_once() {
    let (place, accounts) = Place::new();
    let path = place.0.path().join("log.csv.account");
    let Limit { epsilon, .. } = limit(2.0);
    let mut old = Account::open(&path, epsilon, Delta::ZERO).unwrap();
    let draw = || Ok::<_, std::io::Error>("stored".to_string());
    old.answer("old question", pure(0.5), draw).unwrap();
    let failed = || Err::<String, _>(std::io::Error::other("no"));
    old.answer("lost", pure(0.25), failed).unwrap_err();
    drop(old);
    let seen = table(accounts.key(), 0..50);
    let asked = Ask { older: Some("old question"), ..ask(&seen, "new question", 0.5) };
    for (taken, spent) in [(2, 0.75), (0, 0.75)] {
        let old = Account::reopen(&path).unwrap();
        let mut book = accounts.book().unwrap();
        assert_eq!(book.take_over(&old, "log.csv.account", &asked).unwrap(), taken);
        let shown = &book.accounts()[0];
        assert_eq!((shown.spent, shown.limit), (Some(pure(spent)), Some(limit(2.0))));
    }
    assert_eq!(release(&accounts, &asked).unwrap().1, "stored");
    let mut old = Account::reopen(&path).unwrap();
    old.answer("later", pure(1.0), draw).unwrap();
    assert_eq!(accounts.book().unwrap().take_over(&old, "log.csv.account", &asked).unwrap(), 1);
    assert_eq!(accounts.book().unwrap().accounts()[0].spent, Some(pure(1.75)));
}

#[test]
fn nothing_of_a_question_a_name_or_the_key_is_shown() {
    let (_place, accounts) = Place::new();
    let seen = Sighting { name: "SECRET".into(), ..table(accounts.key(), 0..50) };
    let asked = ask(&seen, "SECRET", 1.0);
    let mut book = accounts.book().unwrap();
    let paid = book.pay(&asked).unwrap();
    let shown = format!("{:?} {seen:?} {asked:?} {book:?} {paid:?} {:?}", accounts.key(), accounts);
    assert!(!shown.contains("SECRET"), "{shown}");
}
