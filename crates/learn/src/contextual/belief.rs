//! What the agent believes after some reports: where people are, how rewards depend on the context, and which
//! sources to trust.

use std::sync::Arc;

use reticent_protocol::contextual::Spec;
use serde::{Deserialize, Serialize};

use super::blocks::{Gathered, PARTITIONS};
use super::cuts::Cuts;
use super::kernel::{Basis, Kernel};
use super::mass::masses;
use super::posterior::System;
use super::regrid::Regrid;
use super::shape::{LENGTHS, Shape};
use super::statistics::Statistics;
use super::structure::Structures;
use super::systems::{OfSources, Systems};
use super::trust::{Trust, hypotheses};
use crate::linear::dot;

/// The prior deviation of a reward function that nobody knows anything about.
const UNKNOWN: f64 = 0.5;
/// Prior precision of the common level: a deviation of 1/2.
const LEVEL_PRECISION: f64 = 4.0;
/// No posterior mean gets there, whatever the statistics that a document may hold; its square is still a number.
pub(super) const LARGEST: f64 = 1e40;
/// Axes that one refresh tries to change; the others have their turn later.
const AXES_A_TURN: usize = 2;

/// All that the next policy is made of, apart from the statistics.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Belief {
    pub(super) shape: Shape,
    pub(super) level: f64,
    /// The share of people in each cell if nothing else is known: what densities are relative to. Empty for as much in
    /// each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    even: Vec<f64>,
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
    /// Where numbers are cut, if blocks are what matters.
    #[serde(default)]
    cuts: Cuts,
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

/// A basis, and the target's observations of each arm in it.
type InBasis = (Basis, Vec<System>);

impl Belief {
    pub(super) fn new(spec: &Spec, kernel: &Kernel) -> Belief {
        let (cells, arms) = (kernel.cells(), spec.arms() as usize);
        let even = vec![1.0 / cells as f64; cells];
        Belief {
            shape: kernel.start(),
            level: 0.0,
            even: Vec::new(),
            masses: even.clone(),
            source_masses: vec![even; spec.sources().len()],
            mean: vec![vec![0.0; cells]; arms],
            deviation: vec![vec![UNKNOWN; cells]; arms],
            trust: hypotheses(spec.sources().len()),
            structures: Structures::default(),
            cuts: Cuts::new(kernel),
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
        let cells = kernel.cells();
        if reshape {
            self.masses = masses(kernel, data.target, &self.even());
        }
        if data.fresh_sources {
            let even = self.even();
            self.source_masses = data.sources.iter().map(|source| masses(kernel, source, &even)).collect();
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
        let blocks = Vec::new();
        let mut systems = Systems { target, basis, amplitudes, level: self.level, sources, blocks };
        systems.weigh(&mut self.trust);
        let weights = self.trust[self.likeliest()].weights.clone();
        let of_blocks = self.learn_blocks(spec, kernel, data, reshape, &mut systems);
        let weights = &weights;
        self.structures = systems.weigh_structures(weights, self.shape.log_prior(), of_blocks);
        (self.mean, self.deviation) = systems.mixture(weights, self.structures, cells);
        systems
    }

    /// The share of people in each cell if they were spread evenly.
    pub(super) fn even(&self) -> Vec<f64> {
        let cells = self.masses.len();
        if self.even.is_empty() { vec![1.0 / cells as f64; cells] } else { self.even.clone() }
    }

    /// The same of other cells. People are from now on taken to be spread as is believed today, unless more is learned.
    pub(super) fn moved(&self, way: &Regrid, old: &Kernel, new: &Kernel) -> Belief {
        let onwards =
            |functions: &[Vec<f64>]| functions.iter().map(|function| way.onwards(function)).collect();
        Belief {
            even: way.masses().to_vec(),
            masses: way.masses().to_vec(),
            mean: onwards(&self.mean),
            deviation: onwards(&self.deviation),
            cuts: self.cuts.moved(old, new),
            ..self.clone()
        }
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
            let blocks = Vec::new();
            Systems { basis, amplitudes: shape.amplitudes, level: self.level, target, sources, blocks }
        };
        let mut shape = self.shape.clone();
        let mut best = systems(&shape);
        let mut value = best.evidence(trusted, &shape.amplitudes) + shape.log_prior();
        for other in self.other_lengths(kernel) {
            let systems = systems(&other);
            let evidence = systems.evidence(trusted, &other.amplitudes) + other.log_prior();
            if evidence > value {
                (value, shape, best) = (evidence, other, systems);
            }
        }
        let shape = best.better_amplitudes(trusted, shape, value);
        (shape, Some((best.basis, best.target)))
    }

    /// Learns where numbers are cut and how much blocks differ if it may, makes partitions, and gives the evidence of
    /// all cuts together.
    fn learn_blocks(
        &mut self,
        spec: &Spec,
        kernel: &Kernel,
        data: Data<'_>,
        learn: bool,
        systems: &mut Systems,
    ) -> f64 {
        if !self.cuts.is_possible(kernel) {
            // Nothing stored: an agent of an earlier version.
            self.cuts = Cuts::new(kernel);
        }
        let trusted = self.trust[self.likeliest()].weights.clone();
        let gathered = Gathered::new(self, trusted, spec, kernel, data);
        let (mut cuts, mut amplitudes) = (self.cuts.clone(), self.shape.amplitudes);
        if learn {
            cuts.learn(|places, axis| gathered.evidence_along(places, axis, amplitudes));
        }
        let near = if learn { amplitudes.near_of_blocks() } else { vec![amplitudes] };
        let (evidence, found) = gathered.best_amplitudes(cuts.likeliest(), &near);
        amplitudes = found;
        let together = evidence + cuts.occam();
        systems.blocks = gathered.partitions(&cuts.spread(PARTITIONS), amplitudes);
        (self.cuts, self.shape.amplitudes, systems.amplitudes) = (cuts, amplitudes, amplitudes);
        together
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

    pub(super) fn is_possible(&self, spec: &Spec, cells: usize) -> bool {
        let (arms, sources) = (spec.arms() as usize, spec.sources().len());
        let table = |rows: &[Vec<f64>], many: usize| {
            rows.len() == many
                && rows.iter().all(|row| row.len() == cells && row.iter().all(|x| x.abs() <= LARGEST))
        };
        let shares = |masses: &Vec<f64>| {
            masses.iter().all(|&mass| mass > 0.0) && (masses.iter().sum::<f64>() - 1.0).abs() < 1e-6
        };
        self.shape.lengths.len() == spec.encoding().dimension()
            && self.shape.lengths.iter().all(|&length| length < LENGTHS.len())
            && self.shape.amplitudes.clone().all().iter().all(|amplitude| (0.0..=2.0).contains(*amplitude))
            && self.level.abs() <= LARGEST
            && self.turn < self.shape.lengths.len().max(1)
            && table(std::slice::from_ref(&self.masses), 1)
            && table(&self.source_masses, sources)
            && table(&self.mean, arms)
            && table(&self.deviation, arms)
            && [&self.masses].into_iter().chain(&self.source_masses).all(shares)
            && (self.even.is_empty() || self.even.len() == cells && shares(&self.even))
            && self.trust.len() == hypotheses(sources).len()
            && self.trust.iter().all(|trust| trust.is_possible(sources))
            && self.structures.is_possible()
    }
}
