//! Reading a release of version 1 or 2, which takes people to come as declared: the posterior of the function given
//! the noisy sum. One choice under pure epsilon is read in the same way.
//!
//! The sum is u = T E[c phi'] theta + fluctuation + noise. The noise's covariance is sigma^2 I; who happened
//! to come makes a fluctuation of about v T E[c c'], where v is the variance of a reward. With a Gaussian
//! prior on theta everything is Gaussian. How large and how smooth the function is is not known: the
//! posterior is averaged over a grid of priors, each weighed by how likely it makes the released numbers.

use faer::{Mat, MatRef};
use reticent_privacy::VectorSum;

use super::design::{Moments, Prior};
use super::surface::Features;
use super::{Design, ReadError, Release, Surface};
use crate::kernel::algebra::{self, Singular};

/// A posterior in the eigenvectors' basis.
struct Posterior {
    mean: Mat<f64>,
    covariance: Mat<f64>,
    unexplained: f64,
}

impl Surface {
    /// Reads a release whose design is at hand: one that was made with another is refused.
    pub(super) fn of_design(design: &Design, release: &Release) -> Result<Surface, ReadError> {
        release.fits(design)?;
        Ok(Surface::of(design, release)?)
    }

    fn of(design: &Design, release: &Release) -> Result<Surface, Singular> {
        let step = 1.0 / f64::from(VectorSum::RADIUS);
        let sum = Mat::from_fn(release.rank(), 1, |i, _| release.body.noisy[i] as f64 * step);
        let noise = release.body.setting.draft().reward.noise;
        let posterior = average(&design.moments, sum.as_ref(), release.body.sigma, noise)?;
        let map = design.map().clone();
        let basis = map.then(design.moments.eigenvectors.as_ref());
        let (values, vectors) = algebra::eigen(posterior.covariance.as_ref())?;
        let root = Mat::from_fn(values.len(), values.len(), |i, j| vectors[(i, j)] * values[j].sqrt());
        Ok(Surface {
            setting: release.body.setting.clone(),
            weights: algebra::times(basis.as_ref(), posterior.mean.as_ref()),
            factor: algebra::times(basis.as_ref(), root.as_ref()),
            unexplained: posterior.unexplained,
            features: Features::Points { map, basis },
            people: None,
            habits: None,
            chosen: 1.0,
        })
    }
}

/// k(w, P) times this are the coefficients with which the estimate at w is read from a sum with noise of this
/// size, under the usual prior.
pub(in crate::kernel) fn linear_reading(design: &Design, sigma: f64) -> Result<Mat<f64>, Singular> {
    let moments = &design.moments;
    let rank = design.rank();
    let nothing = Mat::zeros(rank, 1);
    let model =
        Model::new(Prior::USUAL, moments, nothing.as_ref(), sigma, design.setting().draft().reward.noise)?;
    let mut solved = Mat::from_fn(rank, rank, |i, j| moments.signal[(i, j)] * model.prior[j]);
    algebra::solve_lower(model.lower.as_ref(), solved.as_mut());
    algebra::solve_upper(model.lower.as_ref(), solved.as_mut());
    let basis = design.map().then(moments.eigenvectors.as_ref());
    Ok(algebra::times(basis.as_ref(), solved.transpose()))
}

/// How smooth and how large (root mean square, as a share of half the range) the function may be.
fn priors() -> impl Iterator<Item = Prior> {
    [0.0, 0.5, 1.0, 1.5].into_iter().flat_map(|smoothness| {
        (0..10).map(move |halvings| Prior { smoothness, variance: libm::ldexp(1.0, -halvings) })
    })
}

