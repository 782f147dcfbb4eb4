//! Ours: the whole function released once, and one choice a context.

use reticent_curate::kernel::{Budget, Chooser, Collector, Points, Population, Surface};
use reticent_privacy::{Epsilon, Stream};

use super::{Lesson, Method, MethodError, Outcome};
use crate::kernel::candidates;

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
        let setting = lesson.setting.plan()?;
        let budget = Budget::new(lesson.epsilon(), lesson.setting.delta)?;
        let population = Population::Uniform;
        let mut collector = Collector::new(&setting, &population, lesson.setting.people, budget, 1)?;
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
        let setting = lesson.setting.plan()?;
        let actions = candidates(setting.actions());
        let (people, epsilon) = (lesson.setting.people, lesson.epsilon());
        let mut chooser = Chooser::new(&setting, &Population::Uniform, people, epsilon, actions, 1)?;
        chooser.add(&lesson.records())?;
        let mut noise = lesson.stream(Stream::Noise);
        lesson.judge_choices(|context| Ok(chooser.choose(context, &mut noise)?))
    }
}

impl Lesson<'_> {
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
