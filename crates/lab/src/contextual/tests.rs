//! Contextual experiments: golden numbers, what stops and goes on, what is refused, and that the agents learn.

mod data;
mod learning;
mod refused;

use crate::named::Named;

use super::env::{SourceSpec, World, WorldOptions};
use super::*;
use crate::runner::testing::{StopAfter, on_threads, threads_change_nothing};
use crate::runner::{LabError, Repeated, Store, run_all};
use reticent_privacy::Epsilon;

fn loss(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

fn experiment(agent: AgentName, epsilon: f64, users: u64, trials: u32) -> Experiment {
    let world = World::open("exponential-code", &WorldOptions::default()).unwrap();
    Experiment { users, trials, seed: 7, ..Experiment::new(agent, world, Some(loss(epsilon))) }
}

/// With made-up sources, written as on the command line.
fn with_sources(mut experiment: Experiment, sources: &[&str]) -> Experiment {
    let specs: Vec<SourceSpec> = sources.iter().map(|text| text.parse().unwrap()).collect();
    let sources = experiment.world.sources(&specs).unwrap();
    experiment.sources = sources.into_iter().zip(specs.iter().map(SourceSpec::epsilon)).collect();
    experiment
}

fn run(experiment: &Experiment) -> Vec<Trial> {
    on_threads(experiment, 1)
}

fn regrets(experiment: &Experiment) -> Vec<f64> {
    run(experiment).iter().map(|trial| *trial.regret.last().unwrap()).collect()
}

/// Each agent with few people, and with a source if it cannot do without.
fn few(agent: AgentName, users: u64, trials: u32) -> Experiment {
    let experiment = experiment(agent, 2.0, users, trials);
    if agent == AgentName::LdpAbseTransfer {
        with_sources(experiment, &["people=300,epsilon=8"])
    } else {
        experiment
    }
}

/// Regrets of 600 people, and of `ldp-contextual` with a source: the same numbers on each machine. A change
/// here is a new series.
const GOLDEN: [(&str, f64); 13] = [
    ("ldp-contextual", 148.562),
    ("ldp-blind", 247.911),
    ("ldp-abse", 243.359),
    ("ldp-abse-transfer", 229.333),
    ("ldp-abse-tuned", 226.764),
    ("ldp-glm", 255.16),
    ("ldp-nn", 241.988),
    ("abse", 239.449),
    ("abse-published", 243.359),
    ("nearest-thompson", 64.809),
    ("fourier-thompson", 66.163),
    ("lin-ucb", 54.809),
    ("ldp-contextual with a source", 146.143),
];

#[test]
fn golden_regrets() {
    let rounded = |experiment: &Experiment| (regrets(experiment)[0] * 1e3).round() / 1e3;
    let mut found: Vec<(&str, f64)> =
        AgentName::ALL.iter().map(|&agent| (agent.name(), rounded(&few(agent, 600, 1)))).collect();
    let aided =
        with_sources(few(AgentName::LdpContextual, 600, 1), &["people=300,epsilon=1,gamma=0.5,kappa=0.7"]);
    found.push(("ldp-contextual with a source", rounded(&aided)));
    let table: Vec<String> = found.iter().map(|row| format!("    {row:?},")).collect();
    assert!(found == GOLDEN, "the table is now\n{}", table.join("\n"));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for &agent in AgentName::ALL {
        let experiment = few(agent, 200, 4);
        threads_change_nothing(&experiment);
    }
}

#[test]
fn an_interrupted_run_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = with_sources(few(AgentName::LdpContextual, 200, 6), &["people=100,epsilon=4"]);
    let whole = run(&experiment);
    let mut store = Store::open(folder.path(), &experiment.key()).unwrap();
    let stopped = run_all(&experiment, 1, &mut store, &StopAfter::trials(2));
    assert!(matches!(stopped, Err(LabError::Interrupted { finished, .. }) if (2..6).contains(&finished)));
    drop(store);
    let mut store = Store::open(folder.path(), &experiment.key()).unwrap();
    assert!((2..6).contains(&store.count_below(6)));
    assert_eq!(run_all(&experiment, 1, &mut store, &StopAfter::never()).unwrap(), whole);
    drop(store);
    // Another number of trials builds on them; another source or half-life has a file of its own.
    let more = Experiment { trials: 7, ..experiment.clone() };
    assert_eq!(Store::<Trial>::open(folder.path(), &more.key()).unwrap().count_below(7), 6);
    let others = [
        Experiment { half_life: Some(100), ..experiment.clone() },
        with_sources(experiment.clone(), &["people=100,epsilon=4,permuted"]),
        with_sources(experiment.clone(), &["people=100,epsilon=5"]),
        with_sources(experiment, &[]),
    ];
    for other in others {
        assert_eq!(Store::<Trial>::open(folder.path(), &other.key()).unwrap().count_below(7), 0);
    }
}

/// Devices that look for a policy seldom, and reports that come late: none is refused, and most is learned all the
/// same.
#[test]
fn reports_in_flight_are_counted() {
    let at_once = experiment(AgentName::LdpContextual, 4.0, 3000, 2);
    let late = Experiment { batch: 100, delay: 500, ..at_once.clone() };
    let (quick, slow) = (regrets(&at_once), regrets(&late));
    // Even play loses 1,240; those who come while nothing is known lose 250 of them.
    assert!(quick.iter().zip(&slow).all(|(quick, slow)| quick < slow && *slow < 900.0), "{quick:?} {slow:?}");
    assert_ne!(at_once.key(), late.key());
}

#[test]
fn a_trial_adds_up() {
    for &agent in AgentName::ALL {
        let experiment = few(agent, 300, 1);
        let trial = &run(&experiment)[0];
        assert_eq!(trial.pulls.iter().sum::<u64>(), 300, "{agent}");
        assert_eq!(trial.regret.len(), experiment.checkpoints().len());
        assert!(trial.regret.windows(2).all(|pair| pair[0] <= pair[1]), "{agent}");
        assert!(*trial.reward.last().unwrap() <= 300.0 && *trial.regret.last().unwrap() <= 300.0);
        assert_eq!(trial.undecided.is_some(), agent == AgentName::LdpContextual);
    }
    let points = few(AgentName::LdpContextual, 1000, 1).checkpoints();
    assert!(points.contains(&250) && points.last() == Some(&1000));
}
