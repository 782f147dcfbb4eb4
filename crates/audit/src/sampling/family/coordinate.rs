//! The value of one coordinate: enough for additive noise.

use super::{COORDINATES, Family, Score};
use crate::sampling::sample::{Both, value_at};

pub(super) struct Coordinate;

struct Value(usize);

impl Family for Coordinate {
    fn fit(&self, runs: Both<'_>) -> Vec<Box<dyn Score>> {
        (0..runs.width().min(COORDINATES)).map(|index| Box::new(Value(index)) as Box<dyn Score>).collect()
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
