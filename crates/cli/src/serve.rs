//! `reticent serve`: the decision service as a process.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use reticent_server::run::{self, Config, Options, Started};
use reticent_server::{Log, SharedClock};
use reticent_store::files;

use crate::{CliError, progress, stream};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The data folder: the embedded store, and the first admin's key; made if it is not there
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Where to listen; other machines can reach it only if you say their side of it
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8787")]
    listen: SocketAddr,
    /// A PostgreSQL database instead of the embedded store: any number of servers may share one
    #[arg(long, value_name = "postgres://...")]
    database: Option<String>,
    /// Limits and sizes, in TOML
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// A folder of experiments' documents; those that are not served yet are created
    #[arg(long, value_name = "DIR")]
    experiments: Option<PathBuf>,
    /// Make a fresh admin's key, when the first one is lost
    #[arg(long)]
    new_admin_key: bool,
    /// Log every request on standard error, as lines of JSON without any report, key or address
    #[arg(long)]
    log: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let config = args.config.as_deref().map_or_else(|| Ok(Config::default()), read_config)?;
    let options = Options {
        listen: args.listen,
        data: args.data.clone(),
        database: args.database.clone(),
        config,
        experiments: args.experiments.clone(),
        new_admin_key: args.new_admin_key,
    };
    let log = if args.log {
        Log::new(SharedClock::default(), |line| stream::to_standard_error(format_args!("{line}\n")))
    } else {
        Log::new(SharedClock::default(), |line| {
            if line.contains("\"level\":\"warning\"") {
                stream::to_standard_error(format_args!("{line}\n"));
            }
        })
    };
    progress::wait_for_the_command();
    Ok(run::run(&options, &log, |started| say(started, &args.data), progress::is_interrupted)?)
}

fn say(started: &Started, data: &Path) {
    let Started { address, new_key, store, experiments } = started;
    println!("serving {experiments} experiments at http://{address} ({store} store)");
    if let Some(key) = new_key {
        println!("  admin key   in {}; only its owner can read it", key.display());
    }
    println!("  next        reticent experiment create FILE --data {}", data.display());
    println!("  stop        Ctrl-C");
}

fn read_config(path: &Path) -> Result<Config, CliError> {
    let text = files::read_text(path)?;
    let wrong = |fault: &str| CliError::Usage(format!("{}: {fault}", path.display()));
    let config: Config = toml::from_str(&text).map_err(|error| wrong(error.message()))?;
    config.fault().map_or(Ok(config), |fault| Err(wrong(&fault)))
}
