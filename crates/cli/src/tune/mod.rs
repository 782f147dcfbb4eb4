//! `reticent tune`: plan what is tuned, learn it from a log, ask what was learned.

mod compared;
mod fit;
mod once;
mod plan;
mod predict;
mod show;

use super::CliError;

#[derive(clap::Subcommand)]
pub(super) enum Command {
    /// Check a plan, show how many people it needs, and draw the next actions to try
    #[command(after_help = "Examples:\n  reticent tune plan --example > dose.toml\n  \
        reticent tune plan dose.toml --epsilon 1 --people 5000,50000\n  \
        reticent tune plan dose.toml --batch 200 --out actions.csv\n\n\
        Actions are drawn evenly over their ranges, without looking at anybody's record: so they cost no privacy.")]
    Plan(plan::Args),
    /// Learn from a log, once: release the whole function, or one action for one context
    #[command(
        after_help = "Examples:\n  reticent tune fit dose.toml log.csv.gz --epsilon 1 --out dose.json\n  \
        reticent tune fit dose.toml log.parquet --epsilon 0.5 --delta 1e-7 --limit-epsilon 2 --limit-delta 1e-6 --out dose.json --plot dose.svg\n  \
        reticent tune fit dose.toml log.csv --epsilon 1 --once \"age=40,weight=70\"\n  \
        reticent tune fit dose.toml log.csv --method gp --not-private --target people.csv --out raw.json\n\n\
        The released file is safe to publish, and predictions from it cost nothing more. The account of the log's people remembers what was spent, wherever the file lies: the same \
        release again is free, and another one needs --again or a limit, or is refused with exit code 1. Numbers outside the declared ranges are clipped; \
        a fit says about how many rewards were."
    )]
    Fit(fit::Args),
    /// Ask a released function for the best action, as often as you like
    #[command(after_help = "Examples:\n  reticent tune predict dose.json --at \"age=40,weight=70\"\n  \
        reticent tune predict dose.json --at \"age=40,weight=70\" --action \"dose=3\"\n  \
        reticent tune predict dose.json --contexts people.csv --out predictions.csv\n  \
        reticent tune predict dose.json --plot dose.png")]
    Predict(predict::Args),
}

pub(super) fn run(command: &Command) -> Result<(), CliError> {
    match command {
        Command::Plan(args) => plan::run(args),
        Command::Fit(args) => fit::run(args),
        Command::Predict(args) => predict::run(args),
    }
}
