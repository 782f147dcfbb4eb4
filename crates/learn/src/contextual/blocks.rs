//! Rewards that depend on nothing but which side of a cut each number is on: each block of sides has a value of its own.
//!
//! Thresholds are what real rewards often have, and a smooth prior is slow to find them. Where the cuts are is not known
//! either: each axis has a probability for each place, given where the others are most probably cut, and each map draws.
//! A cut that was taken for sure would never be found to be wrong: beyond it nobody gets the other arm.

use std::sync::Arc;

use reticent_protocol::contextual::Spec;
use serde::{Deserialize, Serialize};

use super::belief::{Belief, Data};
use super::kernel::Kernel;
use super::posterior::System;
use super::shape::Amplitudes;
use super::statistics::{Statistics, Sums};
use super::systems::Systems;

/// Partitions that stand for all that are possible.
pub(super) const PARTITIONS: usize = 8;

/// Where each number is cut.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cuts {
    /// For each axis that is cut, the first cell of its upper part.
    likeliest: Vec<u32>,
    /// For each of them the probability of each place from 1 on.
    shares: Vec<Vec<f64>>,
    /// By how much all places together have less evidence than the likeliest ones.
    occam: f64,
}

impl Cuts {
    /// Before any report: in the middle or anywhere.
    pub(super) fn new(kernel: &Kernel) -> Cuts {
        let sizes = kernel.cut_axes().into_iter().map(|(_, size)| size);
        let even = |size: u32| vec![1.0 / f64::from(size - 1); size as usize - 1];
        Cuts {
            likeliest: sizes.clone().map(|size| size / 2).collect(),
            shares: sizes.map(even).collect(),
            occam: 0.0,
        }
    }

    /// Looks at all places of each axis in turn, with the others where they are likeliest, if `evidence` says what
    /// speaks for some.
    pub(super) fn learn(&mut self, evidence: impl Fn(&[u32]) -> f64) {
        let mut places = self.likeliest.clone();
        self.occam = 0.0;
        for axis in 0..places.len() {
            let at = |place: u32| {
                let mut places = places.clone();
                places[axis] = place;
                evidence(&places)
            };
            let found: Vec<f64> = (1..=self.shares[axis].len() as u32).map(at).collect();
            let highest = found.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let weights: Vec<f64> = found.iter().map(|evidence| libm::exp(evidence - highest)).collect();
            let total: f64 = weights.iter().sum();
            self.occam += libm::log(total / weights.len() as f64);
            if let Some(best) = found.iter().position(|evidence| *evidence == highest) {
                places[axis] = best as u32 + 1;
            }
            self.shares[axis] = weights.into_iter().map(|weight| weight / total).collect();
        }
        self.likeliest = places;
    }

    pub(super) fn likeliest(&self) -> &[u32] {
        &self.likeliest
    }

    pub(super) fn occam(&self) -> f64 {
        self.occam
    }

    /// So many places that stand for all: each axis's quantiles, in another order for each.
    pub(super) fn spread(&self, many: usize) -> Vec<Vec<u32>> {
        let place = |i: usize, axis: usize| {
            let turned = if axis.is_multiple_of(2) { i } else { many - 1 - i };
            quantile(&self.shares[axis], (((turned + axis / 2) % many) as f64 + 0.5) / many as f64)
        };
        (0..many).map(|i| (0..self.shares.len()).map(|axis| place(i, axis)).collect()).collect()
    }

    pub(super) fn is_possible(&self, kernel: &Kernel) -> bool {
        let sizes = kernel.cut_axes();
        let share = |shares: &Vec<f64>| {
            shares.iter().all(|p| (0.0..=1.0).contains(p)) && (shares.iter().sum::<f64>() - 1.0).abs() < 1e-6
        };
        self.likeliest.len() == sizes.len()
            && self.shares.len() == sizes.len()
            && sizes.iter().zip(&self.likeliest).all(|((_, size), cut)| (1..*size).contains(cut))
            && sizes.iter().zip(&self.shares).all(|((_, size), shares)| shares.len() + 1 == *size as usize)
            && self.shares.iter().all(share)
    }
}

/// The place, from 1 on, at which shares add up to more than this.
fn quantile(shares: &[f64], mut uniform: f64) -> u32 {
    for (place, share) in (1..).zip(shares) {
        if uniform < *share {
            return place;
        }
        uniform -= share;
    }
    shares.len() as u32
}

/// Observations of the blocks that some cuts make.
pub(super) struct Partition {
    /// For each cell its block.
    pub(super) groups: Vec<u32>,
    pub(super) systems: Systems,
}

/// All reports' sums as they are needed to gather them by blocks.
pub(super) struct Gathered<'a> {
    kernel: &'a Kernel,
    target: Vec<Counted<'a>>,
    sources: Vec<Vec<Counted<'a>>>,
}

/// The sums of one arm, and the shares of people who are in each cell and got it.
struct Counted<'a> {
    sums: &'a Sums,
    masses: Vec<f64>,
    moments: Vec<f64>,
}

