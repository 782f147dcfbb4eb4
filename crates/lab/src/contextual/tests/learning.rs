//! The default agent learns, and learns from sources.

use super::*;

const PEOPLE: u64 = 5000;
const SEEDS: u32 = 3;

/// The regret of a person who gets any arm with the same probability: an integral over the first coordinate.
fn uniform_regret(world: &World) -> f64 {
    let points = 2000;
    let at = |i: i32| {
        let means = world.means(&[(f64::from(i) + 0.5) / f64::from(points), 0.5]).unwrap();
        means.iter().copied().fold(0.0, f64::max) - means.iter().sum::<f64>() / means.len() as f64
    };
    (0..points).map(at).sum::<f64>() / f64::from(points)
}

/// Regrets of uniform play have a deviation below 0.4 sqrt(5000) = 28, so that a factor 3 below its mean is
/// no chance in any of 3 seeds.
#[test]
fn ours_beats_uniform_play() {
    let experiment = experiment(AgentName::LdpContextual, 4.0, PEOPLE, SEEDS);
    let uniform = uniform_regret(&experiment.world) * PEOPLE as f64;
    assert!(uniform > 1000.0, "{uniform}");
    let found = regrets(&experiment);
    assert!(found.iter().all(|regret| 3.0 * regret < uniform), "{found:?} against {uniform}");
}

#[test]
fn sources_halve_the_regret() {
    let alone = experiment(AgentName::LdpContextual, 1.0, PEOPLE, SEEDS);
    let aided = with_sources(alone.clone(), &["people=5000,epsilon=8"]);
    let total = |experiment: &Experiment| regrets(experiment).iter().sum::<f64>();
    let (alone, with) = (total(&alone), total(&aided));
    assert!(2.0 * with < alone, "{with} against {alone}");
    assert!(run(&aided).iter().all(|trial| trial.source_weights[0] > 0.5));
}

/// A source whose arms are permuted does not make it much worse than no source.
#[test]
fn a_liar_is_found_out() {
    let alone = experiment(AgentName::LdpContextual, 4.0, PEOPLE, SEEDS);
    let lied_to = with_sources(alone.clone(), &["people=5000,epsilon=8,permuted"]);
    let total = |trials: &[Trial]| trials.iter().map(|trial| trial.regret.last().unwrap()).sum::<f64>();
    let (honest, misled) = (run(&alone), run(&lied_to));
    assert!(misled.iter().all(|trial| trial.source_weights[0] < 0.1), "{misled:?}");
    assert!(total(&misled) < 2.0 * total(&honest), "{} against {}", total(&misled), total(&honest));
}
