//! Group commit: reports that wait while the disk is busy go together in the next step. Answered when it is durable.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;

use crate::store::{Fate, Store, StoreError, Upload};

/// Requests that may wait; more are told to come again.
const MOST_WAITING: usize = 2_048;
/// Reports in one step.
const MOST_TOGETHER: usize = 20_000;

type Answer = oneshot::Sender<Result<Vec<Fate>, StoreError>>;
type Waiting = (Upload, Answer);

/// The one place through which reports go to the store.
pub(super) struct Appender {
    queue: Mutex<Option<mpsc::Sender<Waiting>>>,
}

/// Too many wait, or the service stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Busy;

impl Appender {
    pub(super) fn start(store: &Arc<dyn Store>, tasks: &mut JoinSet<()>) -> Appender {
        let (queue, waiting) = mpsc::channel(MOST_WAITING);
        let waiting = Arc::new(tokio::sync::Mutex::new(waiting));
        for _ in 0..store.appends_at_once() {
            tasks.spawn(append(Arc::clone(store), Arc::clone(&waiting)));
        }
        Appender { queue: Mutex::new(Some(queue)) }
    }

    /// What became of each report, when it is durable.
    pub(super) async fn append(&self, upload: Upload) -> Result<Result<Vec<Fate>, StoreError>, Busy> {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner).clone().ok_or(Busy)?;
        let (answer, answered) = oneshot::channel();
        queue.try_send((upload, answer)).map_err(|_| Busy)?;
        answered.await.map_err(|_| Busy)
    }

    /// Takes nothing more; what waits is still appended.
    pub(super) fn close(&self) {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

async fn append(store: Arc<dyn Store>, waiting: Arc<tokio::sync::Mutex<mpsc::Receiver<Waiting>>>) {
    loop {
        let (uploads, answers) = together(&mut *waiting.lock().await).await;
        if uploads.is_empty() {
            return;
        }
        // Who went away is not told: their next try hears that it was replayed.
        match store.append(uploads).await {
            Ok(fates) => fates.into_iter().zip(answers).for_each(|(fates, answer)| {
                let _ = answer.send(Ok(fates));
            }),
            Err(error) => answers.into_iter().for_each(|answer| {
                let _ = answer.send(Err(error.clone()));
            }),
        }
    }
}

/// Everything that waits now; nothing when nothing will come any more.
async fn together(waiting: &mut mpsc::Receiver<Waiting>) -> (Vec<Upload>, Vec<Answer>) {
    let (mut uploads, mut answers, mut reports) = (Vec::new(), Vec::new(), 0);
    let mut next = waiting.recv().await;
    while let Some((upload, answer)) = next {
        reports += upload.reports.len();
        uploads.push(upload);
        answers.push(answer);
        next = if reports < MOST_TOGETHER { waiting.try_recv().ok() } else { None };
    }
    (uploads, answers)
}
