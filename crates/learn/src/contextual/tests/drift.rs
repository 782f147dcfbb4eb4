//! Rewards that change, and memory that does not grow.

use super::*;

fn truth() -> Truth {
    Truth::even(vec![vec![0.9; 4], vec![0.1; 4]])
}

/// The share of best arms long after the arms have swapped.
fn after_swap(half_life: Option<u64>, trial: u64) -> f64 {
    let mut agent = agent(spec(&[4], 2, 4.0, vec![]), half_life, trial);
    let mut rng = rng(trial);
    let before = serve(&mut agent, &truth(), 4000, &mut rng);
    assert!(before > 0.8, "{before}");
    let swapped = truth().permuted();
    serve(&mut agent, &swapped, 1500, &mut rng);
    serve(&mut agent, &swapped, 500, &mut rng)
}

/// Shares of 500 people: an agent that does not know has 0.5, and 0.7 would be 9 binomial deviations from it
/// (1e-18), in each of 4 trials.
#[test]
fn forgetting_recovers_from_a_swap() {
    for trial in 0..4 {
        let (forgetful, faithful) = (after_swap(Some(400), trial), after_swap(None, trial));
        assert!(forgetful > 0.7 && faithful < 0.3, "trial {trial}: {forgetful} and {faithful}");
    }
}

/// Five people a minute: a policy is open for a week, and what is kept depends on that alone.
#[test]
fn memory_does_not_grow_with_people() {
    for half_life in [None, Some(1000)] {
        let mut agent = agent(spec(&[4], 2, 4.0, vec![]), half_life, 0);
        let mut rng = rng(9);
        let mut minutes = 0;
        let mut serve_for = |agent: &mut Contextual, people: u64| {
            for _ in 0..people / 50 {
                minutes += 10 * 60;
                agent.tick(60 * minutes);
                serve(agent, &truth(), 50, &mut rng);
            }
        };
        serve_for(&mut agent, 2000);
        let early = save(&agent).unwrap().len();
        serve_for(&mut agent, 18_000);
        let late = save(&agent).unwrap().len();
        // Longer numbers, and questions no finer than the grid.
        assert!((late as f64) < 1.5 * early as f64, "{early} and {late}");
    }
}

/// With a half-life the statistics hold about as many people as the half-life over ln 2, whoever came.
#[test]
fn a_half_life_is_one() {
    let mut agent = agent(spec(&[4], 2, 4.0, vec![]), Some(500), 0);
    serve(&mut agent, &truth(), 8000, &mut rng(10));
    agent.refresh();
    let memory = 500.0 / std::f64::consts::LN_2;
    // A batch is forgotten as a whole, hence the tenth.
    assert!((agent.target.people / memory - 1.0).abs() < 0.1, "{}", agent.target.people);
}
