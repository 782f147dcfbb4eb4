//! Who was given what, over time.

use super::Document;
use super::document::Epoch;
use reticent_chart::page::Page;
use reticent_chart::plot::{Axis, Chart, Series};

/// More lines than this cannot be told apart.
const MOST_LINES: usize = 6;

pub(super) fn section(page: &mut Page, document: &Document) {
    if document.epochs.is_empty() {
        return;
    }
    page.section("Allocation over time");
    let two = document.arms().len() == 2;
    let by_stratum = by_stratum(document);
    let what = match (two, by_stratum) {
        (true, true) => format!(
            "The published chance of {} in each epoch and stratum; the others of that stratum were given {}.",
            document.arms()[1],
            document.arms()[0]
        ),
        (false, true) => "The published chance of each arm in each epoch and stratum.".into(),
        (_, false) => {
            "The share of people given each arm in each epoch: published chances, with strata weighted by their noisy counts.".into()
        }
    };
    page.paragraph(&format!(
        "{what} The first epoch is even. Later ones favour the arm that looks best in the tables published by then, above the floor that the plan keeps for estimation (alpha {}).",
        document.spec.draft().alpha
    ));
    page.chart(&chart(document, by_stratum).svg());
}

fn by_stratum(document: &Document) -> bool {
    let lines = if document.arms().len() == 2 { 1 } else { document.arms().len() };
    document.strata.len() > 1 && lines * document.strata.len() <= MOST_LINES || document.strata.len() == 1
}

fn chart(document: &Document, by_stratum: bool) -> Chart {
    let arms = document.arms();
    let first = usize::from(arms.len() == 2 && by_stratum);
    let mut series = Vec::new();
    for (arm, arm_name) in arms.iter().enumerate().skip(first) {
        if by_stratum {
            for (stratum, row) in document.strata.iter().enumerate() {
                let name = match (arms.len(), document.strata.len()) {
                    (_, 1) => arm_name.clone(),
                    (2, _) => row.name.clone(),
                    _ => format!("{arm_name}, {}", row.name),
                };
                series.push(line(document, name, &|epoch| epoch.cells[stratum * arms.len() + arm].chance));
            }
        } else {
            series.push(line(document, arm_name.clone(), &|epoch| weighted(document, epoch, arm)));
        }
    }
    let whom = if first == 1 { format!("given {} (%)", arms[1]) } else { "given the arm (%)".into() };
    Chart { x: Axis::linear("people enrolled"), y: Axis::linear(whom), series, ..Chart::default() }
}

/// A step for each epoch.
fn line(document: &Document, name: String, share: &dyn Fn(&Epoch) -> f64) -> Series {
    let steps = document.epochs.iter().flat_map(|epoch| {
        let percent = 100.0 * share(epoch);
        [(epoch.start as f64, percent), (epoch.end as f64, percent)]
    });
    Series::measured(name, steps.collect())
}

/// An arm's chance over strata, by their noisy counts in the epoch; by those of the whole trial while its
/// table is not published.
fn weighted(document: &Document, epoch: &Epoch, arm: usize) -> f64 {
    let arms = document.arms().len();
    let weight = |stratum: usize| -> f64 {
        let cells = &epoch.cells[stratum * arms..][..arms];
        let in_epoch: Option<f64> = cells.iter().map(|cell| Some(cell.people? + cell.missing?)).sum();
        let in_trial = || document.strata[stratum].arms.iter().map(|one| one.people).sum();
        in_epoch.unwrap_or_else(in_trial).max(0.0) + 1e-9
    };
    let strata = 0..document.strata.len();
    let all: f64 = strata.clone().map(weight).sum();
    strata.map(|stratum| weight(stratum) / all * epoch.cells[stratum * arms + arm].chance).sum()
}
