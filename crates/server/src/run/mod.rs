//! The service as a process: its store, its address, its first key, and its end.

mod remote;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use reticent_jobs::experiment_file;
use reticent_store::files::{self, FileError};
use serde::{Deserialize, Serialize};

pub use remote::{Answered, Remote, RemoteError};

use crate::clock::SharedClock;
use crate::http::{Limits, ServeError, Server, Tls, TlsError, router};
use crate::keys::NewKey;
use crate::log::{Log, Said};
use crate::service::{CreateError, Service, StartError};
use crate::store::{Embedded, Postgres, Role, Scope, Settings, Store, StoreError};

/// The first admin's key, in the data folder: for commands on the same machine.
const ADMIN_KEY: &str = "admin.key";
/// Where the running server listens, in the data folder.
const ADDRESS: &str = "server.json";
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// What can be set in a file.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// What may be asked.
    pub limits: Limits,
    /// The server's own certificate; without it TLS is a proxy's affair.
    pub tls: Option<TlsFiles>,
    /// Megabytes of the embedded store that are kept in memory.
    pub cache_megabytes: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config { limits: Limits::default(), tls: None, cache_megabytes: 64 }
    }
}

/// A terabyte: nobody means more.
const MOST_CACHE: usize = 1 << 20;

impl Config {
    /// Why no service can run like this.
    pub fn fault(&self) -> Option<String> {
        let large = || format!("cache_megabytes is at most {MOST_CACHE}");
        self.limits.fault().or_else(|| (self.cache_megabytes > MOST_CACHE).then(large))
    }
}

/// Where the server's certificate is.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TlsFiles {
    /// The chain of certificates, in PEM.
    pub certificate: PathBuf,
    /// Its private key, in PEM.
    pub key: PathBuf,
}

/// How to run.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where to listen.
    pub listen: SocketAddr,
    /// The data folder: the embedded store, the first key.
    pub data: PathBuf,
    /// A PostgreSQL database instead of the embedded store.
    pub database: Option<String>,
    /// What can be set in a file.
    pub config: Config,
    /// Documents of experiments to serve.
    pub experiments: Option<PathBuf>,
    /// Make a fresh admin's key, also if there is one.
    pub new_admin_key: bool,
}

/// What is said when the service has started.
#[derive(Debug)]
pub struct Started {
    /// Where it listens.
    pub address: SocketAddr,
    /// The file that the admin's key was written to, if one was made.
    pub new_key: Option<PathBuf>,
    /// The store.
    pub store: &'static str,
    /// How many experiments are served.
    pub experiments: usize,
}

/// Why the service does not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The service.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The address.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// The certificate.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// A file.
    #[error(transparent)]
    File(#[from] FileError),
    /// A key or an experiment.
    #[error(transparent)]
    Create(#[from] CreateError),
    /// A document of the folder.
    #[error("{file}: {fault}", file = file.display())]
    Document {
        /// Which.
        file: PathBuf,
        /// What is wrong.
        fault: String,
    },
    /// No threads.
    #[error("the service cannot start: {0}")]
    Threads(std::io::Error),
}

/// Where a server runs, for commands on the same machine.
#[derive(Debug, Serialize, Deserialize)]
struct Place {
    address: SocketAddr,
}

/// Serves until `stop` says so. What was begun is finished.
pub fn run(
    options: &Options,
    log: &Log,
    started: impl FnOnce(&Started),
    stop: impl Fn() -> bool,
) -> Result<(), RunError> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(RunError::Threads)?;
    runtime.block_on(serve(options, log, started, stop))
}

async fn serve(
    options: &Options,
    log: &Log,
    started: impl FnOnce(&Started),
    stop: impl Fn() -> bool,
) -> Result<(), RunError> {
    files::make_folder(&options.data)?;
    let store: Arc<dyn Store> = match &options.database {
        None => Arc::new(Embedded::open(&options.data, options.config.cache_megabytes << 20)?),
        Some(address) => Arc::new(Postgres::open(address).await?),
    };
    let service = Service::start(Arc::clone(&store), SharedClock::default(), log.clone()).await?;
    let new_key = first_key(&service, options).await?;
    if let Some(folder) = &options.experiments {
        serve_folder(&service, folder).await?;
    }
    let server = listen(options, log).await?;
    let address = server.address().unwrap_or(options.listen);
    let place = options.data.join(ADDRESS);
    let text = serde_json::to_string(&Place { address }).unwrap_or_default();
    files::write_whole(&place, text.as_bytes())?;
    let experiments = service.seats().len();
    started(&Started { address, new_key, store: store.called(), experiments });
    log.say(Said::note("started").with("store", store.called()).count("experiments", experiments as u64));
    let ended = async {
        while !stop() {
            tokio::time::sleep(LOOK_EVERY).await;
        }
        // Listeners end first, or their connections would stay open.
        service.end_streams();
    };
    server.run(router(Arc::clone(&service), options.config.limits.clone()), ended).await;
    service.stop().await;
    // It only says where the server was.
    let _ = std::fs::remove_file(&place);
    log.say(Said::note("stopped"));
    Ok(())
}

/// Takes the address, so that nobody else does.
async fn listen(options: &Options, log: &Log) -> Result<Server, RunError> {
    let (tls, limits) = (options.config.tls.as_ref(), options.config.limits.clone());
    let tls = tls.map(|files| Tls::read(&files.certificate, &files.key)).transpose()?;
    let wanted = limits.connections;
    let server = Server::bind(options.listen, limits).await?.over(tls);
    if server.connections() < wanted {
        log.say(Said::warning("few open files").count("connections", server.connections() as u64));
    }
    Ok(server)
}

/// A new service has an admin's key, which only this file has.
async fn first_key(service: &Service, options: &Options) -> Result<Option<PathBuf>, RunError> {
    let has_admin =
        service.store.keys().await?.iter().any(|key| key.role == Role::Admin && key.revoked.is_none());
    if has_admin && !options.new_admin_key {
        return Ok(None);
    }
    let (secret, _) = service.make_key(NewKey::new(Role::Admin, Scope::All, "first admin"), "server").await?;
    let path = options.data.join(ADMIN_KEY);
    write_private(&path, secret.reveal().as_bytes())
        .map_err(|error| FileError::new("cannot write", &path, error))?;
    Ok(Some(path))
}

/// A file that only its owner can read, from its first byte on.
fn write_private(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    use std::io::Write;
    // An older key's file may be there, and may be open to others.
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Serves every document of a folder that is not served yet.
async fn serve_folder(service: &Service, folder: &Path) -> Result<(), RunError> {
    let unreadable = |error| FileError::new("cannot read", folder, error);
    let entries = std::fs::read_dir(folder).map_err(unreadable)?;
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(unreadable)?;
    paths.sort();
    let is_document = |path: &PathBuf| path.extension().is_some_and(|end| end == "toml" || end == "json");
    for path in paths.into_iter().filter(is_document) {
        let wrong = |fault: String| RunError::Document { file: path.clone(), fault };
        let read = experiment_file::experiment(&files::read_text(&path)?);
        let experiment = read.unwrap_or_else(|| Err("this is no experiment".into())).map_err(wrong)?;
        let created = service.create(experiment, Settings::default(), "server").await;
        created.map_err(|error| wrong(error.to_string()))?;
    }
    Ok(())
}
