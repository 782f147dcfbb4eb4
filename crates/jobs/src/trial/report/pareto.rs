//! Where the trial stands between welfare and knowledge: regret against the worst squared error.
//!
//! A stratum with N people sends max(N^(1-alpha) / arms, its part of the first epoch) to each worse arm, and
//! all others to the best.

use statrs::distribution::{ContinuousCDF, Normal};

use super::Document;
use super::digits::{people, short};
use super::document::StratumRow;
use reticent_chart::page::Page;
use reticent_chart::plot::{Axis, Chart, Series};

/// Points of the predicted curve.
const STEPS: u32 = 20;
/// The noise of a mean's numerator, in variances of one count, near the middle of the range.
const NOISE_OF_MEAN: f64 = 0.6;

pub(super) fn section(page: &mut Page, document: &Document) {
    page.section("What the people paid, and what was learned for it");
    page.paragraph(&paid(document));
    if document.strata.iter().all(|stratum| usable(stratum).is_none()) {
        page.paragraph("There is not enough data yet to say what other plans would have cost.");
        return;
    }
    page.paragraph(
        "The dashed curve is what plans from even randomisation (alpha 0, bottom right) to welfare alone (alpha 1, top left) can expect to cost and to tell, if effects, variances and shares are as \
         estimated here: a rough guide, not a promise. Its floor on the left is the first epoch, which every plan assigns evenly.",
    );
    page.chart(&chart(document).svg());
}

/// Who was on a worse arm, if the noise lets it be said: a sum of noisy counts can be larger than all people.
fn paid(document: &Document) -> String {
    let enrolled = document.enrolled as f64;
    let tables = document.epochs.iter().filter(|epoch| epoch.closed).count() + usize::from(document.stopped);
    let cells = tables * document.strata.len() * document.arms().len();
    let noise = document.noise_in_a_count * (cells as f64).sqrt();
    let worse = document.welfare.on_worse_arms;
    if noise > enrolled / 4.0 || !(0.0..=enrolled).contains(&worse) {
        return format!(
            "How many of the {} people were on an arm that does not look best for their stratum cannot be said: the noise of the counts (one standard deviation) adds up to about {}.",
            people(enrolled),
            people(noise),
        );
    }
    format!(
        "About {} of {} people were on an arm that does not look best for their stratum, which cost an estimated {} of {} in all, or {} for each person enrolled.",
        people(worse),
        people(enrolled),
        short(document.welfare.regret),
        document.spec.draft().outcome.column,
        short(document.welfare.regret / enrolled.max(1.0)),
    )
}

fn chart(document: &Document) -> Chart {
    let curve: Vec<(f64, f64)> =
        (0..=STEPS).map(|step| predicted(document, f64::from(step) / f64::from(STEPS))).collect();
    let alpha = document.spec.draft().alpha;
    let mut series = vec![Series::bound("plans from alpha 1 to 0", curve.into_iter().rev().collect())];
    if let Some(error) = worst_error(document) {
        series.push(Series::measured("this trial", vec![(document.welfare.regret, error)]));
    }
    series.push(Series::measured(format!("predicted for alpha {alpha}"), vec![predicted(document, alpha)]));
    series.push(Series::measured("even randomisation", vec![predicted(document, 0.0)]));
    let outcome = &document.spec.draft().outcome.column;
    Chart {
        x: Axis::linear(format!("regret: {outcome} lost in all (estimated)")),
        y: Axis::log("squared error of the worst stratum's effect"),
        series,
        ..Chart::default()
    }
}

/// Counts too small against their noise say nothing.
fn usable(stratum: &StratumRow) -> Option<f64> {
    let all: f64 = stratum.arms.iter().map(|arm| arm.people).sum();
    let noise = stratum.noise * (stratum.arms.len() as f64).sqrt();
    (all >= 10.0 && all > 3.0 * noise).then_some(all)
}

/// Regret and the worst stratum's squared error, as predicted for an alpha.
fn predicted(document: &Document, alpha: f64) -> (f64, f64) {
    let mut sums = (0.0, 0.0_f64);
    for stratum in &document.strata {
        if let Some(all) = usable(stratum) {
            let (regret, error) = one_stratum(document, stratum, all, alpha);
            sums = (sums.0 + regret, sums.1.max(error));
        }
    }
    sums
}

fn one_stratum(document: &Document, stratum: &StratumRow, all: f64, alpha: f64) -> (f64, f64) {
    let arms = stratum.arms.len() as f64;
    let first = document.epochs.first().map_or(0.0, |epoch| (epoch.end - epoch.start) as f64);
    let share = all / (document.enrolled as f64).max(all);
    let quota = libm::pow(all, 1.0 - alpha) / arms;
    let worse = quota.max(first * share / arms).clamp(1.0, all / arms);
    let best = all - worse * (arms - 1.0);
    let top = stratum.arms.iter().map(|arm| arm.mean).fold(f64::NEG_INFINITY, f64::max);
    let tables = document.epochs.len() as f64;
    let width = document.spec.draft().outcome.width();
    let in_numerator =
        document.noise_in_a_count * document.noise_in_a_count * NOISE_OF_MEAN * tables * width * width;
    let spread = stratum.arms.iter().map(|arm| arm.variance).fold(0.0, f64::max);
    let error = |people: f64| spread / people + in_numerator / (people * people);
    let regret = stratum.arms.iter().map(|arm| worse * (top - arm.mean)).sum();
    (regret, error(worse) + error(best))
}

/// The largest squared standard error among strata, from the planned intervals.
fn worst_error(document: &Document) -> Option<f64> {
    let z = Normal::standard().inverse_cdf(f64::midpoint(1.0, document.spec.draft().confidence));
    let usable_names: Vec<&str> =
        document.strata.iter().filter(|one| usable(one).is_some()).map(|one| one.name.as_str()).collect();
    let of_strata = document
        .effects
        .iter()
        .filter(|row| row.stratum.as_ref().is_some_and(|name| usable_names.contains(&name.as_str())));
    of_strata
        .filter_map(|row| {
            let interval = row.planned?.augmented;
            let error = (interval.high - interval.low) / (2.0 * z);
            Some(error * error)
        })
        .reduce(f64::max)
}
