//! `reticent reproduce`.

use std::path::PathBuf;

use reticent_lab::reproduce::{self, ReproduceError};
use reticent_lab::simulate::LabError;

use super::progress::Bar;
use super::{CliError, RunArgs};

#[derive(clap::Args)]
pub(super) struct Args {
    /// A figure's name, mab-all, or all: see `reticent list`
    item: String,
    /// The output folder
    #[arg(long, value_name = "DIR", default_value = "out/reproduce")]
    out: PathBuf,
    #[command(flatten)]
    run: RunArgs,
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    let options = args.run.options(&args.out, true)?;
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
