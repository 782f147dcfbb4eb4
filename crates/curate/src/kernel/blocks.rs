//! Long lists of points, worked off in blocks on several threads.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use faer::Mat;
use reticent_privacy::{VectorError, VectorSum};

use super::{Points, Records};

/// Rows at a time: a block of a few hundred features stays in the cache of a core.
pub const BLOCK: usize = 512;
/// Rows at a time for sums of vectors, of which the number does not matter: all their numbers stay in the cache.
const FEW: usize = 64;
/// Partial sums. More than threads, so that they share the work evenly, and fixed, so that their number does
/// not change a sum.
const LANES: usize = 16;

/// Folds the blocks of `0..len` into partial results, block by block in a fixed order, and returns these in order.
pub fn fold<T: Send>(
    len: usize,
    threads: usize,
    start: impl Fn() -> T + Sync,
    add: impl Fn(&mut T, Range<usize>) + Sync,
) -> Vec<T> {
    let blocks = len.div_ceil(BLOCK);
    let lanes = LANES.min(blocks.max(1));
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let lane = next.fetch_add(1, Ordering::Relaxed);
            if lane >= lanes {
                return done;
            }
            let mut part = start();
            for block in (lane..blocks).step_by(lanes) {
                add(&mut part, block * BLOCK..len.min((block + 1) * BLOCK));
            }
            done.push((lane, part));
        }
    };
    let mut parts = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads.clamp(1, lanes)).map(|_| scope.spawn(work)).collect();
        let mut parts = work();
        for other in others {
            match other.join() {
                Ok(more) => parts.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        parts
    });
    parts.sort_by_key(|(lane, _)| *lane);
    parts.into_iter().map(|(_, part)| part).collect()
}

/// Adds, for each record, its row of `rows` times its reward.
pub fn add_contributions(
    sum: &mut VectorSum,
    records: &Records,
    threads: usize,
    rows: impl Fn(&Points) -> Mat<f64> + Sync,
) -> Result<(), VectorError> {
    add_rows(sum, records.len(), threads, |numbers| {
        let mut block = rows(&records.points().range(numbers.clone()));
        for column in block.col_iter_mut() {
            column
                .iter_mut()
                .zip(&records.rewards()[numbers.clone()])
                .for_each(|(entry, reward)| *entry *= reward);
        }
        block
    })
}

/// Adds the rows that `rows` gives for each run of `0..len`. The sum is of integers, so that it depends on neither
/// blocks nor threads.
pub fn add_rows(
    sum: &mut VectorSum,
    len: usize,
    threads: usize,
    rows: impl Fn(Range<usize>) -> Mat<f64> + Sync,
) -> Result<(), VectorError> {
    let dimensions = sum.dimensions();
    let start = || Ok(VectorSum::new(dimensions));
    let parts = fold(len, threads, start, |part: &mut Result<VectorSum, VectorError>, numbers| {
        for start in numbers.clone().step_by(FEW) {
            let block = rows(start..numbers.end.min(start + FEW));
            let columns: Vec<&[f64]> = (0..block.ncols()).map(|column| block.col_as_slice(column)).collect();
            if let Ok(so_far) = part.as_mut()
                && let Err(error) = so_far.add_columns(&columns)
            {
                *part = Err(error);
            }
        }
    });
    for part in parts {
        sum.merge(&part?)?;
    }
    Ok(())
}
