//! Experiments on a file, whose groups are served or are sources.

use crate::named::Named;
use std::fmt::Write;
use std::path::Path;

use super::*;

const ROWS: u32 = 300;

/// The label is 1 where x1 is large; x2 does not matter. Group 0 has every third row, group 7 the others.
fn world(folder: &Path, target_group: Option<u32>) -> World {
    let mut text = String::from("x1,x2,label,group\n");
    for row in 0..ROWS {
        let (x, y) = (row * 37 % ROWS, row * 101 % ROWS);
        let (label, group) = (u32::from(x > ROWS / 2), if row % 3 == 0 { 0 } else { 7 });
        writeln!(text, "{x},-{y},{label},{group}").unwrap();
    }
    let path = folder.join("people.csv");
    std::fs::write(&path, text).unwrap();
    let options = WorldOptions { target_group, ..WorldOptions::default() };
    World::open(&format!("data:{}", path.display()), &options).unwrap()
}

fn on(world: World, agent: AgentName) -> Experiment {
    let sources = world.sources(&[]).unwrap().into_iter().map(|source| (source, loss(8.0))).collect();
    Experiment { sources, trials: 2, ..Experiment::new(agent, world, Some(loss(8.0))) }
}

#[test]
fn all_rows_are_served_once() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = on(world(folder.path(), None), AgentName::LdpContextual);
    assert_eq!((experiment.users, experiment.sources.len()), (u64::from(ROWS), 0));
    for trial in run(&experiment) {
        let (mistakes, hits) = (trial.regret.last().unwrap(), trial.reward.last().unwrap());
        assert_eq!(mistakes + hits, f64::from(ROWS));
        assert!(trial.source_weights.is_empty());
    }
    let asked = Experiment { users: 301, ..experiment };
    let refused = asked.check().unwrap_err().to_string();
    assert!(refused.contains("have 300 people") && refused.contains("301 were asked for"), "{refused}");
}

#[test]
fn the_other_groups_are_sources() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = on(world(folder.path(), Some(0)), AgentName::LdpContextual);
    assert_eq!((experiment.users, experiment.sources.len()), (100, 1));
    let trials = run(&experiment);
    assert!(trials.iter().all(|trial| trial.source_weights.len() == 1 && trial.source_weights[0] > 0.0));
    let outcome = Outcome::new(&experiment, &trials, 2, 1.0).unwrap();
    assert_eq!((outcome.sources[0].name.as_str(), outcome.sources[0].people), ("group 7", 200));
    assert_eq!((outcome.arms, outcome.dims, outcome.users), (2, 2, 100));
    assert!((outcome.share_per_arm.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    // 200 honest people at epsilon 8 leave fewer mistakes than guessing: half of 100 people, 5 a deviation.
    assert!(outcome.regret.mean < 35.0, "{}", outcome.regret.mean);
    for agent in AgentName::ALL.iter().copied().filter(|agent| agent.uses_sources()) {
        let experiment = Experiment { agent, trials: 1, ..experiment.clone() };
        assert_eq!(run(&experiment)[0].pulls.iter().sum::<u64>(), 100, "{agent}");
    }
}

#[test]
fn two_files_do_not_share_results() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let whole = on(world(one.path(), None), AgentName::LdpContextual).key();
    let group = on(world(two.path(), Some(0)), AgentName::LdpContextual).key();
    assert_ne!(whole.identity, group.identity);
}
