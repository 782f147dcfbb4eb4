//! Shared by the tests.

mod features;
mod machine;
mod noise;

use reticent_privacy::{Delta, Epsilon, Loss, Rho, SimSeed, Stream};
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::DubeySpec;
use reticent_curate::kernel::{Family, Kernel, Points, Records};

/// A correct program fails a test on a fresh seed with this probability.
const LEVEL: f64 = 1e-6;

fn zcdp(rho: f64) -> Loss {
    Loss::Concentrated { rho: Rho::new(rho).unwrap() }
}

fn approximate(epsilon: f64, delta: f64) -> Loss {
    Loss::Approximate { epsilon: Epsilon::new(epsilon).unwrap(), delta: Delta::new(delta).unwrap() }
}

fn kernel(lengths: &[f64]) -> Kernel {
    Kernel::product(Family::SquaredExponential, lengths).unwrap()
}

fn records(count: usize, inputs: usize) -> Records {
    let mut rng = SimSeed(20_261_116).stream(count as u64, Stream::Environment);
    let (points, mut records) = (Points::halton(0..count, inputs), Records::new(inputs));
    for i in 0..count {
        let point = points.point(i);
        records.push(&point, 0.7 * libm::cos(4.0 * point.iter().sum::<f64>()) + 0.1 * rng.normal());
    }
    records
}

/// The two-sided p-value of a sum of squares of as many standard normal numbers.
fn squares_p(squares: f64, count: usize) -> f64 {
    let below = ChiSquared::new(count as f64).unwrap().cdf(squares);
    2.0 * below.min(1.0 - below)
}

fn spec(people: usize, loss: Loss) -> DubeySpec {
    DubeySpec { batches: 1, ..DubeySpec::new(kernel(&[0.5]), 6, people, loss, 0.1) }
}
