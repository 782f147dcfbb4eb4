//! Rewards that depend on nothing but which side of a cut each number is on: each block of sides has a value of its
//! own.
//!
//! Thresholds are what real rewards often have, and a smooth prior is slow to find them. Where the cuts are is not
//! known either: each axis has a probability for each place, given where the others are most probably cut, and each
//! map draws. A cut that was taken for sure would never be found to be wrong: beyond it nobody gets the other arm.

use std::sync::Arc;

use reticent_protocol::contextual::Spec;

use super::belief::{Belief, Data};
use super::kernel::Kernel;
use super::posterior::System;
use super::running::Running;
use super::shape::Amplitudes;
use super::statistics::{Statistics, Sums};
use super::structure::Structure;
use super::systems::Systems;

/// Partitions that stand for all that are possible.
pub(super) const PARTITIONS: usize = 8;

/// Observations of the blocks that some cuts make.
pub(super) struct Partition {
    /// For each cell its block.
    pub(super) groups: Vec<u32>,
    pub(super) systems: Systems,
}

/// All reports' sums as they are needed to gather them by blocks.
pub(super) struct Gathered<'a> {
    kernel: &'a Kernel,
    level: f64,
    /// The weights of the sources.
    trusted: Vec<f64>,
    counted: OfAll<Counted<'a>>,
}

/// Something of each arm: of the target, and of each source.
struct OfAll<T> {
    target: Vec<T>,
    sources: Vec<Vec<T>>,
}

/// The sums of one arm, and the shares of people who are in each cell and got it.
struct Counted<'a> {
    sums: &'a Sums,
    masses: Vec<f64>,
    moments: Vec<f64>,
}

impl<T> OfAll<T> {
    fn map<U>(&self, of: impl Fn(&T) -> U) -> OfAll<U> {
        let sources = self.sources.iter().map(|arms| arms.iter().map(&of).collect());
        OfAll { target: self.target.iter().map(&of).collect(), sources: sources.collect() }
    }
}

impl<'a> Gathered<'a> {
    pub(super) fn new(
        belief: &Belief,
        trusted: Vec<f64>,
        spec: &Spec,
        kernel: &'a Kernel,
        data: Data<'a>,
    ) -> Gathered<'a> {
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
        Gathered { kernel, level: belief.level, trusted, counted: OfAll { target, sources } }
    }

    fn by_groups(&self, groups: &[u32], many: usize) -> OfAll<Sums> {
        self.counted.map(|Counted { sums, masses, moments }| sums.gathered(masses, moments, groups, many))
    }

    fn systems(&self, sums: &OfAll<Sums>, amplitudes: Amplitudes) -> Systems {
        let many = sums.target.first().map_or(1, Sums::cells);
        let basis = Kernel::blocks_basis(many);
        let OfAll { target, sources } = sums.map(|sums| System::new(&basis, &vec![1.0; many], sums));
        let (sources, blocks) = (Arc::new(sources), Vec::new());
        Systems { target, sources, basis, amplitudes, level: self.level, blocks }
    }

    fn evidence_of(&self, systems: &Systems, amplitudes: &Amplitudes) -> f64 {
        systems.evidence(&self.trusted, &Structure::Blocks.of(amplitudes)) + amplitudes.log_prior_of_blocks()
    }

    /// What speaks for each place of one axis's cut, with the others cut at these. The reports are gathered once for
    /// all places.
    pub(super) fn evidence_along(&self, places: &[u32], axis: usize, amplitudes: Amplitudes) -> Vec<f64> {
        let (_, size) = self.kernel.cut_axes()[axis];
        let mut finest = one_each(places);
        finest[axis] = (1..size).collect();
        let (groups, many) = self.kernel.blocks(&finest, axis);
        let others = many / size as usize;
        let running = self.by_groups(&groups, many).map(|sums| Running::new(sums, others));
        let at = |place: u32| {
            let sums = running.map(|running| running.between(&[place]));
            self.evidence_of(&self.systems(&sums, amplitudes), &amplitudes)
        };
        (1..size).map(at).collect()
    }

    /// The best of these amplitudes, with cuts at these places; and the evidence.
    pub(super) fn best_amplitudes(&self, places: &[u32], all: &[Amplitudes]) -> (f64, Amplitudes) {
        let (groups, many) = self.kernel.blocks(&one_each(places), 0);
        let systems = self.systems(&self.by_groups(&groups, many), all[0]);
        let found = all.iter().map(|amplitudes| (self.evidence_of(&systems, amplitudes), *amplitudes));
        found.reduce(|a, b| if b.0 > a.0 { b } else { a }).unwrap_or((f64::NEG_INFINITY, all[0]))
    }

    /// Observations of the blocks that cuts at each of these places make. The reports are gathered once for all.
    pub(super) fn partitions(&self, drawn: &[Vec<u32>], amplitudes: Amplitudes) -> Vec<Partition> {
        let axes = 0..self.kernel.cut_axes().len();
        let all: Vec<Vec<u32>> = axes.map(|axis| all_of(drawn, axis)).collect();
        let (fine, many_fine) = self.kernel.blocks(&all, 0);
        let sums = self.by_groups(&fine, many_fine);
        let ones = vec![1.0; many_fine];
        let partition = |places: &Vec<u32>| {
            let (groups, many) = self.kernel.blocks(&one_each(places), 0);
            let mut larger = vec![0; many_fine];
            fine.iter().zip(&groups).for_each(|(&fine, &group)| larger[fine as usize] = group);
            let sums = sums.map(|sums| sums.gathered(&ones, &sums.moments(&ones), &larger, many));
            Partition { groups, systems: self.systems(&sums, amplitudes) }
        };
        drawn.iter().map(partition).collect()
    }
}

/// One cut for each axis.
fn one_each(places: &[u32]) -> Vec<Vec<u32>> {
    places.iter().map(|&place| vec![place]).collect()
}

/// All places at which an axis is cut in one of these.
fn all_of(drawn: &[Vec<u32>], axis: usize) -> Vec<u32> {
    let mut places: Vec<u32> = drawn.iter().map(|places| places[axis]).collect();
    places.sort_unstable();
    places.dedup();
    places
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
