//! Who is best in each row, and by how much.

use super::published::{self, BUDGETS};
use super::{DataSet, Entry, METHODS, Results};
use crate::page::Table;
use crate::stats::wilcoxon_signed_rank;

const LEVEL: f64 = 0.05;
const TIMES: [&str; 2] = ["n/4", "n"];

/// The mean of at least one value.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn head() -> Vec<String> {
    let methods = METHODS.iter().flat_map(|(_, name)| [format!("{name} w"), format!("{name} wo")]);
    std::iter::once("ε, ε_m, t".to_string()).chain(methods).collect()
}

/// Rewards relative to ABSE, with the published ratios below ours.
pub(super) fn ratios(data: &DataSet, results: &Results) -> Table {
    let mut table = Table { head: head(), rows: Vec::new() };
    for (budget, losses) in BUDGETS.into_iter().enumerate() {
        for (at_end, time) in results.times().into_iter().enumerate() {
            let abse = mean(&results.abse.rewards_at(time));
            let row = results.row(losses);
            table.rows.push((cells(&row, time, &name(losses, at_end), abse), true));
            if let Some(published) = published::find(&data.name) {
                let values = published.ratios(budget, at_end == 1);
                let ours = ["–", "–"].map(String::from).into_iter();
                let row = ours.chain(values.iter().map(|ratio| format!("{ratio:.3}")));
                table.rows.push((std::iter::once("published".to_string()).chain(row).collect(), false));
            }
        }
    }
    table
}

/// Rewards themselves.
pub(super) fn rewards(results: &Results) -> Table {
    let lines = BUDGETS.into_iter().flat_map(|losses| {
        let line = |(at_end, time)| (cells(&results.row(losses), time, &name(losses, at_end), 1.0), false);
        results.times().into_iter().enumerate().map(line).collect::<Vec<_>>()
    });
    Table { head: head(), rows: lines.collect() }
}

fn name((epsilon, source_epsilon): (f64, f64), at_end: usize) -> String {
    format!("{epsilon}, {source_epsilon}, {}", TIMES[at_end])
}

fn cells(row: &[Option<&Entry>], time: u64, name: &str, unit: f64) -> Vec<String> {
    let values: Vec<Option<Vec<f64>>> =
        row.iter().map(|entry| entry.map(|entry| entry.measured.rewards_at(time))).collect();
    let best = best(&values);
    let cell = |(i, values): (usize, &Option<Vec<f64>>)| {
        let Some(values) = values else { return "–".to_string() };
        let mark = match best {
            Some((at, significant)) if at == i => if significant { " ▲" } else { " △" },
            _ => "",
        };
        format!("{:.3}{mark}", mean(values) / unit)
    };
    std::iter::once(name.to_string()).chain(values.iter().enumerate().map(cell)).collect()
}

/// The column with the best mean, and whether it is significantly better than each of the others.
fn best(columns: &[Option<Vec<f64>>]) -> Option<(usize, bool)> {
    let means = columns.iter().enumerate().filter_map(|(i, column)| Some((i, mean(column.as_ref()?))));
    let (at, _) = means.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let winner = columns[at].as_ref()?;
    let beaten = |other: &Vec<f64>| {
        let differences: Vec<f64> = winner.iter().zip(other).map(|(a, b)| a - b).collect();
        wilcoxon_signed_rank(&differences).is_some_and(|test| test.p_greater <= LEVEL)
    };
    let others = columns.iter().enumerate().filter(|(i, _)| *i != at);
    Some((at, others.filter_map(|(_, column)| column.as_ref()).all(beaten)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(base: f64) -> Option<Vec<f64>> {
        Some((0..8).map(|i| base + f64::from(i * i) * 1e-3).collect())
    }

    #[test]
    fn the_best_column_must_beat_each_other_one() {
        assert_eq!(best(&[column(0.5), None, column(0.7)]), Some((2, true)));
        // Eight differences of either sign: best by its mean alone.
        let close = Some((0..8).map(|i| 0.7 + f64::from(i * i) * 1e-3 + if i % 2 == 0 { 0.01 } else { -0.009 }).collect());
        assert_eq!(best(&[column(0.5), close, column(0.7)]), Some((1, false)));
        assert_eq!(best(&[None, None]), None);
    }
}
