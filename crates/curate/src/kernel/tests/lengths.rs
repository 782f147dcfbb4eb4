use reticent_privacy::{Delta, Epsilon, SimSeed, Stream};

use super::made::{records, setting};
use crate::kernel::{Collector, Population, ReleaseLoss, lengths_of_public};

/// Fast along the action, slow along the context.
fn wavy(point: &[f64]) -> f64 {
    0.7 * libm::sin(20.0 * point[0]) * (0.7 + 0.3 * point[1])
}

#[test]
fn a_public_sample_tells_short_from_long() {
    let learned = lengths_of_public(&setting(), &records(300, 2, 0.1, 5, wavy)).unwrap();
    let lengths: Vec<f64> = learned.kernel().lengths().collect();
    assert!(lengths[0] <= 0.2 && lengths[1] >= 0.5, "{lengths:?}");
}

#[test]
fn a_pilot_tells_short_from_long() {
    let budget = ReleaseLoss::new(Epsilon::new(2.0).unwrap(), Delta::new(1e-6).unwrap()).unwrap();
    let mut collector = Collector::new(&setting(), &Population::Uniform, 20_000, budget, 2).unwrap();
    collector.add(&records(20_000, 2, 0.1, 6, wavy)).unwrap();
    let release = collector.release_with(&mut SimSeed(7).stream(0, Stream::Noise)).unwrap();
    let learned = release.with_likely_lengths(2).unwrap();
    let lengths: Vec<f64> = learned.kernel().lengths().collect();
    assert!(lengths[0] <= 0.2 && lengths[1] >= 0.5, "{lengths:?}");
}

#[test]
fn constant_rewards_leave_some_lengths() {
    let learned = lengths_of_public(&setting(), &records(50, 2, 0.0, 5, |_| 0.0)).unwrap();
    assert!(learned.kernel().lengths().all(f64::is_finite));
}
