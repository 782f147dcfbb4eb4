//! `reticent price privatise`.

use std::path::{Path, PathBuf};

use reticent_chart::numbers::count;
use reticent_chart::numbers::tidy;
use reticent_jobs::columns::TableFiles;
use reticent_jobs::price::{EXAMPLE, Market, OutcomeKind, Privatise, Privatised, read_market};
use reticent_privacy::{Delta, Epsilon};
use reticent_protocol::pricing::Prices;
use serde_json::json;

use crate::CliError;
use crate::curator::{self, AccountArgs};
use crate::output;
use crate::progress::Bar;

#[derive(clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct Args {
    /// The market: which columns are context, price and outcome, and where they lie; or an experiment's document
    #[arg(value_name = "MARKET.toml", required_unless_present = "example")]
    market: Option<PathBuf>,
    /// The table, a row for each sale or offer: CSV, gzip or Parquet; one file, several, a folder, or - for
    /// standard input
    #[arg(value_name = "TABLE", required_unless_present = "example")]
    table: Vec<PathBuf>,
    /// Print a commented market file to start from, and nothing else
    #[arg(long, exclusive = true)]
    example: bool,
    /// The privacy loss of each row's report
    #[arg(long, value_name = "E", required_unless_present = "example", allow_negative_numbers = true)]
    epsilon: Option<Epsilon>,
    /// Write the privatised log into this file
    #[arg(long, value_name = "LOG.rpl", required_unless_present = "example")]
    out: Option<PathBuf>,
    /// About how many rows there are: the questions are as fine as so many can answer [default: rows are
    /// counted and checked first]
    #[arg(long, value_name = "N")]
    records: Option<u64>,
    /// Clip rows outside the declared ranges to them instead of refusing the table
    #[arg(long)]
    clip: bool,
    /// Replace a log that exists
    #[arg(long)]
    force: bool,
    /// Print one JSON document and nothing else
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    account: AccountArgs,
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    let (Some(path), Some(epsilon), Some(out)) = (&args.market, args.epsilon, &args.out) else {
        print!("{EXAMPLE}");
        return Ok(());
    };
    let table = TableFiles::new(&args.table)?;
    let read = table.paths().map(|file| ("table", file)).chain([("market file", path.as_path())]);
    for (what, file) in read {
        if output::same(out, file) {
            return Err(CliError::Usage(format!(
                "--out {}: this is the {what}; choose another name",
                out.display()
            )));
        }
    }
    output::claim(out, args.force)?;
    let market = read_market(path)?;
    let job = Privatise { market: &market, table: &table, epsilon, records: args.records, clip: args.clip };
    let accounts = args.account.open()?;
    let purse = args.account.purse(&accounts, (epsilon, Delta::ZERO));
    let done = Bar::during(|bar| job.run_paid(out, &purse, bar))?;
    args.account.note_unused_limit(done.stored, done.account.as_ref());
    if args.json {
        output::print_document("price-privatise", &document(&market, &done, &table, out))?;
    } else {
        print(&market, &done, &table, out);
    }
    Ok(())
}

fn document(market: &Market, done: &Privatised, table: &TableFiles, out: &Path) -> serde_json::Value {
    json!({
        "file": out,
        "rows": done.rows,
        "bytes": done.bytes,
        "bytes_per_report": done.spec.report_bytes(),
        "guarantee": done.guarantee(),
        "noise": done.provenance,
        "market": { "context": market.contexts(), "price": market.price(), "outcome": market.outcome(), "kind": market.kind() },
        "spec": done.spec,
        "raw": table.name(),
        "stored": done.stored,
        "account": done.account.as_ref().map(curator::document),
    })
}

fn print(market: &Market, done: &Privatised, table: &TableFiles, out: &Path) {
    if done.stored {
        println!("privatised before: the log was copied to {}; nothing was spent", out.display());
    } else {
        println!("{} rows privatised into {}", count(done.rows), out.display());
    }
    println!(
        "  guarantee   {} for each row; a person with several rows gets as many times that",
        done.guarantee()
    );
    let bytes = done.spec.report_bytes();
    println!("  size        {} bytes, {bytes} for each report", count(done.bytes));
    println!("  market      {}", subject(market));
    println!("  questions   {}, of which each row answers one drawn at random:", done.spec.questions().len());
    for (question, channel) in done.spec.questions().iter().zip(done.spec.channels()) {
        let cells = channel.cells();
        println!(
            "              which of {cells} cells ({}), and the outcome, by {}",
            cut(market, channel.parts()),
            question.oracle
        );
    }
    if let Some(account) = &done.account {
        println!("  account     {}", curator::line(account));
    }
    println!("  raw         {} is as raw as before: guard it, or delete it", table.name());
}

/// `bought (a sale) by income, at prices from 5 to 25`.
fn subject(market: &Market) -> String {
    let kind = match market.kind() {
        OutcomeKind::Sale => "a sale",
        OutcomeKind::Reward => "a reward",
    };
    let prices = match market.terms().prices() {
        Prices::Range(low, high) => format!("from {} to {}", tidy(*low), tidy(*high)),
        Prices::Points(points) => points.iter().map(|price| tidy(*price)).collect::<Vec<_>>().join(", "),
    };
    let by = match market.contexts() {
        [] => String::new(),
        contexts => format!(" by {}", contexts.join(", ")),
    };
    format!("{} ({kind}){by}, at a {} of {prices}", market.outcome(), market.price())
}

/// `income 3 x price 6`.
fn cut(market: &Market, parts: &[u32]) -> String {
    let names = market.contexts().iter().map(String::as_str).chain([market.price()]);
    let cut =
        names.zip(parts).filter(|(_, parts)| **parts > 1).map(|(name, parts)| format!("{name} {parts}"));
    cut.collect::<Vec<_>>().join(" x ")
}
