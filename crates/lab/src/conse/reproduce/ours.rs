//! The place of `private-trial` beside the paper's algorithms.

use super::Bench;
use super::curve::{Curve, Point, Setting};
use crate::reproduce::ReproduceError;

/// Our own design's name.
pub(super) const NAME: &str = "private-trial";

/// The points of `private-trial` at a setting's people, world, trials and loss: alpha, regret, error.
///
/// FILL IN HERE: until then there are none, and no curve is drawn.
#[expect(clippy::unnecessary_wraps, reason = "experiments can fail")]
fn points(_bench: &Bench<'_>, _setting: &Setting) -> Result<Vec<Point>, ReproduceError> {
    Ok(Vec::new())
}

/// Its curve, if it has one.
pub(super) fn curve(bench: &Bench<'_>, setting: Setting) -> Result<Option<Curve>, ReproduceError> {
    let points = points(bench, &setting)?;
    Ok((!points.is_empty()).then_some(Curve { agent: NAME, setting, points }))
}
