//! The curator's accounts: where they are, what the curator allows, and what a release cost.

use std::path::PathBuf;

use reticent_jobs::account::{Paid, Purse};
use reticent_privacy::{Delta, Epsilon};
use reticent_store::accounts::{Accounts, Known, Limit, Permission, Standing, loss_words};
use serde_json::{Value, json};

use crate::CliError;

/// The variable that names the folder of accounts, for whoever does not want to say it in each call.
const VARIABLE: &str = "RETICENT_ACCOUNTS";

/// Where the accounts are.
#[derive(clap::Args)]
pub(crate) struct Place {
    /// The folder of your accounts and their key [default: what `RETICENT_ACCOUNTS` says, or `reticent/accounts` in
    /// your data folder]
    #[arg(long, value_name = "DIR")]
    accounts: Option<PathBuf>,
}

/// What every command takes that releases something about people in a table.
#[derive(clap::Args)]
#[command(next_help_heading = "Account")]
pub(crate) struct AccountArgs {
    #[command(flatten)]
    place: Place,
    /// Release although something was released about these people before: it costs them again
    #[arg(long)]
    again: bool,
    /// Say that rows which look like those of other accounts are of other people
    #[arg(long)]
    other_people: bool,
    /// What all releases about these people may cost together [default: another release needs --again]
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    limit_epsilon: Option<Epsilon>,
    /// The same for delta [default: this release's]
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    limit_delta: Option<Delta>,
}

impl Place {
    /// The folder.
    pub(crate) fn folder(&self) -> Result<PathBuf, CliError> {
        let said = self.accounts.clone().or_else(|| variable(VARIABLE).map(PathBuf::from));
        said.or_else(|| Some(data_folder()?.join("reticent").join("accounts"))).ok_or_else(|| {
            CliError::Usage(format!(
                "there is no home folder for your accounts: say --accounts DIR, or set {VARIABLE}"
            ))
        })
    }

    /// The accounts, made if there are none.
    fn open(&self) -> Result<Accounts, CliError> {
        Ok(Accounts::open(&self.folder()?)?)
    }
}

impl AccountArgs {
    /// The accounts, made if there are none.
    pub(crate) fn open(&self) -> Result<Accounts, CliError> {
        self.place.open()
    }

    /// An answer that was stored costs nothing, and sets no limit either: that is said to who stated one.
    pub(crate) fn note_unused_limit(&self, stored: bool, standing: Option<&Standing>) {
        let Some(epsilon) = self.limit_epsilon.filter(|_| stored) else { return };
        let account = standing.and_then(|standing| standing.account.as_deref()).unwrap_or("ID");
        eprintln!(
            "note: nothing was released, so --limit-epsilon set no limit; to set one: reticent account limit {account} --epsilon {epsilon}"
        );
    }

    /// What is allowed of a release with this loss.
    pub(crate) fn purse<'a>(&self, accounts: &'a Accounts, (epsilon, delta): (Epsilon, Delta)) -> Purse<'a> {
        let stated = self.limit_epsilon.is_some() || self.limit_delta.is_some();
        let limit = Limit {
            epsilon: self.limit_epsilon.unwrap_or(epsilon),
            delta: self.limit_delta.unwrap_or(delta),
        };
        let (again, other_people) = (self.again, self.other_people);
        let allowed = Permission { again, other_people, limit: stated.then_some(limit) };
        Purse { accounts, allowed, notice: &notice }
    }
}

/// The one place that reads the environment: where a user keeps data, and what they are called, is theirs to say.
#[expect(
    clippy::disallowed_methods,
    reason = "where a user's data are, and who they are, is said there and nowhere else"
)]
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Where programs keep a user's data.
fn data_folder() -> Option<PathBuf> {
    if cfg!(windows) {
        return variable("LOCALAPPDATA").map(PathBuf::from);
    }
    let in_home = if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/share" };
    let named = if cfg!(target_os = "macos") { None } else { variable("XDG_DATA_HOME").map(PathBuf::from) };
    named.filter(|folder| folder.is_absolute()).or_else(|| Some(std::env::home_dir()?.join(in_home)))
}

/// What a release costs is said before it happens, if something was spent before.
fn notice(standing: &Standing) {
    if standing.before.is_none() {
        return;
    }
    let seen = match standing.known {
        Known::Overlaps => "this table shares rows with others that were released from",
        _ => "this table was released from before",
    };
    let (before, after) = (loss_words(standing.before), loss_words(standing.after));
    eprintln!("note: {seen}: {before} was spent, and {after} will be");
}

/// The account after a release, in a line.
pub(crate) fn line(standing: &Standing) -> String {
    let account = standing.account.as_deref().unwrap_or("(none)");
    let (before, after) = (loss_words(standing.before), loss_words(standing.after));
    let limit = match standing.limit {
        Some(Limit { epsilon, delta }) => format!("of epsilon {epsilon} and delta {delta}"),
        None => "no limit was set".into(),
    };
    format!("{account} in {}: {before} spent before, {after} now; {limit}", standing.file)
}

/// The same for programs.
pub(crate) fn document(standing: &Standing) -> Value {
    json!({
        "id": standing.account,
        "file": standing.file,
        "spent_before": standing.before,
        "spent": standing.after,
        "limit": standing.limit,
    })
}

/// The same for an answer that may have been stored.
pub(crate) fn add_to(document: &mut Value, paid: &Paid) {
    document["stored"] = paid.stored.into();
    document["account"] = self::document(&paid.standing);
}
