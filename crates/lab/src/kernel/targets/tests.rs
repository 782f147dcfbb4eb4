//! Known values, and the search against brute force.

use reticent_curate::kernel::Family;
use reticent_privacy::{SimSeed, Stream};

use super::*;

fn stream(trial: u64) -> SimRng {
    SimSeed(6).stream(trial, Stream::Source)
}

fn kernel(family: Family, inputs: usize) -> Kernel {
    Kernel::product(family, &vec![0.3; inputs]).unwrap()
}

fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn test_functions_have_their_known_minima() {
    use std::f64::consts::PI;
    for (u, v) in [(-PI, 12.275), (PI, 2.275), (9.424_78, 2.475)] {
        assert!((branin::value(&[(u + 5.0) / 15.0, v / 15.0]) - 0.397_887).abs() < 1e-5);
    }
    let bottom = [0.201_69, 0.150_011, 0.476_874, 0.275_332, 0.311_652, 0.6573];
    assert!((hartmann::value(&bottom) + 3.322_37).abs() < 1e-5);
    assert!((Target::hartmann().value(&bottom[..2], &bottom[2..]) - 1.0).abs() < 1e-5);
}

/// The mean of a function with values in [-1, 1] over Halton points is off by far less than over random ones.
#[test]
fn test_functions_have_mean_zero() {
    for target in [Target::branin(), Target::hartmann()] {
        let values = target.values(&Points::halton(0..50_000, target.actions() + target.contexts()));
        assert!((values.iter().sum::<f64>() / 50_000.0).abs() < 1e-3);
    }
}

#[test]
fn the_largest_absolute_value_is_one() {
    let random = |family, trial| Target::rkhs(&kernel(family, 2), 1, 30, &mut stream(trial));
    let mut targets: Vec<Target> = (0..5).map(|trial| random(Family::MaternFiveHalves, trial)).collect();
    targets.extend((5..10).map(|trial| random(Family::SquaredExponential, trial)));
    targets.push(Target::branin());
    for target in targets {
        // A finer grid, between whose points a function of curvature 30 rises by less than 1e-4.
        let most = largest(target.values(&Points::grid(401, 2)).into_iter().map(f64::abs));
        assert!(most < 1.0 + 1e-6 && most > 1.0 - 1e-4, "{most}");
    }
    let six = Target::rkhs(&kernel(Family::SquaredExponential, 4), 2, 30, &mut stream(11));
    for target in [six, Target::hartmann()] {
        let points = Points::halton(20_000..200_000, target.actions() + target.contexts());
        assert!(largest(target.values(&points).into_iter().map(f64::abs)) < 1.0 + 1e-6);
    }
}

#[test]
fn the_best_action_is_not_missed() {
    let matern = Target::rkhs(&kernel(Family::MaternFiveHalves, 2), 1, 30, &mut stream(1));
    let smooth = Target::rkhs(&kernel(Family::SquaredExponential, 3), 2, 30, &mut stream(2));
    for (target, side) in
        [(matern, 20_001), (Target::branin(), 20_001), (smooth, 301), (Target::hartmann(), 301)]
    {
        let (all, mut rng) = (Points::grid(side, target.actions()), stream(3));
        for _ in 0..5 {
            let context = uniform(target.contexts(), &mut rng);
            let brute = largest(target.values(&in_context(&all, &context)));
            let best = target.best(&context);
            assert!(best > brute - 1e-9 && best < brute + 1e-4, "{best} {brute}");
        }
    }
}

#[test]
fn rewards_are_clipped_and_in_units_of_the_bound() {
    let target = Target::branin();
    let wild = target.records(500, 5.0, 1.3, &mut stream(4));
    assert!(wild.rewards().iter().all(|reward| (-1.0..=1.0).contains(reward)));
    // Noise of 5 goes beyond 2.3, either way, in more than half of all draws.
    assert!(wild.rewards().contains(&1.0) && wild.rewards().contains(&-1.0));
    let calm = target.records(500, 0.0, 1.3, &mut stream(4));
    let values = target.values(calm.points());
    assert!(calm.rewards().iter().zip(values).all(|(reward, value)| (reward * 1.3 - value).abs() < 1e-12));
    let reward = target.reward(&[0.5], &[0.5], 0.0, 0.5, &mut stream(4));
    assert!((reward - (target.value(&[0.5], &[0.5]) * 2.0).clamp(-1.0, 1.0)).abs() < 1e-12);
}

#[test]
fn the_first_of_many_people_are_the_few() {
    let target = Target::branin();
    let [few, many] = [300, 5000].map(|people| target.records(people, 0.1, 1.3, &mut stream(5)));
    assert!(few.rewards() == &many.rewards()[..300]);
    assert!(*few.points() == many.points().range(0..300));
}
