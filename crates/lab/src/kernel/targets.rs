//! Known reward functions on the unit cube, to measure what a method loses.

mod branin;
mod hartmann;
pub(super) mod plain;
mod search;
#[cfg(test)]
mod tests;

use faer::Col;
use reticent_curate::kernel::{Kernel, Points, Records};
use reticent_privacy::SimRng;

/// A function of actions, then contexts, each in [0, 1], with values in [-1, 1] of which one is -1 or 1 up to 1e-6.
#[derive(Debug, Clone)]
pub struct Target {
    surface: Surface,
    actions: usize,
    contexts: usize,
    shift: f64,
    scale: f64,
}

/// The function before it is shifted and scaled.
#[derive(Debug, Clone)]
enum Surface {
    Combination {
        kernel: Kernel,
        centres: Points,
        weights: Col<f64>,
    },
    Branin,
    Hartmann,
    /// Of three inputs.
    HartmannThree,
    /// A formula, with numbers that were drawn for it.
    Plain {
        value: Formula,
        drawn: Vec<f64>,
    },
}

/// The value at a point, given numbers that were drawn once.
type Formula = fn(&[f64], &[f64]) -> f64;

/// Points at a time, so that memory does not grow with their number.
const BLOCK: usize = 4096;

impl Target {
    /// A sum of kernel functions at uniform centres with normal weights: a function of the kernel's own
    /// space. The kernel's first `actions` inputs are actions, the others contexts.
    pub fn rkhs(kernel: &Kernel, actions: usize, centres: usize, rng: &mut SimRng) -> Target {
        let inputs = kernel.inputs();
        let mut points = Points::new(inputs);
        for _ in 0..centres {
            points.push(&uniform(inputs, rng));
        }
        let weights = Col::from_fn(centres, |_| rng.normal());
        let surface = Surface::Combination { kernel: kernel.clone(), centres: points, weights };
        Target::scaled(surface, actions.clamp(1, inputs), inputs, 0.0)
    }

    /// Branin's function (Dixon and Szegö 1978), negated: the first input is the action, the second the context.
    pub fn branin() -> Target {
        Target::scaled(Surface::Branin, 1, 2, -branin::MEAN)
    }

    /// Hartmann's function of six inputs (Dixon and Szegö 1978), negated: the first two are actions, the
    /// other four contexts.
    pub fn hartmann() -> Target {
        Target::scaled(Surface::Hartmann, 2, 6, hartmann::mean())
    }

    /// Hartmann's function of three inputs, negated: the first is the action.
    pub fn hartmann_three() -> Target {
        Target::scaled(Surface::HartmannThree, 1, 3, hartmann::MEAN_OF_THREE)
    }

    /// A peak that is 0.15 wide in each of four inputs, of which two are actions, somewhere near the middle.
    pub fn peak(rng: &mut SimRng) -> Target {
        Target::plain(plain::peak, 2, 4, rng)
    }

    /// Good below a dose that depends on the context, and bad above it.
    pub fn step(rng: &mut SimRng) -> Target {
        Target::plain(plain::step, 1, 2, rng)
    }

    /// More of two actions helps ever less, and both together harm; three contexts shift both.
    pub fn two_drugs(rng: &mut SimRng) -> Target {
        Target::plain(plain::two_drugs, 2, 5, rng)
    }

    /// Waves along the action that become faster and faster.
    pub fn chirp(rng: &mut SimRng) -> Target {
        Target::plain(plain::chirp, 1, 2, rng)
    }

    /// A kink at the best action of each context.
    pub fn kink(rng: &mut SimRng) -> Target {
        Target::plain(plain::kink, 1, 3, rng)
    }

    /// Best at 0.2 + 0.6 times the context.
    pub fn right_line(rng: &mut SimRng) -> Target {
        Target::plain(plain::right_line, 1, 2, rng)
    }

    /// Best at one of three actions.
    pub fn right_steps(rng: &mut SimRng) -> Target {
        Target::plain(plain::right_steps, 1, 2, rng)
    }

    /// Best along a curve.
    pub fn right_curve(rng: &mut SimRng) -> Target {
        Target::plain(plain::right_curve, 1, 2, rng)
    }

