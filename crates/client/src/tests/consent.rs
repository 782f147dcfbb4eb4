//! Nothing happens without it, and one budget for everything.

use super::*;

#[test]
fn nothing_happens_before_consent() {
    let person = Person::undecided();
    assert!(matches!(person.answer("page", "visit"), Err(ClientError::NoConsent)));
    assert!(matches!(person.client().refresh("page"), Err(ClientError::NoConsent)));
    assert!(matches!(person.client().send(), Err(ClientError::NoConsent)));
    assert_eq!(person.server.with(|shop| shop.asked), 0);
}

#[test]
fn withdrawn_consent_stops_everything_and_empties_the_queue_also_after_a_restart() {
    let mut person = Person::new();
    let mut bandit = person.client().bandit("page").unwrap();
    let later = bandit.choose("later").unwrap();
    person.answer("page", "visit").unwrap();
    person.client().withdraw_consent().unwrap();
    assert!(matches!(bandit.answer(later, 1.0), Err(ClientError::NoConsent)));
    drop(bandit);
    for _ in 0..2 {
        let asked = person.server.with(|shop| shop.asked);
        assert!(matches!(person.client().send(), Err(ClientError::NoConsent)));
        assert!(matches!(person.answer("page", "again"), Err(ClientError::NoConsent)));
        assert_eq!(person.client().waiting(), 0);
        assert_eq!(person.server.with(|shop| (shop.asked, shop.uploads)), (asked, 0));
        person.restart();
    }
    person.client().give_consent().unwrap();
    assert_eq!(person.client().send().unwrap().taken, 0, "what was thrown away stays so");
    assert_eq!(person.client().budget().left_nano, 3_000_000_000, "what was drawn stays spent");
}

#[test]
fn experiments_share_one_budget_and_a_refusal_says_who_spent_it() {
    let mut person = Person::new();
    for (experiment, visits) in [("page", 3), ("offer", 1)] {
        for visit in 0..visits {
            person.answer(experiment, &format!("visit-{visit}")).unwrap();
        }
    }
    let refused = person.answer("third", "visit").unwrap_err();
    let words = refused.to_string();
    assert!(words.contains("costs epsilon 1") && words.contains("4 of 4 is spent, 0 is left"), "{words}");
    assert!(words.contains("page 3") && words.contains("offer 1"), "{words}");
    person.restart();
    let after = person.answer("third", "visit").unwrap_err();
    assert_eq!(after.to_string(), words);
}

#[test]
fn an_experiment_that_nobody_has_read_is_not_taken_part_in() {
    let (server, watch, folder) = (Server::default(), Watch::default(), tempfile::tempdir().unwrap());
    let read = reticent_device::Vetted::new([document("read").digest()]);
    let settings = Settings {
        vetted: Some(read),
        ..Settings::new("unused", "key", folder.path().join("person"), epsilon(4.0))
    };
    let client = Client::over(server, watch, settings).unwrap();
    client.give_consent().unwrap();
    assert!(client.bandit("read").is_ok());
    assert!(client.bandit("unread").is_err());
}

#[test]
fn debug_prints_neither_key_nor_report() {
    let person = Person::new();
    person.answer("page", "a-secret-visit").unwrap();
    let settings = Settings::new("server", "a-secret-key", "folder".into(), epsilon(1.0));
    let parcels = person.client().outbox().first("page", 1);
    let http = Http::new("server", "a-secret-key");
    let bandit = person.client().bandit("page").unwrap();
    let said = format!(
        "{settings:?} {parcels:?} {http:?} {bandit:?} {:?} {:?}",
        person.client(),
        person.client().outbox()
    );
    assert!(!said.contains("secret") && !said.contains("bit"), "{said}");
}
