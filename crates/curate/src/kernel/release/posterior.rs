//! The posterior of the function's waves, given the noisy sum and where people are.
//!
//! The sum of y phi(w) is T M theta, with M the mean of phi phi' over people, plus chance and noise. M is not known
//! exactly either, nor is how large, smooth and long the function's features are: the posterior is averaged over
//! priors, each weighed by how likely it makes the released numbers.

use faer::{Mat, MatRef};

use super::Sketch;
use super::reading::Observed;
use super::sketch::OFFSET;
use super::spread::Spread;
use crate::kernel::algebra::{self, Singular};
use crate::kernel::spectrum::Spectrum;
use crate::kernel::{Kernel, blocks};

/// How much smoother than a draw of the kernel the function may be.
const SMOOTHNESS: [f64; 3] = [0.0, 0.5, 1.0];
/// How often its variance may be halved.
const HALVINGS: i32 = 10;
/// Lengths to try for each input, beside the plan's.
const STRETCHES: [f64; 5] = [0.25, 0.5, 2.0, 4.0, 16.0];
/// Directions of the function's own uncertainty that are followed one by one.
const FOLLOWED: usize = 4;

/// What is known of the waves' coefficients.
pub(super) struct Posterior {
    pub(super) mean: Mat<f64>,
    pub(super) covariance: Mat<f64>,
    /// The variance of what faster waves carry.
    pub(super) unexplained: f64,
    /// The kernel with the likeliest lengths.
    pub(super) kernel: Kernel,
    /// The deviation of rewards around the function.
    pub(super) noise: f64,
}

/// All that a prior is tried on.
pub(super) struct Situation<'a> {
    sketch: &'a Sketch,
    seen: &'a Observed,
    spread: &'a Spread,
    people: f64,
    threads: usize,
    /// Features of the points that stand for people.
    rows: Mat<f64>,
    /// M.
    second: Mat<f64>,
    /// The covariance of sums that comes from not knowing M.
    unsure: Mat<f64>,
    /// The variance of rewards around the function.
    noise: f64,
}

/// A prior: a kernel, how much smoother its functions are made, and their variance.
#[derive(Debug, Clone)]
struct Prior {
    kernel: Kernel,
    smoothness: f64,
    variance: f64,
}

