//! What the agent believes after some reports: where people are, how rewards depend on the context, and which
//! sources to trust.

use std::sync::Arc;

use reticent_protocol::contextual::Spec;
use serde::{Deserialize, Serialize};

use super::kernel::{Amplitudes, Basis, Kernel, LENGTHS, START, Shape};
use super::mass::masses;
use super::posterior::{Blurred, Posterior, System};
use super::statistics::Statistics;
use super::structure::{Structure, Structures};
use super::trust::{Trust, hypotheses};
use super::worth::Unknown;
use crate::linear::dot;

/// Amplitudes that are looked at: a part below the first is as good as none, and the prior deviation of a reward
/// function that nobody knows anything about.
const SMALLEST: f64 = 0.01;
const LARGEST_AMPLITUDE: f64 = 1.5;
const UNKNOWN: f64 = 0.5;
const STEPS: [f64; 3] = [0.6, 1.6, 0.1];
/// Log-prior of a shape: so much for an e-fold of an amplitude, and for each step of a length, squared.
const AMPLITUDE_PENALTY: f64 = 0.3;
const LENGTH_PENALTY: f64 = 0.3;
/// Prior precision of the common level: a deviation of 1/2.
const LEVEL_PRECISION: f64 = 4.0;
/// No posterior mean gets there, whatever the statistics that a document may hold; its square is still a number.
const LARGEST: f64 = 1e40;
/// Structures that are less probable are left out of a mean.
const NEGLIGIBLE: f64 = 1e-6;
/// Axes that one refresh tries to change; the others have their turn later.
const AXES_A_TURN: usize = 2;

/// All that the next policy is made of, apart from the statistics.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Belief {
    pub(super) shape: Shape,
    pub(super) level: f64,
    /// The share of people in each cell: of the target, and of each source.
    pub(super) masses: Vec<f64>,
    pub(super) source_masses: Vec<Vec<f64>>,
    /// Each arm's mean and deviation on the cells, under the likeliest hypothesis about the sources.
    pub(super) mean: Vec<Vec<f64>>,
    pub(super) deviation: Vec<Vec<f64>>,
    pub(super) trust: Vec<Trust>,
    /// How much of the context matters.
    #[serde(default)]
    pub(super) structures: Structures,
    /// The axis whose turn it is.
    turn: usize,
}

/// What an update learns from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Data<'a> {
    pub(super) target: &'a Statistics,
    pub(super) sources: &'a [Statistics],
    /// Whether the sources' statistics have changed since the last update.
    pub(super) fresh_sources: bool,
}

/// The sources' observations in the basis of a shape: they stay the same while the target's people come.
#[derive(Debug, Default)]
pub(super) struct Remembered(Option<(Vec<usize>, OfSources)>);

/// The observations of each source and arm.
type OfSources = Arc<Vec<Vec<System>>>;

/// A basis, and the target's observations of each arm in it.
type InBasis = (Basis, Vec<System>);

/// All observations in one basis.
pub(super) struct Systems {
    pub(super) basis: Basis,
    amplitudes: Amplitudes,
    level: f64,
    target: Vec<System>,
    sources: OfSources,
}

impl Belief {
    pub(super) fn new(spec: &Spec, kernel: &Kernel) -> Belief {
        let (cells, arms) = (spec.grid().cells(), spec.arms() as usize);
        let even = vec![1.0 / cells as f64; cells];
        Belief {
            shape: kernel.start(),
            level: 0.0,
            masses: even.clone(),
            source_masses: vec![even; spec.sources().len()],
            mean: vec![vec![0.0; cells]; arms],
            deviation: vec![vec![UNKNOWN; cells]; arms],
            trust: hypotheses(spec.sources().len()),
            structures: Structures::default(),
            turn: 0,
        }
    }

