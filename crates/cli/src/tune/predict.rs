//! `reticent tune predict`.

use std::path::{Path, PathBuf};

use reticent_chart::numbers::tidy;
use reticent_curate::kernel::Draft;
use reticent_jobs::tune::{Function, Prediction, ask, write_table};
use serde_json::json;

use super::show;
use crate::progress::Bar;
use crate::{CliError, output, stream, table, threads};

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
    /// Write these predictions into this file: contexts, actions, mean, low, high, supported, usual
    #[arg(long, value_name = "FILE.csv", requires = "contexts")]
    out: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long)]
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
    if let Some(plot) = &args.plot {
        output::claim_chart(plot, args.force)?;
    }
    if let Some(out) = &args.out {
        output::claim(out, args.force)?;
    }
    let threads = threads(args.threads)?;
    let function = Function::read(&args.function, threads)?;
    let plan = function.setting().draft();
    let asked = args.at.as_ref().map(|text| ask("--at", text, &plan.contexts)).transpose()?;
    let action = args.action.as_ref().map(|text| ask("--action", text, &plan.actions)).transpose()?;
    if let Some(path) = &args.plot {
        show::draw(&function, path)?;
    }
    match (&args.contexts, &args.out) {
        (Some(contexts), Some(out)) => many(args, &function, action.as_deref(), (contexts, out), threads)?,
        _ => one(args, &function, asked, action.as_deref())?,
    }
    for warning in function.warnings() {
        stream::warn(format_args!("{warning}"));
    }
    Ok(())
}

fn one(
    args: &Args,
    function: &Function,
    asked: Option<Vec<f64>>,
    action: Option<&[f64]>,
) -> Result<(), CliError> {
    let plan = function.setting().draft();
    if asked.is_none() && action.is_none() && args.plot.is_some() && !plan.contexts.is_empty() {
        return drawn(args, function);
    }
    let context = match asked {
        Some(asked) => asked,
        None => ask("--at", "", &plan.contexts)?,
    };
    let found = match action {
        Some(action) => function.at(action, &context),
        None => function.best(&context),
    };
    if args.json {
        output::print_document("tune-prediction", &document(args, function, &context, &found))?;
    } else {
        print(args, function, &context, &found);
    }
    Ok(())
}

fn drawn(args: &Args, function: &Function) -> Result<(), CliError> {
    if args.json {
        let document = json!({ "guarantee": function.release().guarantee(), "plot": args.plot });
        output::print_document("tune-drawn", &document)?;
    } else if let Some(path) = &args.plot {
        println!("drawn in {}", path.display());
    }
    Ok(())
}

fn document(args: &Args, function: &Function, context: &[f64], found: &Prediction) -> serde_json::Value {
    let plan = function.setting().draft();
    json!({
        "context": show::object(&plan.contexts, context),
        "action": show::object(&plan.actions, &found.action),
        "best": args.action.is_none(),
        "supported": found.supported,
        "usual": found.usual,
        "mean": found.mean,
        "low": found.low,
        "high": found.high,
        "reward": plan.reward.column,
        "guarantee": function.release().guarantee(),
        "people": function.release().people(),
        "plot": args.plot,
        "warnings": function.warnings(),
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
    if found.usual {
        println!(
            "  chosen      what people of this context usually got: no other action is believably better"
        );
    }
    if !found.supported {
        println!("  support     none: hardly anybody of this context got such an action; do not act on it");
    }
    println!("  guarantee   {}", show::origin(function));
    if let Some(path) = &args.plot {
        println!("  drawn       {}", path.display());
    }
}

fn many(
    args: &Args,
    function: &Function,
    action: Option<&[f64]>,
    (contexts, out): (&Path, &Path),
    threads: usize,
) -> Result<(), CliError> {
    let contexts = args.written.table(contexts)?;
    let rows = Bar::during(|bar| write_table(function, &contexts, action, out, threads, bar))?;
    if args.json {
        let document = json!({
            "rows": rows,
            "file": out,
            "guarantee": function.release().guarantee(),
            "plot": args.plot,
            "warnings": function.warnings(),
        });
        return output::print_document("tune-predictions", &document);
    }
    println!("{rows} predictions written to {}", out.display());
    println!("  guarantee   {}", show::origin(function));
    Ok(())
}
