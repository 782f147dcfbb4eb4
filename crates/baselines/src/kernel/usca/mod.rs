//! `usca`: uniform sampling with covariance approximation, Algorithm 1 of paper 002.
//!
//! Faithful in what it computes: uniform queries, an approximating set Z of T K points with K =
//! `ceil(T/gamma_T)`, the estimator (4) and the surrogate variance (5), and the exponential mechanism with m
//! = 2 B sup sigma-bar^2. Three things the paper leaves open or gets wrong are mended so that its guarantee
//! holds for what the program computes (`guarantee.md`): the supremum is made true by clipping, rewards are
//! clipped, and the action is drawn exactly from a finite public list. One epsilon buys one prediction.

use faer::Mat;
use reticent_privacy::mechanism::{ExponentialMechanism, Mechanism};
use reticent_privacy::{Epsilon, Generator, Guarantee, Loss, SimSeed, Stream, VectorError, VectorSum};

use super::Gain;
use reticent_curate::kernel::algebra::{self, Singular};
use reticent_curate::kernel::{FeatureMap, KernelSpec, Points, Population, Records, blocks};

#[cfg(test)]
mod tests;

/// What the paper leaves to the user.
#[derive(Debug, Clone, PartialEq)]
pub struct UscaSpec {
    /// The variance of the fictitious noise, for rewards in [-1, 1].
    pub tau: f64,
    /// The loss of one prediction.
    pub epsilon: Epsilon,
    /// The actions to choose from, scaled: public.
    pub candidates: Points,
    /// Z has T K points but no more than this, for experiments; `usize::MAX` is the paper's.
    pub most_approximating: usize,
}

/// The algorithm's state: public but for the sum. A clone's predictions cost as much again.
#[derive(Debug, Clone)]
pub struct Usca {
    spec: UscaSpec,
    setting: KernelSpec,
    map: FeatureMap,
    /// k(w, P) times this is psi(w)/s with psi = Z~^(-1/2) phi and s^2 the supremum of sigma-bar^2.
    transform: Mat<f64>,
    supremum: f64,
    gain: Gain,
    approximating: usize,
    sum: VectorSum,
    predictions: u64,
    threads: usize,
}

/// Candidates for the feature map and for the supremum.
const PUBLIC: usize = 4096;
const TOLERANCE: f64 = 1e-9;

impl Usca {
    /// Draws Z from `coins`, which are the algorithm's own and public, and builds the estimator for T = `people`.
    pub fn new(
        setting: &KernelSpec,
        population: &Population,
        people: usize,
        spec: UscaSpec,
        coins: SimSeed,
        threads: usize,
    ) -> Result<Usca, Singular> {
        let public = population.points(setting, 0..PUBLIC).then(&corners(setting.inputs()));
        let map = FeatureMap::pivoted(setting.kernel(), &public, setting.draft().kernel.rank, TOLERANCE);
        let t = people as f64;
        let even = map.gram(people, threads, |places| population.points(setting, places));
        let gain = Gain::new(&map, &even, &public.range(0..PUBLIC.min(1024)), t, spec.tau)?;
        // The smaller gamma gives the larger set, with which the paper's lemmas hold as well.
        let copies = (t / gain.even).ceil().max(1.0) as usize;
        let approximating = (people * copies).min(spec.most_approximating).max(1);
        let drawn = |places: std::ops::Range<usize>| draw(setting, population, coins, places);
        let covariance = faer::Scale(t / approximating as f64) * map.gram(approximating, threads, drawn);
        Usca::of_covariance(setting, map, covariance, gain, approximating, spec, &public, threads)
    }

    #[allow(clippy::too_many_arguments, reason = "the one place where the parts meet")]
    fn of_covariance(
        setting: &KernelSpec,
        map: FeatureMap,
        mut covariance: Mat<f64>,
        gain: Gain,
        approximating: usize,
        spec: UscaSpec,
        public: &Points,
        threads: usize,
    ) -> Result<Usca, Singular> {
        for i in 0..map.rank() {
            covariance[(i, i)] += spec.tau;
        }
        let whitening = algebra::invert_lower(algebra::cholesky(covariance.as_ref())?.as_ref());
        let unscaled = map.then(whitening.transpose());
        let variances = variances(&map.mapped(public, unscaled.as_ref()));
        let supremum = variances.into_iter().fold(f64::MIN_POSITIVE, f64::max);
        let transform = faer::Scale(1.0 / supremum.sqrt()) * unscaled;
        let sum = VectorSum::new(map.rank());
        let setting = setting.clone();
        Ok(Usca {
            spec,
            setting,
            map,
            transform,
            supremum,
            gain,
            approximating,
            sum,
            predictions: 0,
            threads,
        })
    }

