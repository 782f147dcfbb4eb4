//! Trials and tuning by the real binary, killed again and again: what was answered stays as it was, and no account has
//! less than what was released from it.
//!
//! `RETICENT_KILLS=200` kills more often.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod process;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use process::Served;
use reticent_privacy::{SimSeed, Stream};
use reticent_server::run::Remote;
use serde_json::{Value, json};

const TRIAL: &str = "name = \"clinic\"\nepsilon = 2\n[problem]\nkind = \"trial\"\narms = [\"usual\", \"new\"]\n\
    people = 100000\nbetter = \"higher\"\noutcome = { column = \"well\", kind = \"binary\", low = 0, high = 1 }\n";
const TUNING: &str = "name = \"dose\"\nepsilon = 50\n[problem]\nkind = \"tuning\"\n\
    actions = [{ name = \"dose\", low = 0, high = 10 }]\nkernel = { rank = 4 }\n\
    outcome = { column = \"response\", kind = \"number\", low = 0, high = 1 }\n";

#[allow(clippy::disallowed_methods, reason = "how often to kill, for who wants more")]
fn rounds() -> u64 {
    std::env::var("RETICENT_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(10)
}

/// Asks until it is answered.
fn ask(place: &Mutex<Remote>, path: &str, body: &Value) -> Value {
    loop {
        let remote = place.lock().unwrap().clone();
        match remote.ask("POST", path, Some(("application/json", body.to_string().as_bytes()))) {
            Ok(answer) if answer.is_done() => return answer.json(),
            Ok(answer) if answer.status < 500 => panic!("{}", answer.json()),
            _ => std::thread::park_timeout(Duration::from_millis(5)),
        }
    }
}

#[test]
fn what_was_answered_stays_and_what_was_released_is_paid() {
    let folder = tempfile::tempdir().unwrap();
    let mut now = Some(Served::start(folder.path(), None));
    process::create(folder.path(), TRIAL);
    process::create(folder.path(), TUNING);
    let place = Arc::new(Mutex::new(Remote::of_folder(folder.path()).unwrap()));
    let stop = Arc::new(AtomicBool::new(false));
    let patients = {
        let (place, stop) = (Arc::clone(&place), Arc::clone(&stop));
        std::thread::spawn(move || {
            let mut given = Vec::new();
            while !stop.load(Ordering::SeqCst) {
                let person = json!({ "patient": format!("p{}", given.len()) });
                given.push(ask(&place, "/v1/experiments/clinic/assignments", &person));
            }
            given
        })
    };
    let tuner = {
        let (place, stop) = (Arc::clone(&place), Arc::clone(&stop));
        std::thread::spawn(move || {
            let mut released = BTreeMap::new();
            for number in 0.. {
                if stop.load(Ordering::SeqCst) {
                    break;
                }
                let values = json!({ "dose": number % 10, "response": 0.5 });
                let record = json!({ "records": [{ "id": number.to_string(), "values": values }] });
                ask(&place, "/v1/experiments/dose/records", &record);
                let fit = ask(&place, "/v1/experiments/dose/fits", &json!({ "epsilon": 0.01 }));
                released.insert(number, fit["release"].clone());
            }
            released
        })
    };
    let mut rng = SimSeed(22).stream(0, Stream::Environment);
    for _ in 0..rounds() {
        std::thread::park_timeout(Duration::from_millis((20.0 + 200.0 * rng.uniform()) as u64));
        now.take().unwrap().kill();
        now = Some(Served::start(folder.path(), None));
        *place.lock().unwrap() = Remote::of_folder(folder.path()).unwrap();
    }
    stop.store(true, Ordering::SeqCst);
    let (given, released) = (patients.join().unwrap(), tuner.join().unwrap());
    assert!(given.len() as u64 > rounds() && released.len() as u64 > rounds(), "there was load");
    for (number, assignment) in given.iter().enumerate() {
        assert_eq!(assignment["number"], number, "nobody is lost, nobody is there twice");
        let person = json!({ "patient": format!("p{number}") });
        assert_eq!(ask(&place, "/v1/experiments/clinic/assignments", &person), *assignment);
    }
    let last = ask(&place, "/v1/experiments/dose/fits", &json!({ "epsilon": 0.01 }));
    assert_eq!((&last["stored"], Some(&last["release"])), (&json!(true), released.values().next_back()));
    let spent = last["spent"]["approximate"]["epsilon"].as_f64();
    let spent = spent.unwrap_or_else(|| panic!("{}", last["spent"]));
    assert!(spent >= 0.01 * released.len() as f64 - 1e-9, "{spent} for {} releases", released.len());
    println!("{} kills, {} assignments, {} fits, epsilon {spent}", rounds(), given.len(), released.len());
    now.take().unwrap().kill();
}
