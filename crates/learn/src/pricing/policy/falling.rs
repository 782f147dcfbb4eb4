//! What is known of outcomes that never grow with the price: functions drawn from the posterior are made to fall, and
//! what they have in common is known better than before.

use super::draws::pool;
use super::grid::Grid;
use crate::pricing::band;

/// Mean, variance and band of outcomes at each place.
pub(super) struct Spread {
    pub(super) mean: Vec<f64>,
    pub(super) variance: Vec<f64>,
    /// Deviations that hold everywhere at once.
    pub(super) width: f64,
}

/// No place is known better than to this variance: a band divides by its root.
const LEAST: f64 = 1e-8;

impl Spread {
    /// By the posterior as it is.
    pub(super) fn of(grid: &Grid<'_>, mean: Vec<f64>, variance: Vec<f64>, confidence: f64) -> Spread {
        let width = band::width(grid.rank(), &variance, confidence, |normals| grid.drawn(normals));
        Spread { mean, variance, width }
    }

    /// The same, of functions that fall over the prices of each context: neighbours that grow are pooled, the better
    /// known counting more.
    pub(super) fn falling(self, grid: &Grid<'_>, prices: usize, confidence: f64) -> Spread {
        let (rank, places) = (grid.rank(), self.mean.len());
        let (mut sums, mut squares, mut count) = (vec![0.0; places], vec![0.0; places], 0.0);
        for normals in band::normals(rank, places).chunks(band::AT_ONCE * rank) {
            let draws = normals.len() / rank;
            count += draws as f64;
            for (place, values) in self.pooled(grid.drawn(normals), prices).chunks_exact(draws).enumerate() {
                sums[place] += values.iter().sum::<f64>();
                squares[place] += values.iter().map(|value| value * value).sum::<f64>();
            }
        }
        let apart: Vec<f64> = sums.iter().map(|sum| sum / count).collect();
        let variance =
            squares.iter().zip(&apart).map(|(square, mean)| (square / count - mean * mean).max(LEAST));
        let variance: Vec<f64> = variance.collect();
        let width = band::width(rank, &variance, confidence, |normals| {
            let draws = normals.len() / rank;
            let mut drawn = self.pooled(grid.drawn(normals), prices);
            for (values, mean) in drawn.chunks_exact_mut(draws).zip(&apart) {
                values.iter_mut().for_each(|value| *value -= mean);
            }
            drawn
        });
        let mean = self.mean.iter().zip(&apart).map(|(mean, apart)| mean + apart).collect();
        Spread { mean, variance, width }
    }

    /// How far drawn functions are from the mean if they are made to fall: at each place one of each draw.
    fn pooled(&self, mut drawn: Vec<f64>, prices: usize) -> Vec<f64> {
        let count = drawn.len() / self.mean.len();
        let weights: Vec<f64> = self.variance.iter().map(|variance| 1.0 / variance.max(LEAST)).collect();
        let mut curve = vec![0.0; prices];
        let contexts = self.mean.chunks_exact(prices).zip(weights.chunks_exact(prices));
        for ((mean, weights), drawn) in contexts.zip(drawn.chunks_exact_mut(prices * count)) {
            for draw in 0..count {
                for (price, (value, mean)) in curve.iter_mut().zip(mean).enumerate() {
                    *value = mean + drawn[price * count + draw];
                }
                pool(&mut curve, weights);
                for (price, (value, mean)) in curve.iter().zip(mean).enumerate() {
                    drawn[price * count + draw] = value - mean;
                }
            }
        }
        drawn
    }
}
