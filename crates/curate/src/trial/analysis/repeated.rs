//! Repeated intervals: one at each planned look, which hold together, by spending the chance to be wrong.
//!
//! Shares of the variance are constants of the plan here, so that the statistics of all looks are those of a
//! Brownian motion at known times, however chances followed the tables: see `validity.md`.

use super::super::normal::{cdf, two_sided};
use super::super::{Release, Spending, TrialSpec};
use super::Estimator;
use super::effect::Question;
use super::invert::{Accepted, invert};
use super::stage::Combined;

/// Parts of all information that the plan expects from each epoch: from public numbers alone.
fn parts(spec: &TrialSpec) -> Vec<f64> {
    let schedule = super::super::Schedule::new(spec);
    let strata = spec.strata() as f64;
    let noise = super::super::table::noise_variance(spec.epsilon()) * spec.arms() as f64;
    let of = |epoch: usize| {
        let people = schedule.length(epoch) as f64 / strata;
        // Later people follow what is known, and tell less of the other arm.
        let telling = if epoch == 0 { people } else { libm::pow(people, 1.0 - spec.draft().alpha) };
        telling * telling / (telling + noise)
    };
    let all: Vec<f64> = (0..schedule.epochs()).map(of).collect();
    let sum: f64 = all.iter().sum();
    all.into_iter().map(|part| part / sum).collect()
}

/// The looks of a plan until now, and the bound at the last of them.
pub(super) struct Look {
    parts: Vec<f64>,
    time: f64,
    pub(super) bound: f64,
}

impl Look {
    /// None if the plan spends nothing, or nothing was published yet.
    pub(super) fn new(release: &Release, miss: f64) -> Option<Look> {
        let spec = release.spec();
        let spending = spec.draft().spending?;
        let parts = parts(spec);
        let mut time = 0.0;
        let times: Vec<f64> = parts
            .iter()
            .take(release.tables().len())
            .map(|part| {
                time += part;
                time.min(1.0)
            })
            .collect();
        let bound = *bounds(&times, spending, miss).last()?;
        Some(Look { parts, time: *times.last()?, bound })
    }
}

impl Question<'_> {
    /// The effects that this look does not reject.
    pub(super) fn repeated(&self, look: &Look) -> Accepted {
        let stages: Vec<_> = (0..self.release.tables().len())
            .filter_map(|epoch| self.stage_with(epoch, Estimator::Augmented, look.parts[epoch] / look.time))
            .collect();
        if stages.is_empty() {
            return Accepted::ANYTHING;
        }
        invert(&|effect| {
            let mut all = Combined::default();
            for stage in &stages {
                all.add(stage.share, stage.read(effect));
            }
            (all.z, all.bound(look.bound))
        })
    }
}

/// How finely the motion is followed.
const GRID: i32 = 300;

/// Bounds for |B(t)| / sqrt(t) of a Brownian motion at these times, such that it first leaves them at each with
/// the chance that is spent there.
fn bounds(times: &[f64], spending: Spending, miss: f64) -> Vec<f64> {
    let (mut bounds, mut before, mut spent) = (Vec::new(), 0.0, 0.0);
    // Where the motion is, among paths that are still inside: places and their weights.
    let mut inside: Vec<(f64, f64)> = vec![(0.0, 1.0)];
    for &time in times {
        let budget = (spending.spent(miss, time) - spent).max(1e-12);
        let step = (time - before).max(1e-9).sqrt();
        let leaves = |bound: f64| -> f64 {
            let end = bound * time.sqrt();
            let out = |place: f64| cdf((-end - place) / step) + cdf((place - end) / step);
            inside.iter().map(|(place, weight)| weight * out(*place)).sum()
        };
        let (mut low, mut high) = (0.0, 9.0);
        for _ in 0..50 {
            let middle = f64::midpoint(low, high);
            if leaves(middle) > budget { low = middle } else { high = middle }
        }
        let end = high * time.sqrt();
        let width = 2.0 * end / f64::from(GRID);
        let density = |place: f64| -> f64 {
            let of = |&(from, weight): &(f64, f64)| {
                let z = (place - from) / step;
                weight * libm::exp(-z * z / 2.0)
            };
            inside.iter().map(of).sum::<f64>() / (step * (2.0 * std::f64::consts::PI).sqrt())
        };
        let places = (0..GRID).map(|place| (f64::from(place) + 0.5).mul_add(width, -end));
        let next = places.map(|place| (place, width * density(place))).collect();
        inside = next;
        spent = spending.spent(miss, time);
        before = time;
        bounds.push(high.max(two_sided(1.0 - miss)));
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bounds of Lan and De Mets for five equal looks, two-sided 5 % (Jennison and Turnbull 2000; Reboussin and
    /// others 2000).
    #[test]
    fn as_in_the_books() {
        let times = [0.2, 0.4, 0.6, 0.8, 1.0];
        for (spending, expected) in [
            (Spending::ObrienFleming, [4.877, 3.357, 2.680, 2.290, 2.031]),
            (Spending::Pocock, [2.438, 2.427, 2.410, 2.397, 2.386]),
        ] {
            let found = bounds(&times, spending, 0.05);
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 0.01, "{spending:?} {found} {expected}");
            }
        }
        assert!((bounds(&[1.0], Spending::ObrienFleming, 0.05)[0] - 1.96).abs() < 1e-3);
    }
}
