//! `reticent tune fit --method usca`, `dubey` and `gp`: what methods to compare with make of somebody's own log.

use std::path::PathBuf;

use reticent_chart::numbers::{count, tidy};
use reticent_jobs::account::Paid;
use reticent_jobs::columns::{RawTable, TableFiles};
use reticent_jobs::tune::ask;
use reticent_lab::kernel::{OwnActions, OwnLog, OwnMethod, OwnNoise, own_contexts};
use reticent_privacy::Epsilon;
use reticent_store::files;
use serde_json::{Map, Value, json};

use super::fit::{Args, Method, Ready};
use super::show;
use crate::progress::Bar;
use crate::{CliError, curator, stream};

#[derive(clap::Args)]
#[command(next_help_heading = "Methods to compare with")]
pub(super) struct ComparedArgs {
    /// Write what protects nobody: gp needs it, and so does --seed
    #[arg(long)]
    not_private: bool,
    /// Noise of usca and dubey from this seed: a simulation, which protects nobody
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// The contexts that dubey and gp find actions for, a row each, as CSV, gzip or Parquet
    #[arg(long, value_name = "FILE")]
    pub(super) target: Option<PathBuf>,
}

impl ComparedArgs {
    /// Whether all is said that must be, and nothing else.
    pub(super) fn check(&self, args: &Args) -> Result<(), CliError> {
        let Some(method) = method(args.method) else { return self.refused() };
        let name = method.name();
        if let Some(other) = args.ours() {
            return usage(format!("{other} does not go with --method {name}, which knows none of it"));
        }
        match (method, args.once.is_some(), self.target.is_some()) {
            (OwnMethod::Usca, false, _) => {
                usage("--method usca answers one context for each epsilon: say --once CONTEXT".into())
            }
            (OwnMethod::Usca, true, true) => {
                usage("--target does not go with --method usca, which answers --once CONTEXT".into())
            }
            (OwnMethod::Dubey | OwnMethod::Gp, true, _) => {
                usage(format!("--once does not go with --method {name}: say --target and --out"))
            }
            _ => self.check_loss(method, args.has_loss()),
        }
    }

    fn check_loss(&self, method: OwnMethod, has_loss: bool) -> Result<(), CliError> {
        let name = method.name();
        match (method, has_loss, self.seed, self.not_private) {
            (OwnMethod::Gp, true, ..) => {
                usage("--epsilon does not go with --method gp, which has no noise".into())
            }
            (OwnMethod::Gp, _, Some(_), _) => {
                usage("--seed does not go with --method gp, which has no noise".into())
            }
            (OwnMethod::Gp, _, _, false) => usage(
                "--method gp reads the raw log and protects nobody: if that is meant, say --not-private"
                    .into(),
            ),
            (OwnMethod::Gp, ..) => Ok(()),
            (_, false, ..) => usage(format!("--method {name} needs --epsilon")),
            (_, _, Some(_), false) => {
                usage("noise of --seed protects nobody: if that is meant, say --not-private".into())
            }
            (_, _, None, true) => usage(format!(
                "--method {name} is private, and its people are charged: leave --not-private out, or give a --seed"
            )),
            _ => Ok(()),
        }
    }

    /// What belongs to these methods goes with no other.
    fn refused(&self) -> Result<(), CliError> {
        let given = [
            ("--not-private", self.not_private, "gp, or usca and dubey with a --seed,"),
            ("--seed", self.seed.is_some(), "usca or dubey"),
            ("--target", self.target.is_some(), "dubey or gp"),
        ];
        match given.iter().find(|(_, given, _)| *given) {
            Some((name, _, method)) => {
                Err(CliError::Usage(format!("{name} goes with --method {method} alone")))
            }
            None => Ok(()),
        }
    }
}

fn usage(text: String) -> Result<(), CliError> {
    Err(CliError::Usage(text))
}

fn method(asked: Method) -> Option<OwnMethod> {
    match asked {
        Method::PrivateKernel => None,
        Method::Usca => Some(OwnMethod::Usca),
        Method::Dubey => Some(OwnMethod::Dubey),
        Method::Gp => Some(OwnMethod::Gp),
    }
}

