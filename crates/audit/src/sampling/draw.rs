//! Runs of the mechanism, in chunks with generators of their own, so that results do not depend on the number
//! of threads.

use std::ops::Range;
use std::panic;
use std::thread;

use super::event::Event;
use super::observation::Observation;
use super::sample::Sample;
use crate::AuditError;
use reticent_privacy::{EntropyError, Generator};

/// What runs are for; each purpose has streams of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Pilot = 0,
    Training = 1,
    Fresh = 2,
}

/// Runs that share one generator.
pub(super) const CHUNK: usize = 4096;
/// Bits of a stream's number that tell the input and the chunk.
pub(super) const INPUT_BITS: u32 = 24;
const CHUNK_BITS: u32 = 32;

/// A mechanism of any type, with its inputs and its source of randomness.
pub(super) struct Runner<D> {
    /// So many runs of one input, with the generator of a numbered stream.
    draw: D,
    threads: usize,
}

/// `release` on `inputs`, with the generators that `make` gives for numbered streams.
pub(super) fn runner<T, G: Generator, O: Into<Observation>>(
    inputs: &[(String, T)],
    release: impl Fn(&T, &mut G) -> O,
    make: impl Fn(u64) -> Result<G, EntropyError>,
    threads: usize,
) -> Runner<impl Fn(u64, usize, usize) -> Result<Sample, AuditError>> {
    let draw = move |stream: u64, input: usize, length: usize| {
        let mut rng = make(stream)?;
        let mut sample = Sample::default();
        for _ in 0..length {
            sample.push(release(&inputs[input].1, &mut rng).into().values());
        }
        Ok(sample)
    };
    Runner { draw, threads }
}

/// A mechanism that is run many times at once, elsewhere: `release` gives so many observations of an input.
pub(super) fn batched<T, E: std::error::Error + Send + Sync + 'static>(
    inputs: &[(String, T)],
    release: impl Fn(&T, usize) -> Result<Vec<Observation>, E>,
    threads: usize,
) -> Runner<impl Fn(u64, usize, usize) -> Result<Sample, AuditError>> {
    let draw = move |_: u64, input: usize, length: usize| {
        let shown = release(&inputs[input].1, length).map_err(|error| AuditError::Subject(error.into()))?;
        if shown.len() != length {
            return Err(AuditError::OtherCount { asked: length, got: shown.len() });
        }
        let mut sample = Sample::default();
        for observation in &shown {
            sample.push(observation.values());
        }
        Ok(sample)
    };
    Runner { draw, threads }
}

/// What a search may do with a mechanism of any type.
pub(super) trait Runs {
    /// Observations of one input.
    fn sample(&self, phase: Phase, input: usize, runs: usize) -> Result<Sample, AuditError>;
    /// How many fresh runs of one input show the event: those from `runs.start`, a multiple of [`CHUNK`], on.
    fn count(&self, event: &Event, input: usize, runs: Range<usize>) -> Result<u64, AuditError>;
    /// Threads that a search may use.
    fn threads(&self) -> usize;
}

impl<D: Fn(u64, usize, usize) -> Result<Sample, AuditError> + Sync> Runs for Runner<D> {
    fn sample(&self, phase: Phase, input: usize, runs: usize) -> Result<Sample, AuditError> {
        let mut all = Sample::default();
        for chunk in self.chunks(phase, input, 0..runs, |chunk| chunk)? {
            all.append(&chunk);
        }
        Ok(all)
    }

    fn count(&self, event: &Event, input: usize, runs: Range<usize>) -> Result<u64, AuditError> {
        Ok(self.chunks(Phase::Fresh, input, runs, |chunk| event.count(chunk.rows()))?.into_iter().sum())
    }

    fn threads(&self) -> usize {
        self.threads.max(1)
    }
}

impl<D: Fn(u64, usize, usize) -> Result<Sample, AuditError> + Sync> Runner<D> {
    /// All chunks in order, each reduced in the thread that drew it.
    fn chunks<R: Send>(
        &self,
        phase: Phase,
        input: usize,
        runs: Range<usize>,
        reduce: impl Fn(Sample) -> R + Sync,
    ) -> Result<Vec<R>, AuditError> {
        let one = |chunk: usize| {
            let stream =
                (phase as u64) << (INPUT_BITS + CHUNK_BITS) | (input as u64) << CHUNK_BITS | chunk as u64;
            (self.draw)(stream, input, CHUNK.min(runs.end - chunk * CHUNK)).map(&reduce)
        };
        in_parts(runs.start / CHUNK..runs.end.div_ceil(CHUNK), self.threads, one).into_iter().collect()
    }
}

/// The results of numbered jobs, in order, each thread taking a stretch of them.
pub(super) fn in_parts<R: Send>(
    jobs: Range<usize>,
    threads: usize,
    one: impl Fn(usize) -> R + Sync,
) -> Vec<R> {
    let part = |range: Range<usize>| range.map(&one).collect::<Vec<R>>();
    let each = jobs.len().div_ceil(threads.max(1)).max(1);
    if each >= jobs.len() {
        return part(jobs);
    }
    let (part, end) = (&part, jobs.end);
    thread::scope(|scope| {
        let workers: Vec<_> =
            jobs.step_by(each).map(|start| scope.spawn(move || part(start..end.min(start + each)))).collect();
        let finished =
            workers.into_iter().map(|worker| worker.join().unwrap_or_else(|p| panic::resume_unwind(p)));
        finished.flatten().collect()
    })
}
