//! `reticent tune fit`.

use std::path::{Path, PathBuf};

use reticent_chart::numbers::count;
use reticent_chart::numbers::tidy;
use reticent_curate::kernel::{Departure, KernelSpec, Population};
use reticent_jobs::account::Purse;
use reticent_jobs::columns::{RawTable, TableFiles};
use reticent_jobs::experiment_file::declared_epsilon;
use reticent_jobs::tune::{
    Fit, Fitted, Function, Pilot, Plan, TuneError, public_lengths, read_plan, read_sample, warnings,
};
use reticent_privacy::{Delta, Epsilon};
use reticent_store::accounts::Accounts;
use reticent_store::files;
use serde_json::json;

use super::{compared, once, show};
use crate::curator::{self, AccountArgs};
use crate::progress::Bar;
use crate::{CliError, output, stream, threads};

#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("released").required(true).args(["out", "once"])))]
pub(crate) struct Args {
    /// The plan: what is set, what is known about people, what comes of it; or an experiment's document
    #[arg(value_name = "PLAN.toml")]
    plan: PathBuf,
    /// The log, a row for each person: CSV, gzip or Parquet; one file, several, a folder, or - for standard input
    #[arg(value_name = "LOG", required = true)]
    pub(super) log: Vec<PathBuf>,
    /// The privacy loss of this release: gp alone has none
    #[arg(long, value_name = "E", required_unless_present_any = ["not_private", "target"], allow_negative_numbers = true)]
    epsilon: Option<Epsilon>,
    /// Its failure probability; far below one over the number of people
    #[arg(long, value_name = "D", default_value = "0.000001", allow_negative_numbers = true)]
    pub(super) delta: Delta,
    /// How it is learned
    #[arg(long, value_enum, value_name = "METHOD", default_value = "private-kernel")]
    pub(super) method: Method,
    /// Write the released function into this file; of the methods to compare with: a document of actions
    #[arg(long, value_name = "FUNCTION.json")]
    pub(super) out: Option<PathBuf>,
    /// Release one action for this context instead, under pure epsilon, such as "age=40,weight=70" ("" if the
    /// plan has no contexts)
    #[arg(long, value_name = "CONTEXT", conflicts_with_all = ["plot", "force"])]
    pub(super) once: Option<String>,
    /// An account's file of an earlier version, whose charges are taken over [default: the log's name with
    /// .account, if there is one]
    #[arg(long, value_name = "FILE")]
    account: Option<PathBuf>,
    /// Public contexts, of other people, that show how contexts are spread [default: evenly over their ranges]
    #[arg(long, value_name = "FILE")]
    contexts: Option<PathBuf>,
    /// A public log, of other people, from which length scales are learned instead of the plan's
    #[arg(long, value_name = "FILE", conflicts_with = "pilot")]
    public: Option<PathBuf>,
    /// Learn length scales from every N-th person first, under the same guarantee; the others make the function
    #[arg(long, value_name = "N", conflicts_with = "once")]
    pilot: Option<u64>,
    /// Draw the released function into this .svg or .png file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Replace a released file that exists
    #[arg(long)]
    force: bool,
    /// Threads; results do not depend on it [default: all cores]
    #[arg(long)]
    threads: Option<usize>,
    /// Print one JSON document and nothing else
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) charged: AccountArgs,
    #[command(flatten)]
    pub(super) compared: compared::ComparedArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Method {
    /// Ours: the whole function, or with --once one action
    PrivateKernel,
    /// The paper's algorithm: one action for one context, with --once
    Usca,
    /// Dubey 2021: actions for the contexts of --target, from one release
    Dubey,
    /// A Gaussian process on raw data: actions for the contexts of --target; not private
    Gp,
}

impl Args {
    /// The loss; `clap` asks for it, unless something is not private.
    pub(super) fn epsilon(&self) -> Result<Epsilon, CliError> {
        self.epsilon.ok_or_else(|| CliError::Usage("--epsilon is needed".into()))
    }

