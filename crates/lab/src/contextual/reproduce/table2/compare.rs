//! Who is best in each row, and by how much.

use super::published::{self, BUDGETS};
use super::{DataSet, Entry, Results};
use crate::stats::wilcoxon_signed_rank;
use reticent_chart::page::Table;

const LEVEL: f64 = 0.05;
const TIMES: [&str; 2] = ["n/4", "n"];

/// One row's place in the table.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Of [`BUDGETS`].
    pub(super) budget: usize,
    /// Of [`TIMES`].
    pub(super) time: usize,
}

/// The mean of at least one value.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Every row; without sources, a budget of theirs changes nothing and is left out.
pub(super) fn places(data: &DataSet) -> impl Iterator<Item = Place> {
    let step = if data.sources.is_empty() { 2 } else { 1 };
    (0..BUDGETS.len()).step_by(step).flat_map(|budget| [0, 1].map(|time| Place { budget, time }))
}

fn head(data: &DataSet, results: &Results) -> Vec<String> {
    let first = if data.sources.is_empty() { "ε, t" } else { "ε, ε_m, t" };
    let methods = results.row(BUDGETS[0]).into_iter().map(Entry::name);
    std::iter::once(first.to_string()).chain(methods).collect()
}

/// Rewards relative to ABSE, with the published ratios below ours.
pub(super) fn ratios(data: &DataSet, results: &Results) -> Table {
    let mut table = Table { head: head(data, results), rows: Vec::new() };
    // Files without groups have fewer columns than the paper's table.
    let published = published::find(&data.name).filter(|_| !data.sources.is_empty());
    for place in places(data) {
        let abse = mean(&results.abse.rewards_at(results.times()[place.time]));
        table.rows.push((row(data, results, place, abse), true));
        if let Some(published) = published {
            let values = published.ratios(place.budget, place.time == 1).iter();
            let cells = ["published", "–", "–"].map(String::from).into_iter();
            table.rows.push((cells.chain(values.map(|ratio| format!("{ratio:.3}"))).collect(), false));
        }
    }
    table
}

/// Rewards themselves.
pub(super) fn rewards(data: &DataSet, results: &Results) -> Table {
    let rows = places(data).map(|place| (row(data, results, place, 1.0), false));
    Table { head: head(data, results), rows: rows.collect() }
}

fn row(data: &DataSet, results: &Results, place: Place, unit: f64) -> Vec<String> {
    let (epsilon, source_epsilon) = BUDGETS[place.budget];
    let entries = results.row((epsilon, source_epsilon)).into_iter();
    let columns: Vec<Vec<f64>> =
        entries.map(|entry| entry.measured.rewards_at(results.times()[place.time])).collect();
    let best = best(&columns);
    let cell = |(i, values): (usize, &Vec<f64>)| {
        let mark = match best {
            Some((at, true)) if at == i => " ▲",
            Some((at, false)) if at == i => " △",
            _ => "",
        };
        format!("{:.3}{mark}", mean(values) / unit)
    };
    let time = TIMES[place.time];
    let name = if data.sources.is_empty() {
        format!("{epsilon}, {time}")
    } else {
        format!("{epsilon}, {source_epsilon}, {time}")
    };
    std::iter::once(name).chain(columns.iter().enumerate().map(cell)).collect()
}

/// The column with the best mean, and whether it is significantly better than each of the others.
fn best(columns: &[Vec<f64>]) -> Option<(usize, bool)> {
    let means = columns.iter().map(|column| mean(column)).enumerate();
    let (at, _) = means.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let beaten = |other: &Vec<f64>| {
        let differences: Vec<f64> = columns[at].iter().zip(other).map(|(a, b)| a - b).collect();
        wilcoxon_signed_rank(&differences).is_some_and(|test| test.p_greater <= LEVEL)
    };
    let mut others = columns.iter().enumerate().filter(|(i, _)| *i != at);
    Some((at, others.all(|(_, column)| beaten(column))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(base: f64) -> Vec<f64> {
        (0..8).map(|i| base + f64::from(i * i) * 1e-3).collect()
    }

    #[test]
    fn the_best_column_must_beat_each_other_one() {
        assert_eq!(best(&[column(0.5), column(0.7)]), Some((1, true)));
        // Eight differences of either sign: best by its mean alone.
        let sway = |i: usize| if i.is_multiple_of(2) { 0.01 } else { -0.009 };
        let close = column(0.7).into_iter().enumerate().map(|(i, x)| x + sway(i)).collect();
        assert_eq!(best(&[column(0.5), close, column(0.7)]), Some((1, false)));
        assert_eq!(best(&[]), None);
    }
}
