//! `reticent demo`: the service with an experiment of each kind and made-up people, for `make run`.

mod curated;

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use reticent_chart::numbers::{count, number};
use reticent_jobs::Progress;
use reticent_jobs::experiment_file::{complete, experiment};
use reticent_lab::play::{Crowd, PlayError, World, play};
use reticent_schema::Experiment;
use reticent_server::run::{self, Config, Options, Remote};
use reticent_server::{Log, SharedClock};
use reticent_store::files;
use serde_json::{Value, json};

use crate::remote::asked;
use crate::{CliError, progress, stream};

/// One experiment of each kind.
const DOCUMENTS: [(&str, &str); 5] = [
    ("landing-page", include_str!("landing-page.toml")),
    ("offer-for-whom", include_str!("offer-for-whom.toml")),
    ("tea-prices", include_str!("tea-prices.toml")),
    ("reminder-letters", include_str!("reminder-letters.toml")),
    ("dose", include_str!("dose.toml")),
];

/// Where nobody looks, people come for so long.
const UNSEEN: Duration = Duration::from_secs(30);

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where to listen
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8787")]
    listen: SocketAddr,
    /// The data folder; what was learned before goes on
    #[arg(long, value_name = "DIR", default_value = "out/demo")]
    data: PathBuf,
    /// Serve for so long, as 30s or 5m, then say what was learned; until Ctrl-C on a terminal, 30s elsewhere
    #[arg(long = "for", value_name = "TIME", value_parser = time)]
    time: Option<Duration>,
    /// Made-up people a second, for each experiment with devices
    #[arg(long, default_value_t = 200.0, value_name = "PEOPLE")]
    rate: f64,
}

fn time(text: &str) -> Result<Duration, String> {
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let seconds = match unit {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => return Err("say a time as 30s, 5m or 1h".into()),
    };
    let number: u64 = number.parse().map_err(|_| "say a time as 30s, 5m or 1h".to_string())?;
    Ok(Duration::from_secs(number.saturating_mul(seconds)))
}

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    if args.rate.is_nan() || args.rate <= 0.0 {
        return Err(CliError::Usage("--rate must be above 0".into()));
    }
    let time = args.time.or_else(|| (!std::io::stdout().is_terminal()).then_some(UNSEEN));
    let options = Options {
        listen: args.listen,
        data: args.data.clone(),
        database: None,
        config: Config::default(),
        experiments: None,
        new_admin_key: false,
    };
    progress::wait_for_the_command();
    let end = AtomicBool::new(false);
    let (sender, started) = mpsc::channel();
    std::thread::scope(|scope| {
        let over = || end.load(Ordering::Relaxed);
        let log = Log::new(SharedClock::default(), |_| ());
        let server = scope.spawn(move || {
            run::run(
                &options,
                &log,
                |started| {
                    let _ = sender.send(started.address);
                },
                over,
            )
        });
        // A server that does not start drops the sender.
        let shown = match started.recv() {
            Ok(address) => show(args, address, time),
            Err(_) => Ok(()),
        };
        end.store(true, Ordering::Relaxed);
        let served = server.join().unwrap_or(Ok(()));
        served?;
        shown
    })
}

/// Serves the experiments, whose documents are also files: to read, and to play with by hand.
fn create(remote: &Remote, data: &Path) -> Result<(), CliError> {
    let folder = data.join("experiments");
    for (name, text) in DOCUMENTS {
        asked(&remote.ask("POST", "/v1/experiments", Some(("application/toml", text.as_bytes())))?)?;
        files::write_whole(&folder.join(format!("{name}.toml")), text.as_bytes())?;
    }
    Ok(())
}

/// People come until it is time; then what was learned is said.
fn show(args: &Args, address: SocketAddr, time: Option<Duration>) -> Result<(), CliError> {
    let remote = Remote::of_folder(&args.data)?;
    create(&remote, &args.data)?;
    let (read, upload) = (key(&remote, "read")?, key(&remote, "upload")?);
    println!("Reticent serves five experiments; made-up people with real devices are sending reports.");
    println!("  page        http://{address}/#{read}");
    println!("  documents   {}", args.data.join("experiments").display());
    println!("  interface   http://{address}/openapi.json");
    if let Some(time) = time {
        println!("  ends        after {} s", time.as_secs());
    } else {
        println!("  stop        Ctrl-C");
    }
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for (name, text) in DOCUMENTS {
            let (remote, upload, over) = (&remote, &upload, &over);
            scope.spawn(move || people(args, address, (name, text), remote, upload, over));
        }
        let mut waited = Duration::ZERO;
        while !progress::is_interrupted() && time.is_none_or(|time| waited < time) {
            std::thread::park_timeout(TICK);
            waited += TICK;
        }
        over.store(true, Ordering::Relaxed);
    });
    say_what_was_learned(&remote)
}

