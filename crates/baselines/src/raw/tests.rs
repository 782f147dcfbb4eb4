//! The raw bandits learn what they can, and no more.

use reticent_privacy::{SimRng, SimSeed, Stream};

use super::*;

fn rng(purpose: Stream) -> SimRng {
    SimSeed(3).stream(0, purpose)
}

/// The share of 2,000 people who get the better of two arms, after as many before them.
fn share_on_best(bandit: &mut dyn RawBandit, best: impl Fn(&[f64]) -> u32) -> f64 {
    let mut world = rng(Stream::Environment);
    let mut right = 0;
    for person in 0..4000 {
        let point = [world.uniform(), world.uniform()];
        let (arm, wanted) = (bandit.choose(&point), best(&point));
        let reward = world.uniform() < if arm == wanted { 0.8 } else { 0.2 };
        bandit.learn(&point, arm, f64::from(u8::from(reward)));
        right += u32::from(person >= 2000 && arm == wanted);
    }
    f64::from(right) / 2000.0
}

#[test]
fn lines_are_learned_by_all_and_parities_by_those_who_can() {
    let line = |x: &[f64]| u32::from(x[0] + x[1] > 1.0);
    let parity = |x: &[f64]| u32::from((x[0] > 0.5) == (x[1] > 0.5));
    let nearest = || NearestThompson::new(2, 2, rng(Stream::Agent));
    let fourier = || FourierThompson::new(2, 2, rng(Stream::Agent));
    assert!(share_on_best(&mut nearest(), line) > 0.85);
    assert!(share_on_best(&mut fourier(), line) > 0.85);
    assert!(share_on_best(&mut LinUcb::new(2, 2), line) > 0.85);
    assert!(share_on_best(&mut nearest(), parity) > 0.85);
    assert!(share_on_best(&mut fourier(), parity) > 0.85);
    let lost = share_on_best(&mut LinUcb::new(2, 2), parity);
    assert!((0.3..0.7).contains(&lost), "{lost}");
}

#[test]
fn a_ridge_is_the_regression_of_all_it_saw() {
    let mut one = ridge::Ridge::new(1);
    for y in [0.25, 0.5, 1.0] {
        one.learn(&[2.0], y);
    }
    // (1 + 3 * 4)^-1 * 2 * 1.75, at 2; and 4 / 13.
    let (mean, variance) = one.predict(&[2.0]);
    assert!((mean - 7.0 / 13.0).abs() < 1e-12 && (variance - 4.0 / 13.0).abs() < 1e-12);
}
