//! `ldp-nw-lcb`. A report has two noisy numbers for every cell, so ten million of them are 10^9 draws; here
//! the sums of the noise are drawn at once.
//!
//! The sum of n independent Laplace variables is the difference of two Gamma(n) ones, times the scale. The
//! device's noise is on a grid of 2^-30: a test compares this shortcut with the devices' own reports.

use reticent_baselines::nw_lcb::agent::{Pessimism, Policy, Sums};
use reticent_baselines::nw_lcb::{Spec, theorem_bandwidth};
use reticent_privacy::{SimRng, Stream, UnitGrid};
use serde_json::json;

use super::{BETA, HOLDER, Lesson, LessonError, Outcome};

pub(super) fn run(lesson: &Lesson<'_>) -> Result<Option<Outcome>, LessonError> {
    let spec = spec(lesson)?;
    let mut totals = vec![0.0; 2 * spec.cells()];
    let finished = lesson.log(|context, logged| -> Result<(), LessonError> {
        if let Some(cell) = spec.cell(context, logged.price) {
            totals[2 * cell] += 1.0;
            totals[2 * cell + 1] += logged.outcome;
        }
        Ok(())
    })?;
    if !finished {
        return Ok(None);
    }
    let sums = shortcut(&spec, lesson.setting.records, &totals, &mut lesson.stream(Stream::Noise))?;
    let policy = Policy::new(&sums, Pessimism::new(HOLDER, BETA)?)?;
    let price = |context: &[f64]| policy.price(context).map_or(policy.fallback(), |quote| quote.price);
    Ok(Some(Outcome { suboptimality: lesson.exam.suboptimality(price), standing: None, warned: false }))
}

fn spec(lesson: &Lesson<'_>) -> Result<Spec, LessonError> {
    let (dims, epsilon) = (lesson.market.dims() as u32, lesson.epsilon()?);
    if let Some(side) = lesson.setting.side {
        return Ok(Spec::new(dims, side, epsilon)?);
    }
    let bandwidth = theorem_bandwidth(lesson.setting.records, dims, BETA, 0.0, 1.0);
    Ok(Spec::from_bandwidth(dims, bandwidth.ok_or(LessonError::NoBandwidth)?, epsilon)?)
}

/// What the server's sums are when `records` people have these totals of W and Z.
pub(in crate::pricing) fn shortcut(
    spec: &Spec,
    records: u64,
    totals: &[f64],
    rng: &mut SimRng,
) -> Result<Sums, LessonError> {
    let steps = f64::from(UnitGrid::STEPS);
    let scale = steps / spec.value_epsilon().value();
    let people = records as f64;
    let noisy = |total: &f64| {
        let noise = scale * (rng.gamma(people) - rng.gamma(people));
        (total * steps + noise).round() as i64
    };
    let values: Vec<i64> = totals.iter().map(noisy).collect();
    let document = json!({ "spec": spec, "reports": records, "values": values });
    Ok(serde_json::from_value(document)
        .map_err(|_| reticent_baselines::nw_lcb::agent::SumsError::Overflow)?)
}
