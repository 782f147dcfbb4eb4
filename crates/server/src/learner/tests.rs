use reticent_learn::mab::{Agent, AgentKind};
use reticent_privacy::oracle::Oracle;
use reticent_privacy::{SimRng, SimSeed, Stream};
use reticent_protocol::contextual::{self as questions, Asked};
use reticent_protocol::mab::Spec;
use reticent_protocol::{Answer, Report, mab};
use reticent_schema::Experiment;
use reticent_store::Moment;

use super::*;

const AT: fn(i64) -> Moment = Moment::from_unix;

fn bandit() -> Experiment {
    let text = r#"{"name": "b", "epsilon": "1", "problem": {"kind": "bandit", "arms": ["a", "b", "c"]}}"#;
    Experiment::from_json(text).unwrap()
}

fn bit(policy: u64, arm: u32, bit: bool) -> Report {
    let answer = Answer::Bit { arm, bit };
    Report { experiment: bandit().prefix(), policy, source: None, question: 0, answer }
}

/// What a simulation with the same seed and the same batches publishes, the service publishes: so is its regret.
#[test]
fn policies_are_those_of_the_agent_alone() {
    const BATCH: u64 = 25;
    let settings = Settings { batch: Some(BATCH), keep_reports_seconds: 0 };
    let mut learner = Learner::begin(&bandit(), settings, SimSeed(5)).unwrap();
    let spec = Spec::of(bandit()).unwrap();
    let mut agent = AgentKind::DEFAULT.for_spec(spec, SimSeed(5).stream(0, Stream::Agent));
    let mut people = SimSeed(6).stream(0, Stream::Environment);
    for batch in 0..60 {
        let policy = agent.policy(BATCH);
        assert_eq!(learner.policy().unwrap().bytes, policy.encode(), "batch {batch}");
        for _ in 0..BATCH {
            let arm = policy.arms.draw(&mut people);
            let report = bit(policy.version, arm, people.uniform() < 0.3 + 0.2 * f64::from(arm));
            agent.absorb(&report).unwrap();
            learner.absorb(&report.encode(), AT(batch));
        }
        // A restart in between changes nothing.
        learner = Learner::load(&learner.save().unwrap()).unwrap();
    }
    assert_eq!(learner.people(), 60 * BATCH);
}

#[test]
fn what_does_not_count_is_counted_as_refused() {
    let mut learner = Learner::begin(&bandit(), Settings::default(), SimSeed(1)).unwrap();
    let before = learner.policy();
    learner.absorb(b"no report", AT(1));
    learner.absorb(&bit(1, 9, true).encode(), AT(1));
    learner.absorb(&Report { question: 7, ..bit(1, 0, true) }.encode(), AT(1));
    assert_eq!((learner.people(), learner.policy()), (0, before));
    let refused = learner.insight().refused;
    assert_eq!(refused.counts().collect::<Vec<_>>(), [(Reason::NotAnAnswer, 3)]);
    assert!(Learner::load(b"{}").is_err());
}

/// At epsilon 1 an honest bit is a one with a probability of at most 0.731.
#[test]
fn forged_reports_are_warned_of_and_honest_ones_are_not() {
    let warned = |share: f64| {
        let mut learner = Learner::begin(&bandit(), Settings::default(), SimSeed(1)).unwrap();
        let mut rng = SimSeed(2).stream(0, Stream::Environment);
        for _ in 0..2_000 {
            let policy = mab::Policy::decode(&learner.policy().unwrap().bytes).unwrap();
            let arm = policy.arms.draw(&mut rng);
            learner.absorb(&bit(policy.version, arm, rng.uniform() < share).encode(), AT(1));
        }
        assert_eq!(learner.people(), 2_000);
        !learner.insight().warnings.is_empty()
    };
    assert!(!warned(0.731) && !warned(0.5));
    assert!(warned(0.85) && warned(0.1), "zeros are forged as well");
}

#[test]
fn the_winner_is_the_best_arm_and_stays() {
    let mut learner = Learner::begin(&bandit(), Settings::default(), SimSeed(1)).unwrap();
    for n in 0..3_000_u32 {
        learner.absorb(&bit(1, n % 3, n % 3 == 1).encode(), AT(1));
    }
    let version = learner.policy().unwrap().version;
    learner.freeze();
    let frozen = learner.policy().unwrap();
    assert_eq!(frozen.version, version + 1);
    let policy = mab::Policy::decode(&frozen.bytes).unwrap();
    assert_eq!(policy.arms.tickets(), [(1, 1)]);
    learner.freeze();
    assert_eq!(learner.policy(), Some(frozen.clone()), "once");
    let loaded = Learner::load(&learner.save().unwrap()).unwrap();
    assert!(loaded.is_frozen());
    assert_eq!(loaded.policy(), Some(frozen));
}

