//! What each person contributes, chosen from public things alone: the plan, the number of people and the noise.

use faer::Mat;

use reticent_privacy::VectorSum;

use super::ReleaseError;
use crate::kernel::algebra::{self, Singular};
use crate::kernel::{FeatureMap, KernelSpec, Points, Population, Records, blocks};

/// Public points that stand for the population. Twice as many move no entry of the moments by more than the
/// noise of 10^5 people.
const QUADRATURE: usize = 16_384;
/// Public points from which the feature map chooses.
const CANDIDATES: usize = 4096;
/// A kernel's variance that is not worth a feature: far below what any number of people can show.
const TOLERANCE: f64 = 1e-7;

/// A person at w with reward y contributes y c(w), where c(w) = psi(w)/s shortened to length one and psi = (T
/// Lambda + lambda I)^(-1/2) phi: features that are whitened as in the paper's estimator, but at a lambda
/// that suits the noise, and clipped (see `guarantee.md`).
#[derive(Debug, Clone)]
pub struct Design {
    map: FeatureMap,
    setting: KernelSpec,
    population: Population,
    people: u64,
    regulariser: f64,
    /// k(w, P) times this is psi(w)/s.
    transform: Mat<f64>,
    pub(super) moments: Moments,
}

/// What is expected of a sum over people, in the space of features.
#[derive(Debug, Clone)]
pub(super) struct Moments {
    /// Eigenvalues of Lambda = E[phi phi'].
    pub(super) eigenvalues: Vec<f64>,
    /// Its eigenvectors as columns.
    pub(super) eigenvectors: Mat<f64>,
    /// T E[c phi'], with phi in the eigenvectors' basis.
    pub(super) signal: Mat<f64>,
    /// T E[c c'].
    pub(super) spread: Mat<f64>,
}

/// A prior on the function: its mean variance over the population, and how much smoother than the kernel it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Prior {
    pub(super) variance: f64,
    /// 0: as rough as a draw of the Gaussian process; 1: about as smooth as a member of the kernel's space.
    pub(super) smoothness: f64,
}

impl Prior {
    /// For the choice of the design: a function that fills half the range.
    pub(super) const USUAL: Prior = Prior { variance: 0.25, smoothness: 0.5 };

    /// The variance of each coefficient in the eigenvectors' basis.
    pub(super) fn coefficients(self, eigenvalues: &[f64]) -> Vec<f64> {
        let most = eigenvalues.iter().fold(f64::MIN_POSITIVE, |a, &b| a.max(b));
        let weight = |value: &f64| libm::pow((value / most).max(1e-300), self.smoothness);
        let explained: f64 = eigenvalues.iter().map(|value| value * weight(value)).sum();
        // What no feature explains is taken to be as rough as the last feature.
        let least = eigenvalues.iter().fold(most, |a, &b| a.min(b));
        let total = explained + left(eigenvalues) * weight(&least);
        eigenvalues.iter().map(|value| self.variance * weight(value) / total.max(f64::MIN_POSITIVE)).collect()
    }

    /// The variance of one person's reward, which is at most 1.
    pub(super) fn reward(self, noise: f64) -> f64 {
        (self.variance + noise * noise).min(1.0)
    }
}

/// The share of the kernel's variance that no feature explains.
fn left(eigenvalues: &[f64]) -> f64 {
    (1.0 - eigenvalues.iter().sum::<f64>()).max(0.0)
}

impl Design {
    /// The design for this many people and noise of standard deviation `sigma` on each entry of the sum of
    /// contributions.
    pub fn new(
        setting: &KernelSpec,
        population: &Population,
        people: u64,
        sigma: f64,
        threads: usize,
    ) -> Result<Design, Singular> {
        let candidates = population.points(setting, 0..CANDIDATES);
        let map = FeatureMap::pivoted(setting.kernel(), &candidates, setting.draft().kernel.rank, TOLERANCE);
        let second = second_moment(&map, setting, population, threads);
        let (eigenvalues, _) = algebra::eigen(second.as_ref())?;
        let regulariser = choose(&eigenvalues, people as f64, sigma, setting.draft().reward.noise);
        Design::build(map, &second, setting, population, people, regulariser, threads)
    }

    /// The design that a release was made with.
    pub(super) fn again(
        setting: &KernelSpec,
        population: &Population,
        people: u64,
        points: Points,
        regulariser: f64,
        threads: usize,
    ) -> Result<Design, Singular> {
        let map = FeatureMap::of_points(setting.kernel(), points)?;
        let second = second_moment(&map, setting, population, threads);
        Design::build(map, &second, setting, population, people, regulariser, threads)
    }

    fn build(
        map: FeatureMap,
        second: &Mat<f64>,
        setting: &KernelSpec,
        population: &Population,
        people: u64,
        regulariser: f64,
        threads: usize,
    ) -> Result<Design, Singular> {
        let (eigenvalues, eigenvectors) = algebra::eigen(second.as_ref())?;
        let (t, rank) = (people as f64, map.rank());
        let shifted =
            Mat::from_fn(rank, rank, |i, j| t * second[(i, j)] + if i == j { regulariser } else { 0.0 });
        let whitening = algebra::invert_lower(algebra::cholesky(shifted.as_ref())?.as_ref());
        // Half the root mean square: most features are then of length one, and only those that the map hardly
        // explains are shorter.
        let square: f64 = eigenvalues.iter().map(|value| value / (t * value + regulariser)).sum();
        let shrink = 2.0 / square.sqrt();
        let scaled = Mat::from_fn(rank, rank, |i, j| whitening[(j, i)] * shrink);
        let transform = map.then(scaled.as_ref());
        let (setting, population) = (setting.clone(), population.clone());
        let moments = Moments { eigenvalues, eigenvectors, signal: Mat::new(), spread: Mat::new() };
        let mut design = Design { map, setting, population, people, regulariser, transform, moments };
        (design.moments.signal, design.moments.spread) = design.moments_of_contributions(threads);
        Ok(design)
    }

