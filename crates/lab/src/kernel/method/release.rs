//! Ours: the whole function released once, and one choice a context.

use std::sync::{Arc, Mutex, PoisonError};

use reticent_curate::kernel::{Chooser, Collector, Design, Points, Population, ReleaseLoss, Surface};
use reticent_privacy::{Epsilon, Stream};

use super::{Lesson, Method, MethodError, Outcome};

/// `private-kernel`: one release, and the best action on its surface for every context.
#[derive(Debug, Clone, Copy)]
pub struct PrivateKernel;

impl Method for PrivateKernel {
    fn name(&self) -> &'static str {
        "private-kernel"
    }

    fn is_private(&self) -> bool {
        true
    }

    fn is_ours(&self) -> bool {
        true
    }

    fn run(&self, lesson: &Lesson<'_>) -> Result<Outcome, MethodError> {
        let budget = ReleaseLoss::new(lesson.epsilon(), lesson.setting.delta)?;
        let mut collector =
            Collector::new(&lesson.setting.spec()?, &Population::Uniform, lesson.setting.people, budget, 1)?;
        collector.add(&lesson.records())?;
        let release = collector.release_with(&mut lesson.stream(Stream::Noise))?;
        let surface = Surface::read(&release, 1)?;
        Ok(lesson.judge_surface(|points: &Points| surface.means(points)))
    }
}

/// `private-kernel-once`: pure epsilon, paid for every context of the exam anew.
#[derive(Debug, Clone, Copy)]
pub struct PrivateKernelOnce;

impl Method for PrivateKernelOnce {
    fn name(&self) -> &'static str {
        "private-kernel-once"
    }

    fn is_private(&self) -> bool {
        true
    }

    fn is_ours(&self) -> bool {
        true
    }

    fn run(&self, lesson: &Lesson<'_>) -> Result<Outcome, MethodError> {
        let epsilon = lesson.epsilon();
        let design = lesson.design(Chooser::like_sigma(epsilon))?;
        let actions = Points::candidates(design.setting().actions());
        let mut chooser = Chooser::of_design((*design).clone(), epsilon, actions, 1)?;
        chooser.add(&lesson.records())?;
        let mut noise = lesson.stream(Stream::Noise);
        lesson.judge_choices(|context| Ok(chooser.choose(context, &mut noise)?))
    }
}

/// Designs depend on public things alone and are the same in all trials of a cell: the last few are kept.
static DESIGNS: Mutex<Vec<(String, Arc<Design>)>> = Mutex::new(Vec::new());
const KEPT: usize = 4;

impl Lesson<'_> {
    fn design(&self, sigma: f64) -> Result<Arc<Design>, MethodError> {
        let setting = self.setting.spec()?;
        let people = self.setting.people;
        let key = format!("{setting:?} {people} {sigma}");
        let known = || DESIGNS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, design)) = known().iter().find(|(other, _)| *other == key) {
            return Ok(Arc::clone(design));
        }
        let design = Arc::new(Design::new(&setting, &Population::Uniform, people, sigma, 1)?);
        let mut kept = known();
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push((key, Arc::clone(&design)));
        Ok(design)
    }

    /// The loss; where none is set, so large that the noise does not matter.
    pub(super) fn epsilon(&self) -> Epsilon {
        self.setting.epsilon.unwrap_or(Epsilon::MAX)
    }

    /// The result of a policy that can fail.
    pub(super) fn judge_choices(
        &self,
        mut policy: impl FnMut(&[f64]) -> Result<Vec<f64>, MethodError>,
    ) -> Result<Outcome, MethodError> {
        let mut failed = Ok(());
        let outcome = self.judge(|context| match policy(context) {
            Ok(action) => action,
            Err(error) => {
                failed = Err(error);
                vec![0.0; self.exam.target().actions()]
            }
        });
        failed.map(|()| outcome)
    }
}