/// The posterior, averaged over the priors.
fn average(moments: &Moments, sum: MatRef<'_, f64>, sigma: f64, noise: f64) -> Result<Posterior, Singular> {
    let models = priors().map(|prior| Model::new(prior, moments, sum, sigma, noise));
    let models = models.collect::<Result<Vec<_>, _>>()?;
    let most = models.iter().map(|model| model.likelihood).fold(f64::NEG_INFINITY, f64::max);
    // A range is declared because functions fill it: a large function is as likely as all that are half its
    // size and less.
    let weigh = |(model, prior): (&Model, Prior)| prior.variance.sqrt() * libm::exp(model.likelihood - most);
    let weights: Vec<f64> = models.iter().zip(priors()).map(weigh).collect();
    let total: f64 = weights.iter().sum();
    let rank = sum.nrows();
    let mut out =
        Posterior { mean: Mat::zeros(rank, 1), covariance: Mat::zeros(rank, rank), unexplained: 0.0 };
    let heavy = models.iter().zip(&weights).map(|(model, weight)| (model, weight / total));
    // What weighs less than this moves nothing that can be seen.
    let heavy: Vec<_> = heavy.filter(|(_, weight)| *weight > 1e-6).collect();
    for (model, weight) in &heavy {
        out.mean += faer::Scale(*weight) * &model.mean;
        out.unexplained += weight * model.unexplained();
    }
    for (model, weight) in &heavy {
        let apart = &model.mean - &out.mean;
        let within = model.covariance(moments);
        out.covariance += faer::Scale(*weight) * (within + &apart * apart.transpose());
    }
    Ok(out)
}

/// The posterior under one prior.
struct Model {
    /// The function's prior variance.
    variance: f64,
    /// The prior variance of each coefficient.
    prior: Vec<f64>,
    /// The factor of the covariance of the released numbers.
    lower: Mat<f64>,
    mean: Mat<f64>,
    likelihood: f64,
}

impl Model {
    fn new(
        prior: Prior,
        moments: &Moments,
        sum: MatRef<'_, f64>,
        sigma: f64,
        noise: f64,
    ) -> Result<Model, Singular> {
        let (reward, variance) = (prior.reward(noise), prior.variance);
        let prior = prior.coefficients(&moments.eigenvalues);
        let rank = sum.nrows();
        let rooted = Mat::from_fn(rank, rank, |i, j| moments.signal[(i, j)] * prior[j].sqrt());
        let mut covariance = faer::Scale(reward) * &moments.spread;
        for i in 0..rank {
            covariance[(i, i)] += sigma * sigma;
        }
        algebra::add_gram(covariance.as_mut(), rooted.transpose());
        let lower = algebra::cholesky(covariance.as_ref())?;
        let mut solved = sum.to_owned();
        algebra::solve_lower(lower.as_ref(), solved.as_mut());
        let quadratic: f64 = solved.col(0).iter().map(|entry| entry * entry).sum();
        let determinant: f64 = lower.diagonal().column_vector().iter().map(|entry| libm::log(*entry)).sum();
        algebra::solve_upper(lower.as_ref(), solved.as_mut());
        let mut mean = algebra::times(moments.signal.transpose(), solved.as_ref());
        for (entry, variance) in mean.col_mut(0).iter_mut().zip(&prior) {
            *entry *= variance;
        }
        Ok(Model { variance, prior, lower, mean, likelihood: -0.5 * quadratic - determinant })
    }

    /// P - P A' M^-1 A P.
    fn covariance(&self, moments: &Moments) -> Mat<f64> {
        let rank = self.prior.len();
        let mut solved = Mat::from_fn(rank, rank, |i, j| moments.signal[(i, j)] * self.prior[j]);
        algebra::solve_lower(self.lower.as_ref(), solved.as_mut());
        let mut explained = Mat::zeros(rank, rank);
        algebra::add_gram(explained.as_mut(), solved.as_ref());
        algebra::mirror(explained.as_mut());
        Mat::from_fn(rank, rank, |i, j| if i == j { self.prior[i] } else { 0.0 } - explained[(i, j)])
    }

    /// A prior variance for directions that no feature has: as much as the function has on the whole, however
    /// smooth it is within the features.
    fn unexplained(&self) -> f64 {
        self.variance
    }
}

/// The posterior under one prior, for tests.
#[cfg(test)]
pub(super) fn one_posterior(
    prior: Prior,
    moments: &Moments,
    sum: MatRef<'_, f64>,
    sigma: f64,
    noise: f64,
) -> Result<(Mat<f64>, Mat<f64>), Singular> {
    let model = Model::new(prior, moments, sum, sigma, noise)?;
    Ok((model.mean.clone(), model.covariance(moments)))
}
