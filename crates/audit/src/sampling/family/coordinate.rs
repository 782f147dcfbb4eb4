//! The value of one coordinate: enough for additive noise.

use super::screen::Screen;
use super::{Family, Score};
use crate::sampling::sample::{Both, value_at};

pub(super) struct Coordinate;

struct Value(usize);

impl Family for Coordinate {
    fn fit(&self, _: Both<'_>, screen: &Screen) -> Vec<Box<dyn Score>> {
        screen.coordinates.iter().map(|&index| Box::new(Value(index)) as Box<dyn Score>).collect()
    }
}

impl Score for Value {
    fn score(&self, seen: &[f64]) -> f64 {
        value_at(seen, self.0)
    }

    fn name(&self) -> String {
        format!("coordinate {}", self.0)
    }
}
