//! `reticent init`.

use std::path::PathBuf;

use reticent_jobs::begin::{Purpose, Roles, begin, names};
use reticent_jobs::columns::TableFiles;
use reticent_store::files;

use crate::CliError;
use crate::output;

#[derive(clap::Subcommand)]
pub(super) enum Command {
    /// A market, for `reticent price privatise`
    Price {
        #[command(flatten)]
        begun: Begun,
        /// The column of the price that was asked
        #[arg(long, value_name = "COLUMN")]
        price: Option<String>,
        /// The column of what came of it
        #[arg(long, value_name = "COLUMN")]
        outcome: Option<String>,
    },
    /// A plan of tuning, for `reticent tune fit`
    Tune {
        #[command(flatten)]
        begun: Begun,
        /// The column of what can be set
        #[arg(long, value_name = "COLUMN")]
        action: Option<String>,
        /// The column of what comes of it
        #[arg(long, value_name = "COLUMN")]
        reward: Option<String>,
    },
    /// A plan of a trial, for `reticent trial run`
    Trial {
        #[command(flatten)]
        begun: Begun,
        /// The column of the arm that each person got
        #[arg(long, value_name = "COLUMN")]
        arm: Option<String>,
        /// The column of the outcome
        #[arg(long, value_name = "COLUMN")]
        outcome: Option<String>,
    },
}

#[derive(clap::Args)]
pub(super) struct Begun {
    /// The table: CSV, gzip or Parquet; the names in its header are all that is taken from it
    #[arg(value_name = "TABLE")]
    table: PathBuf,
    /// Write the plan into this file [default: standard output]
    #[arg(long, value_name = "PLAN.toml")]
    out: Option<PathBuf>,
    /// The first line is a header, whatever it looks like: no record of anybody
    #[arg(long)]
    header: bool,
    /// Replace a plan that exists
    #[arg(long, requires = "out")]
    force: bool,
}

pub(super) fn run(command: &Command) -> Result<(), CliError> {
    let (purpose, begun, cause, outcome) = match command {
        Command::Price { begun, price, outcome } => (Purpose::Price, begun, price, outcome),
        Command::Tune { begun, action, reward } => (Purpose::Tune, begun, action, reward),
        Command::Trial { begun, arm, outcome } => (Purpose::Trial, begun, arm, outcome),
    };
    if let Some(out) = &begun.out {
        output::claim(out, begun.force)?;
    }
    let header = names(&TableFiles::one(&begun.table)?, begun.header)?;
    let text = begin(purpose, &header, &Roles { cause: cause.clone(), outcome: outcome.clone() })?;
    match &begun.out {
        None => print!("{text}"),
        Some(out) => {
            files::write_whole(out, text.as_bytes())?;
            println!("{}: begun with {} columns", out.display(), header.names.len());
            println!("  next        replace every \"?\" from what you knew before you saw the data");
            println!("  then        reticent check {} {}", out.display(), begun.table.display());
        }
    }
    Ok(())
}
