//! Whether means, or the effect, moved over time: the slope of each arm's mean over the epochs' tables, every
//! stratum by its precision.

use reticent_curate::trial::{Analysis, Release};

use super::checks::{deviations, farthest};

/// Slopes over the trial, in standard deviations; none if there are not two tables to compare.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Trends {
    /// Of all arms together.
    pub(super) level: Option<f64>,
    /// Of the arm whose effect against the control moved most.
    pub(super) effect: Option<f64>,
}

/// A slope and how precisely it is known: one over its variance.
#[derive(Debug, Clone, Copy)]
struct Slope {
    value: f64,
    precision: f64,
}

/// Counts below this, or below so many deviations of their noise, say nothing about a mean.
const FEWEST: f64 = 20.0;
const CLEAR: f64 = 5.0;

pub(super) fn trends(release: &Release, analysis: &Analysis) -> Trends {
    let (strata, arms) = (release.spec().strata(), release.spec().arms());
    let slopes: Vec<Vec<Option<Slope>>> = (0..strata)
        .map(|stratum| (0..arms).map(|arm| slope(release, analysis, stratum, arm)).collect())
        .collect();
    let effect = |arm: usize| {
        average(slopes.iter().filter_map(|of| {
            let (one, control) = (of[arm]?, of[0]?);
            let variance = 1.0 / one.precision + 1.0 / control.precision;
            Some(Slope { value: one.value - control.value, precision: 1.0 / variance })
        }))
    };
    Trends {
        level: average(slopes.iter().flatten().flatten().copied()),
        effect: farthest((1..arms).filter_map(effect)),
    }
}

/// The mean of slopes by precision, in standard deviations.
fn average(slopes: impl Iterator<Item = Slope>) -> Option<f64> {
    let (sum, precision) = slopes.fold((0.0, 0.0), |(sum, precision), slope| {
        (sum + slope.value * slope.precision, precision + slope.precision)
    });
    (precision > 0.0).then(|| deviations(sum, precision))
}

/// The slope of an arm's mean in a stratum over the epochs that tell one.
fn slope(release: &Release, analysis: &Analysis, stratum: usize, arm: usize) -> Option<Slope> {
    let points: Vec<(f64, f64, f64)> = (0..release.tables().len())
        .filter_map(|epoch| point(release, analysis, epoch, (stratum, arm)))
        .collect();
    let all: f64 = points.iter().map(|(.., weight)| weight).sum();
    let middle = points.iter().map(|(at, _, weight)| weight * at).sum::<f64>() / all;
    let precision: f64 = points.iter().map(|(at, _, weight)| weight * (at - middle) * (at - middle)).sum();
    let sum: f64 = points.iter().map(|(at, mean, weight)| weight * (at - middle) * mean).sum();
    // Two points at the same time have no slope.
    (points.len() > 1 && precision > 1e-9).then(|| Slope { value: sum / precision, precision })
}

/// An epoch: its middle as a share of the trial, the mean on the scale from 0 to 1, and one over its variance.
fn point(
    release: &Release,
    analysis: &Analysis,
    epoch: usize,
    (stratum, arm): (usize, usize),
) -> Option<(f64, f64, f64)> {
    let (spec, schedule) = (release.spec(), release.schedule());
    let place = stratum * spec.arms() + arm;
    let late = release.late().get(epoch).filter(|_| release.late().len() == release.tables().len());
    let (mut counts, mut tables) = ([0.0; 3], 0.0);
    for table in std::iter::once(&release.tables()[epoch]).chain(late) {
        let cell = table.cell(place);
        counts.iter_mut().zip(cell.counts).for_each(|(count, more)| *count += more);
        tables += 1.0;
    }
    let people: f64 = counts.iter().sum();
    let noise = spec.noise_in_a_count() * spec.noise_in_a_count() * tables;
    if people < FEWEST || people < CLEAR * (3.0 * noise).sqrt() {
        return None;
    }
    let mean = (0.5 * counts[1] + counts[2]) / people;
    let width = spec.draft().outcome.width();
    let spread = (analysis.strata[stratum].arms[arm].variance / (width * width)).clamp(1e-4, 0.25);
    let middle = if spec.draft().outcome.binary { 0.0 } else { (0.5 - mean) * (0.5 - mean) };
    let of_noise = noise * (mean * mean + middle + (1.0 - mean) * (1.0 - mean));
    let variance = spread / people + of_noise / (people * people);
    let end = schedule.end(epoch).min(release.enrolled());
    let at = f64::midpoint(schedule.start(epoch) as f64, end as f64) / release.enrolled().max(1) as f64;
    Some((at, mean, 1.0 / variance))
}
