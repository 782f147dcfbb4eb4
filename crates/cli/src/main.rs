//! The command `reticent`: what it accepts, and what each answer's exit code is: 0 done, 1 the answer is no,
//! 2 the call was wrong or a file could not be read or written, 3 standard output could not be written, 130
//! interrupted. `docs/command.md` says more.

#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "doc comments here are help texts, which name sections as [replay]"
)]

#[macro_use]
mod stream;

mod account;
mod audit;
mod caution;
mod check;
mod check_table;
mod curator;
mod demo;
mod experiment;
mod forgers;
mod init;
mod key;
mod list;
mod man;
mod output;
mod panics;
mod play;
mod price;
mod progress;
mod remote;
mod report;
mod reproduce;
mod serve;
mod simulate;
mod table;
mod tour;
mod trial;
mod tune;

use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use reticent_chart::plot::PlotError;
use reticent_curate::trial::TrialError;
use reticent_jobs::begin::BeginError;
use reticent_jobs::check::CheckError;
use reticent_jobs::columns::ColumnsError;
use reticent_jobs::plan::PlanError;
use reticent_jobs::price::PricingFileError;
use reticent_jobs::price::policy::PolicyFileError;
use reticent_jobs::trial::replay::ReplayError;
use reticent_jobs::tune::TuneError;
use reticent_lab::audit::AuditRunError;
use reticent_lab::catalogue::CatalogueError;
use reticent_lab::kernel::OwnLogError as OwnTuningError;
use reticent_lab::mab::EnvError;
use reticent_lab::play::{PlayError, WorldError};
use reticent_lab::pricing::OwnLogError;
use reticent_lab::reproduce::{Options, ReproduceError};
use reticent_lab::runner::LabError;
use reticent_lab::tour::TourError;
use reticent_store::ClaimError;
use reticent_store::accounts::AccountsError;
use reticent_store::files::FileError;

use crate::stream::Level;

#[derive(Parser)]
#[command(
    name = "reticent",
    version,
    about = "Learns good decisions from people without learning about the people",
    long_about = None,
    max_term_width = 110
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    loudness: stream::Loudness,
}

