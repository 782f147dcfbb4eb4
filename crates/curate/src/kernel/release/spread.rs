//! Where people are and which actions they got, from the released numbers: post-processing.
//!
//! Public points stand for what is declared. They get new weights, as near to the declared ones (in relative entropy)
//! as what was released allows: first for contexts, then for actions given contexts. How far weights may stray is
//! decided by the evidence, and is never less than what chance does to so many people. So nothing is paid for where
//! people come as declared, and where they do not it is seen, and said.

use faer::Mat;

use super::Sketch;
use super::reading::Observed;
use crate::kernel::algebra::{self, Singular};
use crate::kernel::{Points, blocks};

/// Public points that stand for people, and for more people than `MANY`, whose noise is less than what so few points
/// are off by.
const POINTS: usize = 4096;
const MORE_POINTS: usize = 8192;
const MANY: u64 = 250_000;
/// Steps of the search for weights; it takes ten at most.
const STEPS: usize = 40;
/// Directions with a smaller share of the largest variance than this cannot be told from nothing.
const NOTHING: f64 = 1e-10;

/// How far people are from what is declared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Departure {
    /// The typical relative change of a density, about: its root mean square.
    pub size: f64,
    /// The logarithm of how much likelier the released numbers are than if all were as declared.
    pub evidence: f64,
}

impl Departure {
    const NONE: Departure = Departure { size: 0.0, evidence: 0.0 };

    /// Whether the released numbers say so: at least twenty times likelier than as declared.
    pub fn is_seen(&self) -> bool {
        self.evidence > 3.0
    }
}

/// Weighted points that stand for the people of a log, with how well that is known.
pub(super) struct Spread {
    pub(super) points: Points,
    /// Weights, of sum one.
    pub(super) weights: Vec<f64>,
    /// Of each point, the root of its weight times features that are centred, in units of their noise and turned so
    /// that they are not correlated ...
    pub(super) turned: Mat<f64>,
    /// ... with these variances.
    pub(super) variances: Vec<f64>,
    /// How far weights may have strayed: a prior variance in units of the features' own.
    pub(super) stray: f64,
    pub(super) contexts: Departure,
    pub(super) actions: Departure,
    /// The density relative to what is declared is the exponential of waves with these coefficients, about.
    pub(super) slopes: Mat<f64>,
}

impl Spread {
    /// The likely weights.
    pub(super) fn read(sketch: &Sketch, seen: &Observed, threads: usize) -> Result<Spread, Singular> {
        let parts = sketch.parts();
        let count = if sketch.people() > MANY { MORE_POINTS } else { POINTS };
        let points = sketch.population().points(sketch.setting(), 0..count);
        let rows = parts.waves.rows(&points, parts.places.len());
        let features = rows.subcols(1, 2 * parts.places.len()).to_owned();
        let actions = sketch.setting().actions();
        let still = |wave: usize| parts.waves.frequencies()[wave][..actions].iter().all(|&count| count == 0);
        let alone: Vec<usize> = (0..features.ncols()).filter(|column| still(column / 2)).collect();
        let mut tilt = Tilt { logarithms: vec![0.0; count], people: sketch.people() as f64, threads };
        let mut slopes = Mat::zeros(1 + features.ncols(), 1);
        let mut contexts = Departure::NONE;
        if !alone.is_empty() {
            let some = Mat::from_fn(count, alone.len(), |i, j| features[(i, alone[j])]);
            let pick = |values: &[f64]| alone.iter().map(|&column| values[column]).collect::<Vec<f64>>();
            let found = tilt.towards(&some, &pick(&seen.places), &pick(&seen.places_noise))?;
            contexts = found.departure;
            alone.iter().enumerate().for_each(|(i, &column)| slopes[(1 + column, 0)] += found.slopes[(i, 0)]);
        }
        let Tilted { departure: actions, stray, slopes: more } =
            tilt.towards(&features, &seen.places, &seen.places_noise)?;
        (0..more.nrows()).for_each(|column| slopes[(1 + column, 0)] += more[(column, 0)]);
        let weights = tilt.weights();
        let centred = centred(&features, &weights);
        let scaled =
            Mat::from_fn(count, features.ncols(), |i, j| centred[(i, j)] / seen.places_noise[j].sqrt());
        let (variances, vectors) = algebra::eigen(gram(&scaled, threads).as_ref())?;
        let turned = algebra::times(scaled.as_ref(), vectors.as_ref());
        Ok(Spread { points, weights, turned, variances, stray, contexts, actions, slopes })
    }

