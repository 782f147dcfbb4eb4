//! Nothing is lost, nothing counts twice, and a server in trouble is left alone.

use super::*;

#[test]
fn the_same_request_is_one_report_whatever_happens_between() {
    let mut person = Person::new();
    person.answer("page", "visit").unwrap();
    person.answer("page", "visit").unwrap();
    assert_eq!(person.client().waiting(), 1);
    person.server.with(|shop| shop.loses_answers = true);
    assert_eq!(person.client().send().unwrap().taken, 0);
    person.restart();
    person.server.with(|shop| shop.loses_answers = false);
    assert_eq!(person.client().send().unwrap().taken, 1, "replayed is taken");
    person.answer("page", "visit").unwrap();
    assert_eq!(person.client().send().unwrap().taken, 1);
    assert_eq!((person.taken(), person.client().budget().left_nano), (1, 3_000_000_000));
}

#[test]
fn batches_are_sent_until_nothing_waits() {
    let person = Person::new();
    let mut outbox = person.client().outbox();
    let report = |policy| reticent_protocol::Report {
        experiment: document("page").prefix(),
        policy,
        source: None,
        question: 0,
        answer: reticent_protocol::Answer::Bit { arm: 0, bit: true },
    };
    for policy in 0..250 {
        let report = report(policy);
        let id = outbox.id("page", &report, "visit");
        outbox.queue("page", Parcel { id, report }).unwrap();
    }
    drop(outbox);
    let sent = person.client().send().unwrap();
    assert_eq!((sent.taken, sent.waiting, sent.wait), (250, 0, None));
    assert_eq!(person.server.with(|shop| (shop.uploads, shop.taken.len())), (3, 250));
}

#[test]
fn a_server_that_asks_for_patience_gets_it() {
    let person = Person::new();
    person.answer("page", "visit").unwrap();
    let busy = Trouble::Later { what: "busy".into(), after: Some(AN_HOUR) };
    person.server.with(|shop| shop.trouble = Some(busy));
    let wait = person.client().send().unwrap().wait.unwrap();
    assert!(wait >= AN_HOUR, "{wait:?}");
    person.server.away(false);
    person.watch.pass(3_599);
    assert_eq!(person.client().send().unwrap().taken, 0);
    assert_eq!(person.server.with(|shop| shop.uploads), 1, "it was not even asked");
    person.watch.pass(wait.as_secs().cast_signed());
    assert_eq!(person.client().send().unwrap().taken, 1);
}

#[test]
fn what_cannot_be_taken_is_dropped_and_what_can_later_waits() {
    for (reason, taken, refused, waiting) in [
        (Reason::Replayed, 1, 0, 0),
        (Reason::TooLate, 0, 1, 0),
        (Reason::OtherExperiment, 0, 1, 0),
        (Reason::NotAnAnswer, 0, 1, 0),
        (Reason::Closed, 0, 1, 0),
        (Reason::Unknown, 0, 1, 0),
        (Reason::TooEarly, 0, 0, 1),
        (Reason::Paused, 0, 0, 1),
    ] {
        let person = Person::new();
        person.answer("page", "visit").unwrap();
        person.server.with(|shop| shop.refuse = Some(reason));
        let sent = person.client().send().unwrap();
        let dropped: u64 = sent.refused.values().sum();
        assert_eq!((sent.taken, dropped, sent.waiting), (taken, refused, waiting), "{reason:?}");
        assert_eq!(sent.wait.is_some(), waiting > 0, "{reason:?}");
    }
}

#[test]
fn a_refusal_of_all_keeps_what_waits() {
    let person = Person::new();
    person.answer("page", "visit").unwrap();
    let revoked = Trouble::Refused { status: 401, what: "the key was revoked".into() };
    person.server.with(|shop| shop.trouble = Some(revoked.clone()));
    let sent = person.client().send().unwrap();
    assert_eq!((sent.waiting, sent.trouble), (1, Some(revoked)));
}
