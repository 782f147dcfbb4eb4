//! Effects and their intervals: a forest plot and a table of all estimators.

use super::Document;
use super::digits::{decimals_of, full, people, plain};
use super::document::EffectRow;
use super::words::{percent, shown};
use reticent_chart::page::{Page, Table};
use reticent_chart::plot::{Axis, ForestChart, ForestRow};
use reticent_curate::trial::Better;

pub(super) fn section(page: &mut Page, document: &Document) {
    page.section("Effects");
    show(page, document);
}

pub(super) fn show(page: &mut Page, document: &Document) {
    let confidence = percent(document.spec.draft().confidence);
    let side = match document.spec.better() {
        Better::Higher => "Right",
        Better::Lower => "Left",
    };
    page.paragraph(&if document.complete {
        format!(
            "Each row is the difference in mean {} against {}. Thick lines are {confidence} intervals at the planned end (augmented estimator, the one chosen beforehand); thin lines are the \
             confidence sequence, which holds whenever one looks. {side} of zero is better.",
            document.spec.draft().outcome.column,
            document.arms()[0],
        )
    } else {
        format!(
            "Each row is the difference in mean {} against {}, with the {confidence} confidence sequence, which holds whenever one looks. {side} of zero is better.",
            document.spec.draft().outcome.column,
            document.arms()[0],
        )
    });
    page.chart(&chart(document).svg());
    page.table(&estimators(document));
    page.paragraph("How people fared on each arm, with the noise in the counts:");
    page.table(&means(document));
}

fn name(row: &EffectRow) -> String {
    row.stratum.clone().unwrap_or_else(|| "everyone".into())
}

/// A stratum that is the whole trial needs no row beside everyone's.
fn rows(document: &Document) -> impl Iterator<Item = &EffectRow> {
    let alone = document.strata.len() == 1;
    document.effects.iter().filter(move |row| !alone || row.stratum.is_none())
}

fn chart(document: &Document) -> ForestChart {
    let all: Vec<_> = rows(document).map(shown).collect();
    let decimals = decimals_of(all.iter());
    let mut lines = Vec::new();
    for row in rows(document) {
        if row.stratum.is_none() && document.arms().len() > 2 {
            lines.push(ForestRow {
                name: format!("{} against {}", row.arm, row.against),
                ..ForestRow::default()
            });
        }
        let interval = shown(row);
        lines.push(ForestRow {
            name: name(row),
            estimate: Some(interval.estimate),
            interval: row.planned.map(|planned| (planned.augmented.low, planned.augmented.high)),
            outer: Some((row.anytime.low, row.anytime.high)),
            average: row.stratum.is_none(),
            note: full(&interval, decimals),
        });
    }
    let outcome = &document.spec.draft().outcome.column;
    ForestChart {
        x: Axis::linear(format!("difference in mean {outcome} against {}", document.arms()[0])),
        rows: lines,
        note_name: format!("{} interval", percent(document.spec.draft().confidence)),
        ..ForestChart::default()
    }
}

fn estimators(document: &Document) -> Table {
    let several = document.arms().len() > 2;
    let decimals = decimals_of(
        rows(document).map(|row| row.planned.as_ref().map_or(&row.anytime, |all| &all.augmented)),
    );
    let planned = document.complete;
    let mut head = vec!["for whom"];
    if several {
        head.push("arm");
    }
    if planned {
        head.extend(["augmented (default)", "inverse propensity", "difference in means"]);
    }
    head.push("anytime");
    let row = |row: &EffectRow| {
        let mut cells = vec![name(row)];
        if several {
            cells.push(row.arm.clone());
        }
        if let Some(all) = &row.planned {
            cells.extend([&all.augmented, &all.inverse_propensity].map(|one| full(one, decimals)));
            let hidden = || "not shown: chances changed".to_string();
            cells.push(all.difference_in_means.map_or_else(hidden, |one| full(&one, decimals)));
        }
        cells.push(full(&row.anytime, decimals));
        (cells, row.stratum.is_none())
    };
    Table { head: head.into_iter().map(String::from).collect(), rows: rows(document).map(row).collect() }
}

/// People and means of each stratum and arm.
fn means(document: &Document) -> Table {
    let mut head = vec!["for whom".to_string()];
    for arm in document.arms() {
        head.extend([format!("{arm}: people"), format!("{arm}: mean")]);
    }
    head.push("noise in people (sd)".into());
    let rows = document.strata.iter().map(|stratum| {
        let mut cells = vec![stratum.name.clone()];
        for arm in &stratum.arms {
            let count = arm.people.max(1.0);
            let noise = document.spec.draft().outcome.width() * stratum.noise / count;
            let error = (arm.variance / count + noise * noise).sqrt();
            cells.extend([people(arm.people), plain(arm.mean, super::digits::decimals(error))]);
        }
        cells.push(people(stratum.noise));
        (cells, false)
    });
    Table { head, rows: rows.collect() }
}
