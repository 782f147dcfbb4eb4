//! The posterior of the function's waves, given the noisy sum and where people are.
//!
//! The sum of y phi(w) is T M theta, with M the mean of phi psi' over people, plus chance and noise; psi are phi and
//! faster waves, of which no sums were released: on the cube waves are not orthogonal, and what faster ones carry
//! shows in the slower ones' sums. M is not known exactly either, nor is how large, smooth and long the function's
//! features are: the posterior is averaged over priors, each weighed by how likely it makes the released numbers.
//! Waves that are still faster than psi are not followed, but what they put into the sums is allowed for.

use std::collections::BTreeSet;

use faer::{Mat, MatRef};

use super::Sketch;
use super::luck::likely_variance;
use super::model::Model;
use super::priors::{Prior, STRETCHES};
use super::reading::Observed;
use super::spread::Spread;
use crate::kernel::algebra::{self, Singular};
use crate::kernel::spectrum::largest_waves;
use crate::kernel::{Kernel, Waves, blocks};

/// Directions of the function's own uncertainty that are followed one by one.
const FOLLOWED: usize = 4;
/// A prior whose logarithm of belief is so much less than the best one's counts for nothing.
const NOTHING: f64 = 7.0;

/// Waves that are allowed for beyond those of a release: so many times as many, but no more than so many.
const FASTER: (usize, usize) = (3, 1000);

/// The waves that carry most of what a release's own do not.
fn faster_waves(sketch: &Sketch) -> Waves {
    let waves = &sketch.parts().waves;
    let known: BTreeSet<&Vec<i32>> = waves.frequencies().iter().collect();
    let count = waves.len() + (FASTER.0 * waves.len()).min(FASTER.1);
    let all = largest_waves(sketch.setting(), count);
    let others = all.frequencies().iter().filter(|frequency| !known.contains(frequency));
    waves.with_frequencies(others.cloned().collect())
}

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
    /// How believable it is that the function has kinks or jumps.
    pub(super) abrupt: f64,
    /// How far the released numbers are from what the posterior's priors say: deviations of a chi-square.
    pub(super) misfit: f64,
    /// What would be lost of the mean by smoothing if it were the truth.
    pub(super) lost: Mat<f64>,
    /// Where actions are not spread evenly: the covariance of a cautious prior, and what faster waves carry.
    pub(super) wide: Option<(Mat<f64>, f64)>,
}

/// All that a prior is tried on.
pub(super) struct Situation<'a> {
    pub(super) sketch: &'a Sketch,
    pub(super) seen: &'a Observed,
    spread: &'a Spread,
    pub(super) people: f64,
    threads: usize,
    /// Features of the points that stand for people: those of released sums first, then faster ones.
    rows: Mat<f64>,
    /// M: a row for each released sum, a column for each feature.
    pub(super) second: Mat<f64>,
    /// These waves, and then others that are faster: they are not followed, but show in the sums as well.
    pub(super) waves: Waves,
    /// M of the others.
    pub(super) faster: Mat<f64>,
    /// The covariance of sums that comes from not knowing M.
    pub(super) unsure: Mat<f64>,
    /// The variance of rewards around the function.
    pub(super) noise: f64,
}

