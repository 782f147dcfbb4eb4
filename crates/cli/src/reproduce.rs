//! `reticent reproduce`.

use std::path::PathBuf;

use reticent_lab::reproduce::{self, Options, ReproduceError};
use reticent_lab::runner::LabError;

use super::progress::Bar;
use super::{CliError, RunArgs, output};

#[derive(clap::Args)]
pub(super) struct Args {
    /// A figure's or a table's name, mab-all, ctx-all, trial-all, kernel-all, price-all, or all: see `reticent list`
    item: String,
    /// The folder with data sets: ctx-table2 reads each `NAME_3d.csv.gz`, price-dose its two files; what needs them is
    /// left out of ctx-all, price-all and all without it
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// The output folder; one with a finished page is left alone without --force
    #[arg(long, value_name = "DIR", default_value = "out/reproduce")]
    out: PathBuf,
    #[command(flatten)]
    run: RunArgs,
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    let options = Options { data: args.data.clone(), ..args.run.options(&args.out, true)? };
    reproduce::check(&args.item, &options)?;
    output::claim_in(&args.out, &["index.html"], args.run.replace.force)?;
    for left_out in reproduce::skipped(&args.item, &options)? {
        eprintln!("note: {left_out} is left out: name a folder of data sets with --data DIR");
    }
    let bar = Bar::new();
    let page = reproduce::run(&args.item, &options, &bar);
    bar.finish();
    if let Err(ReproduceError::Lab(LabError::Interrupted { .. })) = &page {
        eprintln!("finished trials are kept in {}; the same command goes on from there", args.out.display());
    }
    println!("{}", page?.display());
    Ok(())
}
