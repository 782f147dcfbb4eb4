//! Several logs of one market.

use super::*;

fn deviation(tallies: &[Tally]) -> f64 {
    fit(tallies).unwrap().outcome(&[0.5], 0.5).1
}

#[test]
fn sites_with_their_own_epsilon_are_joined_and_the_quieter_one_counts_for_less() {
    let (loud, quiet) = (even(1, 4.0, 20_000, 0), even(1, 0.5, 20_000, 1));
    let (one, other) = (deviation(std::slice::from_ref(&loud)), deviation(std::slice::from_ref(&quiet)));
    let both = deviation(&[loud.clone(), quiet.clone()]);
    assert!(one < other && both < 1.02 * one, "{one} {other} {both}");
    let twice = deviation(&[loud, even(1, 4.0, 20_000, 2)]);
    assert!(twice < 0.85 * one, "{one} {twice}");
    assert_eq!(
        fit(&[quiet.clone(), quiet]).unwrap().policy(revenue(&terms(1))).unwrap().learned().epsilons,
        [0.5]
    );
}

#[test]
fn logs_of_different_markets_are_not_joined() {
    let other = even(2, 1.0, 100, 0);
    assert!(matches!(fit(&[even(1, 1.0, 100, 0), other]), Err(FitError::OtherTerms)));
}

/// The value of a policy by a log it was not learned from: 40 intervals of two deviations. Fewer than 30
/// would hold with probability 2e-4 if each holds with 0.9.
#[test]
fn a_held_out_log_gives_the_value_with_an_interval_that_holds() {
    let policy = fit(&[even(1, 4.0, 20_000, 100)]).unwrap().policy(revenue(&terms(1))).unwrap();
    let target: Vec<Vec<f64>> = contexts().collect();
    let price = |x: &[f64]| policy.quote(x).unwrap().price;
    let truth = contexts().map(|x| price(&x) * demand(&x, price(&x))).sum::<f64>() / 100.0;
    let holds = (0..40).filter(|&trial| {
        let value = fit(&[even(1, 4.0, 20_000, trial)]).unwrap().value(&policy, Some(&target));
        let (low, high) = value.interval(2.0);
        assert_eq!(value.people, Some(100));
        low <= truth && truth <= high
    });
    let holds = holds.count();
    assert!(holds >= 30, "{holds}");
    // The log's own contexts are even too.
    let own = fit(&[even(1, 4.0, 20_000, 0)]).unwrap().value(&policy, None);
    assert!((own.mean - truth).abs() < 5.0 * own.deviation && own.deviation < 0.02, "{own:?} {truth}");
}
