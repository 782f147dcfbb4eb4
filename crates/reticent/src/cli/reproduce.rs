//! `reticent reproduce`.

use std::path::PathBuf;

use reticent_lab::reproduce::{self, Options, ReproduceError};
use reticent_lab::simulate::LabError;

use super::progress::Bar;
use super::{CliError, threads};

#[derive(clap::Args)]
pub(super) struct Args {
    /// A figure's name, mab-all, or all: see `reticent list`
    item: String,
    /// A tenth of the people and of the trials
    #[arg(long)]
    quick: bool,
    /// The output folder
    #[arg(long, value_name = "DIR", default_value = "out/reproduce")]
    out: PathBuf,
    /// The seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads for trials; results do not depend on it [default: all cores]
    #[arg(long)]
    threads: Option<usize>,
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    let options = Options {
        out: args.out.clone(),
        keep_trials: true,
        threads: threads(args.threads)?,
        seed: args.seed,
        quick: args.quick,
    };
    reproduce::figures(&args.item)?;
    let bar = Bar::new();
    let page = reproduce::run(&args.item, &options, &bar);
    bar.finish();
    if let Err(ReproduceError::Lab(LabError::Interrupted { .. })) = &page {
        eprintln!("finished trials are kept in {}; the same command goes on from there", args.out.display());
    }
    println!("{}", page?.display());
    Ok(())
}
