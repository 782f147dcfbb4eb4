//! The bandit as a whole.

use reticent_privacy::{Delta, Epsilon, Loss, Rho, SimSeed, Stream, TrustModel};

use super::super::{Dubey, DubeyError, DubeySpec, once};
use super::{approximate, kernel, records, spec, zcdp};
use reticent_curate::kernel::{Points, Records};

fn actions(count: u32) -> Points {
    Points::try_from(vec![(0..count).map(|i| f64::from(i) / f64::from(count - 1)).collect()]).unwrap()
}

#[test]
fn one_batch_is_one_release_whatever_the_threads() {
    let (records, at) = (records(1300, 1), Points::halton(0..50, 1));
    let spec = spec(1300, approximate(1.0, 1e-6));
    let values = |threads| {
        let mut rng = SimSeed(1).stream(0, Stream::Noise);
        once(&spec, &records, threads, &mut rng).unwrap().values(&at)
    };
    let mut bandit = Dubey::new(spec.clone(), &actions(5)).unwrap();
    let mut rng = SimSeed(1).stream(0, Stream::Noise);
    for (i, reward) in records.rewards().iter().enumerate() {
        assert!(bandit.estimate().is_none());
        bandit.observe(&records.points().point(i), *reward, &mut rng).unwrap();
    }
    assert_eq!(bandit.estimate().unwrap().values(&at), values(1));
    assert_eq!(values(1), values(3));
    assert_eq!(bandit.observe(&[0.5], 0.0, &mut rng), Err(DubeyError::Finished { people: 1300 }));
}

#[test]
fn releases_come_at_the_ends_of_batches_alone() {
    let spec = DubeySpec { batches: 4, ..spec(10, zcdp(1.0)) };
    let mut bandit = Dubey::new(spec, &actions(5)).unwrap();
    let (mut rng, mut last, mut changes) = (SimSeed(2).stream(0, Stream::Noise), None, Vec::new());
    for t in 1..=10 {
        bandit.observe(&[0.5], 0.5, &mut rng).unwrap();
        let now = bandit.estimate().map(|estimate| estimate.values(&actions(3)));
        if now != last {
            changes.push(t);
            last = now;
        }
    }
    assert_eq!(changes, [3, 6, 9, 10], "ten people in batches of three");
}

/// 0.8 at the best action, which is the context, and less with the distance.
fn reward(action: f64, context: f64) -> f64 {
    0.8 - 2.0 * (action - context) * (action - context)
}

#[test]
fn with_a_large_budget_play_turns_to_what_suits_the_context() {
    let people = 8000;
    let spec = DubeySpec {
        batches: 8,
        factor: 0.0,
        ..DubeySpec::new(kernel(&[0.7, 0.7]), 5, people, zcdp(100.0), 0.1)
    };
    let (actions, mut rng) = (actions(11), SimSeed(3).stream(0, Stream::Noise));
    let (mut world, mut bandit) =
        (SimSeed(3).stream(0, Stream::Environment), Dubey::new(spec, &actions).unwrap());
    let mut lost = [0.0; 8];
    for t in 0..people {
        let context = world.uniform();
        let action = actions.input(0)[bandit.choose(&[context], &mut rng)];
        lost[t / 1000] += (0.8 - reward(action, context)) / 1000.0;
        bandit.observe(&[action, context], reward(action, context) + 0.1 * world.normal(), &mut rng).unwrap();
    }
    // Uniform actions lose 2 (1/6 + 1/60) = 0.367 in the mean; the grid alone costs 0.002.
    assert!((0.32..0.42).contains(&lost[0]), "{lost:?}");
    assert!(lost[7] < 0.05, "{lost:?}");
}

#[test]
fn with_noise_that_drowns_everything_the_estimate_is_small_and_finite() {
    let (records, at) = (records(200, 1), Points::halton(0..50, 1));
    let estimate =
        once(&spec(200, approximate(0.01, 1e-6)), &records, 1, &mut SimSeed(4).stream(0, Stream::Noise));
    let estimate = estimate.unwrap();
    assert!(estimate.shift() > 1000.0 && estimate.width() > 0.0);
    assert!(estimate.values(&at).iter().all(|value| value.is_finite() && value.abs() < 10.0));
    let bounds = estimate.bounds(&at);
    assert!(bounds.iter().zip(estimate.values(&at)).all(|(bound, value)| *bound > value));
}

#[test]
fn the_guarantee_is_the_loss_that_was_asked_for() {
    let loss = approximate(1.0, 1e-6);
    let guarantee = Dubey::new(spec(100, loss), &actions(3)).unwrap().guarantee();
    assert_eq!((guarantee.loss, guarantee.trust_model), (loss, TrustModel::Central));
    let proof = include_str!("../guarantee.md");
    assert!(guarantee.proof.ends_with("kernel/dubey/guarantee.md") && proof.contains("**Proof.**"));
    // The bandit's noise is that of the largest rho within the loss, shared by the levels of its tree.
    let rho = Rho::within(Epsilon::new(1.0).unwrap(), Delta::new(1e-6).unwrap()).unwrap();
    assert_eq!(spec(100, loss).check(), Ok(rho));
    assert_eq!(spec(100, zcdp(0.3)).check(), Ok(Rho::new(0.3).unwrap()));
}

#[test]
fn what_is_refused() {
    let good = spec(100, zcdp(1.0));
    let error = |spec: DubeySpec| Dubey::new(spec, &actions(3)).err();
    assert_eq!(error(good.clone()), None);
    assert_eq!(
        error(DubeySpec { batches: 0, ..good.clone() }),
        Some(DubeyError::Batches { people: 100, batches: 0 })
    );
    assert_eq!(
        error(DubeySpec { batches: 101, ..good.clone() }),
        Some(DubeyError::Batches { people: 100, batches: 101 })
    );
    assert_eq!(error(DubeySpec { tau: 0.0, ..good.clone() }), Some(DubeyError::Tau { got: 0.0 }));
    assert_eq!(error(DubeySpec { failure: 1.0, ..good.clone() }), Some(DubeyError::Failure { got: 1.0 }));
    assert_eq!(error(DubeySpec { factor: -1.0, ..good.clone() }), Some(DubeyError::Factor { got: -1.0 }));
    let pure = Loss::Pure { epsilon: Epsilon::new(1.0).unwrap() };
    for loss in [pure, Loss::Unbounded, approximate(1.0, 0.0), zcdp(1e-15)] {
        let refused = error(DubeySpec { loss, batches: 4, ..good.clone() });
        assert_eq!(refused, Some(DubeyError::Loss), "{loss:?}");
    }
    let tiny = error(DubeySpec { loss: zcdp(1e-15), ..good.clone() });
    assert!(matches!(tiny, Some(DubeyError::Variance(_))));
    let matern = reticent_curate::kernel::Kernel::joint(reticent_curate::kernel::Family::MaternHalf, &[0.3]);
    assert_eq!(error(DubeySpec { kernel: matern.unwrap(), ..good.clone() }), Some(DubeyError::Family));
    let wide = Dubey::new(good.clone(), &Points::halton(0..3, 2)).err();
    assert_eq!(wide, Some(DubeyError::Candidates { most: 1, got: 2 }));
    let mut rng = SimSeed(5).stream(0, Stream::Noise);
    for wrong in [records(99, 1), records(100, 2), Records::new(1)] {
        let refused = once(&good, &wrong, 1, &mut rng).err();
        assert_eq!(refused, Some(DubeyError::Records { inputs: 1, people: 100 }));
    }
}
