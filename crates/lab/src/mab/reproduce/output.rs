//! A measured figure as chart, table, CSV and a section of a page.

use std::fmt::Write;
use std::path::Path;

use super::{Figure, Line};
use crate::mab::bounds::Bound;
use crate::mab::env::Environment;
use crate::mab::{CurvePoint, Outcome};
use crate::reproduce::{self, ReproduceError, mark};
use reticent_chart::numbers::number;
use reticent_chart::page::{Page, Table};
use reticent_chart::plot::{self, Axis, Chart, Series};
use reticent_store::files;

/// A line with its results.
#[derive(Debug)]
pub struct Measured {
    /// What was asked.
    pub line: Line,
    /// The world.
    pub env: Environment,
    /// What came out.
    pub outcome: Outcome,
}

/// People below this many are left out of charts: nobody has learned anything yet.
const FIRST_SHOWN: u64 = 100;
const PNG_SCALE: f32 = 1.6;

pub(super) fn write(
    out: &Path,
    figure: &Figure,
    measured: &[Measured],
    seed: u64,
) -> Result<(), ReproduceError> {
    let svg = chart(figure, measured, seed).svg();
    let path = |extension| out.join(format!("{}.{extension}", figure.id));
    files::write_whole(&path("csv"), csv(figure, measured).as_bytes())?;
    files::write_whole(&path("svg"), svg.as_bytes())?;
    files::write_whole(&path("png"), &plot::png(&svg, PNG_SCALE)?)?;
    Ok(())
}

pub(super) fn section(page: &mut Page, figure: &Figure, measured: &[Measured], seed: u64) {
    page.section(figure.title);
    page.paragraph(figure.caption);
    page.chart(&reproduce::untitled(chart(figure, measured, seed)).svg());
    page.table(&table(measured));
}

/// A figure's chart.
pub fn chart(figure: &Figure, measured: &[Measured], seed: u64) -> Chart {
    let subtitle = format!(
        "Environment {}; mean of {} trials, bands are 95 % confidence intervals",
        figure.env, figure.trials
    );
    regret_chart(figure.title, subtitle, measured, &figure.bounds, seed)
}

/// Regret against people, on logarithmic axes.
pub fn regret_chart(
    title: &str,
    subtitle: String,
    measured: &[Measured],
    bounds: &[Bound],
    seed: u64,
) -> Chart {
    let bounds = measured.iter().take(1).flat_map(|m| bounds.iter().map(|bound| bound_curve(*bound, m)));
    Chart {
        title: title.to_string(),
        subtitle: Some(subtitle),
        x: Axis::log("people served"),
        y: Axis::log("regret (reward lost against the best arm)"),
        series: measured.iter().map(|m| curve(&m.line.label(), &m.outcome)).chain(bounds).collect(),
        note: Some(mark(seed)),
    }
}

/// A bound at the points of a measured line.
fn bound_curve(bound: Bound, measured: &Measured) -> Series {
    let users = shown(&measured.outcome).map(|point| point.users as f64);
    let points = users.filter_map(|users| Some((users, bound.at(&measured.env, users)?)));
    Series::bound(bound.label(), points.collect())
}

/// A regret curve with its band.
fn curve(label: &str, outcome: &Outcome) -> Series {
    let points = shown(outcome).map(|p| (p.users as f64, p.summary.mean)).collect();
    let band =
        shown(outcome).map(|p| p.summary.ci95.map_or((p.summary.mean, p.summary.mean), |[lo, hi]| (lo, hi)));
    Series::measured(label, points).with_band(band.collect())
}

/// The points of a curve that a chart shows: all of them if there are few people.
fn shown(outcome: &Outcome) -> impl Iterator<Item = &CurvePoint> {
    let first = if outcome.users > 10 * FIRST_SHOWN { FIRST_SHOWN } else { 1 };
    outcome.curve.iter().filter(move |p| p.users >= first)
}

/// Regret of each line, and its ratio to the first line's.
pub fn table(measured: &[Measured]) -> Table {
    let with_published = measured.iter().any(|m| m.line.published != super::Published::default());
    let mut head = vec!["agent", "regret, mean", "sd", "95 % interval", "× baseline", "on the best arm"];
    if with_published {
        head.extend(["× published", "× paper's limit"]);
    }
    let baseline = measured.first().map_or(f64::NAN, |m| m.outcome.regret.summary.mean);
    let rows = measured.iter().map(|m| {
        let summary = m.outcome.regret.summary;
        let optional = |value: Option<f64>| value.map_or("–".to_string(), number);
        let mut row = vec![
            m.line.label(),
            number(summary.mean),
            optional(summary.sd),
            summary.ci95.map_or("–".to_string(), |[lo, hi]| format!("{} to {}", number(lo), number(hi))),
            number(summary.mean / baseline),
            format!("{:.1} %", 100.0 * best_share(m)),
        ];
        if with_published {
            row.extend([optional(m.line.published.ratio), optional(m.line.published.limit)]);
        }
        (row, m.line.is_ours())
    });
    Table { head: head.into_iter().map(String::from).collect(), rows: rows.collect() }
}

/// Share of people who got an arm that is as good as any.
fn best_share(measured: &Measured) -> f64 {
    let gaps = measured.env.gaps();
    gaps.iter()
        .zip(&measured.outcome.share_per_arm)
        .filter(|(gap, _)| **gap == 0.0)
        .map(|(_, share)| share)
        .sum()
}

fn csv(figure: &Figure, measured: &[Measured]) -> String {
    let mut text =
        "figure,agent,environment,epsilon,trials,seed,users,regret_mean,regret_sd,ci95_low,ci95_high\n"
            .to_string();
    for m in measured {
        let o = &m.outcome;
        let epsilon = m.line.epsilon.map_or(String::new(), |epsilon| epsilon.to_string());
        for point in &o.curve {
            let s = point.summary;
            let optional = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
            let (sd, low, high) =
                (optional(s.sd), optional(s.ci95.map(|c| c[0])), optional(s.ci95.map(|c| c[1])));
            let _ = writeln!(
                text,
                "{},{},{},{epsilon},{},{},{},{},{sd},{low},{high}",
                figure.id, o.agent, o.env, o.trials, o.seed, point.users, s.mean
            );
        }
    }
    for bound in &figure.bounds {
        let Some(m) = measured.first() else { break };
        for point in &m.outcome.curve {
            if let Some(value) = bound.at(&m.env, point.users as f64) {
                let _ = writeln!(
                    text,
                    "{},{},{},,,,{},{value},,,",
                    figure.id,
                    bound.label().replace(',', ";"),
                    figure.env,
                    point.users
                );
            }
        }
    }
    text
}
