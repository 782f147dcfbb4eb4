//! `reticent price evaluate`.

use std::path::{Path, PathBuf};

use reticent_chart::numbers::count;
use reticent_jobs::price::policy::{Evaluate, EvaluatePrices, Evaluation, PricesEvaluation, earned, is_log};
use reticent_learn::pricing::Policy;
use serde_json::json;

use super::fit::{Goal, goal};
use super::list::price;
use super::show;
use crate::progress::Bar;
use crate::{CliError, output, stream, table};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The policy, then privatised logs of its market that it was not learned from; with --prices-of logs alone will do
    #[arg(value_name = "POLICY.json|LOG.rpl", required = true)]
    files: Vec<PathBuf>,
    /// Contexts for which prices will be quoted, a row each, as CSV, gzip or Parquet; nothing protects them
    /// here [default: the logs' own]
    #[arg(long, value_name = "FILE")]
    target: Option<PathBuf>,
    /// Value the prices in this table instead: contexts and a price, a row for each person
    #[arg(long, value_name = "FILE", conflicts_with = "target")]
    prices_of: Option<PathBuf>,
    /// The column of the price in that table
    #[arg(long, value_name = "COLUMN", default_value = "price", requires = "prices_of")]
    price_column: String,
    /// What is earned, where no policy says it [default: as of `price fit`]
    #[arg(long, value_enum, value_name = "GOAL", requires = "prices_of")]
    objective: Option<Goal>,
    /// What a unit costs, for profit
    #[arg(long, value_name = "C", value_parser = price, allow_negative_numbers = true, requires = "prices_of")]
    cost: Option<f64>,
    /// How sure intervals are, where no policy says it
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, allow_negative_numbers = true)]
    confidence: f64,
    #[command(flatten)]
    written: table::Written,
    /// Print one JSON document and nothing else
    #[arg(long)]
    json: bool,
}

/// The policy, if the first file is none of the logs; and the logs.
fn sorted(files: &[PathBuf]) -> (Option<&Path>, Vec<&Path>) {
    let paths: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    match paths.split_first() {
        Some((first, rest)) if !is_log(first) => (Some(first), rest.to_vec()),
        _ => (None, paths),
    }
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    let (policy, logs) = sorted(&args.files);
    if logs.is_empty() {
        return Err(CliError::Usage("name at least one privatised log, LOG.rpl, behind the policy".into()));
    }
    if let Some(table) = &args.prices_of {
        return prices(args, policy, &logs, table);
    }
    let Some(path) = policy else {
        let first = logs[0].display();
        let text = format!(
            "{first} is a privatised log: name the policy first, POLICY.json; or say --prices-of FILE to value the prices of a table"
        );
        return Err(CliError::Usage(text));
    };
    let target = args.target.as_ref().map(|place| args.written.table(place)).transpose()?;
    let done = Bar::during(|bar| Evaluate { policy: path, logs: &logs, target: target.as_ref() }.run(bar))?;
    show::warn_overlap(&done.overlap, &show::people(done.target));
    warn_own(&done.learned_from);
    if args.json {
        output::print_document("price-evaluate", &document(args, path, &done))?;
    } else {
        print(path, &done);
    }
    Ok(())
}

/// A policy is flattered by what it was learned from.
fn warn_own(logs: &[PathBuf]) {
    for log in logs {
        stream::warn(format_args!(
            "the policy was learned from {}, which flatters it; keep a log apart for this",
            log.display()
        ));
    }
}

fn prices(args: &Args, policy: Option<&Path>, logs: &[&Path], table: &Path) -> Result<(), CliError> {
    let earns = match (policy, args.objective, args.cost) {
        (Some(_), None, None) => None,
        (Some(_), ..) => {
            return Err(CliError::Usage(
                "the policy says what is earned: leave out --objective and --cost".into(),
            ));
        }
        (None, objective, cost) => goal(objective, cost)?,
    };
    let raw = args.written.table(table)?;
    let job = EvaluatePrices {
        table: &raw,
        column: &args.price_column,
        logs,
        policy,
        earns,
        confidence: args.confidence,
    };
    let done = Bar::during(|bar| job.run(bar))?;
    warn_own(&done.learned_from);
    if args.json {
        output::print_document("price-evaluate-prices", &prices_document(table, policy, &done))
    } else {
        print_prices(table, policy, &done);
        Ok(())
    }
}

