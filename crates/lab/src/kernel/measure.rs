//! How far a policy is from the best one.

use reticent_curate::kernel::Points;
use reticent_privacy::SimRng;

use super::Target;
use super::targets::{in_context, uniform};

/// A target with contexts to serve, and the best that can be had in each. A policy's error is what it loses on average.
#[derive(Debug)]
pub struct Exam {
    target: Target,
    contexts: Points,
    best: Vec<f64>,
}

/// Contexts of a usual exam.
pub(super) const CONTEXTS: usize = 200;
/// Points at which a surface is compared with its target.
const SURFACE_POINTS: usize = 2000;

impl Exam {
    /// An exam of so many uniform contexts.
    pub fn draw(target: Target, contexts: usize, rng: &mut SimRng) -> Exam {
        let mut points = Points::new(target.contexts());
        let mut best = Vec::new();
        for _ in 0..contexts {
            let context = uniform(target.contexts(), rng);
            best.push(target.best(&context));
            points.push(&context);
        }
        Exam { target, contexts: points, best }
    }

    /// The target.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The mean over contexts of what the action loses against the best one.
    pub fn error(&self, mut policy: impl FnMut(&[f64]) -> Vec<f64>) -> f64 {
        let loss = |(number, best): (usize, &f64)| {
            let context = self.contexts.point(number);
            best - self.target.value(&policy(&context), &context)
        };
        self.best.iter().enumerate().map(loss).sum::<f64>() / self.best.len() as f64
    }

    /// The error of taking the best candidate by a learned surface.
    pub fn error_of(&self, surface: impl Fn(&Points) -> Vec<f64>) -> f64 {
        let candidates = Points::candidates(self.target.actions());
        self.error(|context| best_on(&candidates, &surface, context))
    }

    /// The root mean squared difference between a surface and the target, over a cube's evenly scattered points.
    pub fn rms(&self, surface: impl Fn(&Points) -> Vec<f64>) -> f64 {
        let points = Points::halton(0..SURFACE_POINTS, self.target.actions() + self.target.contexts());
        let apart = self.target.values(&points).into_iter().zip(surface(&points));
        (apart.map(|(a, b)| (a - b) * (a - b)).sum::<f64>() / SURFACE_POINTS as f64).sqrt()
    }
}

/// The first of the candidates at which a surface is highest, in a context.
pub fn best_on(candidates: &Points, values: impl Fn(&Points) -> Vec<f64>, context: &[f64]) -> Vec<f64> {
    let found = values(&in_context(candidates, context)).into_iter().enumerate();
    let top = found.fold((0, f64::NEG_INFINITY), |best, one| if one.1 > best.1 { one } else { best });
    candidates.point(top.0)
}
