//! Policies are kept, and a queue survives.

use super::*;

#[test]
fn a_device_that_has_a_policy_needs_no_network_until_its_window_is_over() {
    let mut person = Person::new();
    person.answer("page", "online").unwrap();
    person.server.away(true);
    person.restart();
    person.watch.pass(6 * DAY);
    person.answer("page", "offline").unwrap();
    assert_eq!(person.client().waiting(), 2);
    person.watch.pass(2 * DAY);
    assert!(matches!(person.answer("page", "too late"), Err(ClientError::Stale { days: 7, .. })));
    assert_eq!(person.client().budget().left_nano, 2_000_000_000, "nothing was paid for it");
    person.server.away(false);
    person.client().refresh("page").unwrap();
    person.answer("page", "again online").unwrap();
}

#[test]
fn what_is_kept_is_not_fetched_again_and_a_new_policy_is() {
    let person = Person::new();
    person.answer("page", "first").unwrap();
    let asked = person.server.with(|shop| shop.asked);
    person.answer("page", "second").unwrap();
    assert_eq!(person.server.with(|shop| shop.asked), asked);
    assert!(!person.client().refresh("page").unwrap(), "the same");
    person.server.with(|shop| shop.version = 1);
    assert!(person.client().refresh("page").unwrap());
    let mut bandit = person.client().bandit("page").unwrap();
    let visit = bandit.choose("third").unwrap();
    assert_eq!(bandit.arm(&visit), "green", "the new policy's arm");
}

#[test]
fn events_bring_new_policies() {
    let person = Person::new();
    person.answer("page", "first").unwrap();
    let mut heard = Vec::new();
    let client = person.client();
    client
        .follow("page", |version| {
            heard.push((version, client.bandit("page").unwrap().choose("next").unwrap().choice().arm()));
            if version == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .unwrap();
    assert_eq!(heard, [(1, 1), (2, 0)]);
}

#[test]
fn a_damaged_copy_of_a_policy_is_fetched_again() {
    let mut person = Person::new();
    person.answer("page", "first").unwrap();
    let shelf = person.folder.path().join("person/experiments");
    for file in std::fs::read_dir(shelf).unwrap() {
        std::fs::write(file.unwrap().path(), "{").unwrap();
    }
    person.restart();
    person.answer("page", "second").unwrap();
}

#[test]
fn a_long_queue_is_written_anew_and_nothing_is_lost() {
    let mut person = Person::undecided();
    let mut outbox = person.client().outbox();
    outbox.set_consent(true).unwrap();
    let answer = reticent_protocol::Answer::Bit { arm: 0, bit: true };
    let report = reticent_protocol::Report {
        experiment: document("page").prefix(),
        policy: 0,
        source: None,
        question: 0,
        answer,
    };
    let mut ids = Vec::new();
    for number in 0..1_200 {
        let id = outbox.id("page", &report, &number.to_string());
        outbox.queue("page", Parcel { id, report: report.clone() }).unwrap();
        ids.push(id);
    }
    outbox.done(&ids[..1_150]).unwrap();
    drop(outbox);
    let size = |person: &Person| std::fs::metadata(person.folder.path().join("person/outbox")).unwrap().len();
    let before = size(&person);
    person.restart();
    assert!(size(&person) < before / 10);
    let waiting: Vec<_> =
        person.client().outbox().first("page", 100).iter().map(|parcel| parcel.id).collect();
    assert_eq!(waiting, ids[1_150..]);
    let again = person.client().outbox().id("page", &report, "1199");
    assert_eq!(again, ids[1_199], "ids go on being the same");
}
