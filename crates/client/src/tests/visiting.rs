//! People who come back report once, whatever came of their visits.

use std::num::{NonZeroU32, NonZeroU64};

use super::*;

/// Who has agreed, and reports as clients do if nobody says otherwise.
fn returning() -> Person {
    reporting(Reporting::default())
}

fn reporting(rule: Reporting) -> Person {
    let person = Person::who_reports(rule);
    person.client().give_consent().unwrap();
    person
}

#[test]
fn only_the_first_visit_is_reported_and_all_get_an_arm() {
    let mut person = returning();
    for number in 0..5 {
        let mut bandit = person.client().bandit("page").unwrap();
        let visit = bandit.choose(&format!("visit-{number}")).unwrap();
        assert_eq!((bandit.arm(&visit), visit.reports()), ("blue", number == 0));
        // Whatever comes of it, also nothing.
        if number % 2 == 0 {
            bandit.answer(visit, 1.0).unwrap();
        } else {
            bandit.answer_missing(visit).unwrap();
        }
        drop(bandit);
        person.restart();
    }
    assert_eq!((person.client().waiting(), person.client().budget().left_nano), (1, 3_000_000_000));
    person.answer("offer", "visit-0").unwrap();
    assert_eq!(person.client().waiting(), 2, "another experiment has a first visit of its own");
}

#[test]
fn a_visit_that_was_cut_off_goes_on_where_it_was() {
    let mut person = returning();
    let visit = person.client().bandit("page").unwrap().choose("first").unwrap();
    assert!(visit.reports());
    drop(visit);
    person.restart();
    person.answer("page", "second").unwrap();
    assert_eq!(person.client().waiting(), 0, "the first visit has begun");
    for _ in 0..2 {
        person.answer("page", "first").unwrap();
    }
    assert_eq!((person.client().waiting(), person.client().budget().left_nano), (1, 3_000_000_000));
}

#[test]
fn each_period_has_a_report_and_a_clock_that_goes_back_begins_none() {
    let days = NonZeroU32::new(7);
    let person = reporting(Reporting::Once { turn: Turn::First, days });
    for (day, waiting) in [(0, 1), (6, 1), (7, 2), (8, 2), (6, 2), (21, 3)] {
        *person.watch.0.lock().unwrap() = day * DAY;
        person.client().refresh("page").unwrap();
        person.answer("page", &format!("day-{day}")).unwrap();
        assert_eq!(person.client().waiting(), waiting, "day {day}");
    }
    // The same words in another period are another visit.
    *person.watch.0.lock().unwrap() = 28 * DAY;
    person.server.with(|shop| shop.version = 1);
    person.client().refresh("page").unwrap();
    person.answer("page", "day-0").unwrap();
    assert_eq!(person.client().waiting(), 4);
}

#[test]
fn a_drawn_visit_is_one_of_the_first() {
    let turn = Turn::OneOf(NonZeroU64::new(3).unwrap());
    let person = reporting(Reporting::Once { turn, days: None });
    let mut bandit = person.client().bandit("page").unwrap();
    let reported: Vec<bool> =
        (0..9).map(|number| bandit.choose(&number.to_string()).unwrap().reports()).collect();
    assert_eq!(reported.iter().filter(|reports| **reports).count(), 1);
    assert!(reported[..3].contains(&true), "{reported:?}");
}

#[test]
fn a_visit_that_gets_no_arm_is_none_and_a_damaged_record_is_not_begun_anew() {
    let mut person = returning();
    person.server.away(true);
    assert!(person.answer("page", "offline").is_err());
    person.server.away(false);
    person.answer("page", "online").unwrap();
    assert_eq!(person.client().waiting(), 1);
    person.client = None;
    std::fs::write(person.folder.path().join("person/visits"), "{").unwrap();
    let settings = Settings::new("unused", "key", person.folder.path().join("person"), epsilon(4.0));
    let again = Client::over(person.server.clone(), person.watch.clone(), settings);
    assert!(matches!(again, Err(ClientError::Damaged { what: "record of visits" })));
}
