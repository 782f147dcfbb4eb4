//! Differences of two coordinates: noise that was drawn once and used twice cancels out in them.

use super::screen::Screen;
use super::{Family, Score};
use crate::sampling::sample::Both;

pub(super) struct Differences;

struct Difference(usize, usize);

impl Family for Differences {
    fn fit(&self, _: Both<'_>, screen: &Screen) -> Vec<Box<dyn Score>> {
        screen.pairs.iter().map(|&(a, b)| Box::new(Difference(a, b)) as Box<dyn Score>).collect()
    }
}

impl Score for Difference {
    fn score(&self, seen: &[f64]) -> f64 {
        match (seen.get(self.0), seen.get(self.1)) {
            // Infinity minus infinity is no number.
            (Some(a), Some(b)) if !(a - b).is_nan() => a - b,
            _ => f64::NEG_INFINITY,
        }
    }

    fn name(&self) -> String {
        format!("coordinate {} minus coordinate {}", self.0, self.1)
    }
}
