//! `reticent price`: privatise a log of sales.

mod privatise;

use super::CliError;

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Turn each sale of a table into one randomised report; whoever gets the reports needs no trust
    #[command(after_help = "Examples:\n  reticent price privatise --example > market.toml\n  \
        reticent price privatise market.toml sales.csv.gz --epsilon 1 --out sales.rpl\n  \
        reticent price privatise market.toml sales.parquet --epsilon 2 --records 10000000 --clip --out sales.rpl --json\n\n\
        Each row gets the epsilon: a person with several rows gets as many times epsilon, so keep one row a person or divide epsilon by their most. \
        Privatising the same rows again costs their people epsilon again. The table itself stays as raw as it was: guard it, or delete it.")]
    Privatise(privatise::Args),
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    match &args.command {
        Command::Privatise(args) => privatise::run(args),
    }
}
