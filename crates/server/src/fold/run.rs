//! Folding as long as the service runs.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio::time::{sleep, timeout};

use super::{Fold, FoldError, MOST_AT_ONCE, Step};
use crate::clock::SharedClock;
use crate::log::{Log, Said};
use crate::store::{Phase, Store};

/// A lease is renewed several times while it is good; whoever dies is followed after so many seconds.
const LEASE_SECONDS: u32 = 4;
const RENEW_EVERY: Duration = Duration::from_secs(1);
/// Between two publications: many reports share one.
const PUBLISH_EVERY: Duration = Duration::from_millis(200);
/// Reports that another server took are looked for so often.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// After a failure.
const PAUSE: Duration = Duration::from_millis(500);

/// One experiment's folding, and what it needs.
pub(crate) struct Folding {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) fold: Fold,
    pub(crate) prefix: reticent_schema::Prefix,
    /// This process.
    pub(crate) holder: String,
    pub(crate) clock: SharedClock,
    pub(crate) log: Log,
    /// Reports were taken.
    pub(crate) nudge: Arc<Notify>,
    /// Whether the experiment takes reports.
    pub(crate) phase: Box<dyn Fn() -> Phase + Send + Sync>,
    /// A step was published.
    pub(crate) published: Arc<Notify>,
}

/// Folds until it is told to stop; then gives the lease back.
pub(crate) async fn run(mut folding: Folding, mut stop: watch::Receiver<bool>) {
    let mut renew = tokio::time::interval(RENEW_EVERY);
    let mut held = false;
    while !*stop.borrow() {
        if let Ok(_tick) = timeout(Duration::ZERO, renew.tick()).await {
            held = folding.renew(held).await;
        }
        if !held {
            wait(LOOK_EVERY, &folding.nudge, &mut stop).await;
            continue;
        }
        match folding.fold.step(folding.clock.now(), (folding.phase)()).await {
            Ok(Step::Folded(count)) => {
                folding.published.notify_waiters();
                // More waits than a step takes: nobody gains by a pause.
                if count < MOST_AT_ONCE as u64 {
                    sleep_or_stop(PUBLISH_EVERY, &mut stop).await;
                }
            }
            Ok(Step::Idle) => wait(LOOK_EVERY, &folding.nudge, &mut stop).await,
            Ok(Step::Lost) => held = false,
            Err(error) => {
                folding.complain(&error);
                sleep_or_stop(PAUSE, &mut stop).await;
            }
        }
    }
    if held {
        // It runs out by itself if this fails.
        let _ = folding.store.give_back(folding.prefix, &folding.holder).await;
    }
}

impl Folding {
    async fn renew(&self, held: bool) -> bool {
        match self.store.lease(self.prefix, &self.holder, LEASE_SECONDS).await {
            Ok(now) => now,
            // The store cannot be reached: publications fail by themselves, and none is taken twice.
            Err(_) => held,
        }
    }

    fn complain(&self, error: &FoldError) {
        self.log.say(Said::warning("folding").with("experiment", self.prefix).with("error", error));
    }
}

async fn wait(time: Duration, nudge: &Notify, stop: &mut watch::Receiver<bool>) {
    tokio::select! {
        () = nudge.notified() => {}
        () = sleep(time) => {}
        _ = stop.changed() => {}
    }
}

async fn sleep_or_stop(time: Duration, stop: &mut watch::Receiver<bool>) {
    tokio::select! {
        () = sleep(time) => {}
        _ = stop.changed() => {}
    }
}
