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

    /// The standard normal vectors, one after another.
    pub(super) fn normals(&self) -> &[f64] {
        &self.normals
    }

    /// How far the drawn functions are from their mean at places with these whitened rows: one of each draw.
    pub(super) fn of_rows(&self, rows: &[f64]) -> Vec<f64> {
        let draws = || self.normals.chunks_exact(self.rank);
        rows.chunks_exact(self.rank).flat_map(|row| draws().map(move |normal| dot(row, normal))).collect()
    }
}

impl Drawn {
    /// Outcomes with these means, `prices` for each context, and so far from them: at each place one of each draw,
    /// which has this variance. They are made to fit what is known of them.
    pub(super) fn new(
        mean: &[f64],
        variance: &[f64],
        mut values: Vec<f64>,
        prices: usize,
        known: Known,
    ) -> Drawn {
        let count = values.len() / mean.len();
        let weights: Vec<f64> = variance.iter().map(|variance| 1.0 / variance.max(1e-12)).collect();
        let mut curve = vec![0.0; prices];
        for (context, (mean, weights)) in
            mean.chunks_exact(prices).zip(weights.chunks_exact(prices)).enumerate()
        {
            let values = &mut values[context * prices * count..][..prices * count];
            for draw in 0..count {
                for (price, (value, mean)) in curve.iter_mut().zip(mean).enumerate() {
                    *value = mean + values[price * count + draw];
                }
                if known == Known::Falling {
                    pool(&mut curve, weights);
                }
                for (price, &value) in curve.iter().enumerate() {
                    let value = if known == Known::Nothing { value } else { value.clamp(0.0, 1.0) };
                    values[price * count + draw] = value;
                }
            }
        }
        Drawn { count, values }
    }

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
