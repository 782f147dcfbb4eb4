//! All observations in the basis of a shape, and what follows from them: evidence, posteriors, what is believed.

use std::sync::Arc;

use reticent_privacy::SimRng;

use super::belief::LARGEST;
use super::blocks::Partition;
use super::kernel::Basis;
use super::posterior::{Blurred, Posterior, System};
use super::shape::{Amplitudes, Shape};
use super::structure::{Structure, Structures};
use super::trust::Trust;
use super::worth::Unknown;

/// Structures that are less probable are left out of a mean.
const NEGLIGIBLE: f64 = 1e-6;

/// The observations of each source and arm.
pub(super) type OfSources = Arc<Vec<Vec<System>>>;

/// All observations in one basis.
pub(super) struct Systems {
    pub(super) basis: Basis,
    pub(super) amplitudes: Amplitudes,
    pub(super) level: f64,
    pub(super) target: Vec<System>,
    pub(super) sources: OfSources,
    /// The same if rewards depend on blocks alone, for some cuts.
    pub(super) blocks: Vec<Partition>,
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
    pub(super) fn evidence(&self, weights: &[f64], amplitudes: &Amplitudes) -> f64 {
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
    pub(super) fn better_amplitudes(&self, weights: &[f64], mut shape: Shape, mut value: f64) -> Shape {
        let mut blurred = self.blurred(self.combined(weights, true), &shape.amplitudes);
        for part in 0..shape.amplitudes.all().len() {
            let now = shape.clone();
            for amplitudes in now.amplitudes.near(part) {
                let mut other = now.clone();
                other.amplitudes = amplitudes;
                if amplitudes.own != now.amplitudes.own {
                    blurred = self.blurred(self.combined(weights, true), &amplitudes);
                }
                let evidence = self.evidence_of(&blurred, &amplitudes) + other.log_prior();
                if evidence > value {
                    (value, shape) = (evidence, other);
                }
            }
        }
        shape
    }

    /// Each arm's posterior with these weights of the sources, if rewards depend on so much; of blocks, for one of the
    /// partitions.
    pub(super) fn posteriors(&self, weights: &[f64], structure: Structure, one: usize) -> Vec<OnCells<'_>> {
        if structure == Structure::Blocks
            && let Some(Partition { groups, systems }) = self.blocks.get(one)
        {
            let alone = systems.without_partitions(weights, structure).into_iter();
            return alone.map(|posterior| OnCells { posterior, basis: &systems.basis, groups }).collect();
        }
        let alone = self.without_partitions(weights, structure).into_iter();
        alone.map(|posterior| OnCells { posterior, basis: &self.basis, groups: &[] }).collect()
    }

    fn without_partitions(&self, weights: &[f64], structure: Structure) -> Vec<Posterior> {
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
    pub(super) fn weigh_structures(&self, weights: &[f64], penalty: f64, of_blocks: f64) -> Structures {
        let evidence = |structure: Structure| match structure {
            Structure::Blocks => of_blocks,
            Structure::Arm => self.evidence(weights, &structure.of(&self.amplitudes)),
            _ => self.evidence(weights, &structure.of(&self.amplitudes)) + penalty,
        };
        Structures::weighed(Structure::ALL.map(evidence))
    }

    /// Each arm's mean and deviation on the cells, whatever rewards depend on.
    pub(super) fn mixture(
        &self,
        weights: &[f64],
        structures: Structures,
        cells: usize,
    ) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
        let arms = self.target.len();
        let (mut means, mut squares) = (vec![vec![0.0; cells]; arms], vec![vec![0.0; cells]; arms]);
        for (structure, probability) in structures.each().filter(|(_, probability)| *probability > NEGLIGIBLE)
        {
            let alike = if structure == Structure::Blocks { self.blocks.len() } else { 1 };
            for one in 0..alike {
                let share = probability / alike as f64;
                for (arm, posterior) in self.posteriors(weights, structure, one).iter().enumerate() {
                    let (mean, deviation) = (posterior.mean(), posterior.deviation());
                    for cell in 0..cells {
                        means[arm][cell] += share * mean[cell];
                        squares[arm][cell] +=
                            share * (mean[cell] * mean[cell] + deviation[cell] * deviation[cell]);
                    }
                }
            }
        }
        for (mean, square) in means.iter_mut().flatten().zip(squares.iter_mut().flatten()) {
            *square = (*square - *mean * *mean).max(0.0).sqrt();
            // A damaged document may lead anywhere; what is saved of it can be read again.
            *mean = mean.clamp(-LARGEST, LARGEST);
        }
        (means, squares)
    }

    /// How well each hypothesis about the sources predicted the target's reports: not how well the sources agree among
    /// themselves, or two that lie alike would outvote the target.
    pub(super) fn weigh(&self, trust: &mut [Trust]) {
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

/// A posterior as a function on the cells, whatever it is a function on.
pub(super) struct OnCells<'a> {
    posterior: Posterior,
    basis: &'a Basis,
    /// For each cell its block; empty if there are none.
    groups: &'a [u32],
}

impl OnCells<'_> {
    fn mean(&self) -> Vec<f64> {
        self.on_cells(self.posterior.mean(self.basis))
    }

    fn deviation(&self) -> Vec<f64> {
        self.on_cells(self.posterior.deviation(self.basis))
    }

    /// A draw of it, with `spread` times its deviation.
    pub(super) fn sample(&self, spread: f64, rng: &mut SimRng) -> Vec<f64> {
        self.on_cells(self.posterior.sample(self.basis, spread, rng))
    }

    fn on_cells(&self, values: Vec<f64>) -> Vec<f64> {
        if self.groups.is_empty() {
            return values;
        }
        self.groups.iter().map(|&group| values[group as usize]).collect()
    }
}
