//! The measurements of `docs/contextual.md` that no figure of `reticent reproduce` shows, a row of a table each.
//!
//! ```sh
//! cargo run --release -p reticent-lab --example contexts -- ldp-contextual halves,symmetric 1,4 100000 20 2041
//! cargo run --release -p reticent-lab --example contexts -- ldp-blind data:adult_mixed.csv.gz 1 all 5 2041
//! ```
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a tool for whoever measures")]

use reticent_jobs::Silent;
use reticent_lab::contextual::env::{World, WorldOptions};
use reticent_lab::contextual::{AgentName, Experiment, Outcome};
use reticent_lab::runner::{Store, run_all};
use reticent_lab::stats::Summary;

const THREADS: usize = 2;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [agents, worlds, losses, people, trials, seed] = &words[..] else {
        println!("see the head of this file");
        return;
    };
    for world in worlds.split(',') {
        for agent in agents.split(',') {
            for loss in losses.split(',') {
                let (world, agent) = (
                    World::open(world, &WorldOptions::default()).unwrap(),
                    agent.parse::<AgentName>().unwrap(),
                );
                let mut experiment = Experiment::new(agent, world, Some(loss.parse().unwrap()));
                experiment.users = people.parse().unwrap_or(experiment.users);
                (experiment.trials, experiment.seed) = (trials.parse().unwrap(), seed.parse().unwrap());
                row(&experiment);
            }
        }
    }
}

/// Regret and mean reward after a tenth, a quarter and all of the people, and the worst trial.
fn row(experiment: &Experiment) {
    let started = reticent_lab::clock::Stopwatch::start();
    let trials = run_all(experiment, THREADS, &mut Store::in_memory(), &Silent).unwrap();
    let outcome = Outcome::new(experiment, &trials, trials.len(), started.seconds()).unwrap();
    let say = |summary: &Summary, digits: usize| {
        format!("{:.digits$} ({:.digits$})", summary.mean, summary.sd.unwrap_or(0.0))
    };
    let users = experiment.users;
    let parts = outcome.curve.iter().filter(|point| [users / 10, users / 4, users].contains(&point.users));
    let parts: Vec<String> = parts
        .map(|point| format!("{}: {} | {}", point.users, say(&point.regret, 0), say(&point.mean_reward, 4)))
        .collect();
    let worst = outcome.per_trial.iter().copied().fold(0.0, f64::max);
    let epsilon = experiment.epsilon.map_or(0.0, |epsilon| epsilon.value());
    println!(
        "{} {} epsilon {epsilon} seed {} trials {}: {}; worst {worst:.0}; {:.0} s",
        outcome.env,
        outcome.agent,
        experiment.seed,
        experiment.trials,
        parts.join("; "),
        outcome.seconds
    );
}
