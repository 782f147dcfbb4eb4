//! `reticent check`.

use std::path::{Path, PathBuf};

use reticent_chart::numbers::count;
use reticent_jobs::check::{CheckError, Checked, check};
use reticent_jobs::plan::read_any;
use reticent_lab::kernel::checked;
use serde_json::{Map, Value, json};

use crate::{CliError, check_table, output, threads};

#[derive(clap::Args)]
pub(super) struct Args {
    /// Published files, of any kind; or a plan; or a plan and its table
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON document and nothing else
    #[arg(long)]
    json: bool,
}

/// A file and what is to be said about it.
type Answer<'a> = (&'a Path, Result<Checked, CheckError>);

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    // What stands first decides: a plan, or something published.
    if let Some((first, tables)) = args.files.split_first()
        && let Some(plan) = read_any(first)?
    {
        return match tables {
            [] => check_table::plan(first, &plan, args.json),
            tables => check_table::table(first, &plan, tables, args.json),
        };
    }
    let threads = threads(None)?;
    let mut answers: Vec<Answer> = Vec::new();
    for file in &args.files {
        // What only compares is known to the lab alone.
        match checked(file).unwrap_or_else(|| check(file, threads)) {
            Err(error) if error.is_unreadable() => return Err(error.into()),
            answer => answers.push((file, answer)),
        }
    }
    let failed = answers.iter().filter(|(_, answer)| !passes(answer)).count();
    if args.json {
        let files: Vec<Value> = answers.iter().map(document).collect();
        output::print_document("check", &json!({ "passed": failed == 0, "files": files }))?;
    } else {
        answers.iter().for_each(print);
    }
    match (failed, answers.len()) {
        (0, _) => Ok(()),
        (failed, all) => Err(CliError::No(format!("{failed} of {all} files did not pass"))),
    }
}

fn passes(answer: &Result<Checked, CheckError>) -> bool {
    answer.as_ref().is_ok_and(|checked| checked.guarantee.protects() == Some(true))
}

fn document((file, answer): &Answer) -> Value {
    match answer {
        Ok(checked) => {
            let counts = checked.counts.iter().map(|count| (count.name.to_string(), count.number.into()));
            let mut shown = json!({
                "file": file,
                "sound": true,
                "private": checked.protects(),
                "kind": checked.kind,
                "version": checked.version,
                "verdict": checked.verdict(),
                "about": checked.about,
                "guarantee": checked.guarantee,
                "noise": checked.guarantee.noise.label(),
                "counts": Value::Object(counts.collect::<Map<_, _>>()),
                "experiment": checked.experiment,
            });
            if !checked.notes.is_empty() {
                shown["notes"] = json!(checked.notes);
            }
            shown
        }
        Err(fault) => json!({ "file": file, "sound": false, "private": null, "fault": fault.to_string() }),
    }
}

fn print((file, answer): &Answer) {
    let checked = match answer {
        Ok(checked) => checked,
        Err(fault) => return println!("{fault}\n  verdict     not sound"),
    };
    let Checked { kind, version, about, guarantee, counts, notes, experiment, .. } = checked;
    println!("{}: {kind}, version {version}: {}", file.display(), checked.verdict());
    println!("  about       {about}");
    println!("  guarantee   {guarantee}");
    println!("  noise       {}", guarantee.noise.label());
    println!("  protects    {}", guarantee.unit);
    for one in counts {
        println!("  {:<11} {}", one.name, count(one.number));
    }
    for note in notes {
        println!("  note        {note}");
    }
    if let Some(digest) = experiment {
        println!("  experiment  {digest}");
    }
}
