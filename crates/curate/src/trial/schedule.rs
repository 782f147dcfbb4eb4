//! When epochs end: at public counts of enrolled people, so that no moment depends on anyone's data.

use super::{Draft, TrialSpec};

/// First and last-but-one enrolment of each epoch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    ends: Vec<u64>,
}

/// People per cell in the first epoch without noise, and what noise adds at epsilon 1.
const FIRST_PER_CELL: f64 = 20.0;
/// A rest shorter than this share of the next epoch is added to the one before.
const SHORT: f64 = 0.7;
/// The first epoch has at most this share of everyone.
const FIRST_SHARE: f64 = 1.0 / 3.0;

impl Schedule {
    /// The epochs of a plan.
    pub fn new(spec: &TrialSpec) -> Schedule {
        let people = spec.draft().people;
        // Even randomisation needs no table before the end, and every table adds noise.
        if !spec.is_old() && spec.draft().alpha == 0.0 && spec.draft().first_epoch.is_none() {
            return Schedule { ends: vec![people] };
        }
        let mut length = spec.draft().first_epoch.map_or_else(|| default_first(spec), |first| first as f64);
        let (mut ends, mut end) = (Vec::new(), 0);
        while end < people {
            let left = people - end;
            let mut step = (libm::round(length) as u64).clamp(1, left);
            if ((left - step) as f64) < SHORT * length {
                step = left;
            }
            end += step;
            ends.push(end);
            length *= spec.draft().growth.max(1.0);
        }
        Schedule { ends }
    }

    /// At most so many epochs follow from a plan's growth and first epoch.
    pub(super) fn count(plan: &Draft) -> u64 {
        let (mut length, mut end, mut epochs) =
            (plan.first_epoch.unwrap_or(u64::MAX).min(plan.people) as f64, 0.0, 0);
        while end < plan.people as f64 && epochs < 1_000_000 {
            end += length.max(1.0);
            length *= plan.growth;
            epochs += 1;
        }
        epochs
    }

    /// How many epochs there are.
    pub fn epochs(&self) -> usize {
        self.ends.len()
    }

    /// Enrolments before the epoch.
    pub fn start(&self, epoch: usize) -> u64 {
        epoch.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    /// Enrolments by its end.
    pub fn end(&self, epoch: usize) -> u64 {
        self.ends[epoch]
    }

    /// Its people.
    pub fn length(&self, epoch: usize) -> u64 {
        self.end(epoch) - self.start(epoch)
    }

    /// The epoch of an enrolment, counted from 0.
    pub fn epoch_of(&self, enrolment: u64) -> usize {
        self.ends.partition_point(|&end| end <= enrolment)
    }
}

fn default_first(spec: &TrialSpec) -> f64 {
    let noise = spec.epsilon().map_or(0.0, |epsilon| 1.0 / epsilon.value());
    let cells = (spec.strata() * spec.arms()) as f64;
    let wanted = cells * FIRST_PER_CELL * (1.0 + noise);
    wanted.min(spec.draft().people as f64 * FIRST_SHARE).max(1.0)
}
