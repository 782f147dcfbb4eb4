//! One person, a server that is not always there, and a clock that is told.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use reticent_privacy::Epsilon;
use reticent_protocol::mab;
use reticent_schema::Experiment;
use reticent_store::{Clock, Moment};
use tempfile::TempDir;

use super::*;

mod consent;
mod offline;
mod sending;
mod visiting;

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

fn document(name: &str) -> Experiment {
    let text = format!(
        r#"{{"name": "{name}", "epsilon": "1", "problem": {{"kind": "bandit", "arms": ["blue", "green"]}}}}"#
    );
    Experiment::from_json(&text).unwrap()
}

/// A server in memory, which can be away, ask for patience, or refuse.
#[derive(Default)]
struct Shop {
    version: u64,
    trouble: Option<Trouble>,
    refuse: Option<Reason>,
    taken: BTreeMap<ReportId, String>,
    uploads: usize,
    asked: usize,
    /// The answer to an upload is lost on its way: the reports were taken.
    loses_answers: bool,
}

#[derive(Clone, Default)]
struct Server(Arc<Mutex<Shop>>);

impl Server {
    fn with<T>(&self, change: impl FnOnce(&mut Shop) -> T) -> T {
        change(&mut self.0.lock().unwrap())
    }

    fn away(&self, away: bool) {
        let trouble = Trouble::Later { what: "no route".into(), after: None };
        self.with(|shop| shop.trouble = away.then_some(trouble));
    }
}

impl Transport for Server {
    fn document(&self, experiment: &str) -> Result<String, Trouble> {
        self.with(|shop| {
            shop.asked += 1;
            shop.trouble.clone().map_or_else(|| Ok(document(experiment).to_json().unwrap()), Err)
        })
    }

    fn policy(&self, experiment: &str, tag: Option<&str>) -> Result<Fetched, Trouble> {
        self.with(|shop| {
            shop.asked += 1;
            if let Some(trouble) = shop.trouble.clone() {
                return Err(trouble);
            }
            let newest = format!("\"{}\"", shop.version);
            if tag == Some(&newest) {
                return Ok(Fetched::Same);
            }
            let policy = mab::Policy {
                experiment: document(experiment).digest(),
                version: shop.version,
                question: 0,
                squash: mab::Squash::CLIP,
                arms: mab::Lottery::one((shop.version % 2) as u32),
            };
            Ok(Fetched::New { tag: newest, bytes: policy.encode() })
        })
    }

    fn upload(&self, experiment: &str, parcels: &[Parcel]) -> Result<Vec<Refusal>, Trouble> {
        self.with(|shop| {
            shop.uploads += 1;
            if let Some(trouble) = shop.trouble.clone() {
                return Err(trouble);
            }
            let mut refusals = Vec::new();
            for parcel in parcels {
                let known = shop.taken.contains_key(&parcel.id);
                let reason = if known { Some(Reason::Replayed) } else { shop.refuse };
                match reason {
                    Some(reason) => refusals.push(Refusal { id: parcel.id, reason }),
                    None => drop(shop.taken.insert(parcel.id, experiment.to_string())),
                }
            }
            if shop.loses_answers {
                Err(Trouble::Later { what: "cut off".into(), after: None })
            } else {
                Ok(refusals)
            }
        })
    }

    fn listen(&self, _: &str, heard: &mut dyn FnMut(u64) -> ControlFlow<()>) -> Result<(), Trouble> {
        for version in 1..=3 {
            self.with(|shop| shop.version = version);
            if heard(version).is_break() {
                break;
            }
        }
        Ok(())
    }
}

#[derive(Clone, Default)]
struct Watch(Arc<Mutex<i64>>);

impl Watch {
    fn pass(&self, seconds: i64) {
        *self.0.lock().unwrap() += seconds;
    }
}

impl Clock for Watch {
    fn now(&self) -> Moment {
        Moment::from_unix(*self.0.lock().unwrap())
    }
}

struct Person {
    client: Option<Client>,
    reporting: Reporting,
    server: Server,
    watch: Watch,
    folder: TempDir,
}

impl Person {
    /// Who has agreed.
    fn new() -> Person {
        let person = Person::undecided();
        person.client().give_consent().unwrap();
        person
    }

    fn undecided() -> Person {
        Person::who_reports(Reporting::EachVisit)
    }

    fn who_reports(reporting: Reporting) -> Person {
        let (server, watch, folder) = (Server::default(), Watch::default(), tempfile::tempdir().unwrap());
        let client = Some(open(&server, &watch, folder.path(), reporting));
        Person { client, reporting, server, watch, folder }
    }

    fn client(&self) -> &Client {
        self.client.as_ref().unwrap()
    }

    /// The device is switched off and on.
    fn restart(&mut self) {
        self.client = None;
        self.client = Some(open(&self.server, &self.watch, self.folder.path(), self.reporting));
    }

    fn answer(&self, experiment: &str, request: &str) -> Result<(), ClientError> {
        let mut bandit = self.client().bandit(experiment)?;
        let visit = bandit.choose(request)?;
        bandit.answer(visit, 1.0)
    }

    fn taken(&self) -> usize {
        self.server.with(|shop| shop.taken.len())
    }
}

fn open(server: &Server, watch: &Watch, folder: &Path, reporting: Reporting) -> Client {
    let settings =
        Settings { reporting, ..Settings::new("unused", "key", folder.join("person"), epsilon(4.0)) };
    Client::over(server.clone(), watch.clone(), settings).unwrap()
}

const DAY: i64 = 86_400;
const AN_HOUR: Duration = Duration::from_hours(1);
