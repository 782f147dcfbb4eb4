//! An audit as a page: every claim beside what was measured.

use reticent_audit::{Method, Verdict};

use super::{Document, Row};
use crate::catalogue::Group;
use reticent_chart::page::{Page, Table};
use reticent_chart::plot::{Axis, DotChart, DotGroup, DotMark, DotRow};

/// The page of an audit of the catalogue, of the deliberate mistakes, or of both.
pub fn page(claims: Option<&Document>, mistakes: Option<&Document>) -> String {
    let noise = claims.or(mistakes).map_or("", Document::noise_label);
    let mut page = Page::new(
        "Does it keep its promise?",
        "Each mechanism and each agent claims an epsilon. The auditor looks for what an attacker could tell \
         from its outputs, and reports an epsilon that is proved to be lost.",
        &format!("noise: {noise}"),
    );
    if let Some(document) = claims {
        page.section("Claimed and measured");
        page.paragraph(&verdict(document));
        page.chart(&claims_chart(document).svg());
        page.paragraph(
            "A dot left of its tick is within the claim; a dot close to it says that the claim could not be smaller. Exact audits read the \
             probabilities themselves, in integers. Sampled ones test one event on fresh runs, with Clopper-Pearson bounds: a sound mechanism is \
             blamed with probability at most one in a million.",
        );
        page.table(&table(document));
    }
    if let Some(document) = mistakes {
        page.section("Deliberate mistakes");
        page.paragraph(&format!(
            "Each of these makes a mistake that real systems have made. {}",
            caught(document)
        ));
        page.chart(&mistakes_chart(document).svg());
        page.table(&mistakes_table(document));
    }
    page.finish(&format!(
        "Made by reticent {}. What was run is the code of production; noise: {noise}.",
        env!("CARGO_PKG_VERSION")
    ))
}

/// The outcome in a sentence.
pub fn verdict(document: &Document) -> String {
    let leaks: Vec<&str> = leaking(document).collect();
    let undecided = document.results.iter().filter(|row| row.verdict == Verdict::Undecided).count();
    if undecided > 0 && leaks.is_empty() {
        format!(
            "{undecided} of {} could not decide: the probabilities are too coarse.",
            counted(document.results.len(), "audit")
        )
    } else if leaks.is_empty() {
        let audits = counted(document.results.len(), "audit");
        format!("{audits}, and no measurement exceeds its claim.")
    } else {
        format!("These leak more than they claim: {}.", leaks.join(", "))
    }
}

fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

fn leaking(document: &Document) -> impl Iterator<Item = &str> {
    document.results.iter().filter(|row| row.verdict == Verdict::Leaks).map(|row| &*row.name)
}

/// What was not looked at, and in which audits.
pub fn unseen(document: &Document) -> Vec<String> {
    let all = document.results.iter().flat_map(|row| row.unseen.iter().map(move |what| (row, what)));
    all.map(|(row, what)| format!("{}: not looked at: {what}", row.label)).collect()
}

/// How many mistakes were caught, in a sentence.
pub fn caught(document: &Document) -> String {
    let (caught, all) = (leaking(document).count(), document.results.len());
    format!("{caught} of {all} deliberately wrong mechanisms were caught.")
}

/// Claims by group.
pub fn claims_chart(document: &Document) -> DotChart {
    let group = |group: Group| {
        let rows = document.results.iter().filter(|row| row.group == Some(group));
        DotGroup {
            name: group.title().to_string(),
            rows: rows.map(|row| dot(row, &claim_name(row))).collect(),
        }
    };
    let groups = Group::ALL.into_iter().map(group).filter(|group| !group.rows.is_empty());
    chart(groups.collect())
}

fn mistakes_chart(document: &Document) -> DotChart {
    let rows = document.results.iter().map(|row| dot(row, &row.name)).collect();
    chart(vec![DotGroup { name: String::new(), rows }])
}

fn chart(groups: Vec<DotGroup>) -> DotChart {
    DotChart {
        x: Axis::log("privacy loss ε"),
        groups,
        limit_name: "claimed ε".into(),
        value_name: "measured lower bound".into(),
        note_name: Some("measured".into()),
        ..DotChart::default()
    }
}

fn claim_name(row: &Row) -> String {
    let how = if row.method == Method::Exact { ", exact" } else { "" };
    format!("{}, ε = {}{how}", row.label, row.claimed)
}

fn dot(row: &Row, name: &str) -> DotRow {
    let mark = if row.verdict == Verdict::Leaks { DotMark::Bad } else { DotMark::Good };
    DotRow {
        name: name.to_string(),
        limit: Some(row.claimed),
        value: row.measured_lower_bound,
        mark,
        note: Some(row.measured()),
    }
}

/// Every claim with its measurement.
pub fn table(document: &Document) -> Table {
    let head = [
        "name",
        "claimed ε",
        "measured ε at least",
        "tightness",
        "smallest leak seen",
        "method",
        "runs",
        "verdict",
    ];
    let rows = document.results.iter().map(|row| {
        let claimed = if row.delta > 0.0 {
            format!("{} (δ {})", row.claimed, row.delta)
        } else {
            row.claimed.to_string()
        };
        let cells = vec![
            row.label.clone(),
            claimed,
            row.measured(),
            row.tightness.map_or_else(|| "∞".into(), |t| format!("{t:.3}")),
            row.sight(),
            method(row).to_string(),
            row.samples.to_string(),
            verdict_word(row).to_string(),
        ];
        (cells, row.verdict == Verdict::Leaks)
    });
    Table { head: head.map(String::from).to_vec(), rows: rows.collect() }
}

/// Every mistake in words, for the page.
fn mistakes_table(document: &Document) -> Table {
    let head = ["name", "mistake"];
    let row = |row: &Row| (vec![row.name.clone(), row.mistake.unwrap_or_default().to_string()], false);
    Table { head: head.map(String::from).to_vec(), rows: document.results.iter().map(row).collect() }
}

/// Every mistake and whether it was caught.
pub fn caught_table(document: &Document) -> Table {
    let head = ["name", "claimed ε", "measured ε at least", "runs", "caught"];
    let rows = document.results.iter().map(|row| {
        let cells = vec![
            row.name.clone(),
            row.claimed.to_string(),
            row.measured(),
            row.samples.to_string(),
            if row.verdict == Verdict::Leaks { "yes" } else { "NO" }.to_string(),
        ];
        (cells, row.verdict == Verdict::Passes)
    });
    Table { head: head.map(String::from).to_vec(), rows: rows.collect() }
}

fn method(row: &Row) -> &'static str {
    match row.method {
        Method::Exact => "exact",
        Method::Sampling => "sampling",
    }
}

fn verdict_word(row: &Row) -> &'static str {
    match row.verdict {
        Verdict::Passes => "passes",
        Verdict::Undecided => "undecided",
        Verdict::Leaks => "LEAKS",
    }
}
