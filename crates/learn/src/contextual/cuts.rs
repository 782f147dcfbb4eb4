//! Where each number is cut, and how sure that is: each axis has a probability for each place, given where the others
//! are most probably cut.

use serde::{Deserialize, Serialize};

use super::kernel::Kernel;

/// How probable it is, before any report, that an axis is cut in its middle.
const MIDDLE: f64 = 0.5;

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
        Cuts {
            likeliest: sizes.clone().map(|size| size / 2).collect(),
            shares: sizes.map(|size| prior(size as usize - 1)).collect(),
            occam: 0.0,
        }
    }

    /// The same where the axes have other borders: each place goes to the nearest of them.
    pub(super) fn moved(&self, old: &Kernel, new: &Kernel) -> Cuts {
        let (before, mut cuts) = (old.cut_axes(), Cuts::new(new));
        for (at, (axis, _)) in new.cut_axes().into_iter().enumerate() {
            let Some(known) = before.iter().position(|(other, _)| *other == axis) else { continue };
            let (from, to) = (old.borders(axis), new.borders(axis));
            let nearest = |place: usize| {
                let distance = |&other: &usize| (to[other] - from[place]).abs();
                (0..to.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
            };
            let mut shares = vec![0.0; to.len()];
            for (place, share) in self.shares[known].iter().enumerate() {
                shares[nearest(place)] += share;
            }
            cuts.shares[at] = shares;
            cuts.likeliest[at] = nearest(self.likeliest[known] as usize - 1) as u32 + 1;
        }
        cuts
    }

    /// Looks at all places of each axis in turn, with the others where they are likeliest, if `evidence` says what
    /// speaks for each place of an axis.
    pub(super) fn learn(&mut self, evidence: impl Fn(&[u32], usize) -> Vec<f64>) {
        let mut places = self.likeliest.clone();
        self.occam = 0.0;
        for axis in 0..places.len() {
            let found = evidence(&places, axis);
            let highest = found.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let before = prior(found.len());
            let weighed =
                found.iter().zip(&before).map(|(found, before)| before * libm::exp(found - highest));
            let weights: Vec<f64> = weighed.collect();
            let total: f64 = weights.iter().sum();
            let best =
                (0..weights.len()).fold(0, |best, at| if weights[at] > weights[best] { at } else { best });
            places[axis] = best as u32 + 1;
            self.occam += libm::log(total) + highest - found[best];
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
            // No prior makes it less, and an average is no more than the largest.
            && (-100.0..=1.0).contains(&self.occam)
    }
}

/// Before any report: as likely in the middle as anywhere else, since ranges are declared around where people are.
fn prior(places: usize) -> Vec<f64> {
    let mut shares = vec![(1.0 - MIDDLE) / (places.max(2) - 1) as f64; places];
    shares[places / 2] = if places == 1 { 1.0 } else { MIDDLE };
    shares
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

#[cfg(test)]
mod tests {
    use super::*;

    fn cuts() -> Cuts {
        Cuts { likeliest: vec![8, 8], shares: vec![prior(15); 2], occam: 0.0 }
    }

    /// The evidence of each place of an axis, if `evidence` says it of places of all axes.
    fn along(evidence: &impl Fn(&[u32]) -> f64) -> impl Fn(&[u32], usize) -> Vec<f64> {
        |places, axis| {
            let at = |place: u32| {
                let mut places = places.to_vec();
                places[axis] = place;
                evidence(&places)
            };
            (1..16).map(at).collect()
        }
    }

    /// Evidence with its top at some places: they are found, are the more probable the more it says, and together all
    /// places have as much less as their mean, by the prior, has.
    #[test]
    fn the_likeliest_places_are_found_and_the_others_keep_their_share() {
        let evidence = |sharp: f64| {
            move |places: &[u32]| {
                let distance = |i: usize, top: f64| (f64::from(places[i]) - top).abs();
                -sharp * (distance(0, 3.0) + distance(1, 12.0))
            }
        };
        let mut found = cuts();
        found.learn(along(&evidence(2.0)));
        assert_eq!(found.likeliest, [3, 12]);
        assert!(found.shares[0][2] > 0.7 && found.shares[0][9] < 1e-5, "{:?}", found.shares);
        let mean = |of: &dyn Fn(u32) -> f64| -> f64 {
            (1..).zip(prior(15)).map(|(place, before)| before * libm::exp(of(place))).sum()
        };
        let first = mean(&|place| evidence(2.0)(&[place, 12]));
        let second = mean(&|place| evidence(2.0)(&[3, place]));
        assert!((found.occam - libm::log(first) - libm::log(second)).abs() < 1e-9, "{}", found.occam);
        let mut nothing = cuts();
        nothing.learn(along(&evidence(0.0)));
        assert!(nothing.occam.abs() < 1e-12, "{}", nothing.occam);
        assert_eq!(nothing.likeliest, [8, 8]);
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
}