    /// T E[c phi'] and T E[c c'] over the population.
    fn moments_of_contributions(&self, threads: usize) -> (Mat<f64>, Mat<f64>) {
        let rank = self.map.rank();
        let start = || (Mat::<f64>::zeros(rank, rank), Mat::<f64>::zeros(rank, rank));
        let basis = self.map.then(self.moments.eigenvectors.as_ref());
        let parts = blocks::fold(QUADRATURE, threads, start, |(signal, spread), places| {
            let points = self.population.points(&self.setting, places);
            let kernels = self.map.kernel().between(&points, self.map.points());
            let contributions = shortened(algebra::times(kernels.as_ref(), self.transform.as_ref()));
            let features = algebra::times(kernels.as_ref(), basis.as_ref());
            algebra::add_product(signal.as_mut(), contributions.transpose(), features.as_ref());
            algebra::add_gram(spread.as_mut(), contributions.as_ref());
        });
        let sum = parts.into_iter().reduce(|a, b| (a.0 + b.0, a.1 + b.1)).unwrap_or_else(start);
        let scale = faer::Scale(self.people as f64 / QUADRATURE as f64);
        let (signal, mut spread) = (scale * sum.0, scale * sum.1);
        algebra::mirror(spread.as_mut());
        (signal, spread)
    }

    /// Adds y c(w) for each record. Shortening is left to the sum, which does it in integers.
    pub(in crate::kernel) fn add(
        &self,
        sum: &mut VectorSum,
        records: &Records,
        threads: usize,
    ) -> Result<(), ReleaseError> {
        Ok(blocks::add_contributions(sum, records, threads, |points| self.contributions(points))?)
    }

    /// c(w) for each point, a row each: no longer than one.
    pub(in crate::kernel) fn contributions(&self, points: &Points) -> Mat<f64> {
        shortened(self.map.mapped(points, self.transform.as_ref()))
    }

    /// How many numbers are released.
    pub fn rank(&self) -> usize {
        self.map.rank()
    }

    /// The number of people.
    pub fn people(&self) -> u64 {
        self.people
    }

    /// The feature map.
    pub fn map(&self) -> &FeatureMap {
        &self.map
    }

    /// The plan.
    pub fn setting(&self) -> &KernelSpec {
        &self.setting
    }

    /// Where contexts come from.
    pub fn population(&self) -> &Population {
        &self.population
    }

    /// lambda.
    pub fn regulariser(&self) -> f64 {
        self.regulariser
    }

    /// One number that tells two designs apart: how much all people contribute to each released number, summed.
    pub(super) fn check(&self) -> f64 {
        self.moments.spread.diagonal().column_vector().iter().map(|x| x.sqrt()).sum::<f64>()
    }
}

fn second_moment(
    map: &FeatureMap,
    setting: &KernelSpec,
    population: &Population,
    threads: usize,
) -> Mat<f64> {
    let sum = map.gram(QUADRATURE, threads, |places| population.points(setting, places));
    faer::Scale(1.0 / QUADRATURE as f64) * sum
}

/// Rows that are longer than one are shortened to it.
fn shortened(mut rows: Mat<f64>) -> Mat<f64> {
    let mut squares = vec![0.0; rows.nrows()];
    for column in rows.col_iter() {
        for (square, entry) in squares.iter_mut().zip(column.iter()) {
            *square += entry * entry;
        }
    }
    for square in &mut squares {
        *square = if *square > 1.0 { 1.0 / square.sqrt() } else { 1.0 };
    }
    for column in rows.col_iter_mut() {
        for (entry, factor) in column.iter_mut().zip(&squares) {
            *entry *= factor;
        }
    }
    rows
}

/// The lambda at which the noise is expected to hurt least, on a coarse grid: the expected mean square error
/// if the features' directions were the eigenvectors of Lambda and all contributions had length one.
fn choose(eigenvalues: &[f64], people: f64, sigma: f64, noise: f64) -> f64 {
    let grid = (0..24).map(|step| 1e-3 * libm::pow(3.0, f64::from(step)));
    let best = grid.map(|lambda| (expected(eigenvalues, people, sigma, noise, lambda), lambda));
    best.fold((f64::INFINITY, 1.0), |best, one| if one.0 < best.0 { one } else { best }).1
}

fn expected(eigenvalues: &[f64], people: f64, sigma: f64, noise: f64, lambda: f64) -> f64 {
    let share = |value: f64| value / (people * value + lambda);
    let total: f64 = eigenvalues.iter().map(|&value| share(value)).sum();
    let reward = Prior::USUAL.reward(noise);
    let priors = Prior::USUAL.coefficients(eigenvalues);
    let one = |(&value, prior): (&f64, f64)| {
        let share = share(value) / total;
        let signal = people * people * value * share / (sigma * sigma + people * reward * share);
        value * prior / (1.0 + prior * signal)
    };
    let missed = left(eigenvalues) * priors.iter().fold(f64::INFINITY, |a, &b| a.min(b));
    missed + eigenvalues.iter().zip(priors).map(one).sum::<f64>()
}
