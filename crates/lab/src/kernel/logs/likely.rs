//! A Gaussian process on raw data, with lengths and noise by likelihood: what nobody is protected by.

use faer::Mat;
use reticent_baselines::kernel::GpMean;
use reticent_curate::kernel::{Kernel, Points, Records, Singular, algebra};

use crate::kernel::gain::features;

/// Records that lengths are learned from, exactly.
const LOOKED_AT: usize = 600;
/// Features for all records.
const RANK: usize = 300;
/// Factors of a length that are tried, twice over all inputs.
const STRETCHES: [f64; 4] = [0.5, 0.7, 1.5, 2.0];
const ROUNDS: usize = 3;
/// Shares of the rewards' variance that is noise.
const NOISES: [f64; 5] = [0.001, 0.01, 0.1, 0.5, 1.0];

/// The posterior mean, around the mean reward.
pub(in crate::kernel) struct Likely {
    mean: f64,
    process: GpMean,
}

impl Likely {
    pub(in crate::kernel) fn fit(kernel: &Kernel, records: &Records) -> Result<Likely, Singular> {
        let mean = records.rewards().iter().sum::<f64>() / records.len().max(1) as f64;
        let first = centred(records, mean, LOOKED_AT);
        let (mut best, mut noise) = (kernel.clone(), 0.1);
        let mut most = likelihood(&best, noise, &first)?;
        for _ in 0..ROUNDS {
            for other in NOISES {
                let found = likelihood(&best, other, &first)?;
                if found > most {
                    (most, noise) = (found, other);
                }
            }
            for input in 0..kernel.inputs() {
                for stretch in STRETCHES {
                    let lengths = best.lengths().enumerate();
                    let lengths: Vec<f64> =
                        lengths.map(|(i, l)| if i == input { l * stretch } else { l }).collect();
                    let Ok(other) = best.with_lengths(&lengths) else { continue };
                    let found = likelihood(&other, noise, &first)?;
                    if found > most {
                        (most, best) = (found, other);
                    }
                }
            }
        }
        let all = centred(records, mean, records.len());
        let map = features(&best, RANK);
        Ok(Likely { mean, process: GpMean::new(&map, noise, &all, 1)? })
    }

    pub(in crate::kernel) fn values(&self, points: &Points) -> Vec<f64> {
        self.process.values(points).into_iter().map(|value| self.mean + 2.0 * value).collect()
    }
}

fn centred(records: &Records, mean: f64, most: usize) -> Records {
    let mut out = Records::new(records.points().dimensions());
    for place in 0..records.len().min(most) {
        // Half, so that no reward is clipped.
        out.push(&records.points().point(place), (records.rewards()[place] - mean) / 2.0);
    }
    out
}

/// The likelihood at the best variance, for noise that is this share of the process's.
fn likelihood(kernel: &Kernel, noise: f64, records: &Records) -> Result<f64, Singular> {
    let count = records.len();
    let mut matrix = kernel.between(records.points(), records.points());
    (0..count).for_each(|i| matrix[(i, i)] += noise);
    let lower = algebra::cholesky(matrix.as_ref())?;
    let mut solved = Mat::from_fn(count, 1, |i, _| records.rewards()[i]);
    algebra::solve_lower(lower.as_ref(), solved.as_mut());
    let square: f64 = solved.col(0).iter().map(|x| x * x).sum();
    let determinant: f64 = lower.diagonal().column_vector().iter().map(|x| libm::log(*x)).sum();
    Ok(-0.5 * count as f64 * libm::log(square.max(1e-300)) - determinant)
}
