//! Demands drawn from the posterior: what they all say is known, where they differ is not.

use reticent_privacy::{SimRng, SimSeed, Stream};

use crate::linear::dot;

/// Draws: fewer where there are many places, so that the work is bounded.
const WORK: usize = 60_000_000;
const COUNT: std::ops::RangeInclusive<usize> = 64..=256;
/// The draws are public and need no secret; the same reports give the same policy.
const SEED: SimSeed = SimSeed(0x6465_6d61_6e64_7321);

/// Standard normal vectors: the same functions for whatever rows.
pub(super) struct Draws {
    rank: usize,
    normals: Vec<f64>,
}

/// What is known of outcomes before any record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// Nothing: draws are left as they are, and stay linear between places.
    Nothing,
    /// They lie between 0 and 1.
    Bounded,
    /// And never grow with the price: neighbours that do are pooled (Ayer et al. 1955), the better known
    /// counting more.
    Falling,
}

/// Drawn outcomes at some contexts' prices: for each context and price, one of each draw.
pub(super) struct Drawn {
    pub(super) count: usize,
    values: Vec<f64>,
}

impl Draws {
    /// As many as so many places allow.
    pub(super) fn new(rank: usize, places: usize) -> Draws {
        let count = (WORK / (rank * places).max(1)).clamp(*COUNT.start(), *COUNT.end());
        let mut rng: SimRng = SEED.stream(0, Stream::Agent);
        Draws { rank, normals: (0..count * rank).map(|_| rng.normal()).collect() }
    }

    /// Mean outcomes by the posterior with these means and whitened rows, `prices` for each context, made to
    /// fit what is known of them.
    pub(super) fn outcomes(&self, mean: &[f64], rows: &[f64], prices: usize, known: Known) -> Drawn {
        let count = self.normals.len() / self.rank;
        let mut values = vec![0.0; mean.len() * count];
        let mut curve = vec![0.0; prices];
        let contexts = mean.chunks_exact(prices).zip(rows.chunks_exact(prices * self.rank));
        for (context, (mean, rows)) in contexts.enumerate() {
            let rows: Vec<&[f64]> = rows.chunks_exact(self.rank).collect();
            let weights: Vec<f64> = rows.iter().map(|row| 1.0 / dot(row, row).max(1e-12)).collect();
            for (draw, normal) in self.normals.chunks_exact(self.rank).enumerate() {
                for ((value, mean), row) in curve.iter_mut().zip(mean).zip(&rows) {
                    *value = mean + dot(row, normal);
                }
                if known == Known::Falling {
                    pool(&mut curve, &weights);
                }
                for (price, &value) in curve.iter().enumerate() {
                    let value = if known == Known::Nothing { value } else { value.clamp(0.0, 1.0) };
                    values[(context * prices + price) * count + draw] = value;
                }
            }
        }
        Drawn { count, values }
    }
}

impl Drawn {
    /// All draws at a place.
    pub(super) fn at(&self, place: usize) -> &[f64] {
        &self.values[place * self.count..][..self.count]
    }
}

/// Mean and standard deviation.
pub(super) fn moments(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (mut sum, mut squares, mut count) = (0.0, 0.0, 0.0);
    for value in values {
        sum += value;
        squares += value * value;
        count += 1.0;
    }
    let mean = sum / count;
    (mean, (squares / count - mean * mean).max(0.0).sqrt())
}

/// The nearest sequence that never grows, by these weights.
pub(super) fn pool(values: &mut [f64], weights: &[f64]) {
    // Each pool: the sum of weighted values, of weights, and how many there are.
    let mut pools: Vec<(f64, f64, usize)> = Vec::with_capacity(values.len());
    for (&value, &weight) in values.iter().zip(weights) {
        let mut pool = (value * weight, weight, 1);
        while let Some(&(sum, total, count)) = pools.last() {
            if sum / total >= pool.0 / pool.1 {
                break;
            }
            pools.pop();
            pool = (pool.0 + sum, pool.1 + total, pool.2 + count);
        }
        pools.push(pool);
    }
    let mut at = 0;
    for (sum, total, count) in pools {
        values[at..at + count].fill(sum / total);
        at += count;
    }
}
