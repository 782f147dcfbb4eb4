//! A map in words, for readers who cannot see it.

use super::super::number::in_words;
use super::chart::{Cells, MapAxis, MapChart, Panel};

/// Axes of each panel, and how much of it each arm has or where its extremes are.
pub(super) fn describe(chart: &MapChart) -> String {
    let count = match chart.panels.len() {
        1 => "Map with 1 panel.".to_owned(),
        count => format!("Map with {count} panels."),
    };
    let panels = chart.panels.iter().map(|panel| one_panel(chart, panel));
    std::iter::once(count).chain(panels).collect::<Vec<_>>().join(" ")
}

fn one_panel(chart: &MapChart, panel: &Panel) -> String {
    let axes = match &panel.y {
        Some(y) => format!("horizontal: {}; vertical: {}", axis(&panel.x), axis(y)),
        None => format!("horizontal: {}", axis(&panel.x)),
    };
    let cells = match &panel.cells {
        Cells::Arms { best, certainty } => arms(&chart.categories, best, certainty),
        Cells::Level { values, label } => level(values, label),
    };
    let title = if panel.title.is_empty() { "Panel" } else { &panel.title };
    format!("{title}: {axes}; {cells}.")
}

fn axis(axis: &MapAxis) -> String {
    let end = |value: f64| if value.is_finite() { in_words(value) } else { "unknown".to_owned() };
    format!("{} from {} to {}", axis.name, end(axis.low), end(axis.high))
}

/// The share of cells of each arm, most first, and how certain they are.
fn arms(names: &[String], best: &[u32], certainty: &[f64]) -> String {
    let share = |arm: usize| {
        let (mut cells, mut sum) = (0.0_f64, 0.0);
        for (_, certainty) in best.iter().zip(certainty).filter(|(best, _)| **best as usize == arm) {
            cells += 1.0;
            sum += if certainty.is_nan() { 0.0 } else { certainty.clamp(0.0, 1.0) };
        }
        (cells, sum)
    };
    let shares = names.iter().enumerate().map(|(arm, name)| (name, share(arm)));
    let mut shares: Vec<_> = shares.filter(|(_, (cells, _))| *cells > 0.0).collect();
    shares.sort_by(|(_, (a, _)), (_, (b, _))| b.total_cmp(a));
    let one = |(name, (cells, sum)): &(&String, (f64, f64))| {
        let percent = in_words(100.0 * cells / best.len() as f64);
        format!("{name} on {percent} % (certainty {} on average)", in_words(sum / cells))
    };
    if shares.is_empty() {
        "no data".to_owned()
    } else {
        shares.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

fn level(values: &[f64], label: &str) -> String {
    let finite = values.iter().copied().filter(|value| value.is_finite());
    match (finite.clone().reduce(f64::min), finite.reduce(f64::max)) {
        (Some(low), Some(high)) => format!("{label} between {} and {}", in_words(low), in_words(high)),
        _ => format!("{label}: no data"),
    }
}
