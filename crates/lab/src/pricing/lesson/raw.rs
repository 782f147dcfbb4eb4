//! `nw-lcb`, from raw records.

use reticent_baselines::nw_lcb::raw::{NwLcb, Sales, Smoothness};
use reticent_baselines::nw_lcb::theorem_bandwidth;

use super::{BETA, HOLDER, Lesson, LessonError, Outcome};
use crate::named::Named;
use crate::pricing::MethodName;

/// All records are kept.
const MOST: u64 = 5_000_000;

pub(super) fn run(lesson: &Lesson<'_>) -> Result<Option<Outcome>, LessonError> {
    let (records, dims) = (lesson.setting.records, lesson.market.dims());
    if records > MOST {
        return Err(LessonError::TooMany { name: MethodName::NwLcb.name(), most: MOST, got: records });
    }
    let (mut contexts, mut prices, mut rewards) = (Vec::new(), Vec::new(), Vec::new());
    let finished = lesson.log(|context, logged| -> Result<(), LessonError> {
        contexts.extend_from_slice(context);
        prices.push(logged.price);
        rewards.push(logged.outcome);
        Ok(())
    })?;
    if !finished {
        return Ok(None);
    }
    let bandwidth = match lesson.setting.side {
        Some(side) => 1.0 / f64::from(side),
        None => theorem_bandwidth(records, dims as u32, BETA, 0.0, 1.0).ok_or(LessonError::NoBandwidth)?,
    };
    let sales = Sales { dims, contexts: &contexts, prices: &prices, rewards: &rewards };
    let policy = NwLcb::new(&sales, Smoothness { bandwidth, holder: HOLDER, beta: BETA })?;
    // The exam's contexts are in the cube, so that each has a quote; the paper's fallback is price 1.
    let price = |context: &[f64]| policy.quote(context).map_or(1.0, |quote| quote.price);
    Ok(Some(Outcome { suboptimality: lesson.exam.suboptimality(price), standing: None, warned: false }))
}
