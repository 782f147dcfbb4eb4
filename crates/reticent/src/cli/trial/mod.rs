//! `reticent trial`: plan a trial, try the plan in a made-up world.

mod plan;
mod simulate;
mod world;

use clap::Subcommand;

use super::CliError;

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run many trials in a made-up world: how often intervals hold, how long they are, what people pay
    #[command(after_help = "Examples:\n  reticent trial simulate --people 2000 --epsilon 1\n  \
        reticent trial simulate --people 6000 --strata 3 --shares 0.5,0.3,0.2 --alternate --epsilon 1 --out out/trial\n  \
        reticent trial simulate --people 2000 --no-privacy --alpha 0 --json | jq '.methods[].everyone[0].coverage'")]
    Simulate(simulate::Args),
    /// Find how many people a trial needs for the wanted power, and write its plan
    #[command(after_help = "Examples:\n  reticent trial plan --effect 0.15 --base 0.4 --epsilon 1\n  \
        reticent trial plan --effect 5 --sd 20 --base 50 --range 0,100 --epsilon 0.5 --plot power.svg --write-spec SPEC.toml\n\n\
        Exit code 1 if --max-people are not enough.")]
    Plan(plan::Args),
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    match &args.command {
        Command::Simulate(args) => simulate::run(args),
        Command::Plan(args) => plan::run(args),
    }
}
