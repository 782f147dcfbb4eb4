//! Lists of operations with faults: crashes before and after each durable step, duplicates, other orders, delays, a
//! clock that jumps, a full disk, a database that goes and comes, a lease that is lost.
//!
//! Whatever happens: what was acknowledged is counted, nothing is counted twice, and the state is that of the same
//! reports on one server without faults, bit for bit.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use reticent_privacy::SimSeed;
use reticent_schema::Experiment;
use reticent_server::store::{
    Arrival, Entry, Fate, Fault, Memory, Policies, Publication, Registry, Reports, Segment, Settings, Store,
    Upload,
};
use reticent_server::{Fold, Learner, Step};
use reticent_store::Moment;
use support::{bandit, contextual, deed, id, report};

/// What can happen.
#[derive(Debug, Clone)]
enum Op {
    /// Reports of these numbers come together, to be answered.
    Send(Vec<u64>),
    /// A server folds.
    Fold { server: bool },
    /// A server dies, and starts again with nothing but the store.
    Crash { server: bool },
    /// What goes wrong with the next write.
    Fault(Fault),
    /// The database is gone for the next operation.
    Gone,
    /// The clock is set so many hours later, or earlier.
    Jump(i64),
}

fn op() -> impl Strategy<Value = Op> {
    let fault = prop_oneof![Just(Fault::Before), Just(Fault::After)];
    prop_oneof![
        // Numbers come again, in any order: duplicates, and retries of what was not answered.
        6 => prop::collection::vec(0_u64..60, 1..12).prop_map(Op::Send),
        4 => any::<bool>().prop_map(|server| Op::Fold { server }),
        1 => any::<bool>().prop_map(|server| Op::Crash { server }),
        2 => fault.prop_map(Op::Fault),
        1 => Just(Op::Gone),
        1 => (-100_i64..300).prop_map(Op::Jump),
    ]
}

struct World {
    store: Memory,
    shared: Arc<dyn Store>,
    experiment: Experiment,
    entry: Entry,
    /// Two servers that both believe that they have the lease.
    folds: [Fold; 2],
    now: i64,
    acknowledged: BTreeSet<u64>,
    /// Every segment that was ever there, by its first report.
    history: Vec<Segment>,
}

const SEED: SimSeed = SimSeed(11);
const SETTINGS: Settings = Settings { batch: None, keep_reports_seconds: 0 };

impl World {
    async fn new(experiment: Experiment) -> World {
        let store = Memory::new().unwrap();
        let shared: Arc<dyn Store> = Arc::new(store.clone());
        let entry = Entry {
            experiment: experiment.clone(),
            created: Moment::from_unix(1_000_000),
            settings: SETTINGS,
        };
        let learner = Learner::begin(&experiment, SETTINGS, SEED).unwrap();
        let policy = learner.policy().map(|policy| (policy.version, policy.bytes));
        let first = Publication {
            experiment: experiment.prefix(),
            from: 0,
            to: 0,
            at: entry.created,
            learned: reticent_server::store::Learned {
                state: learner.save().unwrap(),
                insight: b"{}".to_vec(),
            },
            oldest: policy.as_ref().map_or(0, |(version, _)| *version),
            policy,
            thinned: None,
            keep_since: entry.created,
        };
        store.create(entry.clone(), first, deed("create", "x")).await.unwrap();
        let folds = [0, 1].map(|_| Fold::new(Arc::clone(&shared), entry.clone()));
        let (acknowledged, history) = (BTreeSet::new(), Vec::new());
        World { store, shared, experiment, entry, folds, now: 1_000_000, acknowledged, history }
    }

    fn clock(&self) -> Moment {
        Moment::from_unix(self.now)
    }

    /// Devices under the newest policy send; what a number says is always the same, so that a retry is one.
    async fn send(&mut self, numbers: &[u64]) {
        let Some((marks, _)) = self.store.learned(self.experiment.prefix()).await.ok().flatten() else {
            return;
        };
        let one = |number: &u64| {
            let report = if self.experiment.problem().kind() == "bandit" {
                report(&self.experiment, 1, (number % 3) as u32, number % 7 < 3)
            } else {
                report(&self.experiment, 0, 0, true)
            };
            Arrival { id: id(*number), policy: report.policy, bytes: report.encode() }
        };
        let reports = numbers.iter().map(one).collect();
        let upload = Upload { experiment: self.experiment.prefix(), at: self.clock(), reports };
        let before = marks.appended;
        let answered = self.store.append(vec![upload]).await;
        if let Ok(fates) = &answered {
            for (number, fate) in numbers.iter().zip(&fates[0]) {
                match fate {
                    Fate::Taken => assert!(self.acknowledged.insert(*number), "{number} was taken twice"),
                    // Taken by a call whose answer was lost, or told twice.
                    Fate::Replayed => {
                        self.acknowledged.insert(*number);
                    }
                    Fate::TooLate => {}
                    other => panic!("{other:?}"),
                }
            }
        }
        self.remember(before).await;
    }

