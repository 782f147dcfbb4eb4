//! What ours is compared with: the posterior mean and a bandit without privacy, and a private competitor.

use reticent_baselines::kernel::dubey::{self, DubeySpec};
use reticent_baselines::kernel::{GpMean, GpUcb, UcbSpec};
use reticent_curate::kernel::{Family, Points};
use reticent_privacy::{Loss, Stream};

use super::{Lesson, Method, MethodError, Outcome};
use crate::kernel::Setting;
use crate::kernel::gain::features;

/// `gp-mean`: the paper's (2).
#[derive(Debug, Clone, Copy)]
pub struct PosteriorMean;

impl Method for PosteriorMean {
    fn name(&self) -> &'static str {
        "gp-mean"
    }

    fn is_private(&self) -> bool {
        false
    }

    fn run(&self, lesson: &Lesson<'_>) -> Result<Outcome, MethodError> {
        let map = features(&lesson.setting.kernel, lesson.setting.rank);
        let mean = GpMean::new(&map, lesson.setting.tau, &lesson.records(), 1)?;
        Ok(lesson.judge_surface(|points: &Points| mean.values(points)))
    }
}

/// `gp-ucb`, which chooses its actions while it learns.
#[derive(Debug, Clone, Copy)]
pub struct Ucb;

/// More people than this take minutes each time: a choice looks at every candidate.
const MOST_PEOPLE: u64 = 3200;

impl Method for Ucb {
    fn name(&self) -> &'static str {
        "gp-ucb"
    }

    fn is_private(&self) -> bool {
        false
    }

    fn applies(&self, setting: &Setting) -> bool {
        setting.people <= MOST_PEOPLE && setting.source.actions() == 1
    }

    fn run(&self, lesson: &Lesson<'_>) -> Result<Outcome, MethodError> {
        let target = lesson.exam.target();
        let map = features(&lesson.setting.kernel, lesson.setting.rank);
        let actions = Points::candidates(target.actions());
        // A fifth of the theory's width, as Srinivas et al. play.
        let spec = UcbSpec { tau: lesson.setting.tau, delta: 0.1, factor: 0.2 };
        let mut bandit = GpUcb::new(&map, &actions, spec)?;
        let mut world = lesson.stream(Stream::Environment);
        for _ in 0..lesson.setting.people {
            let context = target.context(&mut world);
            let action = actions.point(bandit.choose(&context));
            let reward =
                target.reward(&action, &context, lesson.setting.noise, lesson.setting.bound, &mut world);
            bandit.observe(&[action, context].concat(), reward)?;
        }
        let weights = std::cell::RefCell::new(bandit);
        Ok(lesson.judge_surface(|points: &Points| weights.borrow_mut().values(points).unwrap_or_default()))
    }
}

/// `dubey`: Fourier features and noise on their second moments, released once from uniform actions.
#[derive(Debug, Clone, Copy)]
pub struct DubeyOnce;

impl Method for DubeyOnce {
    fn name(&self) -> &'static str {
        "dubey"
    }

    fn is_private(&self) -> bool {
        true
    }

    fn applies(&self, setting: &Setting) -> bool {
        setting.kernel.factors().iter().all(|factor| factor.family == Family::SquaredExponential)
    }

    fn run(&self, lesson: &Lesson<'_>) -> Result<Outcome, MethodError> {
        let Setting { kernel, people, delta, tau, .. } = lesson.setting;
        let loss = Loss::Approximate { epsilon: lesson.epsilon(), delta: *delta };
        // Quadrature grows as nodes^inputs: what is feasible.
        let nodes = if kernel.inputs() <= 2 { 8 } else { 2 };
        let spec = DubeySpec::new(kernel.clone(), nodes, *people as usize, loss, *tau);
        let estimate = dubey::once(&spec, &lesson.records(), 1, &mut lesson.stream(Stream::Noise))?;
        Ok(lesson.judge_surface(|points: &Points| estimate.values(points)))
    }
}
