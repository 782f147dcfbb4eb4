//! A supremum taken for the largest value on a grid.

use std::sync::LazyLock;

use reticent_audit::Observation;
use reticent_baselines::kernel::DensePosterior;
use reticent_curate::kernel::{Family, Kernel, Points, Records};
use reticent_privacy::mechanism::{ExponentialMechanism, Mechanism};
use reticent_privacy::{Generator, Scores};

use super::{Broken, Mistake, boxed, on_grid, unit_epsilon};
use crate::catalogue::Subject;

pub(super) fn all() -> Vec<Box<dyn Broken>> {
    vec![boxed::<GridMaximum>()]
}

/// `usca` of paper 002 by its equations (4) and (5), with the supremum of the surrogate variance looked up on
/// the grid where its approximating set lies. Between two grid points a rough kernel knows nothing: the
/// variance there is many times larger.
#[derive(Default)]
struct GridMaximum;

const TAU: f64 = 0.1;
/// Points of the approximating set at each place of the grid.
const COPIES: f64 = 10.0;
/// The one person's action and context, which is also the context that is asked for: between two places of the grid.
const PERSON: [f64; 2] = [0.0, 0.05];

/// One action and one context; rewards differ after a hundredth of the context's range.
fn kernel() -> Option<Kernel> {
    Kernel::product(Family::MaternHalf, &[0.05, 0.01]).ok()
}

fn grid() -> Points {
    let mut points = Points::new(2);
    for step in 0..=10 {
        for action in [0.0, 1.0] {
            points.push(&[action, f64::from(step) / 10.0]);
        }
    }
    points
}

fn one(point: [f64; 2]) -> Points {
    let mut points = Points::new(2);
    points.push(&point);
    points
}

/// phi(w)' Z~^-1 phi(w') = (k(w, w') - k(w, Z) (k(Z, Z) + tau/copies I)^-1 k(Z, w'))/tau: the second term is
/// a posterior mean with rewards k(Z, w').
fn inner(kernel: &Kernel, w: [f64; 2], other: [f64; 2]) -> Option<f64> {
    let (grid, other) = (grid(), one(other));
    let mut records = Records::new(2);
    let near = kernel.between(&grid, &other);
    for number in 0..grid.len() {
        records.push(&grid.point(number), near[(number, 0)]);
    }
    let posterior = DensePosterior::new(kernel, TAU / COPIES, &records).ok()?;
    let explained = posterior.mean_and_variance(&one(w))[0].0;
    Some((kernel.between(&one(w), &other)[(0, 0)] - explained) / TAU)
}

/// What is public: the largest variance on the grid, and mu-bar at each action for a person with reward 1.
struct Public {
    largest: f64,
    means: [f64; 2],
}

static PUBLIC: LazyLock<Option<Public>> = LazyLock::new(|| {
    let kernel = kernel()?;
    let grid = grid();
    let mut largest = 0.0_f64;
    for number in 0..grid.len() {
        let point = [grid.input(0)[number], grid.input(1)[number]];
        largest = largest.max(inner(&kernel, point, point)?);
    }
    let mean = |action| inner(&kernel, [action, PERSON[1]], PERSON);
    Some(Public { largest, means: [mean(0.0)?, mean(1.0)?] })
});

impl GridMaximum {
    fn choose<G: Generator>(reward: f64, rng: &mut G) -> Option<usize> {
        let Public { largest, means } = PUBLIC.as_ref()?;
        let scores = means.map(|mean| on_grid(mean * reward)).to_vec();
        let sensitivity = on_grid(2.0 * largest).unsigned_abs();
        let scores = Scores::declared(scores, sensitivity).ok()?;
        Some(ExponentialMechanism::new(unit_epsilon()).release_with(scores, rng))
    }
}

impl Subject for GridMaximum {
    type Input = f64;
    fn observe<G: Generator>(&self, reward: &f64, rng: &mut G) -> Observation {
        Self::choose(*reward, rng).into()
    }
}

impl Mistake for GridMaximum {
    const NAME: &'static str = "kernel-grid-maximum";
    const MISTAKE: &'static str = "a kernel bandit whose sensitivity is the largest variance on a grid: a person between two grid points moves the scores a hundred times more";
    fn inputs() -> Vec<(&'static str, f64)> {
        vec![("a person with reward 1", 1.0), ("a person with reward -1", -1.0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variance_between_grid_points_is_a_hundred_times_larger() {
        let kernel = kernel().unwrap();
        let on = inner(&kernel, [0.0, 0.1], [0.0, 0.1]).unwrap();
        let between = inner(&kernel, PERSON, PERSON).unwrap();
        assert!(on < 0.1 && between > 9.9, "{on} {between}");
    }
}