    /// Learns again from all statistics; `reshape` says whether masses, lengths and amplitude may change too.
    pub(super) fn update(
        &mut self,
        spec: &Spec,
        kernel: &Kernel,
        data: Data<'_>,
        reshape: bool,
        remembered: &mut Remembered,
    ) -> Systems {
        let cells = spec.grid().cells();
        if reshape {
            self.masses = masses(kernel, data.target, cells);
        }
        if data.fresh_sources {
            self.source_masses = data.sources.iter().map(|source| masses(kernel, source, cells)).collect();
        }
        self.level = self.common_level(spec, data);
        let mut known = None;
        if reshape {
            (self.shape, known) = self.better_shape(spec, kernel, data);
            self.turn = (self.turn + AXES_A_TURN) % kernel.axes().max(1);
        }
        let (basis, target) = known.unwrap_or_else(|| {
            let basis = kernel.basis(&self.shape.lengths);
            let target = self.of_target(&basis, data.target);
            (basis, target)
        });
        let sources = match remembered.0.take() {
            Some((lengths, sources)) if lengths == self.shape.lengths && !data.fresh_sources => sources,
            _ => Arc::new(self.of_sources(spec, &basis, data.sources, |_| true)),
        };
        remembered.0 = Some((self.shape.lengths.clone(), Arc::clone(&sources)));
        let amplitudes = self.shape.amplitudes;
        let systems = Systems { target, basis, amplitudes, level: self.level, sources };
        systems.weigh(&mut self.trust);
        let weights = &self.trust[self.likeliest()].weights;
        self.structures = systems.weigh_structures(weights, log_prior(&self.shape));
        (self.mean, self.deviation) = systems.mixture(weights, self.structures, cells);
        systems
    }

    /// The best of the shape and its neighbours, by evidence: of the lengths first, and of amplitudes then; with the
    /// target's observations in its basis.
    fn better_shape(&self, spec: &Spec, kernel: &Kernel, data: Data<'_>) -> (Shape, Option<InBasis>) {
        let trusted = &self.trust[self.likeliest()].weights;
        let systems = |shape: &Shape| {
            let basis = kernel.basis(&shape.lengths);
            let target = self.of_target(&basis, data.target);
            let sources =
                Arc::new(self.of_sources(spec, &basis, data.sources, |source| trusted[source] > 0.0));
            Systems { basis, amplitudes: shape.amplitudes, level: self.level, target, sources }
        };
        let mut shape = self.shape.clone();
        let mut best = systems(&shape);
        let mut value = best.evidence(trusted, &shape.amplitudes) + log_prior(&shape);
        for other in self.other_lengths(kernel) {
            let systems = systems(&other);
            let evidence = systems.evidence(trusted, &other.amplitudes) + log_prior(&other);
            if evidence > value {
                (value, shape, best) = (evidence, other, systems);
            }
        }
        let shape = best.better_amplitudes(trusted, shape, value);
        (shape, Some((best.basis, best.target)))
    }

    /// The target's observations of each arm.
    fn of_target(&self, basis: &Basis, target: &Statistics) -> Vec<System> {
        target.arms.iter().map(|sums| System::new(basis, &self.masses, sums)).collect()
    }

    /// The sources' observations of each arm, whose people got it with the declared probability.
    fn of_sources(
        &self,
        spec: &Spec,
        basis: &Basis,
        sources: &[Statistics],
        is_needed: impl Fn(usize) -> bool,
    ) -> Vec<Vec<System>> {
        let system = |source: usize, arm: usize| {
            if !is_needed(source) {
                return System::empty(basis.rank);
            }
            let share = spec.sources()[source].behaviour[arm];
            let weighted: Vec<f64> = self.source_masses[source].iter().map(|mass| mass * share).collect();
            System::new(basis, &weighted, &sources[source].arms[arm])
        };
        let arms = spec.arms() as usize;
        (0..sources.len()).map(|source| (0..arms).map(|arm| system(source, arm)).collect()).collect()
    }

    /// The likeliest hypothesis about the sources.
    pub(super) fn likeliest(&self) -> usize {
        let best = (0..self.trust.len())
            .max_by(|&a, &b| self.trust[a].probability.total_cmp(&self.trust[b].probability));
        best.unwrap_or(0)
    }

    /// The mean reward over everything seen and trusted, as a sign: the prior mean of all arms.
    fn common_level(&self, spec: &Spec, Data { target, sources, .. }: Data<'_>) -> f64 {
        let (mut total, mut precision) = (0.0, LEVEL_PRECISION);
        let mut take =
            |statistics: &Statistics, masses: &[f64], weight: f64, share: &dyn Fn(usize) -> f64| {
                for (arm, sums) in statistics.arms.iter().enumerate() {
                    let masses: Vec<f64> = masses.iter().map(|mass| mass * share(arm)).collect();
                    total += weight * dot(&masses, &sums.moments(&masses));
                    for (cell, mass) in masses.iter().enumerate() {
                        precision += weight * mass * dot(sums.gram_row(cell), &masses);
                    }
                    for [alone, moment] in sums.alone() {
                        precision += weight * alone;
                        total += weight * moment;
                    }
                }
            };
        take(target, &self.masses, 1.0, &|_| 1.0);
        let trusted = &self.trust[self.likeliest()].weights;
        for (number, source) in sources.iter().enumerate() {
            let behaviour = &spec.sources()[number].behaviour;
            take(source, &self.source_masses[number], trusted[number], &|arm| behaviour[arm]);
        }
        total / precision
    }