    /// Keeps a copy of what was appended, also if nobody was told.
    async fn remember(&mut self, before: u64) {
        if let Ok(segments) = self.store.unfolded(self.experiment.prefix(), before, usize::MAX).await {
            self.history.extend(segments);
        }
    }

    async fn fold(&mut self, server: usize) {
        let marks = self.store.learned(self.experiment.prefix()).await;
        let Ok(Some((marks, _))) = marks else { return };
        let now = self.clock();
        // A failure leaves the next step to read everything again.
        let _ = self.folds[server].step(now, marks.phase).await;
    }

    async fn run(&mut self, op: &Op) {
        match op {
            Op::Send(numbers) => self.send(numbers).await,
            Op::Fold { server } => self.fold(usize::from(*server)).await,
            Op::Crash { server } => {
                self.folds[usize::from(*server)] = Fold::new(Arc::clone(&self.shared), self.entry.clone());
            }
            Op::Fault(fault) => self.store.plan_faults([*fault]),
            Op::Gone => {
                self.store.set_gone(true);
                self.send(&[1, 2, 3]).await;
                self.fold(0).await;
                self.store.set_gone(false);
            }
            Op::Jump(hours) => self.now = (self.now + 3_600 * hours).max(0),
        }
    }

    /// Folds to the end, and compares with a learner that never stopped.
    async fn check(mut self) {
        self.store.plan_faults([]);
        for _ in 0..50 {
            self.fold(0).await;
            self.fold(1).await;
        }
        let (marks, learned) = self.store.learned(self.experiment.prefix()).await.unwrap().unwrap();
        assert_eq!(marks.folded, marks.appended, "everything that was taken is folded");
        let mut straight = Learner::begin(&self.experiment, SETTINGS, SEED).unwrap();
        let mut next = 0;
        for segment in &self.history {
            assert_eq!(segment.first, next, "numbered without gaps");
            next = segment.end();
            segment.reports.iter().for_each(|report| straight.absorb(report, segment.at));
        }
        assert_eq!(next, marks.appended);
        assert_eq!(
            next,
            self.acknowledged.len() as u64 + self.unheard(),
            "what was acknowledged is there, once"
        );
        assert_eq!(learned.state, straight.save().unwrap(), "bit for bit");
        assert!(matches!(self.folds[0].step(self.clock(), marks.phase).await, Ok(Step::Idle)));
    }

    /// Reports that are there though nobody was told: each still once.
    fn unheard(&self) -> u64 {
        let all: Vec<&Vec<u8>> = self.history.iter().flat_map(|segment| &segment.reports).collect();
        all.len() as u64 - self.acknowledged.len() as u64
    }
}

fn simulate(experiment: &Experiment, ops: &[Op]) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let mut world = World::new(experiment.clone()).await;
        for op in ops {
            world.run(op).await;
        }
        world.check().await;
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_reports_count_once(ops in prop::collection::vec(op(), 1..60)) {
        simulate(&bandit("simulated"), &ops);
    }
}

/// Reports that are no answers are counted as refused, and only that.
#[test]
fn forged_reports_change_no_policy() {
    let ops = [
        Op::Send((0..30).collect()),
        Op::Fold { server: false },
        Op::Fault(Fault::After),
        Op::Send(vec![30, 31]),
    ];
    simulate(&contextual("forged"), &ops);
}

/// The checks above can fail: a store that forgets ids lets a report count twice.
#[test]
fn a_store_that_forgets_would_be_seen() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let seen = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        runtime.block_on(async {
            let mut world = World::new(bandit("forgets")).await;
            world.run(&Op::Send(vec![1])).await;
            // As if the id of 1 had been another: the same number, taken again.
            let again = Arrival { id: id(77), ..arrival_of(&world.experiment, 1) };
            let upload =
                Upload { experiment: world.experiment.prefix(), at: world.clock(), reports: vec![again] };
            world.store.append(vec![upload]).await.unwrap();
            world.check().await;
        });
    }));
    assert!(seen.is_err());
}

fn arrival_of(experiment: &Experiment, number: u64) -> Arrival {
    let report = report(experiment, 1, (number % 3) as u32, number % 7 < 3);
    Arrival { id: id(number), policy: 1, bytes: report.encode() }
}
