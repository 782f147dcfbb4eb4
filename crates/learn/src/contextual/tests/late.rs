//! Reports of older policies, and reports that fit no policy.

use super::super::tally::Tally;
use super::*;
use reticent_privacy::oracle;
use reticent_protocol::Answer;
use reticent_protocol::contextual::{Policy, Question, Task};
use reticent_schema::Prefix;

fn experiment() -> Spec {
    spec(&[4], 2, 8.0, vec![source("old", 4.0, 100, &[0.5, 0.5])])
}

/// An agent with two open policies: all get arm 0 and are asked about one cell, all get arm 1 and are asked
/// about halves.
fn with_two_policies() -> Contextual {
    let mut agent = agent(experiment(), None, 0);
    let policy = |version: u64, arm: u8, width: u32| {
        let question = Question::outcome(agent.spec.grid(), vec![width], 2, agent.spec.epsilon()).unwrap();
        let (questions, tasks) = (vec![question], vec![Task { map: 0, question: 0 }]);
        let experiment = agent.spec.digest();
        let policy = Policy {
            experiment,
            source: None,
            version,
            questions,
            maps: vec![vec![arm; 4]],
            tasks,
            cells: None,
        };
        let plan = Plan::new(&agent.spec, policy).unwrap();
        let tally = Tally::new(&plan);
        Open { plan: Arc::new(plan), tally, published: 0 }
    };
    let open = [policy(5, 0, 4), policy(6, 1, 2)];
    agent.open = open.into();
    agent
}

/// Each arm's mean over the cells, in rewards.
fn means(agent: &Contextual) -> Vec<f64> {
    agent.insight().arms.iter().map(|arm| arm.mean.iter().sum::<f64>() / 4.0).collect()
}

#[test]
fn late_reports_move_the_arm_of_their_own_policy() {
    let mut rng = rng(0);
    // All rewards of arm 0 are good, all of arm 1 bad.
    let truth = Truth::even(vec![vec![1.0; 4], vec![0.0; 4]]);
    for (version, expected) in [(0, [true, false]), (1, [false, true])] {
        let mut agent = with_two_policies();
        agent.next_refresh = 1_000_000;
        let plan = Arc::clone(&agent.open[version].plan);
        for _ in 0..500 {
            agent.absorb(&truth.person(&plan, &mut rng).2).unwrap();
        }
        agent.refresh();
        assert_eq!(agent.plan().policy().version, 7);
        let known: Vec<bool> = agent
            .target
            .arms
            .iter()
            .map(|sums| sums.moments(&agent.belief.masses).iter().any(|&m| m != 0.0))
            .collect();
        assert_eq!(known, expected, "policy {version}");
        let means = means(&agent);
        if version == 0 {
            assert!(means[0] > 0.9, "{means:?}");
        } else {
            assert!(means[1] < 0.1, "{means:?}");
        }
    }
}

/// Cells that the old question took together stay together when its reports come late.
#[test]
fn late_reports_are_read_with_their_own_question() {
    let mut rng = rng(1);
    let truth = Truth::even(vec![vec![1.0; 4], vec![0.0; 4]]);
    let mut agent = with_two_policies();
    for version in [0, 1] {
        let plan = Arc::clone(&agent.open[version].plan);
        (0..10).for_each(|_| agent.absorb(&truth.person(&plan, &mut rng).2).unwrap());
    }
    agent.refresh();
    let together = |arm: usize, x: usize, y: usize| agent.target.arms[arm].gram_row(x)[y] > 0.0;
    assert!(together(0, 0, 3) && together(1, 0, 1) && !together(1, 0, 3));
    assert_eq!(agent.target.people, 20.0);
}