/// What the n-th person answers.
fn an_answer(experiment: &Experiment, policy: &[u8], n: u32, people: &mut SimRng) -> Report {
    let spec = questions::Spec::of(experiment.draft()).unwrap();
    let policy = questions::Policy::decode(policy).unwrap();
    let (version, question) = (policy.version, n % policy.tasks.len() as u32);
    let plan = questions::Plan::new(&spec, policy).unwrap();
    let answer = match plan.channel(question as usize).asked() {
        Asked::Outcome(oracle) | Asked::Place(oracle) => {
            oracle.randomise(oracle.domain().clip(n % 2), people).into()
        }
        Asked::Effect(oracle) => {
            oracle.randomise(oracle.domain().clip(0), n.is_multiple_of(2), people).into()
        }
    };
    Report { experiment: experiment.prefix(), policy: version, source: None, question, answer }
}

#[test]
fn a_contextual_learner_goes_on_bit_for_bit() {
    let text = r#"{"name": "c", "epsilon": "2", "problem": {"kind": "contextual", "arms": ["a", "b"],
        "context": {"columns": [{"name": "age", "low": "0", "high": "100"}]}}}"#;
    let experiment = reticent_jobs::experiment_file::complete(Experiment::from_json(text).unwrap()).unwrap();
    let gate = Gate::of(&experiment).unwrap();
    let mut straight = Learner::begin(&experiment, Settings::default(), SimSeed(3)).unwrap();
    let mut stopped = Learner::begin(&experiment, Settings::default(), SimSeed(3)).unwrap();
    let mut people = SimSeed(4).stream(0, Stream::Environment);
    for n in 0..300_u32 {
        let policy = straight.policy().unwrap();
        let report = an_answer(&experiment, &policy.bytes, n, &mut people);
        let published =
            crate::store::PublishedPolicy { version: policy.version, at: AT(0), bytes: policy.bytes };
        assert_eq!(gate.with(&[published]).check(&report), Ok(policy.version));
        straight.absorb(&report.encode(), AT(i64::from(n)));
        stopped.absorb(&report.encode(), AT(i64::from(n)));
        if n % 50 == 7 {
            stopped = Learner::load(&stopped.save().unwrap()).unwrap();
        }
    }
    assert_eq!(straight.people(), 300);
    assert!(straight.policy().unwrap().version > 3);
    assert_eq!(stopped.save().unwrap(), straight.save().unwrap());
    straight.freeze();
    let policy = reticent_protocol::contextual::Policy::decode(&straight.policy().unwrap().bytes).unwrap();
    assert!(policy.maps.iter().all(|map| *map == policy.maps[0]), "everybody of a cell gets one arm");
}

/// A collection that was stored once refused every report after it: its tally had forgotten the document's name.
#[test]
fn a_collection_of_sales_goes_on_after_it_was_saved() {
    let text = r#"{"name": "tea", "epsilon": "2", "problem": {"kind": "pricing", "records": 1000,
        "context": {"columns": [{"name": "income", "low": "0", "high": "100"}]},
        "price": {"column": "price", "low": "2", "high": "12"},
        "outcome": {"column": "bought", "kind": "binary", "low": "0", "high": "1"}}}"#;
    let spec = pricing::Spec::of(Experiment::from_json(text).unwrap().draft()).unwrap();
    let sent = |code: u32| spec.sent(spec.report(code).unwrap()).encode();
    let mut learner = Learner::begin(spec.experiment(), Settings::default(), SimSeed(1)).unwrap();
    for code in 0..20 {
        learner.absorb(&sent(code), AT(1));
        learner = Learner::load(&learner.save().unwrap()).unwrap();
        assert!(learner.is_of(spec.experiment()));
    }
    let Known::Collected { reports_by_question: reports } = learner.insight().known else {
        panic!("sales are collected")
    };
    assert_eq!((learner.people(), reports.iter().sum::<u64>()), (20, 20));
    let log = learner.log().unwrap().unwrap();
    let mut reader = pricing::log::LogReader::open(log.as_slice()).unwrap();
    let mut codes = Vec::new();
    assert!(reader.next_block(&mut codes).unwrap());
    assert_eq!(codes, (0..20).collect::<Vec<u32>>());
    assert_eq!(Learner::begin(&bandit(), Settings::default(), SimSeed(1)).unwrap().log().unwrap(), None);
}
