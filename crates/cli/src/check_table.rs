//! `reticent check PLAN TABLE`: what is wrong in a table, counted.

use std::path::{Path, PathBuf};

use reticent_chart::numbers::count;
use reticent_jobs::Progress;
use reticent_jobs::columns::{Survey, Surveyed, TableFiles, survey};
use reticent_jobs::plan::Plan;
use serde_json::{Map, Value, json};

use crate::progress::Bar;
use crate::{CliError, output, print_table};
use reticent_chart::page::Table;

/// What everybody must know who sees such counts.
const CAUTION: &str = "exact counts of raw records: for the owner of the data, not for anybody else";

/// A plan alone.
pub(super) fn plan(path: &Path, plan: &Plan, as_json: bool) -> Result<(), CliError> {
    let columns: Vec<String> =
        plan.layout(path)?.map(|layout| layout.names().map(String::from).collect()).unwrap_or_default();
    if as_json {
        let body = json!({ "file": path, "kind": plan.kind(), "sound": true, "columns": columns });
        return output::print_document("plan-check", &body);
    }
    println!("{}: {}: sound", path.display(), plan.kind());
    if !columns.is_empty() {
        println!("  columns     {}", columns.join(", "));
    }
    Ok(())
}

/// A table by its plan.
pub(super) fn table(path: &Path, plan: &Plan, places: &[PathBuf], as_json: bool) -> Result<(), CliError> {
    let Some(layout) = plan.layout(path)? else {
        let kind = plan.kind();
        return Err(CliError::Usage(format!("{}: a {kind} reads no table", path.display())));
    };
    let files = TableFiles::new(places)?;
    let bar = Bar::new();
    bar.begin("checking rows");
    let found = survey(&files, &layout, &|rows| {
        bar.served(rows);
        !bar.stop()
    });
    bar.finish();
    let found = found?.ok_or(CliError::Interrupted)?;
    if as_json {
        output::print_document("table-check", &document(path, plan, &files, &found))?;
    } else {
        print(path, plan, &files, &found);
    }
    match found.faults() {
        0 => Ok(()),
        1 => Err(CliError::No(format!("{} would be refused: 1 fault", files.name()))),
        faults => Err(CliError::No(format!("{} would be refused: {} faults", files.name(), count(faults)))),
    }
}

fn document(path: &Path, plan: &Plan, files: &TableFiles, found: &Survey) -> Value {
    let column = |one: &Surveyed| {
        let faults: Map<String, Value> =
            one.faults.iter().map(|(fault, number)| (fault.kind().to_string(), (*number).into())).collect();
        json!({ "name": one.name, "faults": faults, "clipped": one.clipped })
    };
    json!({
        "private": false,
        "caution": CAUTION,
        "plan": path,
        "kind": plan.kind(),
        "table": files.name(),
        "rows": found.rows,
        "rows_of_another_width": found.ragged,
        "columns": found.columns.iter().map(column).collect::<Vec<_>>(),
        "faults": found.faults(),
        "passed": found.is_clean(),
    })
}

fn print(path: &Path, plan: &Plan, files: &TableFiles, found: &Survey) {
    println!("{}: {} rows, by the {} {}", files.name(), count(found.rows), plan.kind(), path.display());
    let head = ["column", "cells", "what"].map(String::from).to_vec();
    let mut rows = Vec::new();
    for one in &found.columns {
        let faults = one.faults.iter().map(|(fault, number)| (fault.kind(), *number));
        let clipped = (one.clipped > 0).then_some(("outside the range, clipped", one.clipped));
        for (what, number) in faults.chain(clipped) {
            rows.push((vec![one.name.clone(), count(number), what.to_string()], false));
        }
    }
    if found.ragged > 0 {
        let what = "rows of another width than the header";
        rows.push((vec!["(row)".into(), count(found.ragged), what.into()], false));
    }
    if rows.is_empty() {
        println!("  every cell is as the plan declares it");
    } else {
        print_table(&Table { head, rows });
        println!("  caution     {CAUTION}");
    }
}
