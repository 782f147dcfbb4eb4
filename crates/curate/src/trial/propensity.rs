//! Known chances of every arm in every stratum: published before the epoch they hold for.

use std::num::NonZeroU64;

use reticent_privacy::Generator;
use reticent_privacy::exact::uniform_below;
use serde::{Deserialize, Serialize};

use super::TrialSpec;

/// Chances are whole shares of this: drawn exactly, stored exactly.
pub const PARTS: u32 = 1 << 16;

/// For each stratum the chance of each arm, in [`PARTS`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Propensities {
    arms: usize,
    parts: Vec<u32>,
}

impl Propensities {
    /// Rounds the shares of each stratum, so that they sum to one exactly; the largest takes the rest.
    pub(super) fn new(arms: usize, shares: impl IntoIterator<Item = Vec<f64>>) -> Propensities {
        let mut parts = Vec::new();
        for shares in shares {
            // A chance that is owed is never rounded to none.
            let part =
                |share: f64| libm::round(share * f64::from(PARTS)).max(f64::from(u8::from(share > 0.0)));
            let mut rounded: Vec<u32> = shares.iter().map(|&share| part(share) as u32).collect();
            let largest =
                (0..arms).fold(0, |best, arm| if rounded[arm] > rounded[best] { arm } else { best });
            rounded[largest] = 0;
            rounded[largest] = PARTS - rounded.iter().sum::<u32>().min(PARTS);
            parts.extend(rounded);
        }
        Propensities { arms, parts }
    }

    /// The plan's chances before any table: the same in each stratum.
    pub(super) fn even(spec: &TrialSpec) -> Propensities {
        Propensities::new(spec.arms(), (0..spec.strata()).map(|_| spec.even()))
    }

    /// The chance of an arm in a stratum.
    pub fn share(&self, stratum: usize, arm: usize) -> f64 {
        f64::from(self.parts[stratum * self.arms + arm]) / f64::from(PARTS)
    }

    /// All chances of a stratum.
    pub fn shares(&self, stratum: usize) -> Vec<f64> {
        (0..self.arms).map(|arm| self.share(stratum, arm)).collect()
    }

    /// Draws an arm. Each person's coin is their own: nobody's assignment depends on who else is in the stratum.
    pub(super) fn draw<G: Generator>(&self, stratum: usize, rng: &mut G) -> usize {
        let mut ticket =
            uniform_below(NonZeroU64::new(u64::from(PARTS)).unwrap_or(NonZeroU64::MIN), rng) as u32;
        let parts = &self.parts[stratum * self.arms..][..self.arms];
        for (arm, &part) in parts.iter().enumerate() {
            if ticket < part {
                return arm;
            }
            ticket -= part;
        }
        self.arms - 1
    }

    /// Whether the stored form can be what it says: a table of the right size whose rows sum to one.
    pub(super) fn fits(&self, strata: usize, arms: usize) -> bool {
        self.arms == arms
            && self.parts.len() == strata * arms
            && self
                .parts
                .chunks(arms)
                .all(|row| row.iter().map(|&part| u64::from(part)).sum::<u64>() == u64::from(PARTS))
    }
}
