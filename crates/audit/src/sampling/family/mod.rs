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
mod parity;
mod repeats;
mod screen;
mod sum;

use self::screen::Screen;
use super::draw::in_parts;
use super::sample::Both;

/// A fitted score.
pub(super) trait Score: Send + Sync {
    /// The observation's number; never NaN.
    fn score(&self, seen: &[f64]) -> f64;
    /// What the number is, in words.
    fn name(&self) -> String;
}

/// A way to make scores.
trait Family: Sync {
    /// Scores fitted to runs of two neighbours, of what the screen found worth a look.
    fn fit(&self, runs: Both<'_>, screen: &Screen) -> Vec<Box<dyn Score>>;
}

/// All that was fitted.
pub(super) struct Fits {
    pub(super) scores: Vec<Box<dyn Score>>,
    /// What was not looked at, in words.
    pub(super) unseen: Vec<String>,
}

/// All families, those that are easier to explain first: of equally good scores the first is taken.
const FAMILIES: [&dyn Family; 9] = [
    &length::Length,
    &coordinate::Coordinate,
    &difference::Differences,
    &sum::Sum,
    &granularity::Granularity,
    &repeats::Repeats,
    &histogram::Histograms,
    &parity::Parities,
    &linear::Linear,
];

/// All scores of all families.
pub(super) fn fit_all(runs: Both<'_>, threads: usize) -> Fits {
    let screen = Screen::of(runs, threads);
    let fitted = in_parts(0..FAMILIES.len(), threads, |at| FAMILIES[at].fit(runs, &screen));
    Fits { scores: fitted.into_iter().flatten().collect(), unseen: screen.unseen }
}