impl<'a> Gathered<'a> {
    pub(super) fn new(belief: &Belief, spec: &Spec, kernel: &'a Kernel, data: Data<'a>) -> Gathered<'a> {
        let counted = |sums: &'a Sums, masses: &[f64], share: f64| {
            let masses: Vec<f64> = masses.iter().map(|mass| mass * share).collect();
            Counted { sums, moments: sums.moments(&masses), masses }
        };
        let target = data.target.arms.iter().map(|sums| counted(sums, &belief.masses, 1.0)).collect();
        let source = |(number, statistics): (usize, &'a Statistics)| {
            let shares = statistics.arms.iter().zip(&spec.sources()[number].behaviour);
            shares.map(|(sums, &share)| counted(sums, &belief.source_masses[number], share)).collect()
        };
        let sources = data.sources.iter().enumerate().map(source).collect();
        Gathered { kernel, target, sources }
    }

    /// Observations of the blocks that cuts at these places make.
    pub(super) fn partition(&self, places: &[u32], amplitudes: Amplitudes, level: f64) -> Partition {
        let (groups, many) = self.kernel.blocks(places);
        let basis = Kernel::blocks_basis(many);
        let system = |Counted { sums, masses, moments }: &Counted<'_>| {
            System::new(&basis, &vec![1.0; many], &sums.gathered(masses, moments, &groups, many))
        };
        let target = self.target.iter().map(system).collect();
        let sources = self.sources.iter().map(|arms| arms.iter().map(system).collect()).collect();
        let systems =
            Systems { target, sources: Arc::new(sources), basis, amplitudes, level, blocks: Vec::new() };
        Partition { groups, systems }
    }
}

impl Sums {
    /// The same sums if the function is constant on groups of cells: of groups, each with a mass of one.
    pub(super) fn gathered(&self, masses: &[f64], moments: &[f64], groups: &[u32], many: usize) -> Sums {
        let mut sums = Sums::new(many);
        let mut row = vec![0.0; many];
        for (cell, &group) in groups.iter().enumerate() {
            let group = group as usize;
            if let Some(&[precision, moment]) = self.alone().get(cell) {
                sums.add_group_alone(group, precision, moment);
            }
            let gram = self.gram_row(cell);
            if gram[cell] == 0.0 {
                continue;
            }
            row.fill(0.0);
            for ((value, mass), &other) in gram.iter().zip(masses).zip(groups) {
                row[other as usize] += value * mass;
            }
            sums.add_group(group, masses[cell], &row, moments[cell]);
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cuts() -> Cuts {
        Cuts { likeliest: vec![8, 8], shares: vec![vec![1.0 / 15.0; 15]; 2], occam: 0.0 }
    }

    /// Evidence with its top at some places: they are found, are the more probable the more it says, and together all
    /// places have as much less as their mean has.
    #[test]
    fn the_likeliest_places_are_found_and_the_others_keep_their_share() {
        let evidence = |sharp: f64| {
            move |places: &[u32]| {
                let distance = |i: usize, top: f64| (f64::from(places[i]) - top).abs();
                -sharp * (distance(0, 3.0) + distance(1, 12.0))
            }
        };
        let mut found = cuts();
        found.learn(evidence(2.0));
        assert_eq!(found.likeliest, [3, 12]);
        assert!(found.shares[0][2] > 0.7 && found.shares[0][9] < 1e-5, "{:?}", found.shares);
        let mean: f64 = (1..=15).map(|place| libm::exp(evidence(2.0)(&[place, 12]))).sum::<f64>() / 15.0;
        let other: f64 = (1..=15).map(|place| libm::exp(evidence(2.0)(&[3, place]))).sum::<f64>() / 15.0;
        assert!((found.occam - libm::log(mean) - libm::log(other)).abs() < 1e-9, "{}", found.occam);
        let mut nothing = cuts();
        nothing.learn(evidence(0.0));
        assert_eq!((nothing.occam, &nothing.shares), (0.0, &cuts().shares));
    }

    /// Places that stand for all come as often as they are probable, on each axis.
    #[test]
    fn places_that_stand_for_all_have_their_shares() {
        let mut uneven = cuts();
        uneven.shares = vec![vec![0.25, 0.75], vec![0.5, 0.5]];
        let places = uneven.spread(8);
        let count = |axis: usize| places.iter().filter(|places| places[axis] == 1).count();
        assert_eq!((count(0), count(1)), (2, 4));
    }

    /// Sums of groups are sums over their cells.
    #[test]
    fn gathered_sums_are_those_of_their_cells() {
        let mut sums = Sums::new(4);
        sums.add(&[0, 1], &[], 2.0, 10.0, 3.0);
        sums.add(&[2], &[], 1.0, 5.0, -4.0);
        sums.add_alone(3, 7.0, 0.5);
        let masses = [0.1, 0.2, 0.3, 0.4];
        let gathered = sums.gathered(&masses, &sums.moments(&masses), &[0, 1, 1, 1], 2);
        assert!((gathered.gram_row(0)[1] - 0.1 * 20.0 * 0.2).abs() < 1e-12);
        assert!((gathered.gram_row(1)[1] - (0.2 * 20.0 * 0.2 + 0.3 * 5.0 * 0.3)).abs() < 1e-12);
        let moments = gathered.moments(&[1.0; 2]);
        assert!(
            (moments[0] - 0.1 * 6.0).abs() < 1e-12 && (moments[1] - (0.2 * 6.0 - 0.3 * 4.0)).abs() < 1e-12
        );
        assert_eq!(gathered.alone(), [[0.0, 0.0], [7.0, 3.5]]);
    }
}
