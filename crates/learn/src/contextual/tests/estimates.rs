//! How often the intervals of `estimates` hold, in worlds with steps, slopes, clusters of people and equal arms.

use super::*;

/// Worlds that the agent's prior was not made from: people in clumps, steps, an arm that is best nowhere.
fn worlds() -> Vec<Truth> {
    let step = |arm: usize, x: usize| if (x < 3) == (arm == 0) { 0.8 } else { 0.3 };
    let slope = |arm: usize, x: usize| 0.2 + 0.08 * x as f64 * arm as f64;
    let equal = |_: usize, _: usize| 0.5;
    let rough = |arm: usize, x: usize| if (x * 5 + arm * 3).is_multiple_of(4) { 0.9 } else { 0.4 };
    let clumped = vec![0.02, 0.4, 0.02, 0.02, 0.02, 0.02, 0.48, 0.02];
    let even = vec![1.0 / 8.0; 8];
    let world = |masses: &Vec<f64>, good: &dyn Fn(usize, usize) -> f64| Truth {
        masses: masses.clone(),
        good: (0..2).map(|arm| (0..8).map(|x| good(arm, x)).collect()).collect(),
    };
    let laws: [&dyn Fn(usize, usize) -> f64; 4] = [&step, &slope, &equal, &rough];
    laws.iter().flat_map(|law| [world(&even, law), world(&clumped, law)]).collect()
}

/// 8 worlds, 6 runs, 2 arms, at two losses and two times: the share of intervals that hold the truth.
#[test]
fn intervals_hold_about_as_often_as_they_say() {
    let (mut held, mut all) = (0, 0);
    for (number, truth) in worlds().iter().enumerate() {
        for run in 0..6 {
            for epsilon in [1.0, 4.0] {
                let trial = (number * 6 + run) as u64;
                let mut agent = agent(spec(&[8], 2, epsilon, vec![]), None, trial);
                let mut rng = rng(1_000 + trial);
                for people in [1_000, 4_000] {
                    serve(&mut agent, truth, people, &mut rng);
                    agent.refresh();
                    for (arm, estimate) in agent.estimates().iter().enumerate() {
                        let mean: f64 = truth.masses.iter().zip(&truth.good[arm]).map(|(m, g)| m * g).sum();
                        let [low, high] = estimate.interval;
                        held += u32::from((low..=high).contains(&mean));
                        all += 1;
                    }
                }
            }
        }
    }
    let share = f64::from(held) / f64::from(all);
    // Fixed seeds: a regression test of what docs/contextual.md states.
    assert!(share > 0.9, "{held} of {all}");
    println!("{held} of {all}");
}
