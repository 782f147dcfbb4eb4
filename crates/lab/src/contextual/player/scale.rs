//! Contexts in the unit cube, for agents that want them there.

use crate::contextual::env::World;

/// Scales each coordinate by the world's ranges; worlds within the unit cube are left as they are.
#[derive(Debug)]
pub(super) struct Scale {
    lines: Vec<(f64, f64)>,
    point: Vec<f64>,
}

impl Scale {
    pub(super) fn new(world: &World) -> Scale {
        let ranges = world.ranges();
        let is_unit = ranges.iter().all(|&(low, high)| low >= 0.0 && high <= 1.0);
        // A coordinate that never changes says nothing wherever it is put.
        let line = |(low, high): (f64, f64)| {
            if is_unit || high <= low { (0.0, 1.0) } else { (low, 1.0 / (high - low)) }
        };
        Scale { lines: ranges.into_iter().map(line).collect(), point: vec![0.0; world.dims()] }
    }

    /// The context's point.
    pub(super) fn point(&mut self, context: &[f64]) -> &[f64] {
        for ((to, x), (low, factor)) in self.point.iter_mut().zip(context).zip(&self.lines) {
            *to = (x - low) * factor;
        }
        &self.point
    }
}