impl<'a> Situation<'a> {
    pub(super) fn new(
        sketch: &'a Sketch,
        seen: &'a Observed,
        spread: &'a Spread,
        threads: usize,
    ) -> Situation<'a> {
        let rows = sketch.parts().waves.rows(&spread.points, sketch.parts().rough());
        let declared = sketch.setting().draft().reward.noise;
        let rank = rows.ncols();
        let mut situation = Situation {
            sketch,
            seen,
            spread,
            people: sketch.people() as f64,
            threads,
            rows,
            second: Mat::new(),
            unsure: Mat::zeros(rank, rank),
            noise: (declared * declared).max(1e-6),
        };
        situation.second = situation.weighted(&vec![1.0; situation.rows.nrows()]);
        situation
    }

    /// The average posterior.
    pub(super) fn posterior(mut self) -> Result<Posterior, Singular> {
        // Before anything is known the function counts as a constant of the rewards' size.
        let size = self.seen.square.clamp(0.0, 1.0).sqrt();
        let flat = Mat::from_fn(self.rows.ncols(), 1, |i, _| if i == 0 { size } else { 0.0 });
        self.unsure = self.unsure_of(&flat, None)?;
        let kernel = self.likely_lengths()?;
        let first = self.average(&kernel)?;
        self.noise = self.noise_around(&first);
        self.unsure = self.unsure_of(&first.mean, Some(&first.covariance))?;
        let mut last = self.average(&kernel)?;
        last.noise = self.noise_around(&last).sqrt();
        Ok(last)
    }

    /// The variance of rewards around the function: what is declared, and what squared rewards say of it.
    fn noise_around(&self, posterior: &Posterior) -> f64 {
        let declared = self.sketch.setting().draft().reward.noise;
        let declared = (declared * declared).max(1e-4);
        let values = self.function(&posterior.mean);
        let within = self.variance(&posterior.covariance);
        let square: f64 = values
            .iter()
            .zip(&within)
            .zip(&self.spread.weights)
            .map(|((f, v), weight)| weight * (f * f + v))
            .sum();
        let told = (self.seen.square - square).clamp(0.0, 1.0);
        let (trust, noise) = (1.0 / (declared * declared), 1.0 / self.seen.square_noise.max(1e-12));
        ((trust * declared + noise * told) / (trust + noise)).max(declared / 16.0)
    }

    fn function(&self, theta: &Mat<f64>) -> Vec<f64> {
        algebra::times(self.rows.as_ref(), theta.as_ref()).col(0).iter().copied().collect()
    }

    /// The variance of the function at each point.
    fn variance(&self, covariance: &Mat<f64>) -> Vec<f64> {
        let half = algebra::times(self.rows.as_ref(), covariance.as_ref());
        let one = |i: usize| {
            half.row(i).iter().zip(self.rows.row(i).iter()).map(|(a, b)| a * b).sum::<f64>().max(0.0)
        };
        (0..self.rows.nrows()).map(one).collect()
    }

    /// Sum of weight times factor times phi phi' over the points.
    fn weighted(&self, factors: &[f64]) -> Mat<f64> {
        let rank = self.rows.ncols();
        let start = || Mat::<f64>::zeros(rank, rank);
        let parts = blocks::fold(self.rows.nrows(), self.threads, start, |sum, numbers| {
            let roots: Vec<f64> =
                numbers.clone().map(|i| (self.spread.weights[i] * factors[i]).max(0.0).sqrt()).collect();
            let block =
                Mat::from_fn(numbers.len(), rank, |i, j| self.rows[(numbers.start + i, j)] * roots[i]);
            algebra::add_gram(sum.as_mut(), block.as_ref());
        });
        let mut sum = parts.into_iter().reduce(|a, b| a + b).unwrap_or_else(start);
        algebra::mirror(sum.as_mut());
        sum
    }

    /// The covariance of sums of phi f over people that comes from not knowing where exactly they are, for a function
    /// that is itself not known exactly: chance, but for directions that were released, which are known as well as
    /// their noise allows.
    fn unsure_of(&self, mean: &Mat<f64>, covariance: Option<&Mat<f64>>) -> Result<Mat<f64>, Singular> {
        let mut functions = vec![mean.clone()];
        let mut squares: Vec<f64> = self.function(mean).iter().map(|f| f * f).collect();
        if let Some(covariance) = covariance {
            let (values, vectors) = algebra::eigen(covariance.as_ref())?;
            let last = values.len();
            functions.extend((0..FOLLOWED.min(last)).map(|back| {
                let place = last - 1 - back;
                Mat::from_fn(last, 1, |i, _| vectors[(i, place)] * values[place].sqrt())
            }));
            squares
                .iter_mut()
                .zip(self.variance(covariance))
                .for_each(|(square, variance)| *square += variance);
        }
        let mut out = faer::Scale(self.people) * self.weighted(&squares);
        let excess = self.spread.excess(self.people);
        for theta in &functions {
            let values = self.function(theta);
            let sum = algebra::times(self.second.as_ref(), theta.as_ref());
            out -= faer::Scale(self.people) * (&sum * sum.transpose());
            let along = self.along(&values);
            let scaled = Mat::from_fn(along.nrows(), along.ncols(), |i, j| along[(i, j)] * excess[j]);
            algebra::add_product(out.as_mut(), scaled.as_ref(), along.transpose());
        }
        Ok(out)
    }

    /// How much of the sum of phi f goes along each direction of the spread.
    fn along(&self, values: &[f64]) -> Mat<f64> {
        let (rank, turned) = (self.rows.ncols(), &self.spread.turned);
        let start = || Mat::<f64>::zeros(rank, turned.ncols());
        let parts = blocks::fold(self.rows.nrows(), self.threads, start, |sum, numbers| {
            let block = Mat::from_fn(numbers.len(), rank, |i, j| {
                let place = numbers.start + i;
                self.rows[(place, j)] * values[place] * self.spread.weights[place].sqrt()
            });
            algebra::add_product(
                sum.as_mut(),
                block.transpose(),
                turned.subrows(numbers.start, numbers.len()),
            );
        });
        parts.into_iter().reduce(|a, b| a + b).unwrap_or_else(start)
    }

    fn plan(&self) -> &Kernel {
        self.sketch.setting().kernel()
    }

    /// One input after the other takes the length that is likeliest, the plan's being a prior.
    fn likely_lengths(&self) -> Result<Kernel, Singular> {
        let mut best = self.plan().clone();
        let mut most = self.likelihood(&best)?;
        for input in 0..best.inputs() {
            for stretch in STRETCHES {
                let Some(other) = stretched(&best, Some(input), stretch) else { continue };
                let likelihood = self.likelihood(&other)?;
                if likelihood > most {
                    (best, most) = (other, likelihood);
                }
            }
        }
        Ok(best)
    }

    /// The largest likelihood of a kernel over sizes, less what straying from the plan costs.
    fn likelihood(&self, kernel: &Kernel) -> Result<f64, Singular> {
        let mut most = f64::NEG_INFINITY;
        for halvings in (0..HALVINGS).step_by(2) {
            let prior =
                Prior { kernel: kernel.clone(), smoothness: 0.5, variance: libm::ldexp(1.0, -halvings) };
            most = most.max(Model::new(self, &prior)?.likelihood + prior.belief(self.plan()));
        }
        Ok(most)
    }

    /// The posterior averaged over sizes and smoothnesses of this kernel, and over kernels near it.
    fn average(&self, kernel: &Kernel) -> Result<Posterior, Singular> {
        let mut models = Vec::new();
        for smoothness in SMOOTHNESS {
            for halvings in 0..HALVINGS {
                let prior =
                    Prior { kernel: kernel.clone(), smoothness, variance: libm::ldexp(1.0, -halvings) };
                models.push((Model::new(self, &prior)?, prior));
            }
        }
        let believed = |(model, prior): &(Model, Prior)| model.likelihood + prior.belief(self.plan());
        let best =
            models.iter().max_by(|a, b| believed(a).total_cmp(&believed(b))).map(|(_, prior)| prior.clone());
        let inputs = (0..kernel.inputs()).map(Some).chain([None]);
        let near = inputs.flat_map(|input| [0.5, 2.0].map(|stretch| stretched(kernel, input, stretch)));
        for (kernel, best) in near.flatten().zip(std::iter::repeat(best)) {
            let Some(best) = best else { continue };
            for factor in [0.5, 1.0, 2.0] {
                let prior = Prior { kernel: kernel.clone(), variance: best.variance * factor, ..best };
                models.push((Model::new(self, &prior)?, prior));
            }
        }
        let most = models.iter().map(believed).fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = models.iter().map(|one| libm::exp(believed(one) - most)).collect();
        let total: f64 = weights.iter().sum();
        // What weighs less than this moves nothing that can be seen.
        let heavy = models.iter().zip(&weights).map(|((model, _), weight)| (model, weight / total));
        let heavy: Vec<_> = heavy.filter(|(_, weight)| *weight > 1e-4).collect();
        let rank = self.rows.ncols();
        let (mut mean, mut covariance, mut unexplained) = (Mat::zeros(rank, 1), Mat::zeros(rank, rank), 0.0);
        for (model, weight) in &heavy {
            mean += faer::Scale(*weight) * &model.mean;
            unexplained += weight * model.left;
        }
        for (model, weight) in &heavy {
            let apart = &model.mean - &mean;
            covariance += faer::Scale(*weight) * (model.covariance(self) + &apart * apart.transpose());
        }
        Ok(Posterior { mean, covariance, unexplained, kernel: kernel.clone(), noise: self.noise.sqrt() })
    }
}

