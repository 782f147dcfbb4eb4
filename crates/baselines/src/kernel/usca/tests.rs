use reticent_privacy::{Epsilon, SimSeed, Stream};

use super::*;
use reticent_curate::kernel::{Draft, Family, Form, Input, Kernel, Reward, Shape};

fn setting() -> KernelSpec {
    let input =
        |column: &str| Input { column: column.into(), low: 0.0, high: 1.0, length: 0.3, levels: None };
    let plan = Draft {
        experiment: None,
        actions: vec![input("x")],
        contexts: vec![input("c")],
        reward: Reward { column: "y".into(), low: -1.0, high: 1.0, noise: 0.1 },
        kernel: Shape { family: Family::MaternFiveHalves, form: Form::Joint, rank: 96 },
    };
    plan.try_into().unwrap()
}

/// Noisy rewards of a smooth function whose best action is 0.2 + 0.6 c, at uniform points.
fn records(count: usize, seed: u64) -> Records {
    let mut rng = SimSeed(seed).stream(0, Stream::Environment);
    let mut records = Records::new(2);
    for _ in 0..count {
        let point = [rng.uniform(), rng.uniform()];
        let apart = point[0] - 0.2 - 0.6 * point[1];
        // A sum of twelve uniform numbers, less six: normal enough.
        let noise = (0..12).map(|_| rng.uniform()).sum::<f64>() - 6.0;
        records.push(&point, 0.8 - 4.0 * apart * apart + 0.1 * noise);
    }
    records
}

fn candidates() -> Points {
    let mut points = Points::new(1);
    for i in 0..=40 {
        points.push(&[f64::from(i) / 40.0]);
    }
    points
}

fn spec(epsilon: f64) -> UscaSpec {
    UscaSpec {
        tau: 0.1,
        epsilon: Epsilon::new(epsilon).unwrap(),
        candidates: candidates(),
        most_approximating: usize::MAX,
    }
}

/// Equations (4) and (5) with every matrix written out, against the same in the space of features that span all points.
#[test]
fn the_estimator_is_the_papers() {
    for family in Family::ALL {
        let kernel = Kernel::joint(family, &[0.3, 0.4]).unwrap();
        let (copies, tau) = (3_usize, 0.1);
        let log = records(20, 1);
        let z = Points::halton(0..20 * copies, 2);
        let asked = Points::halton(100..110, 2);
        let all = z.clone().then(log.points()).then(&asked);
        let map = FeatureMap::pivoted(&kernel, &all, all.len(), 1e-13);
        let covariance = faer::Scale(1.0 / copies as f64) * map.gram(z.len(), 1, |places| z.range(places));
        let nothing = Gain { even: 1.0, best: 1.0 };
        let usca =
            Usca::of_covariance(&setting(), map, covariance, nothing, z.len(), spec(1.0), &asked, 1).unwrap();
        let scale = usca.supremum;
        let here = usca.map.mapped(&asked, usca.transform.as_ref());
        let there = usca.map.mapped(log.points(), usca.transform.as_ref());
        // K_ZZ + K tau I.
        let mut inner = kernel.between(&z, &z);
        for i in 0..z.len() {
            inner[(i, i)] += copies as f64 * tau;
        }
        let lower = algebra::cholesky(inner.as_ref()).unwrap();
        let solve = |right: Mat<f64>| {
            let mut solved = right;
            algebra::solve_lower(lower.as_ref(), solved.as_mut());
            algebra::solve_upper(lower.as_ref(), solved.as_mut());
            solved
        };
        let rewards = Mat::from_fn(log.len(), 1, |i, _| log.rewards()[i]);
        let weights = solve(algebra::times(kernel.between(&z, log.points()).as_ref(), rewards.as_ref()));
        let straight = algebra::times(kernel.between(&asked, log.points()).as_ref(), rewards.as_ref());
        let through = algebra::times(kernel.between(&asked, &z).as_ref(), weights.as_ref());
        let shrunk = solve(kernel.between(&z, &asked));
        let covered = kernel.between(&asked, &z);
        for i in 0..asked.len() {
            let mean = (straight[(i, 0)] - through[(i, 0)]) / tau;
            let features = |f: usize| (0..log.len()).map(|t| there[(t, f)] * log.rewards()[t]).sum::<f64>();
            let ours: f64 = scale * (0..usca.rank()).map(|f| here[(i, f)] * features(f)).sum::<f64>();
            assert!((mean - ours).abs() < 1e-8, "{family:?}: (4) {mean} {ours}");
            let explained: f64 = (0..z.len()).map(|k| covered[(i, k)] * shrunk[(k, i)]).sum();
            let ours: f64 = scale * (0..usca.rank()).map(|f| here[(i, f)].powi(2)).sum::<f64>();
            assert!(((1.0 - explained) / tau - ours).abs() < 1e-8, "{family:?}: (5)");
        }
    }
}

#[test]
fn gamma_is_between_its_bounds_and_k_is_the_papers() {
    let mut plan = setting().draft().clone();
    plan.kernel.rank = 256;
    let wide = plan.try_into().unwrap();
    let usca = Usca::new(&wide, &Population::Uniform, 1000, spec(1.0), SimSeed(1), 2).unwrap();
    let gain = usca.gain();
    assert!(gain.even <= gain.best && gain.best < 1.2 * gain.even, "{gain:?}");
    assert_eq!(usca.approximating(), 1000 * (1000.0 / gain.even).ceil() as usize);
    // For T points spread evenly the definition itself, 1/2 log det(I + K/tau), in the kernel: features can only lose.
    let points = Points::halton(0..1000, 2);
    let mut matrix = faer::Scale(1.0 / 0.1) * setting().kernel().between(&points, &points);
    for i in 0..1000 {
        matrix[(i, i)] += 1.0;
    }
    let lower = algebra::cholesky(matrix.as_ref()).unwrap();
    let dense: f64 = (0..1000).map(|i| libm::log(lower[(i, i)])).sum();
    assert!((gain.even - dense).abs() < 0.02 * dense, "{} {dense}", gain.even);
}

#[test]
fn it_learns_with_a_large_epsilon_and_pays_for_each_prediction() {
    let mut usca = Usca::new(&setting(), &Population::Uniform, 5000, spec(300.0), SimSeed(1), 2).unwrap();
    usca.add(&records(5000, 2)).unwrap();
    let mut rng = SimSeed(3).stream(0, Stream::Noise);
    for context in [0.1, 0.5, 0.9] {
        let action = usca.predict(&[context], &mut rng).unwrap()[0];
        assert!((action - 0.2 - 0.6 * context).abs() < 0.15, "{action}");
    }
    assert_eq!(usca.guarantee().to_string(), "900-DP, central model");
}
