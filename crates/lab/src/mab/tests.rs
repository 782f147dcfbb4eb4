use reticent_baselines::mab::Baseline;
use reticent_learn::mab::AgentKind;
use reticent_privacy::Epsilon;

use super::*;
use crate::named::Named;
use crate::runner::testing::{StopAfter, on_threads, threads_change_nothing};
use crate::runner::{LabError, MAX_TRIALS, MAX_USERS, Repeated, Store, run_all};

fn experiment(agent: AgentName, users: u64, trials: u32) -> Experiment {
    let env = Environment::open("mab-bernoulli").unwrap();
    Experiment {
        agent: agent.into(),
        env,
        epsilon: Some(Epsilon::new(1.0).unwrap()),
        users,
        batch: 1,
        trials,
        seed: 7,
        forgers: None,
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for &agent in AgentName::ALL {
        let experiment = experiment(agent, 5_000, 6);
        threads_change_nothing(&experiment);
    }
}

/// Golden regrets: the same numbers on each machine, for each agent. A change here is a new series.
#[test]
fn golden_regrets() {
    let regrets: Vec<(AgentName, f64)> = AgentName::ALL
        .iter()
        .copied()
        .map(|agent| {
            let experiment = experiment(agent, 20_000, 1);
            let trials = on_threads(&experiment, 1);
            (agent, (trials[0].regret() * 10.0).round() / 10.0)
        })
        .collect();
    assert_eq!(regrets, GOLDEN);
}
const GOLDEN: [(AgentName, f64); 12] = [
    (AgentName::Baseline(Baseline::Ucb1), 1221.2),
    (AgentName::Baseline(Baseline::KlUcb), 113.0),
    (AgentName::Baseline(Baseline::Thompson), 128.6),
    (AgentName::Baseline(Baseline::Ucb1S), 3694.2),
    (AgentName::Baseline(Baseline::LdpUcbL), 3754.7),
    (AgentName::Baseline(Baseline::LdpUcbB), 2935.3),
    (AgentName::Baseline(Baseline::LdpUcbLs), 4425.1),
    (AgentName::Baseline(Baseline::LdpUcbBs), 4216.9),
    (AgentName::Ours(AgentKind::LdpKlUcb), 517.5),
    (AgentName::Ours(AgentKind::LdpThompson), 652.3),
    (AgentName::Ours(AgentKind::LdpThompsonUnbounded), 1570.7),
    (AgentName::Ours(AgentKind::LdpTopTwo), 2127.0),
];

#[test]
fn an_interrupted_run_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = experiment(AgentName::Ours(AgentKind::LdpThompson), 5_000, 8);
    let whole = on_threads(&experiment, 1);
    let stop = StopAfter::trials(3);
    let mut store = Store::open(folder.path(), &experiment.key()).unwrap();
    let interrupted = run_all(&experiment, 2, &mut store, &stop);
    assert!(matches!(interrupted, Err(LabError::Interrupted { finished, .. }) if (3..8).contains(&finished)));
    drop(store);

    // A power cut in the middle of a line loses that line alone.
    let mut files = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
    let path = files.find(|path| path.extension().is_some_and(|e| e == "jsonl")).unwrap();
    let mut text = std::fs::read_to_string(&path).unwrap();
    text.truncate(text.len() - 20);
    std::fs::write(&path, &text).unwrap();

    let mut store = Store::open(folder.path(), &experiment.key()).unwrap();
    assert!(store.count_below(8) >= 2);
    assert_eq!(run_all(&experiment, 2, &mut store, &StopAfter::never()).unwrap(), whole);
    // More trials of the same kind build on those that are there.
    drop(store);
    let more = Experiment { trials: 9, ..experiment };
    let mut store = Store::open(folder.path(), &more.key()).unwrap();
    assert_eq!(store.count_below(9), 8);
    assert_eq!(run_all(&more, 1, &mut store, &StopAfter::never()).unwrap()[..8], whole);
}