fn prices_document(table: &Path, policy: Option<&Path>, done: &PricesEvaluation) -> serde_json::Value {
    json!({
        "prices_of": table,
        "people": done.rows,
        "policy": policy,
        "logs": done.sources,
        "reports": done.reports,
        "earns": earned(&done.objective),
        "confidence": done.objective.confidence,
        "value": done.worth,
        "mean_price": done.mean_price,
        "volume": done.volume,
        "covered_at_price": done.covered,
        "best_single_price": done.single,
        "gain_over_best_single_price": done.gain_over_single,
        "value_of_policy": done.policy,
        "gain_over_policy": done.gain_over_policy,
        "learned_from": done.learned_from,
    })
}

fn print_prices(table: &Path, policy: Option<&Path>, done: &PricesEvaluation) {
    let confidence = done.objective.confidence;
    println!(
        "{} from a person of {}, {} of them, by logs of {} reports",
        earned(&done.objective),
        table.display(),
        count(done.rows),
        count(done.reports)
    );
    println!("  its prices  {}", show::worth(&done.worth, confidence));
    println!("              {} on average", show::price(done.mean_price));
    if let Some(volume) = &done.volume {
        println!("  volume      {}", show::worth(volume, confidence));
    }
    println!("  one price   {}", show::single(&done.single, confidence));
    println!("              {}", if policy.is_some() { BY_POLICY } else { BY_THESE });
    println!("  gain        over that: {}", show::worth(&done.gain_over_single, confidence));
    if let (Some(worth), Some(gain), Some(policy)) = (&done.policy, &done.gain_over_policy, policy) {
        println!("  policy      {}: {}", policy.display(), show::worth(worth, confidence));
        println!("  gain        over that: {}", show::worth(gain, confidence));
    }
    println!("  overlap     the logs surely have records of their price for {}", show::percent(done.covered));
    show::print_sources(&done.sources);
    println!(
        "\nThe intervals are those of these logs' posterior: they hold if the market is as smooth as it seems."
    );
}

const BY_POLICY: &str = "the best single price by the logs that the policy was learned from";
const BY_THESE: &str = "the best single price by these logs themselves, which favours it";

fn document(args: &Args, policy: &Path, done: &Evaluation) -> serde_json::Value {
    json!({
        "policy": policy,
        "learned_from": done.learned_from,
        "logs": done.sources,
        "reports": done.reports,
        "earns": earned(done.policy.objective()),
        "confidence": done.policy.objective().confidence,
        "value": done.worth,
        "best_single_price": done.single,
        "gain_over_best_single_price": done.gain,
        "mean_price": done.mean_price,
        "overlap": done.overlap,
        "target": args.target,
        "target_contexts": done.target,
    })
}

/// Who chose the single price that the policy is compared with.
fn chosen_by(policy: &Policy) -> &'static str {
    match policy.choice() {
        Some(_) => BY_POLICY,
        None => BY_THESE,
    }
}

fn print(path: &Path, done: &Evaluation) {
    let objective = done.policy.objective();
    let people = show::people(done.target);
    println!("{} from a person of {people}, by logs of {} reports", earned(objective), count(done.reports));
    println!("  policy      {}", show::worth(&done.worth, objective.confidence));
    println!("  one price   {}", show::single(&done.single, objective.confidence));
    println!("              {}", chosen_by(&done.policy));
    println!("  gain        of the policy over that: {}", show::worth(&done.gain, objective.confidence));
    println!("  mean price  {}", show::single(&done.mean_price, objective.confidence));
    show::print_overlap(&done.overlap, &people);
    show::print_sources(&done.sources);
    println!(
        "\nThe intervals are those of these logs' posterior: they hold if the market is as smooth as it seems, and if {} was not learned from these logs.",
        path.display()
    );
}