const TICK: Duration = Duration::from_millis(100);

/// A key for the page, or for devices.
fn key(remote: &Remote, role: &str) -> Result<String, CliError> {
    let body = json!({ "role": role, "label": "demo" }).to_string();
    let made = asked(&remote.ask("POST", "/v1/keys", Some(("application/json", body.as_bytes())))?)?;
    Ok(made["key"].as_str().unwrap_or_default().to_string())
}

/// People of one experiment, until it is over. What goes wrong is said, and the others go on.
fn people(
    args: &Args,
    address: SocketAddr,
    (name, text): (&str, &str),
    remote: &Remote,
    upload: &str,
    over: &AtomicBool,
) {
    let done = match document(text) {
        Err(error) => Err(error),
        Ok(experiment) => match World::of(&experiment, None) {
            Ok(world) => devices(args, address, &experiment, &world, upload, over),
            // Central kinds have no devices.
            Err(_) => curated::people(name, remote, over),
        },
    };
    if let Err(error) = done {
        stream::warn(format_args!("{name}: {error}"));
    }
}

fn document(text: &str) -> Result<Experiment, CliError> {
    let read = experiment(text).unwrap_or_else(|| Err("no experiment".into()));
    read.and_then(complete).map_err(CliError::Usage)
}

fn devices(
    args: &Args,
    address: SocketAddr,
    experiment: &Experiment,
    world: &World,
    upload: &str,
    over: &AtomicBool,
) -> Result<(), CliError> {
    let crowd = Crowd {
        server: format!("http://{address}"),
        key: upload.to_string(),
        people: u64::MAX >> 12,
        rate: Some(args.rate),
        batch: (args.rate / 20.0).clamp(1.0, 100.0) as usize,
        connections: 1,
        refresh: 0.5,
        seed: 1,
        patience: 10,
    };
    match play(&crowd, experiment, world, &Until(over)) {
        Ok(_) | Err(PlayError::Interrupted) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Shows nothing, and stops when it is over.
struct Until<'a>(&'a AtomicBool);

impl Progress for Until<'_> {
    fn trial(&self, _: usize, _: usize) {}

    fn stop(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

fn say_what_was_learned(remote: &Remote) -> Result<(), CliError> {
    println!("What was learned:");
    for (name, _) in DOCUMENTS {
        let insight = asked(&remote.ask("GET", &format!("/v1/experiments/{name}/insight"), None)?)?;
        println!("  {name}: {}", learned(&insight));
    }
    Ok(())
}

/// In a line.
fn learned(insight: &Value) -> String {
    let people = count(insight["people"].as_u64().unwrap_or(0));
    let arms = insight["arms"].as_array().cloned().unwrap_or_default();
    let chance = |arm: &Value| arm["probability_of_best"].as_f64().unwrap_or(0.0);
    if let Some(best) = arms.iter().max_by(|a, b| chance(a).total_cmp(&chance(b))) {
        let name = best["name"].as_str().unwrap_or_default();
        let undecided = insight["map"]["undecided"].as_f64();
        let whom = undecided.map_or(String::new(), |share| {
            format!(
                "; for {:.0} % of people it is clear which arm is best for them",
                (100.0 * (1.0 - share)).max(0.0)
            )
        });
        return format!(
            "{people} reports; {name} is best for all with a probability of {:.2}{whom}",
            chance(best)
        );
    }
    let effect = &insight["analysis"]["effects"][0]["simultaneous"];
    if let (Some(estimate), Some(low), Some(high)) =
        (effect["estimate"].as_f64(), effect["low"].as_f64(), effect["high"].as_f64())
    {
        let (estimate, low, high) = (number(estimate), number(low), number(high));
        return format!("{people} people; an effect of {estimate} ({low} to {high})");
    }
    match insight["kind"].as_str() {
        Some("tuning") if !insight["release"].is_null() => "a function was released".into(),
        Some("tuning") => "records are being collected; no function was released yet".into(),
        Some("trial") => format!("{people} people; nothing is published before the trial ends"),
        _ => format!("{people} reports are collected"),
    }
}