/// The kernel with one input's length, or all, multiplied; none where that is no length.
fn stretched(kernel: &Kernel, input: Option<usize>, stretch: f64) -> Option<Kernel> {
    let one =
        |(place, length)| if input.is_none_or(|input| input == place) { length * stretch } else { length };
    kernel.with_lengths(&kernel.lengths().enumerate().map(one).collect::<Vec<_>>()).ok()
}

impl Prior {
    /// A range is declared because functions fill it: a large function is as likely as all that are half its size and
    /// less. A length that is twice the plan's must make the released numbers about e times likelier.
    fn belief(&self, plan: &Kernel) -> f64 {
        let strayed = |(a, b): (f64, f64)| {
            let x = libm::log(b / a) / 0.5;
            x * x / 2.0
        };
        0.5 * libm::log(self.variance) - plan.lengths().zip(self.kernel.lengths()).map(strayed).sum::<f64>()
    }
}

/// The posterior under one prior.
struct Model {
    variances: Vec<f64>,
    /// The variance of what faster waves carry.
    left: f64,
    /// The factor of the covariance of the sum.
    lower: Mat<f64>,
    mean: Mat<f64>,
    likelihood: f64,
}

impl Model {
    fn new(situation: &Situation<'_>, prior: &Prior) -> Result<Model, Singular> {
        let Situation { sketch, seen, people, second, unsure, noise, .. } = situation;
        let rank = second.nrows();
        let (waves, rough) = (&sketch.parts().waves, sketch.parts().rough());
        let spectrum = Spectrum::new(waves, rough, sketch.setting(), &prior.kernel, prior.smoothness);
        let mut variances: Vec<f64> = spectrum.variances.iter().map(|share| prior.variance * share).collect();
        variances[0] += OFFSET;
        let left = prior.variance * spectrum.left;
        let chance = people * (noise + left);
        let mut covariance = Mat::from_fn(rank, rank, |i, j| {
            chance * second[(i, j)] + unsure[(i, j)] + if i == j { seen.sum_noise[i] } else { 0.0 }
        });
        let rooted = Mat::from_fn(rank, rank, |i, j| people * variances[i].sqrt() * second[(i, j)]);
        algebra::add_gram(covariance.as_mut(), rooted.as_ref());
        let lower = algebra::cholesky(covariance.as_ref())?;
        let mut solved = Mat::from_fn(rank, 1, |i, _| seen.sum[i]);
        algebra::solve_lower(lower.as_ref(), solved.as_mut());
        let quadratic: f64 = solved.col(0).iter().map(|entry| entry * entry).sum();
        let determinant: f64 = lower.diagonal().column_vector().iter().map(|entry| libm::log(*entry)).sum();
        algebra::solve_upper(lower.as_ref(), solved.as_mut());
        let mut mean = algebra::times(second.as_ref(), solved.as_ref());
        mean.col_mut(0).iter_mut().zip(&variances).for_each(|(entry, variance)| *entry *= variance * people);
        Ok(Model { variances, left, lower, mean, likelihood: -0.5 * quadratic - determinant })
    }

    /// P - P M C^-1 M P.
    fn covariance(&self, situation: &Situation<'_>) -> Mat<f64> {
        let rank = self.variances.len();
        let second: MatRef<'_, f64> = situation.second.as_ref();
        let mut solved =
            Mat::from_fn(rank, rank, |i, j| situation.people * second[(i, j)] * self.variances[j]);
        algebra::solve_lower(self.lower.as_ref(), solved.as_mut());
        let mut explained = Mat::zeros(rank, rank);
        algebra::add_gram(explained.as_mut(), solved.as_ref());
        algebra::mirror(explained.as_mut());
        Mat::from_fn(rank, rank, |i, j| if i == j { self.variances[i] } else { 0.0 } - explained[(i, j)])
    }
}
