//! `reticent tour`.

use std::path::PathBuf;

use reticent_lab::reproduce::{mark, table};
use reticent_lab::tour;

use super::progress::Bar;
use super::{CliError, RunArgs, print_table};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The output folder
    #[arg(long, value_name = "DIR", default_value = "out/tour")]
    out: PathBuf,
    #[command(flatten)]
    run: RunArgs,
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    let options = args.run.options(&args.out, false)?;
    let bar = Bar::new();
    let done = tour::run(&options, &bar);
    bar.finish();
    let (stops, page) = done?;
    println!("Reticent: good decisions without learning about people ({})", mark(options.seed));
    for stop in &stops {
        println!("\n{}", stop.title);
        print_table(&table(&stop.measured));
    }
    println!("\nregret is the reward that people lost against always getting the best arm, mean over trials");
    println!("report with charts: {}", page.display());
    Ok(())
}