    /// What was asked for that our own method alone can do.
    pub(super) fn ours(&self) -> Option<&'static str> {
        let given = [
            ("--pilot", self.pilot.is_some()),
            ("--plot", self.plot.is_some()),
            ("--contexts", self.contexts.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }

    /// Whether a loss was given.
    pub(super) fn has_loss(&self) -> bool {
        self.epsilon.is_some()
    }
}

/// What all kinds of release need.
pub(super) struct Ready {
    pub(super) setting: KernelSpec,
    pub(super) log: RawTable,
    pub(super) population: Population,
    pilot: Option<Pilot>,
    old_account: PathBuf,
    pub(super) accounts: Accounts,
    pub(super) threads: usize,
}

/// Files that must not be overwritten, and public ones that must not be the log.
fn check_files(args: &Args, log: &TableFiles, account: &Path) -> Result<(), CliError> {
    let logs = log.paths().map(|log| ("log", Some(log)));
    let others = [
        ("plan", Some(args.plan.as_path())),
        ("log's account", Some(account)),
        ("public sample of contexts", args.contexts.as_deref()),
        ("public log", args.public.as_deref()),
        ("table of contexts", args.compared.target.as_deref()),
    ];
    let read: Vec<(&str, Option<&Path>)> = logs.chain(others).collect();
    for (flag, file) in [("--out", args.out.as_deref()), ("--plot", args.plot.as_deref())] {
        let Some(file) = file else { continue };
        let clash = read.iter().find(|(_, other)| other.is_some_and(|other| output::same(file, other)));
        if let Some((what, _)) = clash {
            let (file, why) = (file.display().to_string(), "choose another name");
            return Err(TuneError::SameFile { flag, file, what, why }.into());
        }
    }
    for (flag, file) in [("--contexts", args.contexts.as_deref()), ("--public", args.public.as_deref())] {
        if let Some(file) = file.filter(|file| log.paths().any(|log| output::same(file, log))) {
            let why = "it must be of other people, since nothing protects it";
            return Err(
                TuneError::SameFile { flag, file: file.display().to_string(), what: "log", why }.into()
            );
        }
    }
    Ok(())
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    args.compared.check(args)?;
    let account = args.account.clone().unwrap_or_else(|| beside(&args.log[0]));
    let files = TableFiles::new(&args.log)?;
    check_files(args, &files, &account)?;
    if let Some(plot) = &args.plot {
        output::claim_chart(plot, args.force)?;
    }
    if let Some(out) = &args.out {
        output::claim(out, args.force)?;
    }
    let pilot = args.pilot.map(Pilot::new).transpose()?;
    let bar = Bar::new();
    let Plan { setting, table } = settled(&args.plan, args.public.as_deref(), args.epsilon, &bar)?;
    let population = match &args.contexts {
        Some(path) => {
            let sample = RawTable { files: TableFiles::one(path)?, format: table.clone() };
            read_sample(&sample, &setting)?
        }
        None => Population::Uniform,
    };
    let log = RawTable { files, format: table };
    let (old_account, accounts, threads) = (account, args.charged.open()?, threads(args.threads)?);
    let ready = Ready { setting, log, population, pilot, old_account, accounts, threads };
    match (&args.once, &args.out) {
        _ if args.method != Method::PrivateKernel => compared::run(args, &ready, &bar),
        (Some(context), _) => once::run(args, &ready, context, &bar),
        (None, Some(out)) => function(args, &ready, out, &bar),
        (None, None) => Err(CliError::Usage("one of --out and --once is needed".into())),
    }
}

impl Ready {
    pub(super) fn purse(&self, args: &Args) -> Result<Purse<'_>, CliError> {
        Ok(args.charged.purse(&self.accounts, (args.epsilon()?, args.delta)))
    }

    pub(super) fn old_account(&self) -> &Path {
        &self.old_account
    }
}

/// The plan, with length scales from public people if there are any. An experiment's document that declares
/// another loss is refused: it would be another experiment.
pub(super) fn settled(
    plan: &Path,
    public: Option<&Path>,
    epsilon: Option<Epsilon>,
    bar: &Bar,
) -> Result<Plan, CliError> {
    let read = read_plan(plan)?;
    let declared = declared_epsilon(&files::read_text(plan)?);
    if let Some((declared, epsilon)) = declared.zip(epsilon).filter(|(declared, epsilon)| declared != epsilon)
    {
        let file = plan.display();
        return Err(CliError::Usage(format!(
            "{file} declares epsilon {declared}, and {epsilon} was asked for; say --epsilon {declared}, or change the document"
        )));
    }
    match public {
        Some(public) => {
            let sample = RawTable { files: TableFiles::one(public)?, format: read.table.clone() };
            Ok(Plan { setting: public_lengths(&read.setting, &sample, bar)?, table: read.table })
        }
        None => Ok(read),
    }
}

fn beside(log: &Path) -> PathBuf {
    let mut name = log.as_os_str().to_owned();
    name.push(".account");
    name.into()
}