    fn plain(value: Formula, actions: usize, inputs: usize, rng: &mut SimRng) -> Target {
        let drawn = uniform(plain::NUMBERS, rng);
        Target::scaled(Surface::Plain { value, drawn }, actions, inputs, 0.0)
    }

    fn scaled(surface: Surface, actions: usize, inputs: usize, shift: f64) -> Target {
        let mut target = Target { surface, actions, contexts: inputs - actions, shift, scale: 1.0 };
        let most = search::maximum(&search::everywhere(inputs), |points| {
            target.values(points).into_iter().map(f64::abs).collect()
        });
        target.scale = 1.0 / most;
        target
    }

    /// How many inputs are chosen.
    pub fn actions(&self) -> usize {
        self.actions
    }

    /// How many inputs are given.
    pub fn contexts(&self) -> usize {
        self.contexts
    }

    /// The mean reward at each point.
    pub fn values(&self, points: &Points) -> Vec<f64> {
        let raw: Vec<f64> = match &self.surface {
            Surface::Combination { kernel, centres, weights } => blocks(points.len())
                .flat_map(|block| {
                    let near = kernel.between(&points.range(block), centres);
                    (near * weights).iter().copied().collect::<Vec<f64>>()
                })
                .collect(),
            Surface::Branin => each(points, |point| -branin::value(point)),
            Surface::Hartmann => each(points, |point| -hartmann::value(point)),
            Surface::HartmannThree => each(points, |point| -hartmann::value_of_three(point)),
            Surface::Plain { value, drawn } => each(points, |point| value(point, drawn)),
        };
        raw.into_iter().map(|value| (value - self.shift) * self.scale).collect()
    }

    /// The mean reward of an action in a context.
    pub fn value(&self, action: &[f64], context: &[f64]) -> f64 {
        let mut point = Points::new(self.actions + self.contexts);
        point.push(&[action, context].concat());
        self.values(&point)[0]
    }

    /// The largest mean reward that any action has in a context. Off by less than 1e-4 for functions whose
    /// length scale is not below 0.1: found on a fine grid and by climbing from its best points.
    pub fn best(&self, context: &[f64]) -> f64 {
        search::maximum(&search::actions(self.actions), |actions| self.values(&in_context(actions, context)))
    }

    /// What uniform actions bring to people with uniform contexts: the mean reward with normal noise, clipped
    /// to `bound` and in units of it. The first of many people are the same as few people.
    pub fn records(&self, people: usize, noise: f64, bound: f64, rng: &mut SimRng) -> Records {
        let inputs = self.actions + self.contexts;
        let mut records = Records::new(inputs);
        for block in blocks(people) {
            let (mut points, mut errors) = (Points::new(inputs), Vec::new());
            for _ in block {
                points.push(&uniform(inputs, rng));
                errors.push(noise * rng.normal());
            }
            for (number, (value, error)) in self.values(&points).into_iter().zip(errors).enumerate() {
                records.push(&points.point(number), (value + error).clamp(-bound, bound) / bound);
            }
        }
        records
    }

    /// A uniform context.
    pub fn context(&self, rng: &mut SimRng) -> Vec<f64> {
        uniform(self.contexts, rng)
    }

    /// What one person brings, in units of the bound: for methods that choose their own actions.
    pub fn reward(&self, action: &[f64], context: &[f64], noise: f64, bound: f64, rng: &mut SimRng) -> f64 {
        (self.value(action, context) + noise * rng.normal()).clamp(-bound, bound) / bound
    }
}

fn each(points: &Points, value: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    (0..points.len()).map(|i| value(&points.point(i))).collect()
}

/// A uniform point.
pub(super) fn uniform(inputs: usize, rng: &mut SimRng) -> Vec<f64> {
    (0..inputs).map(|_| rng.uniform()).collect()
}

/// Each action with the same context behind it.
pub(super) fn in_context(actions: &Points, context: &[f64]) -> Points {
    let mut inputs = Vec::from(actions.clone());
    inputs.extend(context.iter().map(|&x| vec![x.clamp(0.0, 1.0); actions.len()]));
    Points::try_from(inputs).expect("actions are points and a context is clipped to be one")
}

fn blocks(len: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    (0..len).step_by(BLOCK).map(move |start| start..len.min(start + BLOCK))
}
