//! `reticent price quote`.

use std::path::{Path, PathBuf};

use reticent_chart::numbers::count;
use reticent_chart::numbers::tidy;
use reticent_jobs::price::policy::{
    PolicyFileError, PricePolicy, QuotesWritten, ask, earned, read_policy, write_quotes_blind,
};
use reticent_learn::pricing::Quote;
use serde_json::json;

use super::show;
use crate::CliError;
use crate::output;
use crate::progress::Bar;
use crate::{stream, table};

#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("asked").required(true).multiple(true).args(["at", "contexts", "plot"])))]
pub(crate) struct Args {
    /// The policy
    #[arg(value_name = "POLICY.json")]
    policy: PathBuf,
    /// The context to quote a price for, such as "age=40,income=0.3"
    #[arg(long, value_name = "CONTEXT", conflicts_with = "contexts")]
    at: Option<String>,
    /// Quote a price for each row of this table: CSV, gzip or Parquet; a file, a folder, or - for standard input
    #[arg(long, value_name = "FILE", requires = "out")]
    contexts: Option<PathBuf>,
    /// Write these quotes into this file: contexts, price, mean, lower, fallback, density; as Parquet if its name
    /// ends in .parquet, else as CSV
    #[arg(long, value_name = "FILE", requires = "contexts")]
    out: Option<PathBuf>,
    #[command(flatten)]
    written: table::Written,
    #[command(flatten)]
    shown: output::Shown,
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    let contexts = args.contexts.iter().map(|file| ("table of contexts", file.as_path()));
    let read: Vec<(&str, &Path)> = [("policy", args.policy.as_path())].into_iter().chain(contexts).collect();
    show::check_files(&[("--out", args.out.as_deref()), ("--plot", args.shown.plot.as_deref())], &read)?;
    args.shown.plot.as_deref().map(output::is_png).transpose()?;
    for path in [&args.out, &args.shown.plot].into_iter().flatten() {
        output::claim(path, args.shown.force)?;
    }
    let policy = read_policy(&args.policy)?;
    match (&args.at, &args.contexts, &args.out) {
        (Some(at), ..) => one(args, &policy, at),
        (None, Some(contexts), Some(out)) => many(args, &policy, contexts, out),
        _ => {
            draw(args, &policy)?;
            if args.shown.json {
                let document = json!({ "guarantee": policy.guarantee, "plot": args.shown.plot });
                output::print_document("price-drawn", &document)?;
            } else if let Some(path) = &args.shown.plot {
                println!("drawn in {}", path.display());
            }
            Ok(())
        }
    }
}

fn draw(args: &Args, PricePolicy { policy, guarantee, .. }: &PricePolicy) -> Result<(), CliError> {
    args.shown.plot.as_ref().map_or(Ok(()), |path| show::draw(policy, guarantee, path))
}

fn one(args: &Args, asked: &PricePolicy, at: &str) -> Result<(), CliError> {
    let policy = &asked.policy;
    let context = ask(at, policy.terms(), asked.blind_to())?;
    let quote = policy.quote_values(&context).map_err(PolicyFileError::from)?;
    draw(args, asked)?;
    let objective = policy.objective();
    if args.shown.json {
        let document = json!({
            "quote": quote,
            "earns": earned(objective),
            "confidence": objective.confidence,
            "reports": policy.learned().reports,
            "epsilons": policy.learned().epsilons,
            "guarantee": asked.guarantee,
            "rules": asked.rules.as_ref().map(|kept| &kept.asked),
            "plot": args.shown.plot,
        });
        output::print_document("price-quote", &document)?;
    } else {
        print(args, asked, &quote);
    }
    Ok(())
}

fn print(args: &Args, asked: &PricePolicy, quote: &Quote) {
    let PricePolicy { policy, guarantee, .. } = asked;
    let objective = policy.objective();
    let what = earned(objective);
    println!("{}", show::price(quote.price));
    println!(
        "  expected    {what} {}, at least {} with {} % confidence for all contexts and prices at once",
        tidy(quote.mean),
        tidy(quote.lower),
        tidy(100.0 * objective.confidence)
    );
    if quote.fallback {
        println!("  fallback    nothing is known to earn anything here: the price is the fallback");
    }
    println!("  log         {} times as dense here as an even one", tidy(quote.density));
    if quote.density < 0.1 {
        println!("              so the log says little: the price rests on smoothness");
    }
    print_rules(asked);
    println!("  guarantee   {guarantee} for each record it was learned from");
    if let Some(path) = &args.shown.plot {
        println!("  drawn       {}", path.display());
    }
}

fn many(args: &Args, policy: &PricePolicy, contexts: &Path, out: &Path) -> Result<(), CliError> {
    let contexts = args.written.table(contexts)?;
    let written =
        Bar::during(|bar| write_quotes_blind(&policy.policy, policy.blind_to(), &contexts, out, bar))?;
    warn_limits(policy, &written);
    draw(args, policy)?;
    if args.shown.json {
        let document = json!({
            "rows": written.rows,
            "fallbacks": written.fallbacks,
            "thin": written.thin,
            "file": out,
            "mean_price": written.prices / written.rows as f64,
            "expected": written.expected / written.rows as f64,
            "rules": policy.rules.as_ref().map(|kept| &kept.asked),
            "guarantee": policy.guarantee,
            "plot": args.shown.plot,
        });
        return output::print_document("price-quotes", &document);
    }
    println!("{} quotes written to {}", count(written.rows), out.display());
    println!(
        "  mean        price {}, {} {} expected from each",
        tidy(written.prices / written.rows as f64),
        earned(policy.policy.objective()),
        tidy(written.expected / written.rows as f64)
    );
    print_rules(policy);
    println!("  guarantee   {} for each record they were learned from", policy.guarantee);
    if written.fallbacks > 0 {
        println!("  fallback    {} of them got the fallback price", count(written.fallbacks));
    }
    if written.thin > 0 {
        println!("  thin        {} of them are where the log has next to no records", count(written.thin));
    }
    if let Some(path) = &args.shown.plot {
        println!("  drawn       {}", path.display());
    }
    Ok(())
}

fn print_rules(policy: &PricePolicy) {
    let words = policy.rules.as_ref().map_or_else(Vec::new, |kept| kept.asked.words());
    for (place, words) in words.iter().enumerate() {
        println!("  {:<11} {words}", if place == 0 { "rules" } else { "" });
    }
}

/// Limits on all people together hold for those that prices were chosen for; these may be others.
fn warn_limits(policy: &PricePolicy, written: &QuotesWritten) {
    let mean = written.prices / written.rows as f64;
    let most = policy.rules.as_ref().and_then(|kept| kept.asked.rules.most_mean_price);
    if let Some(most) = most.filter(|most| mean > most + 1e-9 * most.abs()) {
        stream::warn(format_args!(
            "the mean price of these contexts is {}, above the {} that was asked for: they are not like the people that prices were chosen for; fit with --target",
            tidy(mean),
            tidy(most)
        ));
    }
}
