//! Runs of the mechanism, in chunks with generators of their own, so that results do not depend on the number
//! of threads.

use std::ops::Range;
use std::panic;
use std::thread;

use super::event::Event;
use super::observation::Observation;
use super::sample::Sample;
use reticent_privacy::{EntropyError, Generator};

/// What runs are for; each purpose has streams of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Pilot = 0,
    Training = 1,
    Fresh = 2,
}

/// Runs that share one generator.
const CHUNK: usize = 4096;
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
) -> Runner<impl Fn(u64, usize, usize) -> Result<Sample, EntropyError>> {
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

/// What a search may do with a mechanism of any type.
pub(super) trait Runs {
    /// Observations of one input.
    fn sample(&self, phase: Phase, input: usize, runs: usize) -> Result<Sample, EntropyError>;
    /// How many fresh runs of one input show the event.
    fn count(&self, event: &Event, input: usize, runs: usize) -> Result<u64, EntropyError>;
}

impl<D: Fn(u64, usize, usize) -> Result<Sample, EntropyError> + Sync> Runs for Runner<D> {
    fn sample(&self, phase: Phase, input: usize, runs: usize) -> Result<Sample, EntropyError> {
        let mut all = Sample::default();
        for chunk in self.chunks(phase, input, runs, |chunk| chunk)? {
            all.append(&chunk);
        }
        Ok(all)
    }

    fn count(&self, event: &Event, input: usize, runs: usize) -> Result<u64, EntropyError> {
        Ok(self.chunks(Phase::Fresh, input, runs, |chunk| event.count(chunk.rows()))?.into_iter().sum())
    }
}

impl<D: Fn(u64, usize, usize) -> Result<Sample, EntropyError> + Sync> Runner<D> {
    /// All chunks in order, each reduced in the thread that drew it.
    fn chunks<R: Send>(
        &self,
        phase: Phase,
        input: usize,
        runs: usize,
        reduce: impl Fn(Sample) -> R + Sync,
    ) -> Result<Vec<R>, EntropyError> {
        let chunks = runs.div_ceil(CHUNK);
        let one = |chunk: usize| {
            let stream =
                (phase as u64) << (INPUT_BITS + CHUNK_BITS) | (input as u64) << CHUNK_BITS | chunk as u64;
            (self.draw)(stream, input, CHUNK.min(runs - chunk * CHUNK)).map(&reduce)
        };
        let part = |range: Range<usize>| range.map(one).collect::<Result<Vec<R>, EntropyError>>();
        let each = chunks.div_ceil(self.threads.max(1)).max(1);
        if each >= chunks {
            return part(0..chunks);
        }
        let part = &part;
        let parts: Vec<_> = thread::scope(|scope| {
            let starts = (0..chunks).step_by(each);
            let workers: Vec<_> =
                starts.map(|start| scope.spawn(move || part(start..chunks.min(start + each)))).collect();
            workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or_else(|p| panic::resume_unwind(p)))
                .collect()
        });
        Ok(parts.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }
}
