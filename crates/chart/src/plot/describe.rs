//! A chart in words, for readers who cannot see it.

use super::chart::{Axis, Chart, Series, SeriesKind};
use super::number::in_words;
use super::scale::Scale;

/// Axes, and where each series starts and ends.
pub(super) fn describe(chart: &Chart) -> String {
    let axes = format!("Line chart. Horizontal: {}. Vertical: {}.", axis(&chart.x), axis(&chart.y));
    let series = chart.series.iter().map(|s| one_series(chart, s));
    std::iter::once(axes).chain(series).collect::<Vec<_>>().join(" ")
}

/// What an axis shows, and how if not evenly.
pub(super) fn axis(axis: &Axis) -> String {
    match axis.scale {
        Scale::Linear => axis.label.clone(),
        Scale::Log => format!("{} (log scale)", axis.label),
    }
}

fn one_series(chart: &Chart, series: &Series) -> String {
    let kind = match series.kind {
        SeriesKind::Measured => "",
        SeriesKind::Bound => " (bound)",
    };
    let name = &series.name;
    let mut shown = series.points.iter().filter(|p| chart.shows(**p));
    match (shown.next(), shown.next_back()) {
        (None, _) => format!("{name}{kind}: no data."),
        (Some(only), None) => format!("{name}{kind}: {}.", point(only)),
        (Some(first), Some(last)) => {
            format!("{name}{kind}: from {} to {}.", point(first), point(last))
        }
    }
}

fn point((x, y): &(f64, f64)) -> String {
    format!("{} at {}", in_words(*y), in_words(*x))
}
