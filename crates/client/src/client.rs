//! One person's side of all experiments.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reticent_device::{DeviceError, Vetted, Wallet};
use reticent_privacy::{Epsilon, Exhausted};
use reticent_protocol::Report;
use reticent_schema::Experiment;
use reticent_store::{Clock, DurableLedger, LedgerError, SystemClock};

use crate::backoff::Backoff;
use crate::outbox::Outbox;
use crate::shelf::{Shelf, Shelved};
use crate::visits::Diary;
use crate::{Budget, ClientError, Http, Parcel, Reporting, Spent, Transport};

/// What a device is told when it is set up.
#[derive(Clone)]
pub struct Settings {
    /// Where the service is, as `https://decisions.example.org`.
    pub server: String,
    /// A key that may upload. It is no secret: every device has it.
    pub key: String,
    /// Where budget, queue and policies are kept: one folder a person.
    pub folder: PathBuf,
    /// What all reports of this person may cost together, for good.
    pub lifetime: Epsilon,
    /// Experiments that the device's owner has read; all, if none are named.
    pub vetted: Option<Vetted>,
    /// At which visits the person's device reports: at the first, unless it is told otherwise.
    pub reporting: Reporting,
}

/// Without the key.
impl std::fmt::Debug for Settings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Settings").field("server", &self.server).finish_non_exhaustive()
    }
}

impl Settings {
    /// Any experiment of this server may be taken part in.
    pub fn new(server: &str, key: &str, folder: PathBuf, lifetime: Epsilon) -> Settings {
        let (vetted, reporting) = (None, Reporting::default());
        Settings { server: server.into(), key: key.into(), folder, lifetime, vetted, reporting }
    }
}

/// One person's budget, consent, policies and queue, for all experiments of a server. Clones are the same person.
#[derive(Debug, Clone)]
pub struct Client(Arc<Inside>);

struct Inside {
    transport: Box<dyn Transport>,
    clock: Mutex<Box<dyn Clock>>,
    wallet: Wallet,
    lifetime: Epsilon,
    vetted: Option<Vetted>,
    shelf: Shelf,
    diary: Diary,
    reporting: Reporting,
    outbox: Mutex<Outbox>,
    backoff: Mutex<Backoff>,
}

impl std::fmt::Debug for Inside {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("lifetime", &self.lifetime).finish_non_exhaustive()
    }
}

/// Between two looks for new policies while nobody waits for anything.
const LOOK_EVERY: Duration = Duration::from_mins(10);

impl Client {
    /// Opens the person's folder, or begins one. Without consent, until it is given.
    pub fn open(settings: Settings) -> Result<Client, ClientError> {
        let http = Http::new(&settings.server, &settings.key);
        Client::over(http, SystemClock, settings)
    }

    /// The same over a transport and by a clock of the caller's.
    pub fn over(
        transport: impl Transport + 'static,
        clock: impl Clock + 'static,
        settings: Settings,
    ) -> Result<Client, ClientError> {
        let Settings { folder, lifetime, vetted, reporting, .. } = settings;
        make_private(&folder).map_err(|source| ClientError::Folder { path: folder.clone(), source })?;
        let wallet = Wallet::new(DurableLedger::open(&folder.join("budget"), lifetime)?);
        let outbox = Mutex::new(Outbox::open(&folder.join("outbox"))?);
        let shelf = Shelf::open(&folder.join("experiments"))?;
        let diary = Diary::open(&folder.join("visits"))?;
        let (transport, clock) =
            (Box::new(transport) as Box<dyn Transport>, Box::new(clock) as Box<dyn Clock>);
        let (clock, backoff) = (Mutex::new(clock), Mutex::default());
        Ok(Client(Arc::new(Inside {
            transport,
            clock,
            wallet,
            lifetime,
            vetted,
            shelf,
            diary,
            reporting,
            outbox,
            backoff,
        })))
    }

    /// Whether the person takes part.
    pub fn has_consent(&self) -> bool {
        self.outbox().consent()
    }

    /// From now on the person takes part.
    pub fn give_consent(&self) -> Result<(), ClientError> {
        self.outbox().set_consent(true)
    }

    /// From now on nothing is fetched, chosen, answered or sent, and what waits is thrown away. What was spent stays
    /// spent: a report that was drawn may have been seen.
    pub fn withdraw_consent(&self) -> Result<(), ClientError> {
        self.outbox().set_consent(false)
    }

    /// What was spent, on what, and what is left.
    pub fn budget(&self) -> Budget {
        let ledger = self.0.wallet.ledger();
        let spent = ledger.spent_by_group().iter().map(|(digest, &nano)| Spent {
            experiment: self.0.shelf.name_of(digest).unwrap_or_else(|| digest.clone()),
            nano,
        });
        Budget { limit_nano: self.0.lifetime.nano(), left_nano: ledger.left_nano(), spent: spent.collect() }
    }