#[test]
fn what_does_not_fit_is_refused_and_changes_nothing() {
    let mut agent = with_two_policies();
    let mut rng = rng(2);
    let truth = Truth::even(vec![vec![1.0; 4], vec![0.0; 4]]);
    for _ in 0..20 {
        agent.absorb(&truth.person(&Arc::clone(agent.plan()), &mut rng).2).unwrap();
    }
    let before = save(&agent).unwrap();
    let fine = truth.person(agent.plan(), &mut rng).2;
    let of_source = truth.record(agent.source_plan(0).unwrap(), &[0.5, 0.5], &mut rng);
    let set = Answer::Symbol(oracle::Report::Set(vec![1; 3]));
    let bit = Answer::Bit { arm: 0, bit: true };
    let cases = [
        (Report { experiment: Prefix::from_bytes([7; 4]), ..fine.clone() }, "another experiment"),
        (Report { answer: bit, ..fine.clone() }, "no answer to its task"),
        (Report { policy: 4, ..fine.clone() }, "too late"),
        (Report { policy: 0, ..fine.clone() }, "too late"),
        (Report { policy: 7, ..fine.clone() }, "newest is 6"),
        (Report { policy: u64::MAX, ..fine.clone() }, "newest is 6"),
        (Report { question: 1, ..fine.clone() }, "no answer to its task"),
        (Report { question: u32::MAX, ..fine.clone() }, "no answer to its task"),
        (Report { answer: oracle::Report::Index(u32::MAX).into(), ..fine.clone() }, "no answer to its task"),
        (Report { answer: set.clone(), ..fine.clone() }, "no answer to its task"),
        (Report { source: Some(1), ..of_source.clone() }, "source that the experiment does not have"),
        (Report { source: Some(u32::MAX), ..of_source.clone() }, "source that the experiment does not have"),
        (Report { policy: 1, ..of_source.clone() }, "newest is 0"),
        (Report { question: 99, ..of_source.clone() }, "no answer to its task"),
        (Report { answer: set, ..of_source.clone() }, "no answer to its task"),
    ];
    for (report, message) in cases {
        let error = agent.absorb(&report).unwrap_err().to_string();
        assert!(error.contains(message) && error.contains("not counted"), "{error}");
        assert_eq!(save(&agent).unwrap(), before, "{message}");
    }
    agent.absorb(&of_source).unwrap();
    assert_eq!(agent.people(), 20);
    agent.absorb(&fine).unwrap();
    assert_eq!(agent.people(), 21);
    assert_ne!(save(&agent).unwrap(), before);
}

const DAY: u64 = 86_400;

/// Every report of a policy that was published in the last seven days is taken, however many policies there
/// were since; an older one is not kept.
#[test]
fn every_report_inside_the_window_is_counted() {
    let mut agent = agent(experiment(), None, 0);
    let mut rng = rng(3);
    let truth = Truth::even(vec![vec![0.5; 4]; 2]);
    let mut plans = vec![(0, Arc::clone(agent.plan()))];
    for hour in 1..=400 {
        agent.tick(hour * 3_600);
        agent.refresh();
        if agent.plan().policy().version > plans.len() as u64 - 1 {
            plans.push((hour * 3_600, Arc::clone(agent.plan())));
        }
    }
    let now = 400 * 3_600;
    for (published, plan) in &plans {
        let taken = agent.absorb(&truth.person(plan, &mut rng).2).is_ok();
        assert!(taken || now - published > 7 * DAY, "{published}");
        assert!(!taken || now - published <= 7 * DAY + 3_600, "{published}");
    }
    assert!(agent.open.len() <= 180);
}

/// Refreshes are rationed: whoever asks for one each minute gets no more policies than are kept, and those in
/// the window stay open.
#[test]
fn refreshes_are_rationed_by_the_window() {
    let mut agent = agent(experiment(), None, 0);
    let mut rng = rng(4);
    let truth = Truth::even(vec![vec![0.5; 4]; 2]);
    let first = Arc::clone(agent.plan());
    for minute in 1..=2_000 {
        agent.tick(minute * 60);
        agent.refresh();
    }
    assert_eq!((agent.open.len(), agent.plan().policy().version), (256, 255));
    assert!(agent.absorb(&truth.person(&first, &mut rng).2).is_ok());
    // A week later there is room again.
    agent.tick(9 * DAY);
    agent.refresh();
    agent.refresh();
    assert_eq!(agent.plan().policy().version, 257);
    assert!(agent.open.len() < 10);
}

/// Nobody said what time it is: the newest policies are kept.
#[test]
fn without_a_clock_some_policies_are_kept() {
    let mut agent = agent(experiment(), None, 0);
    let mut rng = rng(5);
    let truth = Truth::even(vec![vec![0.5; 4]; 2]);
    let mut plans = vec![Arc::clone(agent.plan())];
    for _ in 0..300 {
        agent.refresh();
        plans.push(Arc::clone(agent.plan()));
    }
    let taken: Vec<bool> =
        plans.iter().map(|plan| agent.absorb(&truth.person(plan, &mut rng).2).is_ok()).collect();
    assert_eq!(taken, (0..301).map(|version| version >= 45).collect::<Vec<_>>());
}
