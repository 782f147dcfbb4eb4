//! Sums against their law, and the policy against numbers by hand.

use super::*;
use crate::nw_lcb::{Report, Spec};
use proptest::prelude::*;
use reticent_privacy::mechanism::{LaplaceResponse, Mechanism};
use reticent_privacy::{Epsilon, SimRng, SimSeed, Stream, UnitGrid};

const STEPS: f64 = UnitGrid::STEPS as f64;

fn spec(dims: u32, side: u32, loss: f64) -> Spec {
    Spec::new(dims, side, Epsilon::new(loss).unwrap()).unwrap()
}

/// Sums of `people` reports whose means of W and Z are these.
fn sums(spec: &Spec, people: u64, means: &[f64]) -> Sums {
    let values: Vec<i64> = means.iter().map(|mean| (mean * people as f64 * STEPS) as i64).collect();
    let text = serde_json::json!({"spec": spec, "reports": people, "values": values});
    serde_json::from_value(text).unwrap()
}

/// A person's report, as the device makes it.
fn noisy(spec: &Spec, own: usize, reward: f64, rng: &mut SimRng) -> Report {
    let noise = LaplaceResponse::new(spec.value_epsilon());
    let value = |i: usize| if i / 2 == own { [1.0, reward][i % 2] } else { 0.0 };
    let values = (0..2 * spec.cells()).map(|i| noise.release_with(UnitGrid::clip(value(i)).unwrap(), rng));
    Report { values: values.collect() }
}

/// A sum of n Laplace variables of scale s is more than z s sqrt(2 n) away from its mean with probability at most
/// 2 exp(-z^2 + z^2 / 2 / (1 - z^2 / 2n)) (Chernoff). With z = 6 and 8 values this is below 10^-6.
#[test]
fn means_are_unbiased() {
    const PEOPLE: usize = 20_000;
    const Z: f64 = 6.0;
    let spec = spec(1, 2, 8.0);
    let mut rng = SimSeed(20_261_116).stream(0, Stream::Noise);
    let mut sums = Sums::new(spec.clone());
    for person in 0..PEOPLE {
        // Half of the people in cell 0 with reward 1/4, the others in cell 3 with reward 1.
        let (own, reward) = if person % 2 == 0 { (0, 0.25) } else { (3, 1.0) };
        sums.add(&noisy(&spec, own, reward, &mut rng)).unwrap();
    }
    let width = Z * (4.0 * 2.0_f64.sqrt() / 8.0) * (2.0 / PEOPLE as f64).sqrt();
    let fits = |means: [f64; 8]| {
        let off = |(&value, mean): (&i64, f64)| (value as f64 / STEPS / PEOPLE as f64 - mean).abs() < width;
        sums.values().iter().zip(means).map(off).collect::<Vec<bool>>()
    };
    assert_eq!(fits([0.5, 0.125, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5]), [true; 8]);
    // Power: a mean that is off by a tenth is seen in each value.
    assert_eq!(fits([0.6, 0.225, 0.1, 0.1, 0.1, 0.1, 0.6, 0.6]), [false; 8]);
    assert_eq!(sums.reports(), PEOPLE as u64);
}

#[test]
fn the_estimator_by_hand() {
    // n = 10^8 and epsilon = 16: the cutoff is sqrt(log(10^8) / 10^8) = 4.292e-4.
    let sums = sums(&spec(1, 2, 16.0), 100_000_000, &[0.25, 0.2, 0.0004, 0.0004, 0.25, 0.001, 0.0, 0.0]);
    let cutoff = Pessimism::cutoff(&sums);
    assert!((cutoff - 4.291_932e-4).abs() < 1e-9, "{cutoff}");
    let pessimism = Pessimism::new(0.5, 0.5).unwrap();
    // (0.2 - t) / (0.25 + t) - sqrt(2 log(2e8) / 1e8 / (0.25 - t)) - 0.5 sqrt(0.5).
    let by_hand = 0.199_570_81 / 0.250_429_19 - (38.227_656e-8_f64 / 0.249_570_81).sqrt() - 0.353_553_39;
    assert!((pessimism.lower(&sums, 0).unwrap() - by_hand).abs() < 1e-7);
    assert_eq!(pessimism.lower(&sums, 1), None, "below the cutoff");
    assert!(pessimism.lower(&sums, 2).unwrap() < 0.0, "looked at, and bad");
}

