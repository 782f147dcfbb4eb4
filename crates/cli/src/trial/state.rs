//! The file that holds a trial, and who writes in it.

use std::path::PathBuf;
use std::time::Duration;

use reticent_curate::trial::{Actor, Author, DurableTrial, TrialError};
use reticent_privacy::NoiseRng;
use reticent_store::JournalError;

use crate::{CliError, curator};

/// The trial that a command is about.
#[derive(clap::Args)]
pub(crate) struct StateArgs {
    /// The file that holds the trial
    #[arg(long, value_name = "FILE")]
    pub(super) state: PathBuf,
    /// Wait at most so long while another command uses the file
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(..=3600))]
    wait: u64,
}

/// Commands that come at once wait their turn; whoever waits for longer than this is told so.
const SHORT_WAIT: Duration = Duration::from_secs(2);

pub(super) fn reopen(args: &StateArgs) -> Result<DurableTrial<NoiseRng>, CliError> {
    let whole = Duration::from_secs(args.wait);
    let short = whole.min(SHORT_WAIT);
    let in_use = |error: &TrialError| matches!(error, TrialError::Journal(JournalError::Locked { .. }));
    let mut opened = DurableTrial::reopen_waiting(&args.state, short);
    if opened.as_ref().is_err_and(in_use) && whole > short {
        let file = args.state.display();
        eprintln!("note: another command uses {file}; waiting for it, {} s at the most (--wait)", args.wait);
        opened = DurableTrial::reopen_waiting(&args.state, whole.saturating_sub(short));
    }
    Ok(opened.map_err(
        |error| if in_use(&error) { JournalError::Locked { waited: whole }.into() } else { error },
    )?)
}

/// The variable that names who takes steps, for whoever does not want to say it in each call. A machine's user
/// is never taken: whether they may be named is theirs to say.
const VARIABLE: &str = "RETICENT_ACTOR";

/// Who takes a step.
#[derive(clap::Args)]
pub(crate) struct ActorArgs {
    /// Who does this, for the journal alone: a name, a role, a ward [default: what `RETICENT_ACTOR` says, or nobody]
    #[arg(long, value_name = "NAME")]
    actor: Option<String>,
}

impl ActorArgs {
    /// Whoever is named, with the system's clock.
    pub(super) fn author(&self) -> Result<Author, CliError> {
        let said = self.actor.clone().or_else(|| curator::variable(VARIABLE));
        let actor = said.map(|name| name.parse::<Actor>()).transpose();
        Ok(Author::new(actor.map_err(|error| CliError::Usage(error.to_string()))?))
    }

    /// The next steps of a trial are theirs.
    pub(super) fn sign(&self, trial: DurableTrial<NoiseRng>) -> Result<DurableTrial<NoiseRng>, CliError> {
        Ok(trial.by(self.author()?))
    }
}