#[test]
fn results_of_another_experiment_are_not_mixed_in() {
    let folder = tempfile::tempdir().unwrap();
    let key = experiment(AgentName::Baseline(Baseline::Ucb1), 100, 1).key();
    let open = Store::<Trial>::open(folder.path(), &key).unwrap();
    assert!(matches!(Store::<Trial>::open(folder.path(), &key), Err(LabError::FolderInUse { .. })));
    drop(open);
    let changed = Key { arms: Environment::open("mab-mixed").unwrap().identity(), ..key };
    assert!(matches!(Store::<Trial>::open(folder.path(), &changed), Err(LabError::OtherResults { .. })));
}

#[test]
fn saved_and_continued_is_never_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.json");
    for &agent in AgentName::ALL {
        let half = experiment(agent, 1_234, 1);
        let full = experiment(agent, 4_000, 1);
        let mut straight = Run::start(&full, 0).unwrap();
        straight.advance(&full.env, 4_000).unwrap();
        let mut stopped = Run::start(&half, 0).unwrap();
        stopped.advance(&half.env, 1_234).unwrap();
        save(&path, &half, &stopped).unwrap();
        let mut continued = load(&path, &full).unwrap();
        continued.advance(&full.env, 4_000).unwrap();
        assert_eq!(continued.pulls, straight.pulls, "{agent}");
        assert_eq!(continued.world, straight.world);
        let noise = |run: &Run| format!("{:?}", run.player.save().unwrap().unwrap().noise);
        assert_eq!(noise(&continued), noise(&straight));
    }
    let text = std::fs::read_to_string(&path).unwrap();
    for cut in [0, 1, text.len() / 2, text.len() - 1] {
        std::fs::write(&path, &text[..cut]).unwrap();
        let error =
            load(&path, &experiment(AgentName::Ours(AgentKind::LdpThompsonUnbounded), 4_000, 1)).unwrap_err();
        assert!(error.to_string().contains("cut short"), "{error}");
    }
}

#[test]
fn checkpoints_end_with_everybody() {
    for users in [1, 2, 9, 10, 11, 1_000_000, 1_234_567] {
        let points = experiment(AgentName::Baseline(Baseline::Ucb1), users, 1).checkpoints();
        assert_eq!(points.last(), Some(&users));
        assert!(points.windows(2).all(|w| w[0] < w[1]), "{points:?}");
    }
}

/// Twenty arms, of which a best and a worst one change places: all of six runs notice it, and lose less than the
/// third of what keeping the old arm would (0.4 of each of 10,000). Reports that come late change who gets what, and
/// little else.
#[test]
fn worlds_change_and_reports_come_late() {
    let swapped = Environment::open("mab-bernoulli").unwrap().swapped_after(20_000);
    for kind in [AgentKind::LdpThompson, AgentKind::LdpKlUcb] {
        let experiment = Experiment { env: swapped.clone(), ..experiment(AgentName::Ours(kind), 30_000, 3) };
        for trial in 0..3 {
            let mut run = Run::start(&experiment, trial).unwrap();
            run.advance(&experiment.env, 20_000).unwrap();
            let before = run.regret();
            run.advance(&experiment.env, 30_000).unwrap();
            assert_eq!(run.found().1, 1, "{kind}");
            assert!(run.regret() - before < 1_333.0, "{kind}: {}", run.regret() - before);
        }
    }
    let late = Experiment {
        agent: std::sync::Arc::new(Late { agent: AgentKind::LdpKlUcb, people: 1_000 }),
        ..experiment(AgentName::Ours(AgentKind::LdpKlUcb), 20_000, 1)
    };
    let regret = on_threads(&late, 1)[0].regret();
    assert!(regret < 1_600.0, "late reports cost too much: {regret}");
}

#[test]
fn impossible_sizes_are_refused() {
    for (users, trials) in [(0, 1), (1, 0), (MAX_USERS + 1, 1), (1, MAX_TRIALS + 1)] {
        assert!(matches!(
            experiment(AgentName::Baseline(Baseline::Ucb1), users, trials).check(),
            Err(LabError::Size { .. })
        ));
    }
    let no_epsilon = Experiment { epsilon: None, ..experiment(AgentName::Baseline(Baseline::LdpUcbB), 1, 1) };
    assert!(matches!(no_epsilon.check(), Err(LabError::Agent(_))));
}