pub(super) fn run(args: &Args, ready: &Ready, bar: &Bar) -> Result<(), CliError> {
    let Some(method) = method(args.method) else { return Ok(()) };
    let contexts = contexts(args, ready, method)?;
    // A Gaussian process has no loss; what stands in its place is not looked at.
    let epsilon = if method == OwnMethod::Gp { Epsilon::MAX } else { args.epsilon()? };
    let loss = (epsilon, args.delta);
    let noise = match args.compared.seed {
        Some(seed) => OwnNoise::Seed(seed),
        None => OwnNoise::Paid(args.charged.purse(&ready.accounts, loss)),
    };
    let (setting, log, threads) = (&ready.setting, &ready.log, ready.threads);
    let old_account = Some(ready.old_account());
    let own = OwnLog { method, setting, log, contexts: &contexts, loss, noise, old_account, threads };
    let done = own.run(bar);
    bar.finish();
    let (actions, paid) = done?;
    if let Some(out) = &args.out {
        files::write_whole(out, format!("{:#}\n", serde_json::to_value(&actions)?).as_bytes())?;
    }
    if actions.guarantee.protects() == Some(false) {
        stream::warn(format_args!("{}", unprotected(method)));
    }
    if args.json {
        return document(args, &actions, paid.as_ref());
    }
    print(args, ready, &actions, paid.as_ref());
    Ok(())
}

fn unprotected(method: OwnMethod) -> String {
    let name = method.name();
    match method {
        OwnMethod::Gp => format!(
            "{name} protects nobody: it was learned from the raw log, no account was charged, and whoever sees its actions learns about single people"
        ),
        OwnMethod::Usca | OwnMethod::Dubey => format!(
            "the noise of {name} came from a seed: this is a simulation that protects nobody, and no account was charged"
        ),
    }
}

/// Those that are asked about; one without inputs if the plan has none.
fn contexts(args: &Args, ready: &Ready, method: OwnMethod) -> Result<Vec<Vec<f64>>, CliError> {
    let inputs = &ready.setting.draft().contexts;
    match (&args.once, &args.compared.target) {
        (Some(context), _) => Ok(vec![ask("--once", context, inputs)?]),
        (None, _) if inputs.is_empty() => Ok(vec![Vec::new()]),
        (None, Some(target)) => {
            let table = RawTable { files: TableFiles::one(target)?, format: ready.log.format.clone() };
            Ok(own_contexts(&ready.setting, &table)?)
        }
        (None, None) => Err(CliError::Usage(format!(
            "--method {} needs --target: the contexts that actions are for",
            method.name()
        ))),
    }
}

/// The published document, and beside it what concerns the curator alone. In a file, its rows are there.
fn document(args: &Args, actions: &OwnActions, paid: Option<&Paid>) -> Result<(), CliError> {
    let mut shown = serde_json::to_value(actions)?;
    shown["file"] = json!(args.out);
    if let Some(paid) = paid {
        curator::add_to(&mut shown, paid);
    }
    println!("{shown:#}");
    Ok(())
}

fn print(args: &Args, ready: &Ready, actions: &OwnActions, paid: Option<&Paid>) {
    let plan = ready.setting.draft();
    let name = actions.method.name();
    if paid.is_some_and(|paid| paid.stored) {
        println!("released before: this is what was stored; nothing was spent");
    }
    match (&args.out, actions.answers.first()) {
        (Some(out), _) => {
            let rows = count(actions.answers.len() as u64);
            println!("{rows} actions of {name}, {}, written to {}", show::subject(plan), out.display());
        }
        (None, Some(one)) => {
            println!("{}", listed(&one.action));
            if !one.context.is_empty() {
                println!("  for         {}", listed(&one.context));
            }
        }
        (None, None) => {}
    }
    println!("  method      {name}, to compare with");
    println!("  guarantee   {}", actions.guarantee);
    println!("  people      {}", count(actions.people));
    if let Some(paid) = paid {
        println!("  account     {}", curator::line(&paid.standing));
    }
}

/// `age = 40, sex = f`.
fn listed(values: &Map<String, Value>) -> String {
    let one = |(column, value): (&String, &Value)| match value {
        Value::String(level) => format!("{column} = {level}"),
        value => format!("{column} = {}", value.as_f64().map_or_else(String::new, tidy)),
    };
    values.iter().map(one).collect::<Vec<_>>().join(", ")
}
