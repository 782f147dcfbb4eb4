//! `reticent account`: what was spent, what may be spent, and which data sets are of the same people.

use reticent_chart::numbers::count;
use reticent_privacy::{Delta, Epsilon};
use reticent_store::accounts::{Accounts, Limit, ShownAccount, loss_words};
use serde_json::{Value, json};

use crate::CliError;
use crate::curator::Place;

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Show what was spent on whom, and by what
    #[command(after_help = "Examples:\n  reticent account show\n  reticent account show 3f2a91bc --json")]
    Show(ShowArgs),
    /// Set what all releases about an account's people may cost together
    #[command(after_help = "Examples:\n  reticent account limit 3f2a91bc --epsilon 2\n  \
        reticent account limit 3f2a91bc --epsilon 2 --delta 1e-6\n\n\
        A limit is a standing permission: releases within it need no --again, and those beyond it are refused. It can be \
        changed, and the file keeps every limit that there was; a promise that was made to people is not changed by it.")]
    Limit(LimitArgs),
    /// Make one account of two whose people are the same, though their rows differ; this cannot be undone
    #[command(after_help = "Example:\n  reticent account merge 3f2a91bc 77d01e42\n\n\
        What was spent adds up, and the smaller limit holds. Data sets that share rows are merged without being asked.")]
    Merge(MergeArgs),
}

#[derive(clap::Args)]
pub(crate) struct ShowArgs {
    /// One account: its id, that of one of its data sets, or its beginning [default: all]
    #[arg(value_name = "ID")]
    id: Option<String>,
    #[command(flatten)]
    common: Common,
}

#[derive(clap::Args)]
pub(crate) struct LimitArgs {
    /// The account: its id, that of one of its data sets, or its beginning
    #[arg(value_name = "ID")]
    id: String,
    /// What all releases may cost together
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    epsilon: Epsilon,
    /// Its failure probability
    #[arg(long, value_name = "D", default_value = "0", allow_negative_numbers = true)]
    delta: Delta,
    #[command(flatten)]
    common: Common,
}

#[derive(clap::Args)]
pub(crate) struct MergeArgs {
    /// The one account
    #[arg(value_name = "ID")]
    one: String,
    /// The other
    #[arg(value_name = "ID")]
    other: String,
    #[command(flatten)]
    common: Common,
}

#[derive(clap::Args)]
struct Common {
    #[command(flatten)]
    place: Place,
    /// Print one JSON document and nothing else
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &Command) -> Result<(), CliError> {
    match command {
        Command::Show(args) => show(args),
        Command::Limit(args) => limit(args),
        Command::Merge(args) => merge(args),
    }
}

impl Common {
    /// The accounts; none were made yet if there is no book.
    fn open(&self) -> Result<Option<Accounts>, CliError> {
        Ok(Accounts::open_existing(&self.place.folder()?)?)
    }

    fn need(&self) -> Result<Accounts, CliError> {
        let none =
            || Ok(CliError::Usage(format!("there are no accounts in {}", self.place.folder()?.display())));
        self.open()?.ok_or_else(|| none().unwrap_or_else(|error: CliError| error))
    }

    fn print(&self, file: &str, accounts: &[ShownAccount], said: &str) {
        if self.json {
            println!("{:#}", document(file, accounts));
            return;
        }
        if !said.is_empty() {
            println!("{said}");
        }
        println!("{file}: {}", counted(accounts.len() as u64, "account"));
        accounts.iter().for_each(print);
    }
}

fn show(args: &ShowArgs) -> Result<(), CliError> {
    let Some(accounts) = args.common.open()? else {
        if args.id.is_some() {
            args.common.need()?;
        }
        args.common.print(&args.common.place.folder()?.display().to_string(), &[], "");
        return Ok(());
    };
    let book = accounts.book()?;
    let shown = match &args.id {
        Some(id) => vec![book.shown_account(id)?],
        None => book.accounts(),
    };
    args.common.print(&accounts.file().display().to_string(), &shown, "");
    Ok(())
}

fn limit(args: &LimitArgs) -> Result<(), CliError> {
    let accounts = args.common.need()?;
    let mut book = accounts.book()?;
    let limit = Limit { epsilon: args.epsilon, delta: args.delta };
    let before = book.set_limit(&args.id, limit)?;
    let words = |limit: Limit| format!("epsilon {} and delta {}", limit.epsilon, limit.delta);
    let before = before.map_or("there was none".into(), |limit| format!("it was {}", words(limit)));
    let shown = book.shown_account(&args.id)?;
    let said = format!("limit set to {}; {before}", words(limit));
    if shown.spent.is_some_and(|spent| !limit.covers(spent)) {
        eprintln!("note: more than that is spent; nothing more will be released");
    }
    args.common.print(&accounts.file().display().to_string(), &[shown], &said);
    Ok(())
}

fn merge(args: &MergeArgs) -> Result<(), CliError> {
    let accounts = args.common.need()?;
    let mut book = accounts.book()?;
    let id = book.merge(&args.one, &args.other)?;
    let shown = book.shown_account(&id)?;
    args.common.print(
        &accounts.file().display().to_string(),
        &[shown],
        &format!("one account from now on: {id}"),
    );
    Ok(())
}

fn document(file: &str, accounts: &[ShownAccount]) -> Value {
    json!({ "format": "reticent-accounts", "version": 1, "file": file, "accounts": accounts })
}

fn print(account: &ShownAccount) {
    println!();
    println!("{}", account.id);
    for set in &account.data_sets {
        println!("  data set    {}: {} rows, first seen as {}", set.id, count(set.rows), set.name);
    }
    for charge in &account.charges {
        let lost = if charge.answered { "" } else { " (no answer was stored; it stays spent)" };
        println!(
            "  charge      {} for {} on {}{lost}",
            loss_words(Some(charge.loss)),
            charge.what,
            charge.data_set
        );
    }
    println!("  spent       {}", loss_words(account.spent));
    if let Some(Limit { epsilon, delta }) = account.limit {
        println!("  limit       epsilon {epsilon} and delta {delta}");
    } else {
        println!("  limit       none: another release needs --again");
    }
}

fn counted(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", count(number), if number == 1 { "" } else { "s" })
}
