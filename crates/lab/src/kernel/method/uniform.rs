//! Any action: what is lost by learning nothing.

use reticent_privacy::Stream;

use super::{Lesson, Method, MethodError, Outcome};
use crate::kernel::targets;

/// A uniform action for everybody.
#[derive(Debug, Clone, Copy)]
pub struct Uniform;

impl Method for Uniform {
    fn name(&self) -> &'static str {
        "uniform"
    }

    fn is_private(&self) -> bool {
        false
    }

    fn run(&self, lesson: &Lesson<'_>) -> Result<Outcome, MethodError> {
        let (actions, mut rng) = (lesson.exam.target().actions(), lesson.stream(Stream::Agent));
        Ok(lesson.judge(|_| targets::uniform(actions, &mut rng)))
    }
}
