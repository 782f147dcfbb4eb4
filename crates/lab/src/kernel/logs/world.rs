//! Logs as users have them: who comes, which action they get, and what comes of it.

use reticent_curate::kernel::{Draft, DraftError, Family, Form, Input, KernelSpec, Records, Reward, Shape};
use reticent_curate::kernel::{Kernel, KernelError, Points};
use reticent_privacy::SimRng;

use super::super::Target;

/// A kind of log.
#[derive(Debug, Clone, Copy)]
pub struct World {
    /// In file names and in the CSV.
    pub id: &'static str,
    /// In tables.
    pub title: &'static str,
    pub(super) function: Function,
    pub(super) crowd: Crowd,
    pub(super) doctor: Doctor,
    pub(super) luck: Luck,
    /// What the plan says of every input's length.
    pub(super) length: f64,
    /// Numbers that are released, at most, about.
    pub(super) rank: usize,
}

/// What is to be learned.
#[derive(Debug, Clone, Copy)]
pub(super) enum Function {
    /// Random, of a Matern kernel's space.
    Random { actions: usize, inputs: usize, length: f64 },
    /// One that is drawn otherwise.
    Drawn(fn(&mut SimRng) -> Target),
}

/// Who comes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Crowd {
    Even,
    /// Two kinds of people.
    Clusters,
    /// Beta(4, 2) in each input.
    Skewed,
    /// Even, but for the last context, which is one of two categories.
    Hospitals,
}

/// Which action they get.
#[derive(Debug, Clone, Copy)]
pub(super) enum Doctor {
    Nobody,
    /// About 0.2 + 0.6 c, but for a share who get an even one.
    Rule {
        at_random: f64,
    },
    /// What somebody's habit is for a context, drawn anew for each person.
    Habit(fn(&[f64], &mut SimRng) -> f64),
}

/// How rewards vary.
#[derive(Debug, Clone, Copy)]
pub(super) enum Luck {
    /// By 0.1.
    Normal,
    /// Student's t with two degrees, times 0.2.
    Heavy,
    /// All or nothing.
    Outcome,
}

/// Rewards have this range either way, which outcomes need not exceed.
const BOUND: f64 = 1.3;
/// Kernel functions that a random function is made of.
const CENTRES: usize = 30;

impl World {
    /// A trial's function.
    pub(super) fn target(&self, rng: &mut SimRng) -> Result<Target, KernelError> {
        match self.function {
            Function::Random { actions, inputs, length } => {
                let kernel = Kernel::product(Family::MaternFiveHalves, &vec![length; inputs])?;
                Ok(Target::rkhs(&kernel, actions, CENTRES, rng))
            }
            Function::Drawn(draw) => Ok(draw(rng)),
        }
    }

    /// The plan of whoever has the log; without contexts, of whoever wants one action for everybody.
    pub(super) fn plan(&self, target: &Target, contexts: bool) -> Result<KernelSpec, DraftError> {
        let input = |column: String| Input { column, low: 0.0, high: 1.0, length: self.length, levels: None };
        let actions = (0..target.actions()).map(|i| input(format!("action {i}")));
        let known = (0..target.contexts()).filter(|_| contexts).map(|i| input(format!("context {i}")));
        let mut known: Vec<Input> = known.collect();
        if let (Crowd::Hospitals, Some(last)) = (self.crowd, known.last_mut()) {
            *last = Input::category(&last.column, vec!["a".into(), "b".into()], None)?;
        }
        let draft = Draft {
            experiment: None,
            actions: actions.collect(),
            contexts: known,
            reward: Reward { column: "reward".into(), low: -1.0, high: 1.0, noise: 0.1 },
            kernel: Shape { family: Family::MaternFiveHalves, form: Form::Joint, rank: self.rank },
        };
        draft.try_into()
    }

    /// Half the rewards' range.
    pub(super) fn bound(&self) -> f64 {
        if matches!(self.luck, Luck::Outcome) { 1.0 } else { BOUND }
    }

    /// One more person's context.
    pub(super) fn context(&self, inputs: usize, rng: &mut SimRng) -> Vec<f64> {
        let middle = if rng.uniform() < 0.5 { 0.25 } else { 0.8 };
        let one = |rng: &mut SimRng| match self.crowd {
            Crowd::Even | Crowd::Hospitals => rng.uniform(),
            Crowd::Clusters => (middle + 0.05 * rng.normal()).clamp(0.0, 1.0),
            Crowd::Skewed => rng.beta(4.0, 2.0),
        };
        let mut context: Vec<f64> = (0..inputs).map(|_| one(rng)).collect();
        if let (Crowd::Hospitals, Some(last)) = (self.crowd, context.last_mut()) {
            *last = if *last < 0.5 { 0.25 } else { 0.75 };
        }
        context
    }

    /// The action that a person with this context gets.
    pub(super) fn action(&self, actions: usize, context: &[f64], rng: &mut SimRng) -> Vec<f64> {
        let even = match self.doctor {
            Doctor::Nobody => true,
            Doctor::Rule { at_random } => rng.uniform() < at_random,
            Doctor::Habit(habit) => return (0..actions).map(|_| habit(context, rng)).collect(),
        };
        let usual = 0.2 + 0.6 * context.first().copied().unwrap_or(0.5);
        let one = |rng: &mut SimRng| {
            if even { rng.uniform() } else { (usual + 0.15 * rng.normal()).clamp(0.0, 1.0) }
        };
        (0..actions).map(|_| one(rng)).collect()
    }

    /// What comes of a mean reward, in units of the bound.
    fn reward(&self, mean: f64, rng: &mut SimRng) -> f64 {
        match self.luck {
            Luck::Normal => (mean + 0.1 * rng.normal()) / BOUND,
            Luck::Heavy => {
                let spread = (rng.normal(), rng.normal());
                let size = f64::midpoint(spread.0 * spread.0, spread.1 * spread.1).sqrt();
                (mean + 0.2 * rng.normal() / size.max(1e-9)) / BOUND
            }
            Luck::Outcome => {
                if rng.uniform() < f64::midpoint(1.0, mean) {
                    1.0
                } else {
                    -1.0
                }
            }
        }
    }

    /// Points of people as they come.
    pub(super) fn people(&self, target: &Target, count: usize, rng: &mut SimRng) -> Points {
        let mut points = Points::new(target.actions() + target.contexts());
        for _ in 0..count {
            let context = self.context(target.contexts(), rng);
            let action = self.action(target.actions(), &context, rng);
            points.push(&[action, context].concat());
        }
        points
    }

    /// A log. The first of many people are not the same as few people.
    pub(super) fn log(&self, target: &Target, count: usize, rng: &mut SimRng) -> Records {
        let points = self.people(target, count, rng);
        let mut records = Records::new(points.dimensions());
        for (place, value) in target.values(&points).into_iter().enumerate() {
            records.push(&points.point(place), self.reward(value, rng));
        }
        records
    }
}
