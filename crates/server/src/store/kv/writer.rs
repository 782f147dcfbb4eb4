//! The one thread that writes. What is written is allocated here and freed here: threads that take turns would each keep
//! what they were given back, and one after the other the store's memory would be held by all of them.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use tokio::sync::oneshot;

use crate::store::StoreError;

type Job = Box<dyn FnOnce() + Send>;

/// The thread's door; the thread ends with the last store that has it.
#[derive(Debug, Clone)]
pub(super) struct Writer {
    jobs: Sender<Job>,
}

impl Writer {
    pub(super) fn start() -> Result<Writer, StoreError> {
        let (jobs, waiting) = channel();
        let thread = thread::Builder::new().name("store".into());
        let started = thread.spawn(move || work(&waiting));
        started.map_err(|error| StoreError::Unavailable(format!("it has no thread: {error}")))?;
        Ok(Writer { jobs })
    }

    /// Runs it after what was asked for before; none if it did not come to its end. It is run also if nobody waits for
    /// it any more.
    pub(super) async fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let (answer, answered) = oneshot::channel();
        let job = move || {
            let _ = answer.send(job());
        };
        self.jobs.send(Box::new(job)).ok()?;
        answered.await.ok()
    }
}

fn work(waiting: &Receiver<Job>) {
    while let Ok(job) = waiting.recv() {
        // One that panics has no answer; the others have.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fails() {
        panic!("on order");
    }

    /// One after the other, on one thread; a panic is its own job's end and nobody else's.
    #[tokio::test]
    async fn jobs_share_a_thread_and_not_a_fate() {
        let writer = Writer::start().unwrap();
        let here = || thread::current().id();
        let first = writer.run(here).await.unwrap();
        assert_eq!(writer.run(fails).await, None);
        assert_eq!(writer.clone().run(here).await, Some(first));
    }
}
