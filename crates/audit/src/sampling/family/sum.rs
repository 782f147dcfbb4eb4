//! The sum of all coordinates: repeated releases of one value add up while their noise averages out.

use super::screen::Screen;
use super::{Family, Score};
use crate::sampling::sample::Both;

pub(super) struct Sum;

struct Total;

impl Family for Sum {
    fn fit(&self, runs: Both<'_>, _: &Screen) -> Vec<Box<dyn Score>> {
        if runs.width() < 2 { Vec::new() } else { vec![Box::new(Total)] }
    }
}

impl Score for Total {
    fn score(&self, seen: &[f64]) -> f64 {
        let sum: f64 = seen.iter().sum();
        if sum.is_nan() { f64::NEG_INFINITY } else { sum }
    }

    fn name(&self) -> String {
        "sum of the coordinates".to_owned()
    }
}
