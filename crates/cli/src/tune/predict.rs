//! `reticent tune predict`.

use std::path::{Path, PathBuf};

use reticent_chart::numbers::tidy;
use reticent_curate::kernel::Draft;
use reticent_jobs::tune::{Asked, Function, Prediction, ask, write_table};
use serde_json::json;

use super::show;
use crate::output;
use crate::progress::Bar;
use crate::table;
use crate::{CliError, threads};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The released function
    #[arg(value_name = "FUNCTION.json")]
    function: PathBuf,
    /// The context to predict for, such as "age=40,weight=70"; not needed if the function has none
    #[arg(long, value_name = "CONTEXT", conflicts_with = "contexts")]
    at: Option<String>,
    /// Tell what is expected of this action instead of finding the best one, such as "dose=3"
    #[arg(long, value_name = "ACTION")]
    action: Option<String>,
    /// Predict for each row of this table: CSV, gzip or Parquet; a file, a folder, or - for standard input
    #[arg(long, value_name = "FILE", requires = "out")]
    contexts: Option<PathBuf>,
    #[command(flatten)]
    written: table::Written,
    /// Write these predictions into this file: contexts, actions, mean, low, high
    #[arg(long, value_name = "FILE.csv", requires = "contexts")]
    out: Option<PathBuf>,
    /// Replace a file of predictions that exists
    #[arg(long, requires = "out")]
    force: bool,
    /// Draw the best action and what is expected of it, against each context, into this .svg or .png file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Threads; results do not depend on it [default: all cores]
    #[arg(long)]
    threads: Option<usize>,
    /// Print one JSON document and nothing else
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    args.plot.as_deref().map(output::is_png).transpose()?;
    if let Some(out) = &args.out {
        output::refuse_existing(out, args.force)?;
    }
    let threads = threads(args.threads)?;
    let function = Function::read(&args.function, threads)?;
    let plan = function.setting().draft();
    let asked = args.at.as_ref().map(|text| ask("--at", text, &plan.contexts)).transpose()?;
    let action = args.action.as_ref().map(|text| ask("--action", text, &plan.actions)).transpose()?;
    asked.iter().chain(&action).for_each(show::note_clipped);
    if let Some(path) = &args.plot {
        show::draw(&function, path)?;
    }
    match (&args.contexts, &args.out) {
        (Some(contexts), Some(out)) => many(args, &function, action.as_ref(), (contexts, out), threads),
        _ => one(args, &function, asked, action.as_ref()),
    }
}

fn one(
    args: &Args,
    function: &Function,
    asked: Option<Asked>,
    action: Option<&Asked>,
) -> Result<(), CliError> {
    let plan = function.setting().draft();
    if asked.is_none() && action.is_none() && args.plot.is_some() && !plan.contexts.is_empty() {
        drawn(args, function);
        return Ok(());
    }
    let context = match asked {
        Some(asked) => asked.values,
        None => ask("--at", "", &plan.contexts)?.values,
    };
    let found = match action {
        Some(action) => function.at(&action.values, &context),
        None => function.best(&context),
    };
    if args.json {
        println!("{:#}", document(args, function, &context, &found));
    } else {
        print(args, function, &context, &found);
    }
    Ok(())
}

fn drawn(args: &Args, function: &Function) {
    if args.json {
        println!("{:#}", json!({ "guarantee": function.release().guarantee(), "plot": args.plot }));
    } else if let Some(path) = &args.plot {
        println!("drawn in {}", path.display());
    }
}

fn document(args: &Args, function: &Function, context: &[f64], found: &Prediction) -> serde_json::Value {
    let plan = function.setting().draft();
    json!({
        "context": show::object(&plan.contexts, context),
        "action": show::object(&plan.actions, &found.action),
        "best": args.action.is_none(),
        "mean": found.mean,
        "low": found.low,
        "high": found.high,
        "reward": plan.reward.column,
        "guarantee": function.release().guarantee(),
        "people": function.release().people(),
        "plot": args.plot,
    })
}

fn print(args: &Args, function: &Function, context: &[f64], found: &Prediction) {
    let plan: &Draft = function.setting().draft();
    println!("{}", show::pairs(&plan.actions, &found.action));
    if !context.is_empty() {
        println!("  for         {}", show::pairs(&plan.contexts, context));
    }
    let (mean, low, high) = (tidy(found.mean), tidy(found.low), tidy(found.high));
    println!("  expected    {} = {mean}, 95 % band {low} to {high}", plan.reward.column);
    println!("  guarantee   {}", show::origin(function));
    if let Some(path) = &args.plot {
        println!("  drawn       {}", path.display());
    }
}

fn many(
    args: &Args,
    function: &Function,
    action: Option<&Asked>,
    (contexts, out): (&Path, &Path),
    threads: usize,
) -> Result<(), CliError> {
    let action = action.map(|asked| asked.values.as_slice());
    let contexts = args.written.table(contexts)?;
    let written = Bar::during(|bar| write_table(function, &contexts, action, out, threads, bar))?;
    if written.clipped > 0 {
        eprintln!(
            "note: {} of {} contexts were outside the declared ranges and clipped to them",
            written.clipped, written.rows
        );
    }
    if args.json {
        let document = json!({ "rows": written.rows, "clipped": written.clipped, "file": out, "guarantee": function.release().guarantee(), "plot": args.plot });
        println!("{document:#}");
        return Ok(());
    }
    println!("{} predictions written to {}", written.rows, out.display());
    println!("  guarantee   {}", show::origin(function));
    Ok(())
}
