//! One published file of each kind.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use reticent_curate::kernel::{
    Chooser, Collector, Draft as KernelDraft, Input, KernelSpec, Points, Population, Records, ReleaseLoss,
    Reward, Shape,
};
use reticent_curate::trial::{Draft, Stratum, Trial, TrialSpec, analyse};
use reticent_privacy::{Delta, Epsilon, Generator, NoiseRng, SimRng, SimSeed, Stream};
use reticent_schema::Digest;

use super::*;
use crate::Silent;
use crate::columns::TableFiles;
use crate::price::policy::{FitLogs, Wish, charts, write_policy};
use crate::price::{Privatise, read_market};
use crate::trial::report;
use crate::tune::{Choice, Function};

const MARKET: &str = include_str!("../../price/tests/market.toml");

pub(super) struct Published {
    pub(super) folder: tempfile::TempDir,
    pub(super) files: Vec<(Kind, PathBuf)>,
    pages: Vec<String>,
}

pub(super) fn seeded() -> SimRng {
    SimSeed(3).stream(0, Stream::Noise)
}

pub(super) fn system() -> NoiseRng {
    NoiseRng::from_os().unwrap()
}

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

impl Published {
    /// Whatever is random in them comes from such a generator.
    pub(super) fn made_with<G: Generator>(noise: impl Fn() -> G) -> Published {
        let folder = tempfile::tempdir().unwrap();
        let mut made = Published { folder, files: Vec::new(), pages: Vec::new() };
        made.pricing(noise());
        made.trial(noise());
        made.function(noise());
        made.action(noise());
        made
    }

    pub(super) fn file(&self, kind: Kind) -> &Path {
        &self.files.iter().find(|(one, _)| *one == kind).unwrap().1
    }

    /// What people look at instead of the files.
    pub(super) fn pages(&self) -> impl Iterator<Item = &String> {
        self.pages.iter()
    }

    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    fn pricing<G: Generator>(&mut self, mut noise: G) {
        let mut rows = "income,price,bought\n".to_string();
        for i in 0..200 {
            writeln!(rows, "{},{},{}", i % 100, 5 + i % 20, i % 2).unwrap();
        }
        let (table, market) =
            (self.write("sales.csv", rows.as_bytes()), self.write("m.toml", MARKET.as_bytes()));
        let market = read_market(&market).unwrap();
        let job = Privatise {
            market: &market,
            table: &TableFiles::one(&table).unwrap(),
            epsilon: epsilon(1.0),
            records: None,
            clip: false,
        };
        let (log, policy) = (self.folder.path().join("sales.rpl"), self.folder.path().join("policy.json"));
        job.run_with(&log, &mut noise, &Silent).unwrap();
        let fitted = FitLogs { logs: &[&log], wish: &Wish::default(), target: None }.run(&Silent).unwrap();
        write_policy(&fitted.policy, &fitted.guarantee, &policy).unwrap();
        self.pages.push(charts(&fitted.policy, &fitted.guarantee));
        self.files.extend([(Kind::PrivatisedLog, log), (Kind::PricePolicy, policy)]);
    }

    fn trial<G: Generator>(&mut self, noise: G) {
        let plan =
            Draft { experiment: Some(digest()), first_epoch: Some(20), ..Draft::simple("sleep", 60, 2.0) };
        let spec = TrialSpec::new(plan).unwrap();
        let everyone = Stratum::new(&spec, 0).unwrap();
        let mut trial = Trial::with_noise(spec, noise);
        for person in 0..60 {
            let number = trial.assign(everyone).unwrap().number;
            trial.record(number, f64::from(person % 2)).unwrap();
        }
        trial.stop().unwrap();
        let release = trial.release();
        let written = report::write(self.folder.path(), release, &analyse(release), None).unwrap();
        self.pages.push(std::fs::read_to_string(written.page).unwrap());
        self.files.extend([(Kind::TrialRelease, written.release), (Kind::TrialReport, written.json)]);
    }

    fn function<G: Generator>(&mut self, mut noise: G) {
        let loss = ReleaseLoss::new(epsilon(1.0), Delta::new(1e-6).unwrap()).unwrap();
        let mut collector = Collector::new(&setting(), &Population::Uniform, 50, loss, 1).unwrap();
        collector.add(&people()).unwrap();
        let release = collector.release_with(&mut noise).unwrap();
        let path = self.write("dose.json", &serde_json::to_vec(&release).unwrap());
        self.pages.push(crate::tune::charts(&Function::of(release, 1).unwrap()));
        self.files.push((Kind::ReleasedFunction, path));
    }

    fn action<G: Generator>(&mut self, mut noise: G) {
        let (setting, candidates) = (setting(), Points::candidates(1));
        let (epsilon, count) = (epsilon(0.5), candidates.len());
        let mut chooser = Chooser::new(&setting, &Population::Uniform, 50, epsilon, candidates, 1).unwrap();
        chooser.add(&people()).unwrap();
        let place = chooser.choose(&[0.5], &mut noise).unwrap();
        let choice = Choice { setting: &setting, epsilon, people: 50, candidates: count, context: &[40.0] };
        let document = choice.made(&place, chooser.guarantee().noise);
        let path = self.write("action.json", &serde_json::to_vec(&document).unwrap());
        self.files.push((Kind::ChosenAction, path));
    }
}

/// Of the document that trial, function and action are of.
pub(super) fn digest() -> Digest {
    Digest::of(&"a document").unwrap()
}

fn setting() -> KernelSpec {
    let input =
        |column: &str, high| Input { column: column.into(), low: 0.0, high, length: 0.5, levels: None };
    KernelDraft {
        experiment: Some(digest()),
        actions: vec![input("dose", 10.0)],
        contexts: vec![input("age", 100.0)],
        reward: Reward { column: "response".into(), low: -1.0, high: 1.0, noise: 0.2 },
        kernel: Shape { rank: 8, ..Shape::default() },
    }
    .try_into()
    .unwrap()
}

fn people() -> Records {
    let mut records = Records::new(2);
    (0..50).for_each(|i| records.push(&[f64::from(i) / 50.0, 0.5], 0.3));
    records
}
