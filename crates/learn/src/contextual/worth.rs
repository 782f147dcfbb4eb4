//! What a question is worth: how much of what is not known about rewards its answers take away, until as many people
//! again as so far have reported.
//!
//! In coordinates in which what is not known is standard normal, the function of a cell x is a row c(x). A question
//! about groups g of cells says the sums a(g) of mass times c(x), each with the noise of a group. What it leaves of the
//! variance, averaged over people, is what a Gaussian posterior says: no answer has to be seen for that.

use super::kernel::Basis;
use crate::linear::{Lower, add_scaled, dot};

/// What is not known of an arm, before the question.
#[derive(Debug)]
pub(super) struct Unknown {
    rank: usize,
    /// Mass times c(x), for each cell.
    weighted: Vec<f64>,
    masses: Vec<f64>,
    /// The mean over people of c(x) c(x)'.
    spread: Vec<f64>,
}

impl Unknown {
    /// With this posterior precision, factored, of coordinates that are scaled so.
    pub(super) fn new(basis: &Basis, scales: &[f64], factor: &Lower, masses: &[f64]) -> Unknown {
        let rank = basis.rank;
        let mut weighted = basis.values.clone();
        let mut spread = vec![0.0; rank * rank];
        for (row, &mass) in weighted.chunks_exact_mut(rank).zip(masses) {
            row.iter_mut().zip(scales).for_each(|(value, scale)| *value *= scale);
            factor.solve(row);
            for (i, &value) in row.iter().enumerate() {
                add_scaled(&mut spread[i * rank..(i + 1) * rank], mass * value, row);
            }
            for value in row {
                *value *= mass;
            }
        }
        Unknown { rank, weighted, masses: masses.to_vec(), spread }
    }

    /// How much less the variance is after `reports` answers to the question about these groups (for each cell, its
    /// group), each with this much noise; `own` says whether people's own variance comes on top.
    pub(super) fn worth(&self, groups: &[u32], reports: f64, noise: f64, own: bool) -> f64 {
        let many = groups.iter().max().map_or(0, |&last| last as usize + 1);
        let mut sums = vec![0.0; many * self.rank];
        let mut masses = vec![0.0; many];
        for ((row, &mass), &group) in self.weighted.chunks_exact(self.rank).zip(&self.masses).zip(groups) {
            add_scaled(&mut sums[group as usize * self.rank..][..self.rank], 1.0, row);
            masses[group as usize] += mass;
        }
        for (row, mass) in sums.chunks_exact_mut(self.rank).zip(masses) {
            let deviation = ((noise + if own { mass } else { 0.0 }) / reports).sqrt();
            for value in row {
                *value /= deviation;
            }
        }
        let rows: Vec<&[f64]> = sums.chunks_exact(self.rank).collect();
        let mut matrix = vec![0.0; many * many];
        for i in 0..many {
            for j in 0..=i {
                matrix[i * many + j] = dot(rows[i], rows[j]) + f64::from(u8::from(i == j));
            }
        }
        let factor = Lower::factor(many, matrix);
        self.explained(&factor, sums)
    }

    /// The trace of the spread within the rows, which are made orthonormal by the factor.
    fn explained(&self, factor: &Lower, mut rows: Vec<f64>) -> f64 {
        factor.solve_rows(self.rank, &mut rows);
        rows.chunks_exact(self.rank)
            .map(|row| {
                let images = self.spread.chunks_exact(self.rank).map(|spread| dot(spread, row));
                images.zip(row).map(|(image, value)| image * value).sum::<f64>()
            })
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::kernel::Kernel;
    use super::super::posterior::{Blurred, System};
    use super::super::shape::Amplitudes;
    use super::super::statistics::Sums;
    use super::*;
    use reticent_privacy::Epsilon;
    use reticent_protocol::contextual::Spec;
    use reticent_schema::Encoding;

    const PARTS: Amplitudes = Amplitudes { offset: 0.3, main: 0.2, blocks: 0.2, smooth: 0.4, own: 0.0 };
    const REPORTS: f64 = 700.0;

    /// Unevenly spread people, and what is not known of rewards before anybody has reported.
    fn before() -> (Basis, Vec<f64>, Unknown) {
        let spec = Spec::new(2, Encoding::unit(2).unwrap(), Epsilon::new(1.0).unwrap()).unwrap();
        let basis = Kernel::new(&spec, spec.grid()).basis(&[2, 4]);
        let raw: Vec<f64> = (0..256).map(|cell| 1.0 + f64::from(cell % 7)).collect();
        let total: f64 = raw.iter().sum();
        let masses: Vec<f64> = raw.iter().map(|mass| mass / total).collect();
        let nothing = System::empty(basis.rank).blurred(&basis, 0.0);
        let scales = basis.scales(&PARTS);
        let unknown = Unknown::new(&basis, &scales, &Blurred::mean_precision(&[nothing], &scales), &masses);
        (basis, masses, unknown)
    }

    fn variance(basis: &Basis, masses: &[f64], system: System) -> f64 {
        let deviation = system.blurred(basis, 0.0).posterior(basis, &PARTS, 0.0).deviation(basis);
        deviation.iter().zip(masses).map(|(deviation, mass)| mass * deviation * deviation).sum()
    }

    /// What a question is worth is what the posterior's variance loses when it is answered.
    #[test]
    fn the_worth_is_what_the_posterior_says_afterwards() {
        let (basis, masses, unknown) = before();
        let prior = variance(&basis, &masses, System::empty(basis.rank));
        for (groups, own) in [(1_u32, false), (4, true), (16, false)] {
            let group = |cell: u32| cell * groups / 256;
            let mut sums = Sums::new(256);
            for g in 0..groups {
                let set: Vec<u32> = (0..256).filter(|&cell| group(cell) == g).collect();
                let mass: f64 = set.iter().map(|&cell| masses[cell as usize]).sum();
                let noise = 4.7 + if own { mass } else { 0.0 };
                sums.add(&set, &[], 1.0 / noise, REPORTS, 3.0);
            }
            let after = variance(&basis, &masses, System::new(&basis, &masses, &sums));
            let coarse: Vec<u32> = (0..256).map(group).collect();
            let worth = unknown.worth(&coarse, REPORTS, 4.7, own);
            assert!((prior - after - worth).abs() < 1e-9 * prior, "{groups}: {} {worth}", prior - after);
        }
    }

    /// With few reports few groups are worth most, with many more of them are.
    #[test]
    fn more_reports_are_worth_finer_questions() {
        let (_, _, unknown) = before();
        let best = |reports: f64| {
            let worth = |groups: u32| {
                let coarse: Vec<u32> = (0..256).map(|cell| cell * groups / 256).collect();
                unknown.worth(&coarse, reports, 4.7, false)
            };
            [1, 2, 4, 8, 16].into_iter().reduce(|a, b| if worth(b) > worth(a) { b } else { a }).unwrap()
        };
        assert!(
            best(10.0) < best(1e3) && best(1e3) < best(1e5),
            "{} {} {}",
            best(10.0),
            best(1e3),
            best(1e5)
        );
    }
}
