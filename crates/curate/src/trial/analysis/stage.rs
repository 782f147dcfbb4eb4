//! One table's word on one effect: a statistic that is zero on average at the true effect, and its variance
//! with the noise.

use super::super::table::{Cell, PLACES};

/// A weighted sum of a stratum's counts, centred at a supposed effect: sum of (z - effect) over people, where
/// z is unbiased for the effect.
#[derive(Debug)]
pub(super) struct Stage {
    /// The part of the final variance that comes from here.
    pub(super) share: f64,
    /// Sum of z over the noisy counts.
    total: f64,
    /// People in the noisy counts.
    pub(super) people: f64,
    /// z of each count.
    values: Vec<f64>,
    /// The variance of the noise in a count.
    noise: f64,
    /// The mean of z^2 about `offset`, and `offset`.
    square: f64,
    offset: f64,
}

/// A statistic at a supposed effect.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    /// Zero on average if the supposition is true.
    pub(super) sum: f64,
    pub(super) variance: f64,
    /// The fourth cumulant of the noise: Laplace tails are heavier than the normal's.
    pub(super) fourth: f64,
}

/// One arm's cell, and how it enters z.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) cell: Cell,
    /// +1 for the treatment, -1 for the control, 0 for other arms.
    pub(super) sign: f64,
    pub(super) chance: f64,
    /// What is taken off the outcome.
    pub(super) reference: f64,
    pub(super) mean: f64,
    pub(super) spread: f64,
}

/// So many deviations of the count's noise are added to people when their variance is computed: noise that
/// hides people would make it too small.
const HIDDEN: f64 = 0.5;
/// The fourth cumulant of a Laplace law over its squared variance.
pub(super) const LAPLACE: f64 = 3.0;

impl Stage {
    /// The augmented inverse-propensity statistic: z = d + sign (y - reference) / chance, d the difference of
    /// references.
    pub(super) fn new(parts: &[Part], binary: bool, noise: f64, share: f64) -> Stage {
        let offset: f64 = parts.iter().map(|part| part.sign * part.reference).sum();
        let mut stage =
            Stage { share, total: 0.0, people: 0.0, values: Vec::new(), noise, square: 0.0, offset };
        for part in parts {
            for (count, place) in part.cell.counts.iter().zip(PLACES) {
                if binary && place == 0.5 {
                    continue;
                }
                let weight = if part.sign == 0.0 { 0.0 } else { part.sign / part.chance };
                let value = offset + weight * (place - part.reference);
                stage.total += value * count;
                stage.people += count;
                stage.values.push(value);
            }
            if part.sign != 0.0 {
                let off = part.mean - part.reference;
                stage.square += (part.spread + off * off) / part.chance;
            }
        }
        stage
    }

    pub(super) fn read(&self, effect: f64) -> Reading {
        let of_one = (self.square - (effect - self.offset) * (effect - self.offset)).max(1e-4);
        let hidden = HIDDEN * (self.noise * self.values.len() as f64).sqrt();
        let (mut second, mut fourth) = (0.0, 0.0);
        for value in &self.values {
            let squared = (value - effect) * (value - effect);
            second += squared;
            fourth += squared * squared;
        }
        Reading {
            sum: self.total - effect * self.people,
            // A table without anybody and without noise says nothing: its share of the variance stays unused,
            // and is not divided by zero.
            variance: (self.people.max(0.0) + hidden) * of_one + self.noise * second + 1e-9,
            fourth: LAPLACE * self.noise * self.noise * fourth,
        }
    }
}

/// One table's word on one mean: sum of (y - mean) over the arm's people.
#[derive(Debug)]
pub(super) struct MeanStage {
    pub(super) share: f64,
    pub(super) cell: Cell,
    pub(super) binary: bool,
    pub(super) noise: f64,
    pub(super) spread: f64,
}

impl MeanStage {
    pub(super) fn read(&self, mean: f64) -> Reading {
        let (mut sum, mut second, mut fourth) = (0.0, 0.0, 0.0);
        for (count, place) in self.cell.counts.iter().zip(PLACES) {
            if self.binary && place == 0.5 {
                continue;
            }
            let off = place - mean;
            sum += off * count;
            second += off * off;
            fourth += off * off * off * off;
        }
        // Of a binary outcome the supposed mean tells the variance.
        let spread = if self.binary { (mean * (1.0 - mean)).max(0.005) } else { self.spread };
        let counts = if self.binary { 2.0 } else { 3.0 };
        let hidden = HIDDEN * (self.noise * counts).sqrt();
        Reading {
            sum,
            variance: (self.cell.people().max(0.0) + hidden) * spread + self.noise * second + 1e-9,
            fourth: LAPLACE * self.noise * self.noise * fourth,
        }
    }
}

/// Stages put together: the statistic has variance one at the truth. Also its excess kurtosis.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Combined {
    pub(super) z: f64,
    pub(super) kurtosis: f64,
}

impl Combined {
    pub(super) fn add(&mut self, share: f64, reading: Reading) {
        if share <= 0.0 {
            return;
        }
        let weight = (share / reading.variance).sqrt();
        self.z += weight * reading.sum;
        self.kurtosis += share * share * reading.fourth / (reading.variance * reading.variance);
    }

    /// The normal bound with the Cornish-Fisher term for the noise's tails.
    pub(super) fn bound(&self, normal: f64) -> f64 {
        normal + (normal * normal * normal - 3.0 * normal) * self.kurtosis.min(LAPLACE) / 24.0
    }
}