    /// Adds what people with uniform actions gave.
    pub fn add(&mut self, records: &Records) -> Result<(), VectorError> {
        blocks::add_contributions(&mut self.sum, records, self.threads, |points| {
            self.map.mapped(points, self.transform.as_ref())
        })
    }

    /// One action for one context in the unit cube, by the exponential mechanism. Every call costs epsilon.
    pub fn predict<G: Generator>(&mut self, context: &[f64], rng: &mut G) -> Result<Vec<f64>, VectorError> {
        let scores = self.sum.scores_in_ball(&self.directions(context))?;
        self.predictions += 1;
        let chosen = ExponentialMechanism::new(self.spec.epsilon).release_with(scores, rng);
        Ok(self.spec.candidates.point(chosen))
    }

    /// psi(x, c)/s for each candidate x.
    fn directions(&self, context: &[f64]) -> Vec<Vec<f64>> {
        let mut points = Points::new(self.setting.inputs());
        for number in 0..self.spec.candidates.len() {
            points.push(&[self.spec.candidates.point(number).as_slice(), context].concat());
        }
        let rows = self.map.mapped(&points, self.transform.as_ref());
        rows.row_iter().map(|row| row.iter().copied().collect()).collect()
    }

    /// What all predictions so far promise together; before the first, what it will.
    pub fn guarantee(&self) -> Guarantee {
        promise(self.spec.epsilon, self.predictions.max(1))
    }

    /// gamma_T.
    pub fn gain(&self) -> Gain {
        self.gain
    }

    /// The size of Z.
    pub fn approximating(&self) -> usize {
        self.approximating
    }

    /// The supremum of sigma-bar^2 to which features are clipped.
    pub fn supremum(&self) -> f64 {
        self.supremum
    }

    /// How many features there are.
    pub fn rank(&self) -> usize {
        self.map.rank()
    }
}

/// What so many predictions promise together.
pub fn promise(epsilon: Epsilon, predictions: u64) -> Guarantee {
    let all = Epsilon::from_nano(epsilon.nano().saturating_mul(predictions));
    Guarantee::central(
        all.map_or(Loss::Unbounded, |epsilon| Loss::Pure { epsilon }),
        "one person's context and reward",
        "logs in which one person's context and reward are replaced; actions are drawn without looking and may be known",
        "crates/baselines/src/kernel/usca/guarantee.md",
    )
}

/// The squared length of each row: sigma-bar^2.
fn variances(rows: &Mat<f64>) -> Vec<f64> {
    rows.row_iter().map(|row| row.iter().map(|entry| entry * entry).sum()).collect()
}

/// The cube's corners, where variances are largest; of at most ten inputs, the rest at their middle.
fn corners(inputs: usize) -> Points {
    let mut points = Points::new(inputs);
    for corner in 0..1_usize << inputs.min(10) {
        let coordinate =
            |input: usize| if input < 10 { f64::from(u8::from(corner >> input & 1 == 1)) } else { 0.5 };
        points.push(&(0..inputs).map(coordinate).collect::<Vec<_>>());
    }
    points
}

/// The points of Z with these places: uniform actions and contexts of the population, from the algorithm's own coins.
fn draw(
    setting: &KernelSpec,
    population: &Population,
    coins: SimSeed,
    places: std::ops::Range<usize>,
) -> Points {
    let mut rng = coins.stream((places.start / blocks::BLOCK) as u64, Stream::Agent);
    let mut point = vec![0.0; setting.inputs()];
    let mut points = Points::new(setting.inputs());
    for _ in places {
        for coordinate in &mut point {
            *coordinate = unit(&mut rng);
        }
        if let Population::Sample(sample) = population
            && !sample.is_empty()
        {
            let one = sample.point((unit(&mut rng) * sample.len() as f64) as usize);
            point[setting.actions()..].copy_from_slice(&one);
        }
        points.push(&point);
    }
    points
}

/// A number in [0, 1).
fn unit(rng: &mut impl rand_core::Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 * libm::ldexp(1.0, -53)
}
