//! `reticent price evaluate`.

use std::path::{Path, PathBuf};

use reticent_chart::numbers::count;
use reticent_jobs::price::policy::{Evaluate, Evaluation, earned};
use reticent_learn::pricing::Policy;
use serde_json::json;

use super::show;
use crate::progress::Bar;
use crate::{CliError, output, table};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The policy
    #[arg(value_name = "POLICY.json")]
    policy: PathBuf,
    /// Privatised logs of the policy's market that it was not learned from
    #[arg(value_name = "LOG.rpl", required = true)]
    logs: Vec<PathBuf>,
    /// Contexts for which prices will be quoted, a row each, as CSV, gzip or Parquet; nothing protects them
    /// here [default: the logs' own]
    #[arg(long, value_name = "FILE")]
    target: Option<PathBuf>,
    #[command(flatten)]
    written: table::Written,
    /// Print one JSON document and nothing else
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    let logs: Vec<&Path> = args.logs.iter().map(PathBuf::as_path).collect();
    let target = args.target.as_ref().map(|place| args.written.table(place)).transpose()?;
    let done =
        Bar::during(|bar| Evaluate { policy: &args.policy, logs: &logs, target: target.as_ref() }.run(bar))?;
    show::warn_overlap(&done.overlap, &show::people(done.target));
    if args.json {
        output::print_document("price-evaluate", &document(args, &done))?;
    } else {
        print(args, &done);
    }
    Ok(())
}

fn document(args: &Args, done: &Evaluation) -> serde_json::Value {
    json!({
        "policy": args.policy,
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
        Some(_) => "the best single price by the logs that the policy was learned from",
        None => "the best single price by these logs themselves, which favours it",
    }
}

fn print(args: &Args, done: &Evaluation) {
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
        args.policy.display()
    );
}
