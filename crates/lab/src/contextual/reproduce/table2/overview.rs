//! Table 1, the data sets, and the last row of Table 2, the methods' ranks over all rows.

use super::super::section::{cells, count};
use super::compare::{mean, places};
use super::published::{BUDGETS, RANK_SUMS, TABLE_1};
use super::{DataSet, Entry, Results};
use reticent_chart::page::Table;

/// The paper's Table 1 and the files that are read here.
pub(super) fn data_sets(read: &[(DataSet, Results)]) -> Table {
    let mut rows: Vec<(Vec<String>, bool)> = read
        .iter()
        .map(|(data, _)| {
            let largest = data.sources.iter().map(|source| source.people()).max();
            let row = vec![
                data.name.clone(),
                count(data.people),
                data.sources.len().to_string(),
                largest.map_or("–".into(), count),
                data.world.arms().to_string(),
                data.world.dims().to_string(),
            ];
            (row, true)
        })
        .collect();
    let published = |[name, people, sources, largest, arms, dims]: &[&str; 6]| {
        (cells(&[&format!("published {name}"), people, sources, largest, arms, dims]), false)
    };
    rows.extend(TABLE_1.iter().map(published));
    let head = cells(&["data set", "people", "sources", "largest source", "arms", "dimensions"]);
    Table { head, rows }
}

/// Each method's rank in each row that has sources, added up, at n/4 and at n.
pub(super) fn rank_sums(read: &[(DataSet, Results)]) -> Option<Table> {
    let with_sources: Vec<&(DataSet, Results)> =
        read.iter().filter(|(data, _)| !data.sources.is_empty()).collect();
    let (_, first) = with_sources.first()?;
    let names = first.row(BUDGETS[0]).into_iter().map(Entry::name);
    let head = std::iter::once("t".to_string()).chain(names).collect();
    let mut table = Table { head, rows: Vec::new() };
    for (time, name) in ["n/4", "n"].into_iter().enumerate() {
        let rows: Vec<Vec<f64>> = with_sources
            .iter()
            .flat_map(|(data, results)| {
                let at = results.times()[time];
                let row = move |budget: usize| {
                    results.row(BUDGETS[budget]).iter().map(|e| mean(&e.measured.rewards_at(at))).collect()
                };
                places(data).filter(move |place| place.time == time).map(move |place| row(place.budget))
            })
            .collect();
        let sums = added_ranks(&rows).into_iter().map(|sum| sum.to_string());
        table.rows.push((std::iter::once(name.to_string()).chain(sums).collect(), true));
        let printed = RANK_SUMS[time].iter().map(ToString::to_string);
        let printed = cells(&["published", "–", "–"]).into_iter().chain(printed).collect();
        table.rows.push((printed, false));
    }
    Some(table)
}

/// The best of a row has rank 1, and who is level with others the rank of the first of them, as the paper counts.
fn added_ranks(rows: &[Vec<f64>]) -> Vec<usize> {
    let columns = rows.first().map_or(0, Vec::len);
    let rank = |row: &[f64], at: usize| 1 + row.iter().filter(|value| **value > row[at]).count();
    (0..columns).map(|at| rows.iter().map(|row| rank(row, at)).sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::published::PUBLISHED;
    use super::*;

    #[test]
    fn the_papers_rank_sums_follow_from_its_rows() {
        for (time, printed) in RANK_SUMS.iter().enumerate() {
            let rows: Vec<Vec<f64>> = PUBLISHED
                .iter()
                .flat_map(|data| {
                    (0..BUDGETS.len()).map(move |budget| data.ratios(budget, time == 1).to_vec())
                })
                .collect();
            assert_eq!(rows.len(), 12);
            assert_eq!(added_ranks(&rows), printed.to_vec());
        }
    }
}