#[derive(Subcommand)]
enum Command {
    /// Show agents, environments, mechanisms and figures, with their guarantees and sources
    #[command(after_help = "Example:\n  reticent list --json | jq '.agents[].name'")]
    List(list::Args),
    /// Run one agent in one environment and report its regret
    #[command(
        after_help = "Examples:\n  reticent simulate --agent ldp-thompson --env mab-bernoulli --epsilon 1 --users 100000 --trials 20\n  \
        reticent simulate --env file:arms.toml --epsilon 0.5 --json\n  \
        reticent simulate --env exponential-code --epsilon 4 --plot regret.svg\n  \
        reticent simulate --env symmetric --epsilon 1 --source people=5000,epsilon=8 --source people=5000,epsilon=8\n  \
        reticent simulate --env data:adult_3d.csv.gz --target-group 0 --epsilon 1 --source-epsilon 4\n  \
        reticent simulate --epsilon 1 --trials 1 --users 50000 --save run.json\n  \
        reticent simulate --epsilon 1 --trials 1 --users 90000 --load run.json"
    )]
    Simulate(simulate::Args),
    /// Make a paper's figure again: CSV, SVG, PNG and one HTML page, published numbers beside ours
    #[command(
        after_help = "Examples:\n  reticent reproduce mab-fig1a\n  reticent reproduce mab-all --quick --out figures\n  \
        reticent reproduce ctx-fig7\n  reticent reproduce ctx-table2 --data DIR\n\n\
        Interrupt it with Ctrl-C and run it again with the same --out: it goes on where it stopped."
    )]
    Reproduce(reproduce::Args),
    /// Measure what mechanisms and agents really leak, and compare it with what they claim
    #[command(
        after_help = "Examples:\n  reticent audit laplace-response --epsilon 1\n  reticent audit --all --json | jq '.results[].verdict'\n  \
        reticent audit --broken\n  reticent audit --command 'python3 mine.py' --input 0 --input 1 --epsilon 1\n\nExit code 1 if a measured bound exceeds its claim or an exact audit cannot tell, or, with --broken, if a mistake was not caught."
    )]
    Audit(audit::Args),
    /// Privatise one raw input many times, by the production path, for auditors with tools of their own
    #[command(
        after_help = "Examples:\n  reticent report randomised-response --epsilon 1 --input true --count 1000\n  \
        reticent report projective-geometry --epsilon 2 --input '{\"symbol\":3,\"domain\":64}' --count 1000\n  \
        reticent report ldp-thompson --epsilon 1 --input '{\"reward\":0.7}' --count 1000\n\n\
        Each output costs the epsilon: real data belongs on a device, which keeps a ledger."
    )]
    Report(report::Args),
    /// How far people who forge their reports can move what is learned, for planning
    #[command(after_help = "Examples:\n  reticent forgers --epsilon 1\n  \
        reticent forgers --epsilon 0.5 --share 0.02 --difference 0.1\n\n\
        No local protocol is immune: `docs/forged.md` has the formulas, and what is done against it.")]
    Forgers(forgers::Args),
    /// Check files that were published, and a trial's journal: whether they are sound, what they promise, where
    /// their noise came from; or a plan, or a table by its plan
    #[command(
        visible_alias = "verify",
        after_help = "Examples:\n  reticent check dose.json\n  reticent check report/report.json sales.rpl policy.json\n  \
        reticent check *.rpl --json | jq '.files[].private'\n  reticent check market.toml\n  reticent check market.toml sales.csv\n\n\
        Knows released functions and chosen actions (tune), privatised logs and policies (price), releases, reports and journals (trial). It needs the files alone.\n\n\
        A plan alone is checked as its command would. With a table behind it, what is wrong in the table is counted by column and kind; no value is shown. \
        Such counts are of raw records, so they are for the owner of the data alone.\n\n\
        Exit code 1 if a table would be refused, or a file is not sound, is not private (a seed made its noise, or nothing was hidden), or does not say where its noise came from; 2 if one cannot be read."
    )]
    Check(check::Args),
    /// Begin a plan from the names in a table's header; ranges are left for a person to declare
    #[command(
        subcommand,
        after_help = "Examples:\n  reticent init price sales.csv --price paid --outcome bought --out market.toml\n  \
        reticent init tune log.parquet --action dose --reward response > plan.toml\n  \
        reticent init trial people.csv --arm treat --outcome well > trial.toml\n\n\
        Nothing but names is taken from the table. A plan is public: the smallest and the largest value of a column are somebody's, so ranges and levels \
        must come from what was known before. A first line that looks like a record is refused."
    )]
    Init(init::Command),
    /// Check the public document of an experiment, and say its digest
    #[command(
        after_help = "Examples:\n  reticent experiment page.toml\n  reticent experiment page.toml --json\n  \
        reticent experiment --schema > experiment.schema.json\n  \
        reticent experiment create page.toml --data data"
    )]
    Experiment(experiment::Args),
    /// Serve experiments to devices over HTTP: reports in, policies out
    #[command(
        after_help = "Examples:\n  reticent serve --data data\n  reticent serve --data data --experiments specs --listen 0.0.0.0:8787\n  \
        reticent serve --data data --database postgres://user@host/reticent\n\n\
        What was acknowledged survives a crash; `docs/service.md` says what it answers to."
    )]
    Serve(serve::Args),
    /// The service with an experiment of each kind, and made-up people who take part: what `make run` does
    #[command(after_help = "Examples:\n  reticent demo\n  reticent demo --for 30s --data out/demo")]
    Demo(demo::Args),
    /// Keys of a running service: make, list, revoke
    #[command(subcommand)]
    Key(key::Command),
    /// What was spent on the people of your tables, what may be spent, and which tables are of the same people
    #[command(
        subcommand,
        after_help = "Every command that releases something from a table of people charges their account, wherever the file lies: tables are known \
        by keyed hashes of their rows. Tables that share rows have one account. Of tables with up to 8,192 rows every shared row is seen; of longer ones \
        8,192 rows are kept, so that of a million rows 1,000 shared ones are noticed in 98.8 % of cases. Rows that were edited, and the same people in \
        another table, are not noticed: say so with `merge`."
    )]
    Account(account::Command),
    /// A small experiment for each problem, and a page that shows them
    #[command(after_help = "Example:\n  reticent tour --out out/tour")]
    Tour(tour::Args),
    /// Adaptive trials under central differential privacy: plan one, try it in a made-up world, run it on a
    /// table or step by step
    #[command(subcommand)]
    Trial(trial::Command),
    /// Tune an action to people under central differential privacy: plan it, learn it from a log, ask what was learned
    #[command(
        subcommand,
        after_help = "Plans are read in their own form (`reticent tune plan --example`) and as the public document of an \
        experiment (`reticent experiment`)."
    )]
    Tune(tune::Command),
    /// Offline pricing under local differential privacy: privatise a log of sales, learn prices from it,
    /// quote them, value them
    #[command(
        subcommand,
        after_help = "Markets are read in their own form (`reticent price privatise --example`) and as the public document of an \
        experiment (`reticent experiment`)."
    )]
    Price(price::Command),
    /// Made-up people with real devices, against a running service: for load, and to see it learn
    #[command(after_help = "Examples:\n  reticent play page.toml --key KEY --people 10000 --rate 500\n  \
        reticent play page.toml --key KEY --people 100000 --batch 100 --chances 0.2,0.5,0.3\n\n\
        People and outcomes are made up; devices, noise and uploads are real. The server must have this very document.")]
    Play(play::Args),
    /// Print a script that completes commands and options in a shell
    #[command(
        after_help = "Examples:\n  reticent completions bash > ~/.local/share/bash-completion/completions/reticent\n  \
        reticent completions zsh > ~/.zfunc/_reticent\n  \
        reticent completions fish > ~/.config/fish/completions/reticent.fish"
    )]
    Completions(man::CompletionArgs),
    /// Print the manual page, of all or of one command
    #[command(after_help = "Examples:\n  reticent man > reticent.1\n  reticent man price fit | man -l -")]
    Man(man::Args),
}