    /// Reports that wait for a network.
    pub fn waiting(&self) -> u64 {
        self.outbox().waiting()
    }

    /// Asks the server for the experiment's newest policy; says whether there is a new one.
    pub fn refresh(&self, experiment: &str) -> Result<bool, ClientError> {
        let known = self.experiment(experiment)?;
        let tag = known.policy.as_ref().map(|policy| policy.tag.as_str());
        let fetched = self.0.transport.policy(experiment, tag)?;
        self.0.shelf.keep_policy(experiment, fetched, self.now())
    }

    /// Follows the server's events: each new policy is fetched at once. Returns when the server hangs up or `told`,
    /// which hears of each new version, has enough.
    pub fn follow(
        &self,
        experiment: &str,
        mut told: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<(), ClientError> {
        self.ensure_consent()?;
        let mut failed = None;
        self.0.transport.listen(experiment, &mut |version| match self.refresh(experiment) {
            Ok(_) => told(version),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        })?;
        failed.map_or(Ok(()), Err)
    }

    /// Keeps up until it is told to stop: sends what waits, and looks for new policies of the experiments in use. A
    /// server that is away is asked again later and later.
    pub fn keep_up(&self, stop: &Receiver<()>) -> Result<(), ClientError> {
        loop {
            let mut wait = LOOK_EVERY;
            if self.has_consent() {
                for name in self.0.shelf.names() {
                    // A server that is away is no reason to stop: what is kept still serves.
                    let _ = self.refresh(&name);
                }
                wait = self.send()?.wait.unwrap_or(LOOK_EVERY);
            }
            match stop.recv_timeout(wait) {
                Err(RecvTimeoutError::Timeout) => {}
                Ok(()) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    /// The document of an experiment, fetched once, with its policy if there is one.
    pub(crate) fn experiment(&self, name: &str) -> Result<Shelved, ClientError> {
        self.ensure_consent()?;
        if let Some(known) = self.0.shelf.get(name) {
            return Ok(known);
        }
        let document = Experiment::from_json(&self.0.transport.document(name)?)?;
        if let Some(vetted) = &self.0.vetted {
            vetted.check(&document)?;
        }
        self.0.shelf.keep(name, document)?;
        self.0.shelf.get(name).ok_or(ClientError::Damaged { what: "kept policy" })
    }

    /// The tag and bytes of the policy to follow: what is kept, without asking anybody, unless there is none. Its
    /// reports must still count.
    pub(crate) fn policy(&self, name: &str) -> Result<(String, Vec<u8>), ClientError> {
        let mut known = self.experiment(name)?;
        if known.policy.is_none() {
            self.refresh(name)?;
            known = self.experiment(name)?;
        }
        let policy = known.policy.ok_or(ClientError::Damaged { what: "kept policy" })?;
        let days = known.experiment.report_window_days().get();
        if self.now().unix() - policy.seen.unix() > i64::from(days) * 86_400 {
            return Err(ClientError::Stale { experiment: name.to_string(), days });
        }
        Ok((policy.tag, policy.bytes))
    }

    /// One visit, before it has an outcome; whether it is to be reported.
    pub(crate) fn arrive(&self, name: &str, request: &str) -> Result<bool, ClientError> {
        let digest = self.experiment(name)?.experiment.digest().to_string();
        self.0.diary.arrive(&digest, request, self.0.reporting, self.now())
    }

    /// Puts a report that was paid for into the queue; the same request again changes nothing.
    pub(crate) fn queue(&self, experiment: &str, request: &str, report: Report) -> Result<(), ClientError> {
        let mut outbox = self.outbox();
        let id = outbox.id(experiment, &report, request);
        outbox.queue(experiment, Parcel { id, report })
    }

    pub(crate) fn ensure_consent(&self) -> Result<(), ClientError> {
        if self.has_consent() { Ok(()) } else { Err(ClientError::NoConsent) }
    }

    /// A refusal of the budget says what was spent on what.
    pub(crate) fn explained(&self, error: DeviceError) -> ClientError {
        match error {
            DeviceError::Budget(Exhausted { asked, .. })
            | DeviceError::Ledger(LedgerError::Budget(Exhausted { asked, .. })) => {
                ClientError::Budget { asked, budget: self.budget() }
            }
            other => other.into(),
        }
    }

    pub(crate) fn wallet(&self) -> Wallet {
        self.0.wallet.clone()
    }

    pub(crate) fn transport(&self) -> &dyn Transport {
        self.0.transport.as_ref()
    }

    pub(crate) fn outbox(&self) -> MutexGuard<'_, Outbox> {
        // A journal knows itself whether it is whole.
        self.0.outbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn backoff(&self) -> MutexGuard<'_, Backoff> {
        self.0.backoff.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn now(&self) -> reticent_store::Moment {
        self.0.clock.lock().unwrap_or_else(PoisonError::into_inner).now()
    }
}

/// Makes the folder; nobody else may look into it.
#[cfg(unix)]
fn make_private(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn make_private(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)
}
