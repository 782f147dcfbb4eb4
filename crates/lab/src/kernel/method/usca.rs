//! The paper's algorithm.

use reticent_baselines::kernel::{Usca, UscaSpec};
use reticent_curate::kernel::{Points, Population};
use reticent_privacy::{SimSeed, Stream};

use super::{Lesson, Method, MethodError, Outcome};

/// `usca`: one epsilon for every context of the exam.
#[derive(Debug, Clone, Copy)]
pub struct UscaMethod;

/// The approximating set is cut to this many points, since twenty seeds of 2.8e7 take hours. It enters
/// through a mean over its points, whose error is below a per cent by then.
const MOST: usize = 1 << 16;

impl Method for UscaMethod {
    fn name(&self) -> &'static str {
        "usca"
    }

    fn is_private(&self) -> bool {
        true
    }

    fn run(&self, lesson: &Lesson<'_>) -> Result<Outcome, MethodError> {
        let setting = lesson.setting.spec()?;
        let people = lesson.setting.people as usize;
        let spec = UscaSpec {
            tau: lesson.setting.tau,
            epsilon: lesson.epsilon(),
            candidates: Points::candidates(setting.actions()),
            most_approximating: MOST,
        };
        let coins = SimSeed((lesson.stream(Stream::Agent).uniform() * 9e15) as u64);
        let mut usca = Usca::new(&setting, &Population::Uniform, people, spec, coins, 1)?;
        usca.add(&lesson.records())?;
        let mut noise = lesson.stream(Stream::Noise);
        lesson.judge_choices(|context| Ok(usca.predict(context, &mut noise)?))
    }
}