/// Anything that ends a command early.
#[derive(Debug, thiserror::Error)]
enum CliError {
    #[error("{0}")]
    Usage(String),
    #[error(transparent)]
    Lab(#[from] LabError),
    #[error(transparent)]
    Env(#[from] EnvError),
    #[error(transparent)]
    Reproduce(#[from] ReproduceError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Columns(#[from] ColumnsError),
    #[error(transparent)]
    Account(#[from] AccountsError),
    #[error(transparent)]
    Claim(#[from] ClaimError),
    #[error(transparent)]
    Plot(#[from] PlotError),
    #[error(transparent)]
    Tour(#[from] TourError),
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    #[error(transparent)]
    Audit(#[from] AuditRunError),
    #[error(transparent)]
    Trial(#[from] TrialError),
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error(transparent)]
    Tune(#[from] TuneError),
    #[error(transparent)]
    Pricing(#[from] PricingFileError),
    #[error(transparent)]
    OwnLog(#[from] OwnLogError),
    #[error(transparent)]
    OwnTuning(#[from] OwnTuningError),
    #[error(transparent)]
    Policy(#[from] PolicyFileError),
    #[error(transparent)]
    Check(#[from] CheckError),
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Begin(#[from] BeginError),
    #[error(transparent)]
    Play(#[from] PlayError),
    #[error(transparent)]
    World(#[from] WorldError),
    #[error(transparent)]
    Serve(#[from] reticent_server::run::RunError),
    #[error(transparent)]
    Remote(#[from] reticent_server::run::RemoteError),
    #[error("interrupted")]
    Interrupted,
    #[error("{0}")]
    No(String),
    #[error("cannot write the result: {0}")]
    Json(#[from] serde_json::Error),
}

impl CliError {
    fn exit_code(&self) -> u8 {
        match self {
            CliError::No(_) => 1,
            error if error.is_refusal() => 1,
            error if error.is_interrupt() => progress::INTERRUPTED,
            _ => 2,
        }
    }

    /// Whether an account does not allow it.
    fn is_refusal(&self) -> bool {
        match self {
            CliError::Tune(error) | CliError::OwnTuning(OwnTuningError::Tune(error)) => error.is_refusal(),
            CliError::Account(error)
            | CliError::Pricing(PricingFileError::Account(error))
            | CliError::Replay(ReplayError::Account(error)) => error.is_refusal(),
            _ => false,
        }
    }

    fn is_interrupt(&self) -> bool {
        let reproduce =
            |error: &ReproduceError| matches!(error, ReproduceError::Lab(LabError::Interrupted { .. }));
        match self {
            CliError::Interrupted | CliError::Play(PlayError::Interrupted) => true,
            CliError::Replay(error) => matches!(error, ReplayError::Interrupted { .. }),
            CliError::Tune(error) | CliError::OwnTuning(OwnTuningError::Tune(error)) => {
                matches!(error, TuneError::Interrupted)
            }
            CliError::Pricing(error) => matches!(error, PricingFileError::Interrupted),
            CliError::OwnLog(error) => matches!(error, OwnLogError::Interrupted),
            CliError::Policy(error) => error.is_interrupt(),
            CliError::Lab(error) => matches!(error, LabError::Interrupted { .. }),
            CliError::Reproduce(error) | CliError::Tour(TourError::Reproduce(error)) => reproduce(error),
            CliError::Audit(error) | CliError::Tour(TourError::Audit(error)) => {
                matches!(error, AuditRunError::Interrupted)
            }
            _ => false,
        }
    }
}

fn main() -> ExitCode {
    panics::say_nothing_of_records();
    let code = match parse() {
        Ok(cli) => {
            progress::listen_for_interrupts();
            answer(cli.command)
        }
        Err(code) => code,
    };
    output::release();
    match stream::finish() {
        Ok(()) => code.into(),
        Err(error) => {
            stream::error(format_args!("cannot write to standard output: {error}"));
            if code == 0 { NOT_WRITTEN } else { code }.into()
        }
    }
}

/// What a command exits with whose answer could not be written; what it did otherwise stands.
const NOT_WRITTEN: u8 = 3;

/// What was asked, or the exit code of a call that is answered by a help text or a refusal.
fn parse() -> Result<Cli, u8> {
    let args: Vec<_> = std::env::args_os().collect();
    let choice = stream::color_choice(&args);
    let matches = Cli::command().color(choice).try_get_matches_from(args);
    let read = matches.and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) = read.map_err(|error| {
        let wrong = error.use_stderr();
        let terminal = if wrong { std::io::stderr().is_terminal() } else { std::io::stdout().is_terminal() };
        let text = error.render();
        let text = if stream::colored(choice, terminal) { text.ansi().to_string() } else { text.to_string() };
        if wrong {
            stream::to_standard_error(format_args!("{text}"));
        } else {
            print!("{text}");
        }
        if wrong { 2 } else { 0 }
    })?;
    stream::set(&cli.loudness);
    caution::of_call(&matches);
    Ok(cli)
}

/// Does what was asked, and says why if it cannot.
fn answer(command: Command) -> u8 {
    stream::log(Level::Steps, format_args!("reticent {} begins", env!("CARGO_PKG_VERSION")));
    let done = match command {
        Command::List(args) => list::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Reproduce(args) => reproduce::run(&args),
        Command::Audit(args) => audit::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Forgers(args) => forgers::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Init(command) => init::run(&command),
        Command::Experiment(args) => experiment::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Key(command) => key::run(&command),
        Command::Account(command) => account::run(&command),
        Command::Tour(args) => tour::run(&args),
        Command::Trial(command) => trial::run(&command),
        Command::Tune(command) => tune::run(&command),
        Command::Price(command) => price::run(&command),
        Command::Play(args) => play::run(&args),
        Command::Completions(args) => {
            man::completions(&args, Cli::command());
            Ok(())
        }
        Command::Man(args) => man::run(&args, Cli::command()),
    };
    stream::log(Level::Steps, format_args!("ends"));
    match done {
        Ok(()) => 0,
        Err(error) => {
            stream::error(format_args!("{error}"));
            error.exit_code()
        }
    }
}

/// What every command that runs many experiments takes.
#[derive(clap::Args)]
struct RunArgs {
    /// The seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads for trials; results do not depend on it [default: all cores]
    #[arg(long)]
    threads: Option<usize>,
    /// A tenth of the people and of the trials
    #[arg(long)]
    quick: bool,
    #[command(flatten)]
    replace: output::Replace,
}

impl RunArgs {
    fn options(&self, out: &Path, keep_trials: bool) -> Result<Options, CliError> {
        let threads = threads(self.threads)?;
        Ok(Options {
            out: out.to_path_buf(),
            keep_trials,
            threads,
            seed: self.seed,
            quick: self.quick,
            data: None,
        })
    }
}

/// All cores, unless told otherwise.
fn threads(asked: Option<usize>) -> Result<usize, CliError> {
    match asked {
        Some(0) => Err(CliError::Usage("--threads must be at least 1".into())),
        Some(threads) => Ok(threads.min(1024)),
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
    }
}

/// Columns padded to the widest cell; numbers to the right.
fn print_table(table: &reticent_chart::page::Table) {
    let rows: Vec<&Vec<String>> =
        std::iter::once(&table.head).chain(table.rows.iter().map(|(row, _)| row)).collect();
    let width =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    for row in &rows {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            let pad = " ".repeat(width(column).unwrap_or(0) - cell.chars().count());
            if column == 0 { format!("{cell}{pad}") } else { format!("{pad}{cell}") }
        });
        println!("  {}", cells.collect::<Vec<_>>().join("   "));
    }
}
