//! `reticent tour`.

use std::path::PathBuf;

use reticent_lab::mab::reproduce::table;
use reticent_lab::reproduce::mark;
use reticent_lab::{audit, tour};

use super::progress::Bar;
use super::{CliError, RunArgs, output, print_table};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The output folder; one with a finished page is left alone without --force
    #[arg(long, value_name = "DIR", default_value = "out/tour")]
    out: PathBuf,
    #[command(flatten)]
    run: RunArgs,
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    let options = args.run.options(&args.out, false)?;
    output::claim_in(&args.out, &["index.html"], args.run.replace.force)?;
    let tour = Bar::during(|bar| tour::run(&options, bar))?;
    println!("Reticent: good decisions without learning about people ({})", mark(options.seed));
    for stop in &tour.stops {
        println!("\n{}", stop.title);
        print_table(&table(&stop.measured));
    }
    println!("\n{}", tour::CONTEXTUAL_TITLE);
    print_table(&tour::contextual_table(&tour.contextual));
    println!("\n{}", tour::TRIAL_TITLE);
    print_table(&tour::trial_table(&tour.trial));
    println!("\n{}", tour::KERNEL_TITLE);
    print_table(&tour::kernel_table(&tour.kernel));
    println!("\n{}", tour::PRICING_TITLE);
    print_table(&tour::pricing_table(&tour.pricing));
    println!("\nregret is the reward that people lost against always getting the best arm, mean over trials");
    println!("\nDoes it keep its promise? {}", audit::verdict(&tour.claims));
    println!("{}", audit::caught(&tour.mistakes));
    println!("\nreport with charts: {}", tour.page.display());
    if !tour.claims.passed || !tour.mistakes.passed {
        return Err(CliError::No("the audit disagrees with a claim: see above".into()));
    }
    Ok(())
}