    /// What a direction's being unknown adds to the variance of sums over people, in place of what chance does: a
    /// factor of the squared share of the sum that goes along it.
    pub(super) fn excess(&self, people: f64) -> Vec<f64> {
        let most = self.variances.iter().fold(0.0_f64, |a, &b| a.max(b));
        let one = |&variance: &f64| {
            if variance <= NOTHING * most {
                return 0.0;
            }
            (people * people * self.stray / (1.0 + self.stray * variance) - people) / variance
        };
        self.variances.iter().map(one).collect()
    }
}

/// Features less their mean, times the roots of the weights.
fn centred(features: &Mat<f64>, weights: &[f64]) -> Mat<f64> {
    let mut out = features.clone();
    for (column, before) in out.col_iter_mut().zip(features.col_iter()) {
        let mean: f64 = before.iter().zip(weights).map(|(x, weight)| x * weight).sum();
        column.iter_mut().zip(weights).for_each(|(x, weight)| *x = (*x - mean) * weight.sqrt());
    }
    out
}

/// a' a.
fn gram(rows: &Mat<f64>, threads: usize) -> Mat<f64> {
    let size = rows.ncols();
    let start = || Mat::<f64>::zeros(size, size);
    let parts = blocks::fold(rows.nrows(), threads, start, |sum, numbers| {
        algebra::add_gram(sum.as_mut(), rows.subrows(numbers.start, numbers.len()));
    });
    let mut sum = parts.into_iter().reduce(|a, b| a + b).unwrap_or_else(start);
    algebra::mirror(sum.as_mut());
    sum
}

/// Weights under way.
struct Tilt {
    logarithms: Vec<f64>,
    people: f64,
    threads: usize,
}

/// What was found on the way to new weights.
struct Tilted {
    departure: Departure,
    stray: f64,
    /// By how much the logarithm of a weight goes with each feature.
    slopes: Mat<f64>,
}

impl Tilt {
    fn weights(&self) -> Vec<f64> {
        weights(&self.logarithms).0
    }

    /// Moves the weights so that the features' means come as near to `means` as their noise and the evidence say.
    /// Returns how far people are from the weights before, and how far these were allowed to stray.
    fn towards(&mut self, features: &Mat<f64>, means: &[f64], noise: &[f64]) -> Result<Tilted, Singular> {
        let (stray, evidence) = self.stray(features, means, noise)?;
        let size = means.len();
        let mut slopes = Mat::<f64>::zeros(size, 1);
        for _ in 0..STEPS {
            let (now, _) = weights(&self.moved(features, &slopes));
            let mut gradient = Mat::from_fn(size, 1, |j, _| noise[j] / stray * slopes[(j, 0)] - means[j]);
            let shares = Mat::from_fn(now.len(), 1, |i, _| now[i]);
            algebra::add_product(gradient.as_mut(), features.transpose(), shares.as_ref());
            let mut curvature = gram(&centred(features, &now), self.threads);
            (0..size).for_each(|j| curvature[(j, j)] += noise[j] / stray);
            let lower = algebra::cholesky(curvature.as_ref())?;
            let mut step = gradient.clone();
            algebra::solve_lower(lower.as_ref(), step.as_mut());
            algebra::solve_upper(lower.as_ref(), step.as_mut());
            let fall: f64 = (0..size).map(|j| step[(j, 0)] * gradient[(j, 0)]).sum();
            if fall < 1e-9 {
                break;
            }
            let height = |slopes: &Mat<f64>| self.height(features, slopes, means, noise, stray);
            let (before, mut pace) = (height(&slopes), 1.0);
            while height(&(&slopes - faer::Scale(pace) * &step)) > before - 0.3 * pace * fall && pace > 1e-4 {
                pace /= 2.0;
            }
            slopes = &slopes - faer::Scale(pace) * &step;
        }
        self.logarithms = self.moved(features, &slopes);
        let departure = Departure { size: (stray - 1.0 / self.people).max(0.0).sqrt(), evidence };
        Ok(Tilted { departure, stray, slopes })
    }

