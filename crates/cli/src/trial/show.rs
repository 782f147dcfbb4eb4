//! A trial in a few lines.

use std::cmp::Ordering;
use std::path::Path;

use reticent_chart::numbers::number;
use reticent_chart::page::Table;
use reticent_curate::trial::{Analysis, Interval, Release, Times, TrialSpec};
use reticent_jobs::account::Paid;
use reticent_jobs::trial::report;

use crate::{CliError, curator, print_table};

/// What a plan promises, in a line.
pub(super) fn privacy(spec: &TrialSpec) -> String {
    spec.guarantee().to_string()
}

/// Which outcomes are good ones.
pub(super) fn direction(spec: &TrialSpec) -> String {
    let word = format!("{}: {} is better", spec.draft().outcome.column, spec.better().word());
    if spec.is_old() { word + " (the plan, from before plans said so, does not say)" } else { word }
}

/// Since when the journal tells time and author. How many lines it has and when the last was written follows
/// people's outcomes, and is not for others: `trial log` and `reticent verify` tell it to the curator.
pub(super) fn journal(times: &Times) -> String {
    match &times.begun {
        Some((at, Some(by))) => format!("begun {at} by {}; every step has its time", by.name()),
        Some((at, None)) => format!("begun {at} by nobody who is named (--actor); every step has its time"),
        None => "from before journals had time and author; steps from now on have both".into(),
    }
}

/// How a release is told.
#[derive(Default)]
pub(super) struct Told<'a> {
    pub(super) json: bool,
    pub(super) seed: Option<u64>,
    /// Where the report is to be written.
    pub(super) out: Option<&'a Path>,
    /// What it cost, and what is said if it was stored before.
    pub(super) paid: Option<(&'a Paid, &'a str)>,
    /// Lines behind the summary.
    pub(super) lines: Vec<String>,
}

/// A release and what it says, on standard output and in files: the same for every command that has one.
pub(super) fn told(release: &Release, analysis: &Analysis, how: &Told) -> Result<(), CliError> {
    if let Some(out) = how.out {
        report::write(out, release, analysis, how.seed)?;
    }
    if how.json {
        let mut shown = serde_json::to_value(report::document(release, analysis, how.seed))?;
        if let Some((paid, _)) = how.paid {
            curator::add_to(&mut shown, paid);
        }
        println!("{shown:#}");
        return Ok(());
    }
    if let Some((_, stored)) = how.paid.filter(|(paid, _)| paid.stored) {
        println!("released before from this table: this is the stored {stored}; nothing was spent");
    }
    summary(release, analysis, how.seed);
    for line in &how.lines {
        println!("{line}");
    }
    if let Some((paid, _)) = how.paid {
        println!("  account     {}", curator::line(&paid.standing));
    }
    if let Some(out) = how.out {
        println!("  report      {}", out.display());
    }
    Ok(())
}

/// What an effect is of.
pub(super) fn effect_name(spec: &TrialSpec, arm: usize, stratum: Option<usize>) -> String {
    let arms = &spec.draft().arms;
    let whose = stratum.map_or("everyone".into(), |stratum| spec.stratum_name(stratum));
    format!("{} - {}, {whose}", arms[arm], arms[0])
}

/// The summary on standard output.
pub(super) fn summary(release: &Release, analysis: &Analysis, seed: Option<u64>) {
    let spec = release.spec();
    let plan = spec.draft();
    println!("{}: {} of {} planned people, {}", plan.name, release.enrolled(), plan.people, state(release));
    println!("  outcome     {}", direction(spec));
    println!("  privacy     {}", release.guarantee());
    println!("  noise       {}", report::noise(release, seed));
    println!();
    print_table(&effects(release, analysis));
    println!();
    print_table(&people(spec, analysis));
    let noise = analysis.strata.first().map_or(0.0, |one| one.noise);
    if noise > 0.0 {
        println!(
            "  every published number has noise of standard deviation {}; people of a stratum and arm are counted to {}",
            number(spec.noise_in_a_count()),
            number(noise)
        );
    }
}

fn state(release: &Release) -> String {
    let tables = match release.published() {
        1 => "1 table".to_string(),
        many => format!("{many} tables"),
    };
    match (release.is_complete(), release.is_stopped()) {
        (true, _) => format!("stopped as planned, {tables}"),
        (_, true) => format!("stopped early, {tables}: only the anytime intervals hold"),
        _ => {
            let schedule = release.schedule();
            let epoch = schedule.epoch_of(release.enrolled()).min(schedule.epochs() - 1);
            format!("running, epoch {} of {}, {tables} published", epoch + 1, schedule.epochs())
        }
    }
}

fn effects(release: &Release, analysis: &Analysis) -> Table {
    let spec = release.spec();
    let percent = 100.0 * spec.draft().confidence;
    let mut head = vec!["effect".to_string()];
    let planned = analysis.effects.iter().all(|effect| effect.planned.is_some());
    if planned {
        head.extend(["estimate".into(), format!("{percent} % interval")]);
    }
    let looks = analysis.effects.iter().all(|effect| effect.repeated.is_some());
    if looks {
        head.extend(["at this look".into(), format!("{percent} % at all looks")]);
    }
    head.extend(["anytime estimate".into(), format!("{percent} % at all times")]);
    let decides = spec.draft().margin.is_some() || spec.draft().worthwhile.is_some() || looks;
    if decides {
        head.push("so far".into());
    }
    // One stratum is everyone: it is said once.
    let said = analysis.effects.iter().filter(|effect| effect.stratum.is_none() || spec.strata() > 1);
    let rows = said.map(|effect| {
        let mut cells = vec![effect_name(spec, effect.arm, effect.stratum)];
        let planned = effect.planned.map(|all| all.augmented);
        let repeated = effect.repeated.filter(|_| looks);
        for interval in planned.into_iter().chain(repeated).chain([effect.anytime]) {
            cells.extend(two_cells(interval, spec.draft().outcome.width()));
        }
        if decides {
            cells.push(effect.verdict(spec).words().into());
        }
        (cells, effect.stratum.is_none())
    });
    Table { head, rows: rows.collect() }
}

/// An effect and its interval. Where any effect is possible there is nothing to estimate.
fn two_cells(interval: Interval, width: f64) -> [String; 2] {
    let anything = interval.high - interval.low >= 2.0 * width;
    let estimate = if anything { "unknown".into() } else { number(interval.estimate) };
    [estimate, format!("{} to {}", number(interval.low), number(interval.high))]
}

fn people(spec: &TrialSpec, analysis: &Analysis) -> Table {
    let mut head = vec!["people with an outcome".to_string()];
    head.extend(spec.draft().arms.iter().cloned());
    head.push("missing".into());
    let rows = analysis.strata.iter().map(|stratum| {
        let mut cells = vec![stratum.name.clone()];
        cells.extend(stratum.arms.iter().map(|arm| number(arm.people)));
        cells.push(number(stratum.arms.iter().map(|arm| arm.missing).sum()));
        (cells, false)
    });
    Table { head, rows: rows.collect() }
}

/// A note if the table and the plan do not have the same number of people.
pub(super) fn left_out(spec: &TrialSpec, rows: u32) -> Option<String> {
    let (people, rows) = (spec.draft().people, u64::from(rows));
    match rows.cmp(&people) {
        Ordering::Greater => {
            Some(format!("  left out    {} of {rows} rows: the plan has {people} people", rows - people))
        }
        Ordering::Less => {
            Some(format!("  too few     {rows} rows for {people} planned people: the trial stopped early"))
        }
        Ordering::Equal => None,
    }
}
