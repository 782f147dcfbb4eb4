//! Settings, functions and records for tests.

use reticent_privacy::{SimRng, SimSeed, Stream};

use crate::kernel::{Draft, Family, Form, Input, KernelSpec, Records, Reward, Shape};

pub(in crate::kernel) fn plan(family: Family, contexts: usize, length: f64) -> Draft {
    let input = |column: String| Input { column, low: 0.0, high: 1.0, length, levels: None };
    Draft {
        experiment: None,
        actions: vec![input("x".into())],
        contexts: (0..contexts).map(|i| input(format!("c{i}"))).collect(),
        reward: Reward { column: "y".into(), low: -1.0, high: 1.0, noise: 0.1 },
        kernel: Shape { family, form: Form::Joint, rank: 96 },
    }
}

pub(in crate::kernel) fn setting() -> KernelSpec {
    plan(Family::MaternFiveHalves, 1, 0.3).try_into().unwrap()
}

pub(in crate::kernel) fn unit(rng: &mut SimRng) -> f64 {
    use rand_core::Rng;
    (rng.next_u64() >> 11) as f64 * libm::ldexp(1.0, -53)
}

/// A sum of twelve uniform numbers, less six: normal enough.
pub(in crate::kernel) fn normal(rng: &mut SimRng) -> f64 {
    (0..12).map(|_| unit(rng)).sum::<f64>() - 6.0
}

/// Rewards around `f` at uniform points.
pub(in crate::kernel) fn records(
    count: usize,
    inputs: usize,
    noise: f64,
    seed: u64,
    f: impl Fn(&[f64]) -> f64,
) -> Records {
    let mut rng = SimSeed(seed).stream(0, Stream::Environment);
    let mut records = Records::new(inputs);
    for _ in 0..count {
        let point: Vec<f64> = (0..inputs).map(|_| unit(&mut rng)).collect();
        let reward = f(&point) + noise * normal(&mut rng);
        records.push(&point, reward);
    }
    records
}

/// A smooth function whose best action is 0.2 + 0.6 c.
pub(in crate::kernel) fn ridge(point: &[f64]) -> f64 {
    let apart = point[0] - 0.2 - 0.6 * point[1];
    0.8 - 4.0 * apart * apart
}
