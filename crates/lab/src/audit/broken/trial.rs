//! A published design that draws many lengths from one private count; sums of strata about a mean that only
//! everyone's may have.

use std::num::NonZeroU64;

use reticent_audit::{Claim, Observation};
use reticent_baselines::conse::{Conse, ConseError, Design};
use reticent_privacy::exact::DiscreteLaplace;
use reticent_privacy::{Delta, Generator};

use super::{Broken, Mistake, boxed, epsilon_of};
use crate::catalogue::Subject;

pub(super) fn all() -> Vec<Box<dyn Broken>> {
    vec![boxed::<ConseLengths>(), boxed::<CentredStrata>()]
}

/// `dp-conse` of paper 001 end to end: `crates/baselines/src/conse/guarantee.md`, point 3.
#[derive(Default)]
struct ConseLengths;

const FEATURES: usize = 8;
/// Too few for any elimination: the first batch alone needs 2,500 of each feature.
const PEOPLE: u64 = 1000;
const LOSS: f64 = 0.5;
/// People of the rarest feature, 0, in the first half, beside the one whose feature is private.
const RAREST: u64 = 40;

/// The feature of person `t`; the first one's is private.
fn feature(t: u64, first: usize) -> usize {
    match t {
        0 => first,
        // In the first half feature 0 comes so often, and the others share the rest evenly.
        t if t <= RAREST => 0,
        t if t < PEOPLE / 2 => 1 + (t as usize % (FEATURES - 1)),
        t => t as usize % FEATURES,
    }
}

impl ConseLengths {
    /// For each feature, how many of its people of the second half came up to and with the last one who got
    /// arm 1. After its randomised phase a feature gets arm 0 alone, so that these are the lengths but for a
    /// few last coins.
    fn last_ones<G: Generator>(first: usize, rng: &mut G) -> Result<[u64; FEATURES], ConseError> {
        let design = Design { people: PEOPLE, features: FEATURES, alpha: 0.0 };
        let mut trial = Conse::private(design, epsilon_of(LOSS))?;
        let (mut seen, mut last) = ([0; FEATURES], [0; FEATURES]);
        for t in 0..PEOPLE {
            let j = feature(t, first);
            let arm = trial.choose(j, rng)?;
            trial.record(0.5, rng)?;
            if t >= PEOPLE / 2 {
                seen[j] += 1;
                last[j] = if arm == 1 { seen[j] } else { last[j] };
            }
        }
        Ok(last)
    }
}

impl Subject for ConseLengths {
    type Input = usize;
    fn observe<G: Generator>(&self, first: &usize, rng: &mut G) -> Observation {
        // A trial that cannot be made would be silent, and not caught.
        let Ok(last) = Self::last_ones(*first, rng) else { return Observation::silence() };
        // Each length's ratio has one value below the middle and one above: their number is nearly
        // sufficient, and better than their sum.
        let short = last.iter().filter(|&&length| length <= RAREST).count() as u64;
        (last, short, last.iter().sum::<u64>()).into()
    }
}

impl Mistake for ConseLengths {
    const NAME: &'static str = "dp-conse-lengths";
    const MISTAKE: &'static str = "a published adaptive trial: the lengths of eight features' randomised phases, each with noise of its own around one private count, charged as one";
    fn inputs() -> Vec<(&'static str, usize)> {
        vec![("a first person of the rarest feature", 0), ("a first person of another feature", 1)]
    }
    /// Theorem 3.5 of the paper: (epsilon, 1/n).
    fn claim() -> Claim {
        Claim::approximate(epsilon_of(LOSS), Delta::new(1.0 / PEOPLE as f64).unwrap_or(Delta::ZERO))
    }
}

/// The table of a trial with two strata, outcomes about an expected mean of 5 %: noise for a change of one, which
/// holds while a person stays where they are (`crates/curate/src/trial/guarantee.md`: with strata the centre is 1/2).
#[derive(Default)]
struct CentredStrata;

/// Parts of the unit.
const UNIT: i64 = 1000;
const CENTRE: i64 = 50;

impl Subject for CentredStrata {
    /// The stratum of somebody with the outcome 1.
    type Input = usize;
    fn observe<G: Generator>(&self, stratum: &usize, rng: &mut G) -> Observation {
        let scale = NonZeroU64::new(UNIT as u64 * 1_000_000_000).unwrap_or(NonZeroU64::MAX);
        let noise = DiscreteLaplace::new(scale, epsilon_of(LOSS).nano_nonzero());
        let sums = [0, 1].map(|one| {
            let exact = if one == *stratum { UNIT - CENTRE } else { 0 };
            (i128::from(exact) + noise.sample(rng)) as f64
        });
        // Neyman and Pearson's test between the two.
        let far = |sum: f64| sum.abs() - (sum - (UNIT - CENTRE) as f64).abs();
        (sums, far(sums[0]) - far(sums[1])).into()
    }
}

impl Mistake for CentredStrata {
    const NAME: &'static str = "trial-centred-strata";
    const MISTAKE: &'static str = "signed sums of a trial's strata about an expected mean: who moves to another stratum takes it out of one sum and puts it into another, charged as if they stayed";
    fn inputs() -> Vec<(&'static str, usize)> {
        vec![("in the first stratum, well", 0), ("in the second stratum, well", 1)]
    }
    fn claim() -> Claim {
        Claim::pure(epsilon_of(LOSS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rarest_feature_is_the_rarest_whoever_comes_first() {
        for first in [0, 1] {
            let mut counts = [0_u64; FEATURES];
            (0..PEOPLE / 2).for_each(|t| counts[feature(t, first)] += 1);
            assert_eq!(counts[0], RAREST + u64::from(first == 0));
            assert!(counts[1..].iter().all(|&count| count > RAREST + 1), "{counts:?}");
        }
    }
}
