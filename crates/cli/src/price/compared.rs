//! `reticent price fit --method nw-lcb` and `ldp-nw-lcb`: what the paper's methods make of somebody's own sales.

use std::path::{Path, PathBuf};

use reticent_chart::numbers::{count, tidy};
use reticent_jobs::columns::TableFiles;
use reticent_jobs::price::{Market, OutcomeKind, read_market};
use reticent_lab::pricing::{OwnLog, OwnPrices};
use reticent_learn::pricing::Earns;
use reticent_privacy::Epsilon;
use serde_json::json;

use super::fit::{Args, goal};
use super::show;
use crate::progress::Bar;
use crate::{CliError, output, stream};

#[derive(clap::Args)]
#[command(next_help_heading = "The paper's methods, to compare with")]
pub(super) struct ComparedArgs {
    /// Read raw tables and write prices that protect nobody: nw-lcb and ldp-nw-lcb need it
    #[arg(long)]
    not_private: bool,
    /// The market's file: what the columns of the tables mean
    #[arg(long, value_name = "MARKET.toml")]
    market: Option<PathBuf>,
    /// What a report of ldp-nw-lcb would cost
    #[arg(long, value_name = "EPSILON")]
    epsilon: Option<Epsilon>,
    /// The seed of the noise of ldp-nw-lcb [default: 1]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
}

impl ComparedArgs {
    /// What belongs to the paper's methods goes with no other.
    pub(super) fn refused(&self) -> Result<(), CliError> {
        let given = [
            ("--not-private", self.not_private),
            ("--market", self.market.is_some()),
            ("--epsilon", self.epsilon.is_some()),
            ("--seed", self.seed.is_some()),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((name, _)) => {
                Err(CliError::Usage(format!("{name} goes with --method nw-lcb or ldp-nw-lcb alone")))
            }
            None => Ok(()),
        }
    }
}

pub(super) fn run(args: &Args, noisy: bool) -> Result<(), CliError> {
    let (market, target) = asked(args, noisy)?;
    check(args, market, target)?;
    let market = read_market(market)?;
    let earns = match goal(args.objective, args.cost)? {
        Some(earns) => earns,
        None if market.kind() == OutcomeKind::Sale => Earns::Margin { cost: 0.0 },
        None => Earns::Outcome,
    };
    let (sales, target) = (TableFiles::new(&args.logs)?, TableFiles::one(target)?);
    let own = OwnLog {
        epsilon: args.compared.epsilon,
        market: &market,
        sales: &sales,
        target: &target,
        earns,
        seed: args.compared.seed.unwrap_or(1),
    };
    let done = Bar::during(|bar| own.run(&args.out, bar))?;
    stream::warn(format_args!(
        "{} protects nobody: it was learned from raw sales; whoever sees its prices learns about single ones",
        args.out.display()
    ));
    if args.shown.json {
        return document(args, noisy, &done);
    }
    print(args, noisy, &market, &done);
    Ok(())
}

/// The market's file and the target, if all is said that must be and nothing else.
fn asked(args: &Args, noisy: bool) -> Result<(&Path, &Path), CliError> {
    let usage = |text: String| Err(CliError::Usage(text));
    let name = name(noisy);
    if !args.compared.not_private {
        return usage(format!(
            "--method {name} reads raw sales and protects nobody: if that is meant, say --not-private"
        ));
    }
    if let Some(other) = args.ours() {
        return usage(format!("{other} does not go with --method {name}, which knows none of it"));
    }
    match (noisy, args.compared.epsilon) {
        (true, None) => return usage(format!("--method {name} needs --epsilon")),
        (false, Some(_)) => {
            return usage(format!("--epsilon does not go with --method {name}, which has no noise"));
        }
        _ => {}
    }
    match (&args.compared.market, &args.target) {
        (Some(market), Some(target)) => Ok((market, target)),
        (None, _) => usage(format!("--method {name} needs --market MARKET.toml: what the columns mean")),
        (_, None) => usage(format!("--method {name} needs --target: the contexts that prices are for")),
    }
}

fn check(args: &Args, market: &Path, target: &Path) -> Result<(), CliError> {
    let sales = args.logs.iter().map(|table| ("table of sales", table.as_path()));
    let read: Vec<(&str, &Path)> = sales.chain([("market", market), ("target sample", target)]).collect();
    show::check_files(&[("--out", Some(args.out.as_path()))], &read)?;
    output::claim(&args.out, args.shown.force)
}

fn name(noisy: bool) -> &'static str {
    if noisy { "ldp-nw-lcb" } else { "nw-lcb" }
}

fn document(args: &Args, noisy: bool, done: &OwnPrices) -> Result<(), CliError> {
    let document = json!({
        "file": args.out,
        "method": name(noisy),
        "guarantee": done.guarantee,
        "sales": done.sales,
        "quotes": done.quotes,
        "unknown": done.unknown,
        "mean_price": done.mean_price,
    });
    output::print_document("price-compared", &document)
}

fn print(args: &Args, noisy: bool, market: &Market, done: &OwnPrices) {
    println!("{} prices of {} by {}", count(done.quotes), name(noisy), market.contexts().join(", "));
    println!("  sales       {}", count(done.sales));
    println!("  prices      {} on average", tidy(done.mean_price));
    println!(
        "  unknown     to {} of {} people the method gives its fallback: it knows nothing there",
        count(done.unknown),
        count(done.quotes)
    );
    println!("  guarantee   {}", done.guarantee);
    println!("  written     {}", args.out.display());
    println!(
        "\nvalue them with: reticent price evaluate HELD-OUT.rpl --prices-of {} --price-column price",
        args.out.display()
    );
}
