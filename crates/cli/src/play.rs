//! `reticent play`.

use std::path::PathBuf;

use reticent_chart::numbers::{count, number};
use reticent_jobs::experiment_file::{complete, experiment};
use reticent_lab::play::{Crowd, Played, World, play};
use reticent_schema::Experiment;
use reticent_server::run::Remote;
use reticent_store::files;
use serde::Serialize;

use crate::progress::Bar;
use crate::{CliError, curator, output};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The experiment's document, in TOML or JSON: the one that the server has
    #[arg(value_name = "SPEC")]
    spec: PathBuf,
    /// The data folder of a service on this machine: its address and its admin's key are taken from there
    #[arg(long, value_name = "DIR", conflicts_with_all = ["server", "key"])]
    data: Option<PathBuf>,
    /// Where the service is
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8787")]
    server: String,
    /// A key that may upload [default: what `RETICENT_KEY` says]
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// How many people come
    #[arg(long, default_value_t = 10_000)]
    people: u64,
    /// How many come each second; as fast as the server takes them, if it is left out
    #[arg(long, value_name = "PEOPLE")]
    rate: Option<f64>,
    /// Reports in one upload; 1 is a device by itself
    #[arg(long, default_value_t = 1)]
    batch: usize,
    /// Connections at once
    #[arg(long, default_value_t = 2)]
    connections: usize,
    /// Seconds between two looks for a new policy
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    refresh: f64,
    /// A bandit's arms: the chance of a full reward for each, as 0.2,0.5
    #[arg(long, value_delimiter = ',', value_name = "CHANCES")]
    chances: Option<Vec<f64>>,
    /// Give up when the server does not answer for so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    patience: u64,
    /// The seed of who comes and what comes of it; noise has none
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON document and nothing else
    #[arg(long)]
    json: bool,
}

/// What is printed as a document.
#[derive(Serialize)]
struct Document<'a> {
    experiment: &'a str,
    digest: String,
    people: u64,
    #[serde(flatten)]
    played: &'a Played,
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    let spec = read(args)?;
    let world = World::of(&spec, args.chances.clone())?;
    if args.rate.is_some_and(|rate| rate.is_nan() || rate <= 0.0) || args.people == 0 {
        return Err(CliError::Usage("--people and --rate must be above 0".into()));
    }
    let (server, key) = place(args)?;
    let crowd = Crowd {
        server,
        key,
        people: args.people,
        rate: args.rate,
        batch: args.batch.clamp(1, 1_000),
        connections: args.connections.clamp(1, 256),
        refresh: args.refresh,
        seed: args.seed,
        patience: args.patience,
    };
    let played = Bar::during(|bar| play(&crowd, &spec, &world, bar))?;
    if args.json {
        let digest = spec.digest().to_string();
        let body = Document { experiment: spec.name(), digest, people: args.people, played: &played };
        return output::print_document("play", &body);
    }
    print(&spec, args, &played);
    Ok(())
}

/// Where a key may come from, so that it need not be in a shell's history.
const VARIABLE: &str = "RETICENT_KEY";

/// Where the service is, and a key for it.
fn place(args: &Args) -> Result<(String, String), CliError> {
    if let Some(data) = &args.data {
        let remote = Remote::of_folder(data)?;
        return Ok((remote.url(), remote.key().unwrap_or_default().into()));
    }
    let key = args.key.clone().or_else(|| curator::variable(VARIABLE));
    let none = || CliError::Usage(format!("people need a key that may upload: --data, --key, or {VARIABLE}"));
    Ok((args.server.clone(), key.ok_or_else(none)?))
}

fn read(args: &Args) -> Result<Experiment, CliError> {
    let wrong = |what: String| CliError::Usage(format!("{}: {what}", args.spec.display()));
    experiment(&files::read_text(&args.spec)?)
        .ok_or_else(|| wrong("this is no experiment: it has no [problem]".into()))?
        .and_then(complete)
        .map_err(wrong)
}

fn print(spec: &Experiment, args: &Args, played: &Played) {
    println!(
        "{} ({}): {} made-up people with real devices",
        spec.name(),
        spec.problem().kind(),
        count(args.people)
    );
    println!("  noise       from the operating system; people and outcomes from seed {}", args.seed);
    println!("  taken       {} reports", count(played.taken));
    for (reason, reports) in &played.refused {
        println!("  not taken   {} reports: {reason}", count(*reports));
    }
    println!("  outcome     {} a person", number(played.mean_reward));
    if let (Some(all), Some(end)) = (played.on_best_arm, played.on_best_arm_at_the_end) {
        let (all, end) = (100.0 * all, 100.0 * end);
        println!(
            "  best arm    {all:.1} % of people got the arm that is best for them, {end:.1} % of the last fifth"
        );
        println!("  policies    {} followed", count(played.policies));
    }
    println!(
        "  uploads     {}, half of them within {:.1} ms, 99 % within {:.1} ms",
        count(played.uploads),
        played.median_ms,
        played.p99_ms
    );
    println!(
        "  time        {:.1} s, {} people a second",
        played.seconds,
        number(args.people as f64 / played.seconds)
    );
}