    fn moved(&self, features: &Mat<f64>, slopes: &Mat<f64>) -> Vec<f64> {
        let along = algebra::times(features.as_ref(), slopes.as_ref());
        self.logarithms.iter().zip(along.col(0).iter()).map(|(a, b)| a + b).collect()
    }

    /// What is made least.
    fn height(
        &self,
        features: &Mat<f64>,
        slopes: &Mat<f64>,
        means: &[f64],
        noise: &[f64],
        stray: f64,
    ) -> f64 {
        let sum = weights(&self.moved(features, slopes)).1;
        let each = slopes.col(0).iter().zip(means.iter().zip(noise));
        sum + each.map(|(slope, (mean, noise))| slope * (0.5 * noise / stray * slope - mean)).sum::<f64>()
    }

    /// How far weights may stray, and the logarithm of how much likelier the best is than what chance alone does.
    fn stray(&self, features: &Mat<f64>, means: &[f64], noise: &[f64]) -> Result<(f64, f64), Singular> {
        let now = self.weights();
        let scaled = centred(features, &now);
        let scaled = Mat::from_fn(scaled.nrows(), scaled.ncols(), |i, j| scaled[(i, j)] / noise[j].sqrt());
        let (variances, vectors) = algebra::eigen(gram(&scaled, self.threads).as_ref())?;
        let off = |(j, column): (usize, faer::ColRef<'_, f64>)| {
            let mean: f64 = column.iter().zip(&now).map(|(x, weight)| x * weight).sum();
            (means[j] - mean) / noise[j].sqrt()
        };
        let off: Vec<f64> = features.col_iter().enumerate().map(off).collect();
        let off = algebra::times(vectors.transpose(), Mat::from_fn(off.len(), 1, |j, _| off[j]).as_ref());
        let chance = 1.0 / self.people;
        let grid =
            (-8..=4).map(|half| libm::pow(10.0, f64::from(half) / 2.0)).filter(|stray| *stray > chance);
        let grid: Vec<f64> = std::iter::once(chance).chain(grid).collect();
        let likelihood = |stray: &f64| {
            let one = |(variance, off): (&f64, &f64)| {
                let spread = 1.0 + stray * variance;
                -0.5 * (off * off / spread + libm::log(spread))
            };
            variances.iter().zip(off.col(0).iter()).map(one).sum::<f64>()
        };
        let likelihoods: Vec<f64> = grid.iter().map(likelihood).collect();
        let most = likelihoods.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
        let shares: Vec<f64> = likelihoods.iter().map(|one| libm::exp(one - most)).collect();
        let total: f64 = shares.iter().sum();
        let mean: f64 =
            shares.iter().zip(&grid).map(|(share, stray)| share / total * libm::log(*stray)).sum();
        Ok((libm::exp(mean), most - likelihoods[0]))
    }
}

/// Weights of sum one, and the logarithm of their sum before.
fn weights(logarithms: &[f64]) -> (Vec<f64>, f64) {
    let most = logarithms.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
    let raised: Vec<f64> = logarithms.iter().map(|x| libm::exp(x - most)).collect();
    let total: f64 = raised.iter().sum();
    (raised.into_iter().map(|x| x / total).collect(), most + libm::log(total))
}
