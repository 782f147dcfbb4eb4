//! Marked contexts and rewards through real devices and the real binary: nothing of them is in what is sent, answered,
//! logged, counted or stored.
//!
//! `RETICENT_MARKED=10000` sends more.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod process;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use process::Served;
use reticent_device::contextual::Device;
use reticent_protocol::ReportId;
use reticent_protocol::contextual::{Plan, Policy, Spec};
use reticent_schema::Experiment;
use reticent_server::run::Remote;
use serde_json::{Value, json};

const OFFER: &str = "name = \"offer\"\nepsilon = 2\n[problem]\nkind = \"contextual\"\narms = [\"a\", \"b\"]\n\
    [problem.context]\ncolumns = [{ name = \"income\", low = 0, high = 1000000 }, { name = \"age\", low = 0, high = 100 }]\n";

#[allow(clippy::disallowed_methods, reason = "how many, for who wants more")]
fn people() -> u64 {
    std::env::var("RETICENT_MARKED").ok().and_then(|text| text.parse().ok()).unwrap_or(300)
}

/// What nobody else has, in every form that it could be written in: the beginning of its text, and its bytes.
#[derive(Default)]
struct Marks {
    texts: BTreeSet<Vec<u8>>,
    bytes: BTreeSet<Vec<u8>>,
}

/// Digits enough that no other number begins with them by chance.
const DIGITS: usize = 12;

impl Marks {
    fn add(&mut self, value: f64) {
        self.texts.insert(value.to_string().as_bytes()[..DIGITS].to_vec());
        self.bytes.extend([value.to_le_bytes().to_vec(), value.to_be_bytes().to_vec()]);
    }

    fn is_in(&self, bytes: &[u8]) -> bool {
        bytes.windows(8).any(|window| self.bytes.contains(window))
            || bytes.windows(DIGITS).any(|window| self.texts.contains(window))
    }
}

fn files(folder: &Path, found: &mut Vec<(std::path::PathBuf, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push((path.clone(), std::fs::read(&path).unwrap()));
        }
    }
}

#[test]
fn nothing_of_a_marked_person_leaves_their_device() {
    let folder = tempfile::tempdir().unwrap();
    let (data, log) = (folder.path().join("data"), folder.path().join("log"));
    std::fs::create_dir(&data).unwrap();
    let served = Served::start_with(&data, None, &["--log"], Some(&log));
    let key = process::create(&data, OFFER);
    let remote = Remote::at(served.address, Some(key));
    let admin = Remote::of_folder(&data).unwrap();
    let mut seen: Vec<(String, Vec<u8>)> = Vec::new();
    let mut ask = |remote: &Remote, method: &str, path: &str, body: Option<&str>| {
        let sent = body.map(|body| ("application/json", body.as_bytes()));
        let answer = remote.ask(method, path, sent).unwrap();
        seen.push((format!("sent to {path}"), body.unwrap_or_default().as_bytes().to_vec()));
        seen.push((format!("answer of {path}"), answer.body.clone()));
        answer
    };
    let shown = ask(&remote, "GET", "/v1/experiments/offer", None).json();
    let experiment: Experiment = serde_json::from_value(shown["experiment"].clone()).unwrap();
    let spec = Spec::of(experiment.draft()).unwrap();
    let mut marks = Marks::default();
    let mut first = 0;
    while first < people() {
        let policy = ask(&remote, "GET", "/v1/experiments/offer/policy", None);
        let plan = Arc::new(Plan::new(&spec, Policy::decode(&policy.body).unwrap()).unwrap());
        let last = (first + 100).min(people());
        let reports: Vec<Value> = (first..last)
            .map(|person| {
                let step = person as f64;
                let income = 471_147.130_713_17 + 17.000_130_000_7 * step;
                let age = 47.114_713_071_31 + 1.300_000_137e-5 * step;
                let reward = 0.471_147_130_713_1 + 1.100_000_137e-5 * step;
                for value in [income, age, reward] {
                    marks.add(value);
                }
                let mut device = Device::new(&spec, spec.epsilon()).unwrap();
                let context = device.encode_numbers(&[income, age]).unwrap();
                let choice = device.choose(&plan, &context).unwrap();
                let report = device.answer(choice, reward).unwrap();
                json!({ "id": ReportId(u128::from(person).to_be_bytes()).to_string(), "report": report })
            })
            .collect();
        let body = json!({ "reports": reports }).to_string();
        let taken = ask(&remote, "POST", "/v1/experiments/offer/reports", Some(&body));
        assert_eq!((taken.status, taken.body.len()), (200, 0));
        // A report that is damaged on its way is a problem that quotes nothing.
        ask(&remote, "POST", "/v1/experiments/offer/reports", Some(&body[..body.len() / 2]));
        first = last;
    }
    for path in
        ["/metrics", "/v1/experiments/offer/insight", "/v1/experiments/offer/export", "/page", "/v1/audit"]
    {
        assert!(ask(&admin, "GET", path, None).is_done(), "{path}");
    }
    served.kill();
    let mut stored = Vec::new();
    files(folder.path(), &mut stored);
    assert!(stored.iter().any(|(path, _)| path.starts_with(data.join("store"))), "the store was searched");
    assert!(stored.iter().any(|(path, bytes)| *path == log && !bytes.is_empty()), "so was the log");
    for (what, bytes) in &seen {
        assert!(!marks.is_in(bytes), "{what}");
    }
    for (path, bytes) in &stored {
        assert!(!marks.is_in(bytes), "{}", path.display());
    }
    // The search finds what is there.
    for mark in [marks.bytes.first().unwrap(), marks.texts.last().unwrap()] {
        assert!(marks.is_in(&[b"income=", mark.as_slice(), b";"].concat()));
    }
    println!(
        "{} marked people, {} bytes of traffic: 0 hits",
        people(),
        seen.iter().map(|one| one.1.len()).sum::<usize>()
    );
}
