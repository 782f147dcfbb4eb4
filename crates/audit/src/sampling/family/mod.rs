//! Ways to turn an observation into one number by which two neighbours might be told apart.
//!
//! Each family is fitted to one half of the training runs. Any function is a valid score, however fitted: the test is
//! made on fresh runs.

mod coordinate;
mod difference;
mod granularity;
mod histogram;
mod length;
mod linear;
mod repeats;
mod sum;

use super::sample::Both;

/// A fitted score.
pub(super) trait Score: Send + Sync {
    /// The observation's number; never NaN.
    fn score(&self, seen: &[f64]) -> f64;
    /// What the number is, in words.
    fn name(&self) -> String;
}

/// A way to make scores.
pub(super) trait Family {
    /// Scores fitted to runs of two neighbours.
    fn fit(&self, runs: Both<'_>) -> Vec<Box<dyn Score>>;
}

/// Coordinates that are looked at one by one.
const COORDINATES: usize = 64;
/// Coordinates that are looked at in pairs.
const PAIRED: usize = 8;

/// All scores of all families, those that are easier to explain first: of equally good ones the first is taken.
pub(super) fn fit_all(runs: Both<'_>) -> Vec<Box<dyn Score>> {
    let families: [&dyn Family; 8] = [
        &length::Length,
        &coordinate::Coordinate,
        &difference::Differences,
        &sum::Sum,
        &granularity::Granularity,
        &repeats::Repeats,
        &histogram::Histograms,
        &linear::Linear,
    ];
    families.into_iter().flat_map(|family| family.fit(runs)).collect()
}

/// Pairs of the first few coordinates.
fn coordinate_pairs(width: usize) -> impl Iterator<Item = (usize, usize)> {
    let few = width.min(PAIRED);
    (0..few).flat_map(move |a| (a + 1..few).map(move |b| (a, b)))
}
