//! What the commands show alike.

use std::path::Path;

use reticent_chart::numbers::count;
use reticent_chart::numbers::tidy;
use reticent_jobs::price::policy::{Single, Source, Worth, charts};
use reticent_learn::pricing::{Choice, Earns, Objective, Overlap, Policy, Sign};
use reticent_privacy::Guarantee;

use crate::output::{self, write_chart};
use crate::{CliError, stream};

/// Below this share of covered people a policy is mostly guesswork.
const ENOUGH: f64 = 0.8;

/// Files that would be written must not be among those that are read, nor be one.
pub(super) fn check_files(written: &[(&str, Option<&Path>)], read: &[(&str, &Path)]) -> Result<(), CliError> {
    let refuse = |flag: &str, file: &Path, what: &str| {
        Err(CliError::Usage(format!("{flag} {}: this is the {what}; choose another name", file.display())))
    };
    for (place, &(flag, file)) in written.iter().enumerate() {
        let Some(file) = file else { continue };
        if let Some((what, _)) = read.iter().find(|(_, other)| output::same(file, other)) {
            return refuse(flag, file, what);
        }
        let earlier =
            written[..place].iter().find(|(_, other)| other.is_some_and(|other| output::same(file, other)));
        if let Some((other, _)) = earlier {
            return refuse(flag, file, &format!("file of {other}"));
        }
    }
    Ok(())
}

/// Draws a policy into a file.
pub(super) fn draw(policy: &Policy, guarantee: &Guarantee, path: &Path) -> Result<(), CliError> {
    write_chart(path, charts(policy, guarantee))
}

/// What each log's reports promise.
pub(super) fn print_sources(sources: &[Source]) {
    for (place, Source { file, guarantee, .. }) in sources.iter().enumerate() {
        let label = if place == 0 { "guarantee" } else { "" };
        println!("  {label:<11} {guarantee} for each record of {}", file.display());
    }
}

/// `5.12, 95 % interval 4.9 to 5.3`.
pub(super) fn worth(worth: &Worth, confidence: f64) -> String {
    let Worth { mean, low, high } = *worth;
    format!("{}, {} % interval {} to {}", tidy(mean), tidy(100.0 * confidence), tidy(low), tidy(high))
}

/// `9.99 for everybody: 5.12, 95 % interval 4.9 to 5.3`.
pub(super) fn single(single: &Single, confidence: f64) -> String {
    format!("{} for everybody: {}", price(single.price), worth(&single.worth, confidence))
}

/// For whom which price is quoted, and why.
pub(super) fn choice(choice: &Choice, what: &str) -> String {
    let single = price(choice.single);
    match choice.caution {
        None => format!("{single} to everybody: no other prices are known to gain {what}"),
        Some(_) => format!(
            "{single} to {} of them, other prices to {}: these gain {} on average, at least {} with 95 % confidence",
            percent(1.0 - choice.others),
            percent(choice.others),
            tidy(choice.gain),
            tidy(choice.gain_at_least)
        ),
    }
}

/// A warning for each axis whose records lie in stretches with nothing between.
pub(super) fn warn_gaps(gaps: &[(String, Vec<(f64, f64)>)]) {
    for (name, stretches) in gaps {
        let each: Vec<String> =
            stretches.iter().map(|&(low, high)| format!("{} to {}", price(low), price(high))).collect();
        let remedy = if name == "price" {
            "only the lowest price of each is quoted; declare the prices as a list, or name them with --prices"
        } else {
            "if it is a code, declare it as a category"
        };
        stream::warn(format_args!("the log has {name} within {} alone: {remedy}", each.join(", ")));
    }
}

/// A warning where the log's prices were not drawn by lot.
pub(super) fn warn_follows(contexts: &[String]) {
    if !contexts.is_empty() {
        stream::warn(format_args!(
            "the log's prices move with {}: if they were chosen by anything else that is not in the log and that moves demand, these prices are wrong, and no log can tell",
            contexts.join(", ")
        ));
    }
}

/// A warning where the log is too small to say that anything is earned.
pub(super) fn warn_unknown(single: &Single, objective: &Objective) {
    if matches!(objective.earns, Earns::Margin { .. }) && single.worth.low <= 0.0 {
        stream::warn(format_args!(
            "the log does not show that any price earns anything: these prices are guesses; take more records, a larger epsilon, or a narrower range of outcomes"
        ));
    }
}

/// A warning where people bought more when it was dearer.
pub(super) fn warn_rise(between: Option<(f64, f64)>) {
    if let Some((low, high)) = between {
        stream::warn(format_args!(
            "in the log outcomes are higher at {} than at {}: those were asked for more who would buy anyway, by something that is not in it; everybody gets one price, and what it earns is not known before it is tried",
            price(high),
            price(low)
        ));
    }
}

pub(super) fn warn_forged(signs: &[Sign]) {
    for sign in signs {
        stream::warn(format_args!("{sign}"));
    }
}

/// A price with all its digits, but without those of arithmetic.
pub(super) fn price(price: f64) -> String {
    let rounded = format!("{price:.6}");
    rounded.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// The overlap in words.
pub(super) fn print_overlap(overlap: &Overlap, people: &str) {
    println!(
        "  overlap     {} of {people} are where the log has records enough, {} with the quoted price too",
        percent(overlap.covered),
        percent(overlap.covered_at_price)
    );
    println!(
        "              for them the log is worth as much as an even one of {} of its size",
        if overlap.effective < 0.001 { "less than 0.1 %".into() } else { percent(overlap.effective) }
    );
}

/// A warning on standard error if the log covers too few.
pub(super) fn warn_overlap(overlap: &Overlap, people: &str) {
    if overlap.covered < ENOUGH {
        stream::warn(format_args!(
            "the log has next to no records for {} of {people}; their prices rest on smoothness alone, so log more such contexts or set --fallback",
            percent(1.0 - overlap.covered)
        ));
    } else if overlap.covered_at_price < ENOUGH {
        stream::warn(format_args!(
            "for {} of {people} the log does not show that it has records of the quoted price: it has next to none, or is too small to tell; log more there",
            percent(1.0 - overlap.covered_at_price)
        ));
    }
}

pub(super) fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent > 99.9 && percent < 100.0 { "99.9 %".into() } else { format!("{} %", tidy(percent)) }
}

/// Whose prices these are.
pub(super) fn people(target: Option<u64>) -> String {
    match target {
        Some(rows) => format!("the {} target contexts", count(rows)),
        None => "the log's own people".into(),
    }
}
