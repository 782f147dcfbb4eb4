//! The best action for a context on a released surface.

use super::{Estimate, Surface};
use crate::kernel::{KernelSpec, Points};

/// An action with what is expected of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The action, in its own units.
    pub action: Vec<f64>,
    /// The reward there.
    pub estimate: Estimate,
}

/// Rounds of the local search; each halves the step.
const ROUNDS: u32 = 10;

impl Surface {
    /// The action with the best mean for a context in its own units; numbers outside the declared ranges are
    /// clipped to them.
    pub fn best(&self, context: &[f64]) -> Choice {
        let setting = self.setting();
        let actions = setting.actions();
        let numbered = context.iter().enumerate();
        let context: Vec<f64> = numbered.map(|(i, &value)| setting.scaled(actions + i, value)).collect();
        let place = self.best_scaled(&context);
        let mut point = Points::new(setting.inputs());
        point.push(&[place.as_slice(), &context].concat());
        let estimate = self.at(&point)[0];
        Choice { action: place.iter().enumerate().map(|(i, &x)| setting.unscaled(i, x)).collect(), estimate }
    }

    /// The same in the unit cube: the best of a public grid, then a search by halved steps around it.
    pub fn best_scaled(&self, context: &[f64]) -> Vec<f64> {
        let (grid, mut step) = start(self.setting());
        let mut best = self.first_best(&grid, context);
        for _ in 0..ROUNDS {
            let mut around = Points::new(best.len());
            around.push(&best);
            for input in 0..best.len() {
                for move_by in [-step, step] {
                    let mut moved = best.clone();
                    moved[input] = (moved[input] + move_by).clamp(0.0, 1.0);
                    around.push(&moved);
                }
            }
            best = self.first_best(&around, context);
            step /= 2.0;
        }
        best
    }

    fn first_best(&self, actions: &Points, context: &[f64]) -> Vec<f64> {
        let mut points = Points::new(self.setting().inputs());
        for number in 0..actions.len() {
            points.push(&[actions.point(number).as_slice(), context].concat());
        }
        let means = self.means(&points);
        let best =
            means.iter().enumerate().fold(0, |best, (i, mean)| if *mean > means[best] { i } else { best });
        actions.point(best)
    }
}

/// Actions to start from, about six to a length scale, and the step between them.
fn start(setting: &KernelSpec) -> (Points, f64) {
    let actions = setting.actions();
    let shortest = setting.kernel().lengths().take(actions).fold(f64::INFINITY, f64::min);
    let steps = (6.0 / shortest).clamp(16.0, 256.0) as usize;
    if actions == 1 {
        let mut grid = Points::new(1);
        for i in 0..=steps {
            grid.push(&[i as f64 / steps as f64]);
        }
        return (grid, 0.5 / steps as f64);
    }
    let count = (steps * steps).min(1024);
    (Points::halton(0..count, actions), 0.5 / libm::pow(count as f64, 1.0 / actions as f64))
}
