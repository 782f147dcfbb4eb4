//! `reticent tour`.

use std::path::PathBuf;

use reticent_lab::reproduce::{Options, mark, table};
use reticent_lab::tour;

use super::progress::Bar;
use super::{CliError, print_table, threads};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The output folder
    #[arg(long, value_name = "DIR", default_value = "out/tour")]
    out: PathBuf,
    /// The seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads for trials; results do not depend on it [default: all cores]
    #[arg(long)]
    threads: Option<usize>,
    /// A tenth of the people and of the trials
    #[arg(long)]
    quick: bool,
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    let options = Options {
        out: args.out.clone(),
        keep_trials: false,
        threads: threads(args.threads)?,
        seed: args.seed,
        quick: args.quick,
    };
    let bar = Bar::new();
    let done = tour::run(&options, &bar);
    bar.finish();
    let (stops, page) = done?;
    println!("Reticent: good decisions without learning about people ({})", mark(args.seed));
    for stop in &stops {
        println!("\n{}", stop.title);
        print_table(&table(&stop.measured));
    }
    println!("\nregret is the reward that people lost against always getting the best arm, mean over trials");
    println!("report with charts: {}", page.display());
    Ok(())
}
