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
    assert_eq!(experiment.drawn_from(), None);
    // More people than rows are drawn from them, again and again, and the outcome says so.
    let more = Experiment { users: 700, ..experiment };
    more.check().unwrap();
    let trials = run(&more);
    assert!(trials.iter().all(|trial| trial.pulls.iter().sum::<u64>() == 700));
    assert_eq!(Outcome::new(&more, &trials, 2, 1.0).unwrap().drawn_from, Some(u64::from(ROWS)));
}

/// Words are levels, and a missing value is one of them; a missing number is in the middle.
#[test]
fn columns_of_words_are_categories() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::from("town,age,label\n");
    for row in 0..400 {
        let town = ["Ulm", "Bern", "", "Riga"][row % 4];
        let age = if row % 10 == 0 { String::new() } else { (20 + row * 7 % 50).to_string() };
        writeln!(text, "{town},{age},{}", usize::from(row % 4 < 2)).unwrap();
    }
    let path = folder.path().join("mixed.csv");
    std::fs::write(&path, text).unwrap();
    let world = World::open(&format!("data:{}", path.display()), &WorldOptions::default()).unwrap();
    assert_eq!((world.dims(), world.ranges()), (2, vec![(0.0, 4.0), (21.0, 69.0)]));
    let experiment = Experiment {
        users: 3000,
        trials: 1,
        ..Experiment::new(AgentName::LdpContextual, world, Some(loss(8.0)))
    };
    let [trial] = &run(&experiment)[..] else { panic!("one trial") };
    // The town decides: guessing would earn 1,500.
    assert!(*trial.reward.last().unwrap() > 2400.0, "{:?}", trial.reward);
    for agent in [AgentName::NearestThompson, AgentName::FourierThompson, AgentName::LinUcb] {
        let experiment = Experiment { agent, users: 400, ..experiment.clone() };
        assert!(*run(&experiment)[0].reward.last().unwrap() > 300.0, "{agent}");
    }
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