    /// Shapes whose lengths are one step away, or flat, for the axes whose turn it is.
    fn other_lengths(&self, kernel: &Kernel) -> Vec<Shape> {
        let mut shapes = Vec::new();
        let axes = (0..kernel.axes().min(AXES_A_TURN)).map(|i| (self.turn + i) % kernel.axes());
        for axis in axes.filter(|&axis| kernel.matters(axis)) {
            let length = self.shape.lengths[axis];
            let flat = LENGTHS.len() - 1;
            let near = [length.checked_sub(1), Some(length + 1).filter(|&l| l < flat)];
            for other in near.into_iter().flatten().chain((length < flat).then_some(flat)) {
                let mut shape = self.shape.clone();
                shape.lengths[axis] = other;
                shapes.push(shape);
            }
        }
        shapes
    }

    pub(super) fn is_possible(&self, spec: &Spec) -> bool {
        let (cells, arms, sources) = (spec.grid().cells(), spec.arms() as usize, spec.sources().len());
        let table = |rows: &[Vec<f64>], many: usize| {
            rows.len() == many
                && rows.iter().all(|row| row.len() == cells && row.iter().all(|x| x.abs() <= LARGEST))
        };
        let shares = |masses: &Vec<f64>| {
            masses.iter().all(|&mass| mass > 0.0) && (masses.iter().sum::<f64>() - 1.0).abs() < 1e-6
        };
        self.shape.lengths.len() == spec.grid().sizes().len()
            && self.shape.lengths.iter().all(|&length| length < LENGTHS.len())
            && self.shape.amplitudes.clone().all().iter().all(|amplitude| (0.0..=2.0).contains(*amplitude))
            && self.level.abs() <= LARGEST
            && self.turn < self.shape.lengths.len().max(1)
            && table(std::slice::from_ref(&self.masses), 1)
            && table(&self.source_masses, sources)
            && table(&self.mean, arms)
            && table(&self.deviation, arms)
            && [&self.masses].into_iter().chain(&self.source_masses).all(shares)
            && self.trust.len() == hypotheses(sources).len()
            && self.trust.iter().all(|trust| trust.is_possible(sources))
            && self.structures.is_possible()
    }
}

/// The preference for shapes near the start, before any evidence.
fn log_prior(shape: &Shape) -> f64 {
    let (mut found, mut start) = (shape.amplitudes, Amplitudes::default());
    let amplitude = |(a, b): (&mut f64, &mut f64)| {
        let distance = libm::log(a.max(SMALLEST) / b.max(SMALLEST));
        distance * distance
    };
    let amplitudes: f64 = found.all().into_iter().zip(start.all()).map(amplitude).sum();
    let lengths: f64 = shape
        .lengths
        .iter()
        .map(|&length| (length as f64 - START as f64) * (length as f64 - START as f64))
        .sum();
    -AMPLITUDE_PENALTY * amplitudes - LENGTH_PENALTY * lengths
}

