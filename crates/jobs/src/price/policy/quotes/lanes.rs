//! Blocks on several threads, and what came of them in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

use crate::price::policy::PolicyFileError;
use crate::price::policy::contexts::Block;

/// How many blocks may wait for each thread.
const WAITING: usize = 2;
/// More threads than this wait for the one that reads.
const MOST: usize = 8;

type Read<'a> = &'a mut dyn FnMut(Block) -> Result<(), PolicyFileError>;

/// One thread reads blocks, several work on them, and this one writes what came of them, in the order in which they
/// were read. Returns what reading returned; the first error ends everything.
pub(super) fn in_order<T: Send>(
    read: impl FnOnce(Read<'_>) -> Result<u64, PolicyFileError> + Send,
    work: impl Fn(Block) -> Result<T, PolicyFileError> + Sync,
    mut write: impl FnMut(T) -> Result<(), PolicyFileError>,
) -> Result<u64, PolicyFileError> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MOST);
    let (give, take) = sync_channel(WAITING * threads);
    let (hand, done) = sync_channel(WAITING * threads);
    let (take, failed) = (Mutex::new(take), AtomicBool::new(false));
    let (take, failed, work) = (&take, &failed, &work);
    std::thread::scope(|scope| {
        let reader = scope.spawn(move || {
            let mut place = 0_u64;
            read(&mut |block| {
                place += 1;
                // Another thread has failed, and says why.
                let sent = !failed.load(Ordering::Relaxed) && give.send((place, block)).is_ok();
                if sent { Ok(()) } else { Err(PolicyFileError::Interrupted) }
            })
        });
        for _ in 0..threads {
            let hand: SyncSender<(u64, Result<T, PolicyFileError>)> = hand.clone();
            scope.spawn(move || {
                while let Some((place, block)) = next(take) {
                    if hand.send((place, work(block))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(hand);
        let written = write_all(&done, &mut write);
        drop(done);
        if written.is_err() {
            // Who waits to be heard must not wait for ever.
            failed.store(true, Ordering::Relaxed);
            while next(take).is_some() {}
        }
        let rows = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        written?;
        rows
    })
}

fn next<B>(take: &Mutex<Receiver<(u64, B)>>) -> Option<(u64, B)> {
    take.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

fn write_all<T>(
    done: &Receiver<(u64, Result<T, PolicyFileError>)>,
    write: &mut impl FnMut(T) -> Result<(), PolicyFileError>,
) -> Result<(), PolicyFileError> {
    let mut early = BTreeMap::new();
    let mut wanted = 1;
    for (place, result) in done {
        early.insert(place, result?);
        while let Some(next) = early.remove(&wanted) {
            write(next)?;
            wanted += 1;
        }
    }
    Ok(())
}
