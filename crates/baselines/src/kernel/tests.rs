//! The posterior by hand and by both ways of computing it, and a bandit that finds the best action.

use reticent_privacy::{SimSeed, Stream, TrustModel};

use super::{DensePosterior, GpMean, GpUcb, UcbError, UcbSpec};
use reticent_curate::kernel::{Family, FeatureMap, Kernel, Points, Records};

fn kernel() -> Kernel {
    Kernel::joint(Family::MaternFiveHalves, &[0.3, 0.4]).unwrap()
}

/// Records at low-discrepancy points with rewards of a smooth function and noise.
fn records(count: usize, seed: u64) -> Records {
    let mut rng = SimSeed(seed).stream(0, Stream::Environment);
    let (mut records, points) = (Records::new(2), Points::halton(0..count, 2));
    for i in 0..count {
        let point = points.point(i);
        records.push(&point, 0.6 * libm::sin(5.0 * point[0] - 3.0 * point[1]) + 0.1 * rng.normal());
    }
    records
}

fn furthest(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn the_dense_posterior_of_none_one_and_two_records_is_that_by_hand() {
    let (tau, at) = (0.25, Points::try_from(vec![vec![0.2, 0.9], vec![0.4, 0.1]]).unwrap());
    let none = DensePosterior::new(&kernel(), tau, &Records::new(2)).unwrap().mean_and_variance(&at);
    assert_eq!(none, [(0.0, 1.0); 2]);
    let data = Points::try_from(vec![vec![0.3, 0.5], vec![0.3, 0.6]]).unwrap();
    let (k, between) = (kernel().between(&at, &data), kernel().between(&data, &data)[(0, 1)]);
    let mut one = Records::new(2);
    one.push(&data.point(0), 0.8);
    let posterior = DensePosterior::new(&kernel(), tau, &one).unwrap().mean_and_variance(&at);
    for (i, (mean, variance)) in posterior.into_iter().enumerate() {
        let a = k[(i, 0)];
        assert!((mean - a * 0.8 / 1.25).abs() < 1e-14 && (variance - (1.0 - a * a / 1.25)).abs() < 1e-14);
    }
    one.push(&data.point(1), -0.4);
    let posterior = DensePosterior::new(&kernel(), tau, &one).unwrap().mean_and_variance(&at);
    let determinant = 1.25 * 1.25 - between * between;
    for (i, (mean, variance)) in posterior.into_iter().enumerate() {
        let (a, b) = (k[(i, 0)], k[(i, 1)]);
        let (u, v) = ((1.25 * a - between * b) / determinant, (1.25 * b - between * a) / determinant);
        assert!((mean - (0.8 * u - 0.4 * v)).abs() < 1e-14, "{mean}");
        assert!((variance - (1.0 - a * u - b * v)).abs() < 1e-14, "{variance}");
    }
}

#[test]
fn the_posterior_in_feature_space_is_the_dense_one_where_the_map_has_the_records_points() {
    let (records, at) = (records(700, 1), Points::halton(3000..3200, 2));
    for tau in [0.01, 0.5] {
        let dense = DensePosterior::new(&kernel(), tau, &records).unwrap().mean_and_variance(&at);
        let (means, variances): (Vec<f64>, Vec<f64>) = dense.into_iter().unzip();
        let map = FeatureMap::of_points(&kernel(), Points::halton(0..720, 2)).unwrap();
        let mean = GpMean::new(&map, tau, &records, 2).unwrap();
        assert!(furthest(&mean.values(&at), &means) < 1e-8, "{}", furthest(&mean.values(&at), &means));
        assert!(furthest(&mean.variances(&at), &variances) < 1e-8);
        assert!(variances.iter().all(|v| (0.0..1.0).contains(v)) && means.iter().any(|m| m.abs() > 0.3));
        // A map of a few points is an approximation, and what it cannot explain of the prior variance is counted.
        let few = FeatureMap::pivoted(&kernel(), &Points::halton(0..720, 2), 20, 0.0);
        let rough = GpMean::new(&few, tau, &records, 2).unwrap();
        assert!(furthest(&rough.values(&at), &means) > 1e-6);
        let prior = GpMean::new(&few, tau, &Records::new(2), 2).unwrap();
        assert!(furthest(&prior.variances(&at), &[1.0; 200]) < 1e-12 && prior.values(&at) == [0.0; 200]);
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let (records, at) = (records(3000, 2), Points::halton(5000..5050, 2));
    let map = FeatureMap::pivoted(&kernel(), &Points::halton(0..500, 2), 60, 1e-6);
    let values = |threads| GpMean::new(&map, 0.1, &records, threads).unwrap().values(&at);
    assert_eq!(values(1), values(2));
    assert_eq!(values(1), values(5));
}

#[test]
fn gp_ucb_ends_with_the_posterior_of_all_its_records() {
    let (records, at) = (records(130, 3), Points::halton(5000..5050, 2));
    let map = FeatureMap::pivoted(&kernel(), &Points::halton(0..300, 2), 40, 1e-6);
    let spec = UcbSpec { tau: 0.1, delta: 0.1, factor: 1.0 };
    let mut bandit = GpUcb::new(&map, &Points::halton(0..5, 1), spec).unwrap();
    for (i, reward) in records.rewards().iter().enumerate() {
        bandit.observe(&records.points().point(i), *reward).unwrap();
    }
    let mean = GpMean::new(&map, 0.1, &records, 1).unwrap();
    assert!(furthest(&bandit.values(&at).unwrap(), &mean.values(&at)) < 1e-9);
    assert_eq!(bandit.guarantee().trust_model, TrustModel::NoPrivacy);
    assert_eq!(mean.guarantee().trust_model, TrustModel::NoPrivacy);
}

#[test]
fn gp_ucb_chooses_by_mean_and_deviation() {
    let map = FeatureMap::of_points(&kernel(), Points::halton(0..40, 2)).unwrap();
    let actions = Points::halton(0..7, 1);
    let spec = UcbSpec { tau: 0.1, delta: 0.05, factor: 0.7 };
    let mut bandit = GpUcb::new(&map, &actions, spec).unwrap();
    let data = records(40, 4);
    for (i, reward) in data.rewards().iter().enumerate() {
        bandit.observe(&data.points().point(i), *reward).unwrap();
        let beta = 0.7 * 2.0 * libm::log(7.0 * libm::pow((i + 2) as f64 * std::f64::consts::PI, 2.0) / 0.3);
        assert!((bandit.beta() - beta).abs() < 1e-12);
    }
    // The dense posterior has the same bounds but for the variance that no feature explains, which is small
    // beside their differences.
    let dense = DensePosterior::new(&kernel(), 0.1, &data).unwrap();
    for step in 0..=20_u32 {
        let context = f64::from(step) / 20.0;
        let points = actions.beside(&Points::try_from(vec![vec![context; 7]]).unwrap());
        let bounds: Vec<f64> =
            dense.mean_and_variance(&points).iter().map(|(m, v)| m + (bandit.beta() * v).sqrt()).collect();
        let most = bounds.iter().copied().fold(f64::MIN, f64::max);
        assert!(bounds[bandit.choose(&[context])] > most - 0.1, "{context}");
    }
}

#[test]
fn gp_ucb_finds_the_best_action() {
    let best = |x: f64| {
        0.9 * libm::exp(-8.0 * (x - 0.7) * (x - 0.7)) + 0.5 * libm::exp(-30.0 * (x - 0.15) * (x - 0.15))
    };
    let kernel = Kernel::joint(Family::SquaredExponential, &[0.2]).unwrap();
    let actions = Points::try_from(vec![(0..41).map(|i| f64::from(i) / 40.0).collect()]).unwrap();
    let map = FeatureMap::pivoted(&kernel, &actions, 20, 1e-8);
    let mut bandit = GpUcb::new(&map, &actions, UcbSpec { tau: 0.01, delta: 0.1, factor: 0.2 }).unwrap();
    let mut rng = SimSeed(5).stream(0, Stream::Environment);
    let top = actions.input(0).iter().map(|&x| best(x)).fold(f64::MIN, f64::max);
    let mut late = 0.0;
    for t in 0..400 {
        let x = actions.input(0)[bandit.choose(&[])];
        bandit.observe(&[x], (best(x) + 0.1 * rng.normal()).clamp(-1.0, 1.0)).unwrap();
        late += if t < 300 { 0.0 } else { (top - best(x)) / 100.0 };
    }
    // Uniform play loses 0.4 a step; the bandit must lose a twentieth of that at the end, and its last word a fiftieth.
    assert!(late < 0.02, "{late}");
    let values = bandit.values(&actions).unwrap();
    let chosen = super::ucb::first_largest(values.into_iter());
    assert!(top - best(actions.input(0)[chosen]) < 0.008, "{chosen}");
}

#[test]
fn gp_ucb_plays_what_suits_the_context() {
    let kernel = Kernel::product(Family::SquaredExponential, &[0.3, 0.3]).unwrap();
    let actions = Points::try_from(vec![(0..21).map(|i| f64::from(i) / 20.0).collect()]).unwrap();
    let map = FeatureMap::pivoted(&kernel, &Points::halton(0..600, 2), 60, 1e-6);
    let mut bandit = GpUcb::new(&map, &actions, UcbSpec { tau: 0.01, delta: 0.1, factor: 0.2 }).unwrap();
    let mut rng = SimSeed(6).stream(0, Stream::Environment);
    // The best action is the context; uniform play loses 1/6 a step in the mean.
    let mut late = 0.0;
    for t in 0..1000 {
        let context = rng.uniform();
        let x = actions.input(0)[bandit.choose(&[context])];
        let loss = (x - context) * (x - context);
        bandit.observe(&[x, context], 0.5 - loss + 0.05 * rng.normal()).unwrap();
        late += if t < 800 { 0.0 } else { loss / 200.0 };
    }
    assert!(late < 1.0 / 60.0, "{late}");
}

#[test]
fn what_is_refused() {
    let map = FeatureMap::of_points(&kernel(), Points::halton(0..5, 2)).unwrap();
    let spec = UcbSpec { tau: 0.1, delta: 0.1, factor: 1.0 };
    let with = |spec| GpUcb::new(&map, &Points::halton(0..3, 1), spec).err();
    assert_eq!(with(spec), None);
    assert_eq!(with(UcbSpec { tau: 0.0, ..spec }), Some(UcbError::Tau { got: 0.0 }));
    assert_eq!(with(UcbSpec { delta: 1.0, ..spec }), Some(UcbError::Delta { got: 1.0 }));
    assert_eq!(with(UcbSpec { factor: -1.0, ..spec }), Some(UcbError::Factor { got: -1.0 }));
    assert!(with(UcbSpec { tau: f64::NAN, ..spec }).is_some());
    let none = GpUcb::new(&map, &Points::new(1), spec).err();
    assert_eq!(none, Some(UcbError::NoCandidates));
    let wide = GpUcb::new(&map, &Points::halton(0..3, 3), spec).err();
    assert_eq!(wide, Some(UcbError::Inputs { got: 3, most: 2 }));
    for tau in [-0.1, f64::NAN, f64::INFINITY] {
        assert!(DensePosterior::new(&kernel(), tau, &records(5, 7)).is_err());
        assert!(GpMean::new(&map, tau, &records(5, 7), 1).is_err());
    }
    let mut twice = records(5, 7);
    twice.push(&twice.points().point(0), 0.1);
    assert!(DensePosterior::new(&kernel(), 0.0, &twice).is_err(), "the same point twice, without noise");
}