#[test]
fn the_policy_by_hand() {
    // Four price cells; context cells 1 to 3 are: a tie, all looked at and bad, all masked.
    let cell = |mass: f64, reward: f64| [mass, mass * reward];
    let rows = [
        [cell(0.05, 0.3), cell(0.05, 0.9), cell(0.05, 0.6), cell(1e-6, 1.0)],
        [cell(0.05, 0.3), cell(0.05, 0.7), cell(0.05, 0.7), cell(0.05, 0.1)],
        [cell(0.05, 0.1), cell(0.05, 0.2), cell(0.05, 0.1), cell(0.05, 0.0)],
        [cell(1e-6, 1.0); 4],
    ];
    let sums = sums(&spec(1, 4, 16.0), 100_000_000, &rows.concat().concat());
    let pessimism = Pessimism::new(1.0, 1.0).unwrap();
    let policy = Policy::new(&sums, pessimism).unwrap();
    let quote = |x: f64| policy.price(&[x]).unwrap();
    assert_eq!(quote(0.1), Quote { price: 0.375, lower: pessimism.lower(&sums, 1) });
    assert!((quote(0.1).lower.unwrap() - (0.9 - 0.25)).abs() < 0.03);
    assert_eq!(quote(0.3).price, 0.375, "the smaller of two equals");
    assert_eq!(quote(0.6), Quote { price: 1.0, lower: Some(0.0) });
    assert_eq!(quote(0.9), Quote { price: 1.0, lower: None });
    assert_eq!(quote(7.0), quote(0.9), "contexts are clipped");
    let careful = Policy::with_fallback(&sums, pessimism, 0.4).unwrap();
    assert_eq!(careful.price(&[0.6]).unwrap(), Quote { price: 0.4, lower: Some(0.0) });
    assert_eq!(careful.price(&[0.9]).unwrap(), Quote { price: 0.4, lower: None });
    assert_eq!((careful.fallback(), careful.price(&[0.1]).unwrap()), (0.4, quote(0.1)));
}

#[test]
fn one_report_is_no_evidence() {
    // log 1 = 0: the cutoff is 0, and a cell at the cutoff has an infinite radius.
    let sums = sums(&spec(1, 1, 1.0), 1, &[0.0, 1.0]);
    let pessimism = Pessimism::new(0.0, 1.0).unwrap();
    assert_eq!(pessimism.lower(&sums, 0), Some(f64::NEG_INFINITY));
    assert_eq!(
        Policy::new(&sums, pessimism).unwrap().price(&[0.5]).unwrap(),
        Quote { price: 1.0, lower: Some(0.0) }
    );
}

#[test]
fn what_does_not_fit_is_refused_and_changes_nothing() {
    let mut sums = Sums::new(spec(1, 1, 1.0));
    sums.add(&Report { values: vec![1, i64::MAX] }).unwrap();
    let before = sums.clone();
    let length = SumsError::WrongLength { got: 3, needed: 2 };
    assert_eq!(sums.add(&Report { values: vec![0; 3] }), Err(length));
    assert_eq!(sums.add(&Report { values: vec![1, 1] }), Err(SumsError::Overflow));
    assert_eq!(sums.merge(&Sums::new(spec(1, 1, 2.0))), Err(SumsError::WrongSpec));
    assert_eq!(sums, before);
    let text = serde_json::to_string(&sums).unwrap();
    assert_eq!(serde_json::from_str::<Sums>(&text).unwrap(), sums);
    assert!(serde_json::from_str::<Sums>(&text.replace("[1,", "[")).is_err());
    assert!(serde_json::from_str::<Sums>(&text.replace("\"side\":1", "\"side\":0")).is_err());
    for (holder, beta) in
        [(-1.0, 1.0), (f64::NAN, 1.0), (f64::INFINITY, 1.0), (1.0, 0.0), (1.0, 1.1), (1.0, f64::NAN)]
    {
        assert!(Pessimism::new(holder, beta).is_err());
    }
    let pessimism = Pessimism::new(1.0, 1.0).unwrap();
    for bad in [-0.1, 1.1, f64::NAN] {
        assert!(matches!(Policy::with_fallback(&sums, pessimism, bad), Err(PolicyError::Fallback(_))));
    }
    let policy = Policy::new(&sums, pessimism).unwrap();
    for bad in [&[][..], &[0.1, 0.1], &[f64::NAN]] {
        assert_eq!(policy.price(bad), Err(PolicyError::Context(1)));
    }
}

proptest! {
    #[test]
    fn merging_is_adding_all(values in prop::collection::vec(prop::array::uniform8(-1_i64 << 40..1 << 40), 0..20), cut in 0_usize..20) {
        let all = values.iter().map(|values| Report { values: values.to_vec() });
        let mut parts = [(); 3].map(|()| Sums::new(spec(1, 2, 1.0)));
        for (place, report) in all.enumerate() {
            parts[usize::from(place < cut)].add(&report).unwrap();
            parts[2].add(&report).unwrap();
        }
        let [mut first, second, together] = parts;
        first.merge(&second).unwrap();
        prop_assert_eq!(first, together);
    }
}
