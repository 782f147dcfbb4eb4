//! What tests of the service share: experiments, reports, a clock that is set.
#![allow(dead_code, reason = "each test takes what it needs")]

pub(crate) mod bench;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use reticent_protocol::{Answer, Report, ReportId};
use reticent_schema::Experiment;
use reticent_server::SharedClock;
use reticent_server::store::{Arrival, Deed, Entry, Learned, Publication, Settings, Upload};
use reticent_store::{Clock, Moment};

/// A clock that goes when it is told to.
#[derive(Clone)]
pub(crate) struct SetClock(Arc<AtomicI64>);

impl SetClock {
    pub(crate) fn at(seconds: i64) -> SetClock {
        SetClock(Arc::new(AtomicI64::new(seconds)))
    }

    pub(crate) fn set(&self, seconds: i64) {
        self.0.store(seconds, Ordering::SeqCst);
    }

    pub(crate) fn shared(&self) -> SharedClock {
        SharedClock::new(self.clone())
    }
}

impl Clock for SetClock {
    fn now(&self) -> Moment {
        Moment::from_unix(self.0.load(Ordering::SeqCst))
    }
}

/// A bandit with three arms.
pub(crate) fn bandit(name: &str) -> Experiment {
    let text = format!(
        r#"{{"name": "{name}", "epsilon": "1", "problem": {{"kind": "bandit", "arms": ["blue", "green", "red"]}}}}"#
    );
    Experiment::from_json(&text).unwrap()
}

/// A contextual bandit with two arms and one axis.
pub(crate) fn contextual(name: &str) -> Experiment {
    let text = format!(
        r#"{{"name": "{name}", "epsilon": "2", "problem": {{"kind": "contextual", "arms": ["a", "b"],
        "context": {{"columns": [{{"name": "age", "low": "0", "high": "100"}}]}}}}}}"#
    );
    let experiment = Experiment::from_json(&text).unwrap();
    reticent_jobs::experiment_file::complete(experiment).unwrap()
}

/// An entry of the registry.
pub(crate) fn entry(experiment: &Experiment) -> Entry {
    Entry { experiment: experiment.clone(), created: Moment::from_unix(1_000), settings: Settings::default() }
}

/// What an experiment begins with: policy 1.
pub(crate) fn first(experiment: &Experiment) -> Publication {
    step(experiment, (0, 0), Some(1), 1)
}

/// A step of folding.
pub(crate) fn step(
    experiment: &Experiment,
    (from, to): (u64, u64),
    version: Option<u64>,
    oldest: u64,
) -> Publication {
    Publication {
        experiment: experiment.prefix(),
        from,
        to,
        at: Moment::from_unix(1_000 + to as i64),
        learned: Learned { state: format!("state {to}").into(), insight: b"{}".to_vec() },
        policy: version.map(|version| (version, format!("policy {version}").into())),
        thinned: None,
        oldest,
        keep_since: Moment::from_unix(0),
    }
}

pub(crate) fn deed(action: &str, subject: &str) -> Deed {
    let text = String::from;
    Deed { at: Moment::from_unix(1_000), actor: text("test"), action: text(action), subject: text(subject) }
}

/// The report of an arm and a bit under a policy.
pub(crate) fn report(experiment: &Experiment, policy: u64, arm: u32, bit: bool) -> Report {
    let answer = Answer::Bit { arm, bit };
    Report { experiment: experiment.prefix(), policy, source: None, question: 0, answer }
}

/// An id that depends on a number.
pub(crate) fn id(number: u64) -> ReportId {
    let word = u128::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    ReportId(word.to_be_bytes())
}

pub(crate) fn arrival(number: u64, policy: u64) -> Arrival {
    Arrival { id: id(number), policy, bytes: number.to_le_bytes().to_vec() }
}

pub(crate) fn upload(experiment: &Experiment, reports: Vec<Arrival>) -> Upload {
    Upload { experiment: experiment.prefix(), at: Moment::from_unix(2_000), reports }
}

/// Appends a segment of another store, as it came.
pub(crate) async fn copy(
    store: &reticent_server::store::Memory,
    experiment: &Experiment,
    segment: reticent_server::store::Segment,
) {
    use reticent_server::store::{Fate, Reports};
    let one = |(at, bytes): (u64, Vec<u8>)| Arrival { id: id(1_000_000 + at), policy: 1, bytes };
    let reports: Vec<Arrival> = (segment.first..).zip(segment.reports).map(one).collect();
    let count = reports.len();
    let upload = Upload { experiment: experiment.prefix(), at: segment.at, reports };
    assert_eq!(store.append(vec![upload]).await.unwrap(), [vec![Fate::Taken; count]]);
}

/// A folder with all that is in it.
pub(crate) fn copy_folder(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let place = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_folder(&path, &place)
        } else {
            std::fs::copy(&path, &place).map(|_| ()).unwrap()
        }
    }
}