impl Systems {
    /// Each arm's observations: the target's, and the sources' with these weights.
    fn combined(&self, weights: &[f64], with_target: bool) -> Vec<System> {
        let arm = |arm: usize| {
            let mut system =
                if with_target { self.target[arm].clone() } else { System::empty(self.basis.rank) };
            for (source, &weight) in self.sources.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
                system.add(weight, &source[arm]);
            }
            system
        };
        (0..self.target.len()).map(arm).collect()
    }

    /// The evidence of the target and the sources with these weights, if the parts of a function were so large.
    fn evidence(&self, weights: &[f64], amplitudes: &Amplitudes) -> f64 {
        self.evidence_of(&self.blurred(self.combined(weights, true), amplitudes), amplitudes)
    }

    fn evidence_of(&self, systems: &[Blurred], amplitudes: &Amplitudes) -> f64 {
        systems.iter().map(|system| system.posterior(&self.basis, amplitudes, self.level).evidence()).sum()
    }

    fn blurred(&self, systems: Vec<System>, amplitudes: &Amplitudes) -> Vec<Blurred> {
        let own = amplitudes.own * amplitudes.own;
        systems.into_iter().map(|system| system.blurred(&self.basis, own)).collect()
    }

    /// The best of the amplitudes and their neighbours, one part after the other.
    fn better_amplitudes(&self, weights: &[f64], mut shape: Shape, mut value: f64) -> Shape {
        let mut blurred = self.blurred(self.combined(weights, true), &shape.amplitudes);
        for part in 0..shape.amplitudes.all().len() {
            let now = shape.clone();
            for step in STEPS {
                let mut other = now.clone();
                let amplitude = &mut *other.amplitudes.all()[part];
                *amplitude = (*amplitude * step).clamp(SMALLEST, LARGEST_AMPLITUDE);
                if other.amplitudes.own != now.amplitudes.own {
                    blurred = self.blurred(self.combined(weights, true), &other.amplitudes);
                }
                let evidence = self.evidence_of(&blurred, &other.amplitudes) + log_prior(&other);
                if evidence > value {
                    (value, shape) = (evidence, other);
                }
            }
        }
        shape
    }

    /// Each arm's posterior with these weights of the sources, if rewards depend on so much.
    pub(super) fn posteriors(&self, weights: &[f64], structure: Structure) -> Vec<Posterior> {
        let amplitudes = structure.of(&self.amplitudes);
        let of = |system: &Blurred| system.posterior(&self.basis, &amplitudes, self.level);
        self.blurred(self.combined(weights, true), &amplitudes).iter().map(of).collect()
    }

    /// What is not known of an arm, on average over arms.
    pub(super) fn unknown(&self, weights: &[f64], structure: Structure, masses: &[f64]) -> Unknown {
        let amplitudes = structure.of(&self.amplitudes);
        let observed = self.blurred(self.combined(weights, true), &amplitudes);
        let scales = self.basis.scales(&amplitudes);
        Unknown::new(&self.basis, &scales, &Blurred::mean_precision(&observed, &scales), masses)
    }

    /// How well each structure foresees the reports; a shape was chosen by them, which the arms alone do not need.
    fn weigh_structures(&self, weights: &[f64], penalty: f64) -> Structures {
        let evidence = |structure: Structure| {
            let penalty = if structure == Structure::Arm { 0.0 } else { penalty };
            self.evidence(weights, &structure.of(&self.amplitudes)) + penalty
        };
        Structures::weighed(Structure::ALL.map(evidence))
    }

    /// Each arm's mean and deviation on the cells, whatever rewards depend on.
    fn mixture(
        &self,
        weights: &[f64],
        structures: Structures,
        cells: usize,
    ) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
        let arms = self.target.len();
        let (mut means, mut squares) = (vec![vec![0.0; cells]; arms], vec![vec![0.0; cells]; arms]);
        for (structure, probability) in structures.each().filter(|(_, probability)| *probability > NEGLIGIBLE)
        {
            for (arm, posterior) in self.posteriors(weights, structure).iter().enumerate() {
                let (mean, deviation) = (posterior.mean(&self.basis), posterior.deviation(&self.basis));
                for cell in 0..cells {
                    means[arm][cell] += probability * mean[cell];
                    squares[arm][cell] +=
                        probability * (mean[cell] * mean[cell] + deviation[cell] * deviation[cell]);
                }
            }
        }
        for (mean, square) in means.iter().flatten().zip(squares.iter_mut().flatten()) {
            *square = (*square - mean * mean).max(0.0).sqrt();
        }
        (means, squares)
    }

    /// How well each hypothesis about the sources predicted the target's reports: not how well the sources agree among
    /// themselves, or two that lie alike would outvote the target.
    fn weigh(&self, trust: &mut [Trust]) {
        let foreseen = |weights: &[f64]| {
            let before = self.blurred(self.combined(weights, false), &self.amplitudes);
            self.evidence(weights, &self.amplitudes) - self.evidence_of(&before, &self.amplitudes)
        };
        if trust.len() == 1 {
            return;
        }
        let scores: Vec<f64> = trust.iter().map(|t| libm::log(t.prior) + foreseen(&t.weights)).collect();
        let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = scores.iter().map(|score| libm::exp(score - highest)).sum();
        for (trust, score) in trust.iter_mut().zip(scores) {
            trust.probability = libm::exp(score - highest) / total;
        }
    }

    /// What the target and each source know, in all arms together, if fully trusted.
    pub(super) fn information(&self) -> (f64, Vec<f64>) {
        let of = |systems: &[System]| systems.iter().map(|system| system.information(&self.basis)).sum();
        (of(&self.target), self.sources.iter().map(|source| of(source)).collect())
    }
}
