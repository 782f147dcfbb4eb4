//! Words and lines that the figures share.

use crate::stats::Summary;
use reticent_chart::numbers::number;
use reticent_chart::plot::Series;

/// A line with its band. Neither regret nor reward is ever negative, whatever Student's interval of few trials says.
pub(super) fn line(name: impl Into<String>, points: &[(f64, Summary)]) -> Series {
    let means = points.iter().map(|(x, summary)| (*x, summary.mean)).collect();
    let band = |s: &Summary| s.ci95.map_or((s.mean, s.mean), |[low, high]| (low.max(0.0), high));
    Series::measured(name, means).with_band(points.iter().map(|(_, s)| band(s)).collect())
}

/// A mean with half its interval's width.
pub(super) fn plus_minus(summary: Summary) -> String {
    match summary.ci95 {
        Some([low, high]) => format!("{} ± {}", number(summary.mean), number((high - low) / 2.0)),
        None => number(summary.mean),
    }
}

/// A number of people: whole even if small.
pub(super) fn count(people: u64) -> String {
    if people < 100 { people.to_string() } else { number(people as f64) }
}

/// Cells as a table's row.
pub(super) fn cells(row: &[&str]) -> Vec<String> {
    row.iter().map(ToString::to_string).collect()
}
