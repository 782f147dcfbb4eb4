//! The best action for a context on a released surface.

use super::slices::Slicer;
use super::surface::Features;
use super::{Estimate, Surface};
use crate::kernel::{KernelSpec, Points};

/// An action with what is expected of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The action, in its own units.
    pub action: Vec<f64>,
    /// Whether it is what people of the context usually got, since no other is believably better.
    pub usual: bool,
    /// The reward there.
    pub estimate: Estimate,
}

/// The same in the unit cube.
#[derive(Debug, Clone, PartialEq)]
pub struct Recommended {
    /// The action.
    pub place: Vec<f64>,
    /// Whether it is what people of the context usually got, since no other is believably better.
    pub usual: bool,
    /// The reward there.
    pub estimate: Estimate,
}

/// Rounds of the local search; each halves the step.
const ROUNDS: u32 = 10;
/// Contexts at a time: what is computed for them stays in the cache.
const BLOCK: usize = 64;

impl Surface {
    /// The action with the best mean for a context in its own units; numbers outside the declared ranges are
    /// clipped to them. Where actions are not spread evenly, it is one that people of the context got, as far as the
    /// release tells. Its band holds whichever action is recommended.
    pub fn best(&self, context: &[f64]) -> Choice {
        let setting = self.setting();
        let numbered = context.iter().enumerate();
        let scaled = numbered.map(|(i, &value)| setting.scaled(setting.actions() + i, value));
        let context: Vec<f64> = scaled.collect();
        let Recommended { place, usual, estimate } = self.recommended(&[context]).remove(0);
        let action = place.iter().enumerate().map(|(i, &x)| setting.unscaled(i, x)).collect();
        Choice { action, usual, estimate }
    }

    /// The best action of each of many contexts in the unit cube, with what is expected of it: a band there holds
    /// whichever action is recommended.
    pub fn recommended(&self, contexts: &[Vec<f64>]) -> Vec<Recommended> {
        let best = self.best_of(contexts);
        let mut points = Points::new(self.setting().inputs());
        for ((place, _), context) in best.iter().zip(contexts) {
            points.push(&[place.as_slice(), context].concat());
        }
        let widened = |one: Estimate| Estimate { deviation: self.chosen * one.deviation, ..one };
        let estimates = self.at(&points).into_iter().map(widened);
        let one = |((place, usual), estimate)| Recommended { place, usual, estimate };
        best.into_iter().zip(estimates).map(one).collect()
    }

    /// The best action of a context, both in the unit cube.
    pub fn best_scaled(&self, context: &[f64]) -> Vec<f64> {
        self.best_of(std::slice::from_ref(&context.to_vec())).remove(0).0
    }

    /// The likeliest action of people with a context, both in the unit cube, as far as the release tells: none where
    /// actions are spread evenly.
    pub fn usual_scaled(&self, context: &[f64]) -> Option<Vec<f64>> {
        self.habits.as_ref().map(|habits| habits.usual(context))
    }

    /// The best action for each of many contexts, and whether it is their likeliest one, for want of one that is
    /// better.
    fn best_of(&self, contexts: &[Vec<f64>]) -> Vec<(Vec<f64>, bool)> {
        match &self.habits {
            Some(habits) => contexts.iter().map(|context| habits.best(self, context)).collect(),
            None => self.highest(contexts).into_iter().map(|place| (place, false)).collect(),
        }
    }

    /// Where the mean is largest: the best of a public grid, then a search by halved steps around it.
    fn highest(&self, contexts: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let (grid, step) = start(self.setting());
        let mut best = Vec::new();
        let slicer = match &self.features {
            Features::Waves { waves, count } => {
                Some(Slicer::new(waves, *count, self.setting().actions(), &self.weights))
            }
            Features::Points { .. } => None,
        };
        for block in contexts.chunks(BLOCK) {
            best.extend(if let Some(slicer) = &slicer {
                let slices = slicer.cut(block);
                climb(slices.best_of(&grid), step, |actions, each| slices.values(actions, each))
            } else {
                let tops = block.iter().map(|context| self.first_best(&grid, context));
                climb(tops.collect(), step, |actions, each| self.beside(actions, block, each))
            });
        }
        best
    }

    fn first_best(&self, actions: &Points, context: &[f64]) -> Vec<f64> {
        let values = self.beside(actions, &[context.to_vec()], actions.len());
        actions.point(first_largest(values.into_iter()))
    }

    /// Means of actions, `each` of them in each context.
    fn beside(&self, actions: &Points, contexts: &[Vec<f64>], each: usize) -> Vec<f64> {
        let mut points = Points::new(self.setting().inputs());
        for number in 0..actions.len() {
            points.push(&[actions.point(number).as_slice(), &contexts[number / each]].concat());
        }
        self.means(&points)
    }
}

/// The place of the first of the largest.
pub(super) fn first_largest(values: impl Iterator<Item = f64>) -> usize {
    let start = (0, f64::NEG_INFINITY);
    values.enumerate().fold(start, |best, one| if one.1 > best.1 { one } else { best }).0
}

/// Moves an action of each context to the best of its neighbours, in ever smaller steps.
fn climb(
    mut best: Vec<Vec<f64>>,
    mut step: f64,
    values: impl Fn(&Points, usize) -> Vec<f64>,
) -> Vec<Vec<f64>> {
    let inputs = best.first().map_or(0, Vec::len);
    let each = 1 + 2 * inputs;
    for _ in 0..ROUNDS {
        let mut around = Points::new(inputs);
        for place in &best {
            around.push(place);
            for input in 0..inputs {
                for move_by in [-step, step] {
                    let mut moved = place.clone();
                    moved[input] = (moved[input] + move_by).clamp(0.0, 1.0);
                    around.push(&moved);
                }
            }
        }
        let found = values(&around, each);
        for (number, (place, values)) in best.iter_mut().zip(found.chunks(each)).enumerate() {
            *place = around.point(number * each + first_largest(values.iter().copied()));
        }
        step /= 2.0;
    }
    best
}

/// Actions to start from, about six to a length scale, and the step between them.
pub(super) fn start(setting: &KernelSpec) -> (Points, f64) {
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
