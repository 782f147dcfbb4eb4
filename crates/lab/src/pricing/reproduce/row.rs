//! One experiment's numbers, as text and as points.

use std::fmt::Write;

use crate::kernel::{Slope, slope};
use crate::named::Named;
use crate::pricing::{Measured, MethodName, Setting};
use reticent_chart::plot::Series;

/// One experiment.
#[derive(Debug, Clone)]
pub(super) struct Row {
    /// The line that it belongs to.
    pub(super) label: String,
    pub(super) kind: MethodName,
    pub(super) setting: Setting,
    pub(super) trials: u32,
    pub(super) measured: Measured,
}

pub(super) const CSV_HEAD: &str = "part,line,method,epsilon,records,cells_a_side,trials,seed,suboptimality_mean,suboptimality_sd,band_holds,pessimism_gap\n";

impl Row {
    /// Adds itself to a CSV text.
    pub(super) fn write(&self, text: &mut String, part: &str, seed: u64) {
        let optional = |value: Option<String>| value.unwrap_or_default();
        let Setting { records, epsilon, side, .. } = self.setting;
        let lost = self.measured.suboptimality;
        let _ = writeln!(
            text,
            "{part},{},{},{},{records},{},{},{seed},{},{},{},{}",
            self.label.replace(',', ";"),
            self.kind.name(),
            optional(epsilon.map(|epsilon| epsilon.to_string())),
            optional(side.map(|side| side.to_string())),
            self.trials,
            lost.mean,
            optional(lost.sd.map(|sd| sd.to_string())),
            optional(self.measured.standing.map(|standing| standing.0.to_string())),
            optional(self.measured.standing.map(|standing| standing.1.to_string())),
        );
    }

    /// Mean and standard deviation.
    pub(super) fn cell(&self) -> String {
        let lost = self.measured.suboptimality;
        let side = self.setting.side.map(|side| format!(", m = {side}")).unwrap_or_default();
        let sd = lost.sd.map(|sd| format!(" ({})", digits(sd))).unwrap_or_default();
        format!("{}{sd}{side}", digits(lost.mean))
    }
}

/// A line of a chart.
pub(super) fn series(label: &str, rows: &[&Row]) -> Series {
    let points = rows.iter().map(|row| (row.setting.records as f64, row.measured.suboptimality.mean));
    // Few trials may have an interval beyond zero, which a logarithm cannot show.
    let band = rows.iter().map(|row| {
        let lost = row.measured.suboptimality;
        let [low, high] = lost.ci95.unwrap_or([lost.mean; 2]);
        (low.max(0.2 * lost.mean), high)
    });
    Series::measured(label, points.collect()).with_band(band.collect())
}

/// The exponent of the number of records.
pub(super) fn exponent(rows: &[&Row]) -> String {
    let points: Vec<(f64, f64)> =
        rows.iter().map(|row| (row.setting.records as f64, row.measured.suboptimality.mean)).collect();
    match slope(&points) {
        Some(Slope { value, standard_error: Some(se) }) => format!("{value:.2} ± {se:.2}"),
        Some(Slope { value, .. }) => format!("{value:.2}"),
        None => "–".to_string(),
    }
}

/// Two or three digits that count.
pub(super) fn digits(value: f64) -> String {
    if value.abs() >= 0.1 { format!("{value:.3}") } else { format!("{value:.4}") }
}

/// A table's cells: the row of a line at each number of records.
pub(super) fn cells(rows: &[&Row], records: &[u64]) -> Vec<String> {
    let at = |&records: &u64| rows.iter().find(|row| row.setting.records == records);
    records.iter().map(|records| at(records).map_or("–".to_string(), |row| row.cell())).collect()
}

/// The labels in the order of their first row.
pub(super) fn lines(rows: &[Row]) -> Vec<(String, Vec<&Row>)> {
    let mut lines: Vec<(String, Vec<&Row>)> = Vec::new();
    for row in rows {
        match lines.iter_mut().find(|(label, _)| *label == row.label) {
            Some((_, line)) => line.push(row),
            None => lines.push((row.label.clone(), vec![row])),
        }
    }
    lines
}
