//! The service itself, whoever talks to it: experiments that are served, reports taken, policies shown.

mod append;
mod board;
mod lifecycle;
mod transfer;
mod uploads;

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use rand_core::Rng;
use reticent_privacy::{EntropyError, NoiseRng};
use reticent_schema::Prefix;
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;

pub use board::{Seat, View};
pub use lifecycle::{Action, CreateError};
pub use transfer::{Exported, TransferError};
pub use uploads::{MOST_REPORTS, Received, Unreadable, UploadError, read_bytes, read_json};

use crate::clock::SharedClock;
use crate::fold::{self, Fold, Folding};
use crate::keys::KeyBook;
use crate::log::{Log, Said};
use crate::store::{Store, StoreError};
use append::Appender;

/// Other servers' steps are looked for so often: a policy is seen within two seconds, a key is refused within five.
const REFRESH_EVERY: Duration = Duration::from_millis(250);

/// What all requests share.
pub struct Service {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: SharedClock,
    pub(crate) log: Log,
    pub(crate) keys: KeyBook,
    seats: RwLock<BTreeMap<String, Arc<Seat>>>,
    appender: Appender,
    /// This process, among those that share a database.
    holder: String,
    /// Something was published.
    published: Arc<Notify>,
    stop: watch::Sender<bool>,
    streams: watch::Sender<bool>,
    tasks: tokio::sync::Mutex<JoinSet<()>>,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service").field("store", &self.store.called()).finish_non_exhaustive()
    }
}

/// Why the service cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No entropy.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
}

impl Service {
    /// Starts serving what the store has.
    pub async fn start(
        store: Arc<dyn Store>,
        clock: SharedClock,
        log: Log,
    ) -> Result<Arc<Service>, StartError> {
        let holder = format!("{:016x}", NoiseRng::from_os()?.next_u64());
        let (stop, stopped) = watch::channel(false);
        let mut tasks = JoinSet::new();
        let appender = Appender::start(&store, &mut tasks);
        let keys = KeyBook::default();
        keys.load(store.keys().await?);
        let service = Arc::new(Service {
            store,
            clock,
            log,
            keys,
            seats: RwLock::default(),
            appender,
            holder,
            published: Arc::new(Notify::new()),
            stop,
            streams: watch::Sender::new(false),
            tasks: tokio::sync::Mutex::new(tasks),
        });
        service.refresh().await?;
        let refreshing = Arc::clone(&service);
        service.tasks.lock().await.spawn(refreshing.keep_fresh(stopped));
        Ok(service)
    }

    /// Lets what was begun come to its end, and stops.
    pub async fn stop(&self) {
        self.end_streams();
        self.stop.send_replace(true);
        self.appender.close();
        // Taken out: a task that waits for the lock must not be waited for.
        let mut tasks = std::mem::take(&mut *self.tasks.lock().await);
        while tasks.join_next().await.is_some() {}
    }

    /// Ends what only listens; everything else goes on until [`stop`](Service::stop).
    pub fn end_streams(&self) {
        self.streams.send_replace(true);
    }

    /// Who hears when listening ends.
    pub fn stopping(&self) -> watch::Receiver<bool> {
        self.streams.subscribe()
    }

    /// An experiment by its name.
    pub fn seat(&self, name: &str) -> Option<Arc<Seat>> {
        self.seats.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// All experiments, by name.
    pub fn seats(&self) -> Vec<Arc<Seat>> {
        self.seats.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    async fn keep_fresh(self: Arc<Service>, mut stop: watch::Receiver<bool>) {
        let mut was_well = true;
        while !*stop.borrow() {
            tokio::select! {
                () = tokio::time::sleep(REFRESH_EVERY) => {}
                () = self.published.notified() => {}
                _ = stop.changed() => return,
            }
            let refreshed = self.refresh().await;
            if let Err(error) = &refreshed
                && was_well
            {
                self.log.say(Said::warning("store").with("error", error));
            }
            was_well = refreshed.is_ok();
        }
    }

    /// Takes over what the store has that is not known here.
    pub async fn refresh(&self) -> Result<(), StoreError> {
        self.keys.load(self.store.keys().await?);
        let marks = self.store.marks().await?;
        let known: BTreeMap<Prefix, Arc<Seat>> =
            self.seats().into_iter().map(|seat| (seat.prefix(), seat)).collect();
        if marks.iter().any(|(prefix, _)| !known.contains_key(prefix)) {
            for entry in self.store.entries().await? {
                if !known.contains_key(&entry.experiment.prefix()) {
                    self.seat_new(entry).await?;
                }
            }
        }
        for (prefix, marks) in marks {
            if let Some(seat) = known.get(&prefix) {
                seat.refresh(marks, &*self.store).await?;
            }
        }
        Ok(())
    }

    async fn seat_new(&self, entry: crate::store::Entry) -> Result<(), StoreError> {
        let prefix = entry.experiment.prefix();
        let Some((marks, _)) = self.store.learned(prefix).await? else { return Ok(()) };
        let (name, folds) =
            (entry.experiment.name().to_string(), crate::learner::Gate::of(&entry.experiment).is_some());
        let seat = Arc::new(Seat::new(entry.clone(), marks));
        seat.refresh(marks, &*self.store).await?;
        let mut tasks = self.tasks.lock().await;
        if self
            .seats
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(name, Arc::clone(&seat))
            .is_some()
        {
            return Ok(());
        }
        if folds {
            let phase = Arc::clone(&seat);
            let folding = Folding {
                store: Arc::clone(&self.store),
                fold: Fold::new(Arc::clone(&self.store), entry),
                prefix,
                holder: self.holder.clone(),
                clock: self.clock.clone(),
                log: self.log.clone(),
                nudge: Arc::clone(&seat.nudge),
                phase: Box::new(move || phase.view().marks.phase),
                published: Arc::clone(&self.published),
            };
            tasks.spawn(fold::run(folding, self.stop.subscribe()));
        }
        Ok(())
    }
}
