//! Many replays of one table.

use reticent_chart::numbers::number;
use reticent_chart::page;
use reticent_curate::trial::TrialSpec;
use reticent_jobs::trial::replay::{Drawn, Moved, Table, plain_reference, reference};
use reticent_lab::reproduce::mark;
use reticent_lab::runner::{Store, run_all};
use reticent_lab::trial::{Coverage, Replays, coverage};
use reticent_privacy::Guarantee;
use serde_json::json;

use super::show::{effect_name, privacy};
use crate::progress::Bar;
use crate::{CliError, output, print_table, threads};

/// How the answer is told.
pub(super) struct Told {
    pub(super) threads: Option<usize>,
    pub(super) json: bool,
}

pub(super) fn run(args: &Told, experiment: &Replays<'_>) -> Result<(), CliError> {
    let Replays { spec, table, finished, drawn, replays, seed } = *experiment;
    let bar = Bar::new();
    let done = run_all(experiment, threads(args.threads)?, &mut Store::in_memory(), &bar);
    bar.finish();
    let strata = spec.strata();
    // Shares by stratum make everyone's effect one within strata.
    let plain = finished && spec.draft().observed.is_none();
    let adjusted = spec.draft().adjust.is_some();
    let truth = match (adjusted, plain) {
        (true, _) => Moved::new(spec, table).reference(),
        (_, true) => plain_reference(table, strata),
        _ => reference(table, strata),
    };
    let found = coverage(&done?, &truth);
    let bootstrap = drawn == Drawn::Bootstrap;
    let about = if adjusted { ADJUSTED } else { about(table, bootstrap) };
    if args.json {
        let document = json!({
            "mark": mark(seed.0), "guarantee": Guarantee::none("one person's row of the table"), "trial": spec, "rows": table.rows(), "replays": replays, "bootstrap": bootstrap,
            "about": about, "effects": found,
        });
        return output::print_document("trial-shuffles", &document);
    }
    let (name, confidence) = (&spec.draft().name, spec.draft().confidence);
    let drawn = if bootstrap { "rows drawn with replacement" } else { "rows shuffled" };
    println!("{name}: {replays} replays of {} rows, {drawn}", table.rows());
    println!(
        "  privacy     none: the reference shows the table as it is; a trial by this plan would be {}",
        privacy(spec)
    );
    println!("  noise       from a seed: {}", mark(seed.0));
    println!("  intervals   promise {:.1} %", 100.0 * confidence);
    println!("  reference   {about}");
    for effect in found.iter().filter(|effect| effect.stratum.is_none() || spec.strata() > 1) {
        println!();
        print_effect(spec, effect);
    }
    Ok(())
}

const ADJUSTED: &str = "arms are given anew, and outcomes moved by the table's difference in means: the effect is then known, and covariates have nothing to do with arms";

fn about(table: &Table, bootstrap: bool) -> &'static str {
    match (bootstrap, table.is_randomised()) {
        (true, true) => "the whole table's difference in means, which is the truth for people drawn from it",
        (true, false) => "the whole table's effect, which is the truth for people drawn from it",
        (false, true) => {
            "the whole table's difference in means, itself an estimate; shuffles of one table vary less than new people, so that coverage may exceed what is promised"
        }
        (false, false) => {
            "the whole table's effect; shuffles of one table vary less than new people, so that coverage may exceed what is promised"
        }
    }
}

fn print_effect(spec: &TrialSpec, effect: &Coverage) {
    let name = effect_name(spec, effect.arm, effect.stratum);
    println!("  {name}: reference {}", number(effect.reference));
    let head = ["interval", "coverage", "mean width", "mean estimate", "sd"].map(String::from).to_vec();
    let rows = effect.rows.iter().map(|row| {
        let coverage = format!("{:.1} %", 100.0 * row.coverage);
        let cells = [row.interval.into(), coverage, number(row.width), number(row.mean), number(row.spread)];
        (cells.to_vec(), false)
    });
    print_table(&page::Table { head, rows: rows.collect() });
}
