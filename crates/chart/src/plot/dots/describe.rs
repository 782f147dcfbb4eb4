//! A dot plot in words, for readers who cannot see it.

use super::super::describe::axis;
use super::super::number::in_words;
use super::chart::{DotChart, DotGroup, DotMark, DotRow};

/// The axis, and every row with its value and limit.
pub(super) fn describe(chart: &DotChart) -> String {
    let axes = format!("Dot plot. Horizontal: {}.", axis(&chart.x));
    let rows = chart.rows().count();
    let bad = chart.rows().filter(|row| row.mark == DotMark::Bad).count();
    let count = format!("{rows} rows, {bad} of them with a value above the limit.");
    let groups = chart.groups.iter().map(|group| one_group(chart, group));
    [axes, count].into_iter().chain(groups).collect::<Vec<_>>().join(" ")
}

/// One row: its name, value and limit.
pub(super) fn one_row(chart: &DotChart, row: &DotRow) -> String {
    let value = match row.value {
        Some(value) if value.is_nan() => "unknown".to_owned(),
        Some(value) if value.is_finite() => in_words(value),
        Some(f64::NEG_INFINITY) => "−∞".to_owned(),
        _ => "no finite value".to_owned(),
    };
    let limit = row.limit.filter(|limit| limit.is_finite());
    let limit = limit.map(|limit| format!(", {} {}", chart.limit_name, in_words(limit)));
    let broken = if row.mark == DotMark::Bad { " (above)" } else { "" };
    format!("{}: {} {value}{}{broken}", row.name, chart.value_name, limit.unwrap_or_default())
}

fn one_group(chart: &DotChart, group: &DotGroup) -> String {
    let rows: Vec<_> = group.rows.iter().map(|row| one_row(chart, row)).collect();
    format!("{}: {}.", group.name, if rows.is_empty() { "no rows".to_owned() } else { rows.join("; ") })
}