fn function(args: &Args, ready: &Ready, out: &Path, bar: &Bar) -> Result<(), CliError> {
    let fit = Fit {
        setting: &ready.setting,
        population: &ready.population,
        log: &ready.log,
        epsilon: args.epsilon()?,
        delta: args.delta,
        pilot: ready.pilot,
        purse: ready.purse(args)?,
        old_account: Some(ready.old_account()),
        threads: ready.threads,
    };
    let fitted = fit.run(bar);
    bar.finish();
    let fitted = fitted?;
    files::write_whole(out, fitted.paid.text.as_bytes())?;
    if let Some(path) = &args.plot {
        let read = Function::of(fitted.release.clone(), ready.threads);
        let file = out.display().to_string();
        show::draw(&read.map_err(|fault| TuneError::Function { file, fault })?, path)?;
    }
    note_delta(args.delta, fitted.release.people());
    let warnings = fitted.people.as_ref().map_or_else(Vec::new, warnings);
    if args.json {
        output::print_document("tune-fit", &document(&fitted, out, &warnings))?;
    } else {
        print(args, ready, &fitted, out);
    }
    for warning in &warnings {
        stream::warn(format_args!("{warning}"));
    }
    Ok(())
}

/// With so large a delta, the guarantee allows a release that shows one person as they are.
fn note_delta(delta: Delta, people: u64) {
    if delta.value() * people as f64 > 0.1 {
        eprintln!(
            "note: delta {delta} is large for {people} people; less than a tenth of 1/{people} is usual"
        );
    }
}

/// Whether people came as declared, by what was released.
fn found(departure: Departure, declared: &str) -> String {
    if departure.is_seen() {
        let size = 100.0 * departure.size;
        format!("not {declared}: density off by {size:.0} %, allowed for")
    } else {
        format!("nothing says that they are not {declared}")
    }
}

fn document(fitted: &Fitted, out: &Path, warnings: &[String]) -> serde_json::Value {
    let mut shown = json!({
        "guarantee": fitted.release.guarantee(),
        "people": fitted.release.people(),
        "numbers_released": fitted.release.rank(),
        "expected_error": fitted.expected_error,
        "file": out,
        "warnings": warnings,
    });
    if let Some(people) = &fitted.people {
        let departure =
            |one: Departure| json!({ "seen": one.is_seen(), "size": one.size, "evidence": one.evidence });
        shown["log"] = json!({
            "contexts": departure(people.contexts),
            "actions": departure(people.actions),
            "abrupt": people.abrupt,
            "misfit": people.misfit,
            "bands_doubtful": people.is_doubtful() || people.actions.is_seen(),
            "clipped_share": people.clipped.0,
            "clipped_noise": people.clipped.1,
            "reward_deviation": people.noise,
        });
    }
    curator::add_to(&mut shown, &fitted.paid);
    shown
}

fn print(args: &Args, ready: &Ready, fitted: &Fitted, out: &Path) {
    let Fitted { release, paid, expected_error, people } = fitted;
    let plan = ready.setting.draft();
    if paid.stored {
        println!("released before from this log: the stored function was written again; nothing was spent");
    } else {
        println!("{}: released", show::subject(plan));
    }
    println!("  guarantee   {}", release.guarantee());
    println!("  people      {}", count(release.people()));
    println!("  released    {} numbers, safe to publish: {}", release.rank(), out.display());
    println!(
        "  error       {} (root mean square by the posterior, in units of {})",
        tidy(*expected_error),
        plan.reward.column
    );
    if args.pilot.is_some() || args.public.is_some() {
        println!("  lengths     {}", show::lengths(release.setting()));
    }
    let declared =
        if args.contexts.is_some() { "like the public sample, which the file contains" } else { "evenly" };
    if let Some(people) = people {
        println!("  contexts    {}", found(people.contexts, &format!("spread {declared}, as declared")));
        println!("  actions     {}", found(people.actions, "drawn evenly, whoever the person is"));
    } else {
        println!("  holds       if actions were drawn evenly and contexts are spread {declared}");
    }
    println!("  account     {}", curator::line(&paid.standing));
    if let Some(path) = &args.plot {
        println!("  drawn       {}", path.display());
    }
    let middle = plan.contexts.iter().map(|input| {
        let middle = input.middle();
        let shown = input.level(middle).map_or_else(|| tidy(middle), String::from);
        format!("{}={shown}", input.column)
    });
    let at = middle.collect::<Vec<_>>().join(",");
    let at = if at.is_empty() { at } else { format!(" --at \"{at}\"") };
    println!("\nask it with: reticent tune predict {}{at}", out.display());
}
