//! `reticent audit`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use reticent_lab::audit::program::Program;
use reticent_lab::audit::{self, Document};
use reticent_lab::catalogue::{self, Effort, Entry};
use reticent_privacy::{Delta, Epsilon, SimSeed};
use reticent_store::files;

use super::progress::Bar;
use super::{CliError, output, print_table, threads};

#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("what").required(true).args(["name", "all", "broken", "command"])))]
pub(super) struct Args {
    /// The mechanism or agent to audit: see `reticent list`
    name: Option<String>,
    /// Audit every mechanism and agent
    #[arg(long)]
    all: bool,
    /// Audit the suite of deliberately wrong mechanisms; succeeds only if each is caught
    #[arg(long)]
    broken: bool,
    /// Audit a program: a shell command that reads one input a line and writes one line for each, a number or a list of
    /// numbers in JSON, or nothing for silence
    #[arg(long, value_name = "CMD", requires = "input", conflicts_with = "seed")]
    command: Option<String>,
    /// An input of the command, a line of text; each is a neighbour of each other (repeat it, two or more)
    #[arg(long, value_name = "LINE", requires = "command")]
    input: Vec<String>,
    /// What may be added to probabilities, in the command's claim
    #[arg(long, value_name = "D", requires = "command", default_value = "0")]
    delta: Delta,
    /// The losses to audit at
    #[arg(long, value_name = "E", value_delimiter = ',', default_values = ["0.5", "1", "4"], conflicts_with = "broken")]
    epsilon: Vec<Epsilon>,
    /// Runs of each input, once to search for a leak and once more to test it
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    samples: usize,
    /// Seeded noise instead of the operating system's, for a result that can be repeated
    #[arg(long)]
    seed: Option<u64>,
    /// Threads [default: all cores]
    #[arg(long)]
    threads: Option<usize>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// Write a page with the chart into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    replace: output::Replace,
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    refuse_equal(&args.input)?;
    let effort =
        Effort { samples: args.samples, threads: threads(args.threads)?, seed: args.seed.map(SimSeed) };
    let entries = match &args.name {
        Some(name) => vec![catalogue::find(name)?],
        None => catalogue::all(),
    };
    if let Some(folder) = &args.out {
        output::claim_in(folder, &[page_name(args)], args.replace.force)?;
    }
    let bar = Bar::new();
    let document = audit(args, &entries, &effort, &bar);
    bar.finish();
    let document = document?;
    let page = args.out.as_deref().map(|folder| write_page(args, &document, folder)).transpose()?;
    if args.json {
        output::print_document("audit", &document)?;
    } else {
        print(args, &document);
    }
    if let Some(page) = page.filter(|_| !args.json) {
        println!("report with chart: {}", page.display());
    }
    if document.passed { Ok(()) } else { Err(CliError::No(refusal(args, &document))) }
}

/// Nothing leaks between equal inputs: an audit of them would pass whatever the program does.
fn refuse_equal(inputs: &[String]) -> Result<(), CliError> {
    let different: BTreeSet<&String> = inputs.iter().collect();
    if different.len() == inputs.len() {
        return Ok(());
    }
    let said =
        "--input is given twice with the same line: nothing leaks between equal inputs; give different ones";
    Err(CliError::Usage(said.into()))
}

fn audit(args: &Args, entries: &[Box<dyn Entry>], effort: &Effort, bar: &Bar) -> Result<Document, CliError> {
    Ok(if args.broken {
        audit::mistakes(effort, bar)?
    } else if let Some(command) = &args.command {
        let program = Program { command: command.clone(), inputs: args.input.clone() };
        audit::program(&program, &args.epsilon, args.delta, effort, bar)?
    } else {
        audit::entries(entries, &args.epsilon, effort, bar)?
    })
}

fn page_name(args: &Args) -> &'static str {
    if args.broken { "broken.html" } else { "index.html" }
}

fn write_page(args: &Args, document: &Document, folder: &Path) -> Result<PathBuf, CliError> {
    let (claims, mistakes) = if args.broken { (None, Some(document)) } else { (Some(document), None) };
    let path = folder.join(page_name(args));
    files::write_whole(&path, audit::page(claims, mistakes).as_bytes())?;
    Ok(path)
}

fn print(args: &Args, document: &Document) {
    if args.broken {
        print_table(&audit::caught_table(document));
        println!("\n{}", audit::caught(document));
    } else {
        print_table(&audit::table(document));
        println!("\n{}", audit::verdict(document));
    }
    for line in audit::unseen(document) {
        println!("{line}");
    }
    println!("noise: {}", document.noise_label());
}

fn refusal(args: &Args, document: &Document) -> String {
    if args.broken { audit::caught(document) } else { audit::verdict(document) }
}
