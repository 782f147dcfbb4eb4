//! What a tally says about each question's cells.

use reticent_privacy::oracle::{Aggregate, AggregateError, Oracle};

use super::axes::Axes;
use super::tally::Tally;

/// Unbiased shares of all records that are in a question's cells with a good and with a bad outcome.
#[derive(Debug, Clone)]
pub(super) struct Answers {
    pub(super) reports: f64,
    pub(super) good: Vec<f64>,
    pub(super) bad: Vec<f64>,
    /// The variance of one report's share.
    pub(super) noise: f64,
    /// For each finest cell, the question's cell.
    pub(super) cell_of: Vec<u32>,
    /// Into how many parts the question cuts each axis.
    pub(super) parts: Vec<u32>,
}

impl Answers {
    /// Those of all questions that have been answered.
    pub(super) fn of(tally: &Tally, axes: &Axes) -> Result<Vec<Answers>, AggregateError> {
        let middles = axes.middles();
        let mut all = Vec::new();
        for (number, channel) in tally.spec().channels().iter().enumerate() {
            let counts = &tally.counts()[tally.spec().codes_of(number)];
            let reports: u64 = counts.iter().sum();
            if reports == 0 {
                continue;
            }
            let oracle = channel.oracle();
            let shares = oracle.estimate(&Aggregate::of_counts(oracle, counts.to_vec())?)?;
            let typical = 0.5 / channel.cells() as f64;
            all.push(Answers {
                reports: reports as f64,
                bad: shares.iter().step_by(2).copied().collect(),
                good: shares.iter().skip(1).step_by(2).copied().collect(),
                noise: oracle.variance(typical, 1),
                cell_of: middles.iter().map(|middle| channel.cell(middle)).collect(),
                parts: channel.parts().to_vec(),
            });
        }
        Ok(all)
    }

    /// How many cells the question has.
    pub(super) fn cells(&self) -> usize {
        self.good.len()
    }

    /// The share of records in a cell.
    pub(super) fn share(&self, cell: usize) -> f64 {
        self.good[cell] + self.bad[cell]
    }

    /// `values` of the finest cells added up over the question's cells: `width` numbers for each.
    pub(super) fn summed(&self, values: &[f64], width: usize) -> Vec<f64> {
        let mut sums = vec![0.0; self.cells() * width];
        for (value, &cell) in values.chunks_exact(width).zip(&self.cell_of) {
            let sum = &mut sums[cell as usize * width..][..width];
            for (sum, value) in sum.iter_mut().zip(value) {
                *sum += value;
            }
        }
        sums
    }
}