impl<'a> Situation<'a> {
    pub(super) fn new(
        sketch: &'a Sketch,
        seen: &'a Observed,
        spread: &'a Spread,
        threads: usize,
    ) -> Situation<'a> {
        let waves = &sketch.parts().waves;
        let others = faster_waves(sketch);
        let rows = waves.rows(&spread.points, waves.len());
        let declared = sketch.setting().draft().reward.noise;
        let rank = seen.sum.len();
        let mut situation = Situation {
            sketch,
            seen,
            spread,
            people: sketch.people() as f64,
            threads,
            rows,
            second: Mat::new(),
            waves: waves.with_frequencies([waves.frequencies(), others.frequencies()].concat()),
            faster: Mat::new(),
            unsure: Mat::zeros(rank, rank),
            noise: (declared * declared).max(1e-6),
        };
        situation.second = situation.second_moment(situation.rows.as_ref());
        let rows = others.rows(&spread.points, others.len());
        situation.faster = situation.second_moment(rows.as_ref().subcols(1, 2 * others.len()));
        situation
    }

    /// The average posterior.
    pub(super) fn posterior(mut self) -> Result<Posterior, Singular> {
        // Before anything is known the function counts as a constant of the rewards' size.
        let size = self.seen.square.clamp(0.0, 1.0).sqrt();
        let flat = Mat::from_fn(self.rows.ncols(), 1, |i, _| if i == 0 { size } else { 0.0 });
        self.unsure = self.unsure_of(&flat, None)?;
        let best = self.likely()?;
        let first = self.alone(&best)?;
        self.noise = self.noise_around(&first);
        self.unsure = self.unsure_of(&first.mean, Some(&first.covariance))?;
        let mut last = self.average(&best)?;
        last.noise = self.noise_around(&last).sqrt();
        if self.spread.actions.is_seen() {
            let (model, _) = self.model(&Prior::cautious(self.plan(), &best.kernel))?;
            last.wide = Some((model.covariance(&self), model.left));
        }
        Ok(last)
    }

    /// The variance of rewards around the function: what is declared, and what squared rewards say of it.
    fn noise_around(&self, posterior: &Posterior) -> f64 {
        let declared = self.sketch.setting().draft().reward.noise;
        let declared = (declared * declared).clamp(1e-4, 1.0);
        let values = self.function(&posterior.mean);
        let within = self.variance(&posterior.covariance);
        let square: f64 = values
            .iter()
            .zip(&within)
            .zip(&self.spread.weights)
            .map(|((f, v), weight)| weight * (f * f + v))
            .sum();
        likely_variance(declared, self.seen.square - square, self.seen.square_noise.max(1e-12))
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

    /// A block of features times the roots of weights and factors.
    fn block(
        &self,
        numbers: std::ops::Range<usize>,
        columns: usize,
        factor: impl Fn(usize) -> f64,
    ) -> Mat<f64> {
        let roots: Vec<f64> =
            numbers.clone().map(|i| (self.spread.weights[i] * factor(i)).max(0.0).sqrt()).collect();
        Mat::from_fn(numbers.len(), columns, |i, j| self.rows[(numbers.start + i, j)] * roots[i])
    }

    /// Sum of weight times factor times phi phi' over the points.
    fn weighted(&self, factors: &[f64]) -> Mat<f64> {
        let rank = self.seen.sum.len();
        let start = || Mat::<f64>::zeros(rank, rank);
        let parts = blocks::fold(self.rows.nrows(), self.threads, start, |sum, numbers| {
            algebra::add_gram(sum.as_mut(), self.block(numbers, rank, |i| factors[i]).as_ref());
        });
        let mut sum = parts.into_iter().reduce(|a, b| a + b).unwrap_or_else(start);
        algebra::mirror(sum.as_mut());
        sum
    }

    /// The mean over people of phi times other features, whose rows are those of the points.
    fn second_moment(&self, others: MatRef<'_, f64>) -> Mat<f64> {
        let (rank, all) = (self.seen.sum.len(), others.ncols());
        let start = || Mat::<f64>::zeros(rank, all);
        let parts = blocks::fold(others.nrows(), self.threads, start, |sum, numbers| {
            let block = self.block(numbers.clone(), rank, |i| self.spread.weights[i]);
            let other = others.subrows(numbers.start, numbers.len());
            algebra::add_product(sum.as_mut(), block.transpose(), other);
        });
        parts.into_iter().reduce(|a, b| a + b).unwrap_or_else(start)
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
        // With a million people, what is taken away leaves less than rounding and directions that are not followed.
        algebra::without_negative(out.as_ref())
    }

    /// How much of the sum of phi f goes along each direction of the spread.
    fn along(&self, values: &[f64]) -> Mat<f64> {
        let (rank, turned) = (self.seen.sum.len(), &self.spread.turned);
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

    fn model(&self, prior: &Prior) -> Result<(Model, f64), Singular> {
        let model = Model::new(self, prior)?;
        let believed = model.likelihood + prior.belief(self.plan());
        Ok((model, believed))
    }

    /// The likeliest of some priors, if one is likelier than `most`.
    fn likelier(&self, priors: &[Prior], most: &mut f64) -> Result<Option<Prior>, Singular> {
        let mut found = None;
        for prior in priors {
            let (_, believed) = self.model(prior)?;
            if believed > *most {
                (*most, found) = (believed, Some(prior.clone()));
            }
        }
        Ok(found)
    }

    /// A likely prior: first its size and form, then one input after the other takes the length that is likeliest.
    fn likely(&self) -> Result<Prior, Singular> {
        let mut most = f64::NEG_INFINITY;
        let mut best = self.likelier(&Prior::usual(self.plan()).all_sizes(), &mut most)?.ok_or(Singular)?;
        best = self.likelier(&best.forms(), &mut most)?.unwrap_or(best);
        for input in 0..self.plan().inputs() {
            let others = STRETCHES.iter().filter_map(|&stretch| best.stretched(Some(input), stretch));
            best = self.likelier(&others.collect::<Vec<_>>(), &mut most)?.unwrap_or(best);
        }
        Ok(self.likelier(&best.sizes(-2..=2), &mut most)?.unwrap_or(best))
    }

    /// The posterior under one prior.
    fn alone(&self, prior: &Prior) -> Result<Posterior, Singular> {
        let (model, _) = self.model(prior)?;
        let (covariance, unexplained) = (model.covariance(self), model.left);
        let (kernel, noise) = (prior.kernel.clone(), self.noise.sqrt());
        let lost = model.lost(&covariance);
        let (mean, abrupt, misfit) = (model.mean, 0.0, 0.0);
        Ok(Posterior { mean, covariance, unexplained, kernel, noise, abrupt, misfit, lost, wide: None })
    }

    /// The posterior averaged over forms and sizes of a prior, and over lengths near it.
    fn average(&self, best: &Prior) -> Result<Posterior, Singular> {
        let mut models = Vec::new();
        let mut most = f64::NEG_INFINITY;
        let inputs = (0..best.kernel.inputs()).map(Some).chain([None]);
        let near = inputs.flat_map(|input| [0.5, 2.0].map(|stretch| best.stretched(input, stretch)));
        for prior in best.forms().into_iter().chain(near.flatten()) {
            for prior in std::iter::once(prior.clone()).chain(prior.sizes([-1, 1].into_iter())) {
                let (model, believed) = self.model(&prior)?;
                most = most.max(believed);
                // What is far less likely is so in other sizes as well, and moves nothing that can be seen.
                if believed < most - NOTHING {
                    break;
                }
                models.push((model, believed, prior.is_abrupt()));
            }
        }
        models.retain(|(_, believed, _)| *believed > most - NOTHING);
        let weights: Vec<f64> = models.iter().map(|(_, believed, _)| libm::exp(believed - most)).collect();
        let total: f64 = weights.iter().sum();
        let heavy: Vec<_> = models.iter().zip(&weights).map(|(one, weight)| (one, weight / total)).collect();
        let all = self.rows.ncols();
        let mut mean = Mat::zeros(all, 1);
        let (mut unexplained, mut abrupt, mut misfit) = (0.0, 0.0, 0.0);
        for ((model, _, is_abrupt), weight) in &heavy {
            mean += faer::Scale(*weight) * &model.mean;
            unexplained += weight * model.left;
            abrupt += if *is_abrupt { *weight } else { 0.0 };
            misfit += weight * model.misfit();
        }
        let (mut covariance, mut lost) = (Mat::zeros(all, all), Mat::zeros(all, 1));
        for ((model, ..), weight) in &heavy {
            let apart = &model.mean - &mean;
            let own = model.covariance(self);
            lost += faer::Scale(*weight) * model.lost(&own);
            covariance += faer::Scale(*weight) * (own + &apart * apart.transpose());
        }
        let kernel = best.kernel.in_family_of(self.plan());
        let noise = self.noise.sqrt();
        Ok(Posterior { mean, covariance, unexplained, kernel, noise, abrupt, misfit, lost, wide: None })
    }
}
