//! A floor under the arms that may still be right: never worse than even play, as far as can be known.
//!
//! Playing every arm alike is the simple answer. An agent that follows its first impressions does better on average and
//! much worse where they deceive: of two close arms it may play the worse one nearly always. So the least played arm
//! gets a share of an even share, which falls with the evidence that the arm that looks best is better than even
//! play: exp(-FADES z^2 / 2), for a lead of z standard deviations. Where the arms lie far apart the evidence comes in
//! a few hundred answers, and the floor costs nothing; where they are close it costs little, as they are close.

use serde::{Deserialize, Serialize};

use super::arm::Arm;

/// How fast the floor falls with the evidence; `docs/mab.md` has what chose it.
const FADES: f64 = 0.3;
/// Answers between two looks.
const LOOKS: u64 = 16;

/// Which arm is played least, and how many answers it should have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Balance {
    least: u32,
    /// Its share of all answers.
    share: f64,
    /// Answers of all arms.
    total: u64,
}

impl Balance {
    /// Before the first look, after so many answers.
    pub(super) fn after(total: u64) -> Balance {
        Balance { total, ..Balance::default() }
    }

    /// One more answer, already counted in the arms; `played` are answers of an arm and those on their way.
    #[inline]
    pub(super) fn count(&mut self, arms: &[Arm], played: &[u64]) {
        self.total += 1;
        if self.total.is_multiple_of(LOOKS) {
            self.look(arms, played);
        }
    }

    /// The arm that is played too little, if one is.
    #[inline]
    pub(super) fn due(&self, played: &[u64]) -> Option<u32> {
        let quota = self.share * self.total as f64;
        ((played[self.least as usize] as f64) < quota).then_some(self.least)
    }

    /// All arms' floors, as shares of everybody.
    pub(super) fn floor(&self) -> f64 {
        self.share
    }

    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// Whether a stored one can be one of so many arms.
    pub(super) fn is_possible(&self, arms: usize) -> bool {
        (self.least as usize) < arms && (0.0..=1.0).contains(&self.share) && self.total <= 1 << 53
    }

    #[cold]
    fn look(&mut self, arms: &[Arm], played: &[u64]) {
        self.least = (0_u32..).zip(played).min_by_key(|(_, played)| **played).map_or(0, |(arm, _)| arm);
        self.share = libm::exp(-FADES * evidence(arms)) / arms.len() as f64;
    }
}

/// Half the squared lead, in standard deviations, of the arm that looks best over the average of all.
fn evidence(arms: &[Arm]) -> f64 {
    let count = arms.len() as f64;
    let (mut sum, mut spread, mut best) = (0.0, 0.0, (f64::NEG_INFINITY, 0.0));
    for arm in arms {
        let (mean, variance) = mean_and_variance(arm);
        sum += mean;
        spread += variance;
        if mean > best.0 {
            best = (mean, variance);
        }
    }
    let lead = best.0 - sum / count;
    // The best one's weight in the difference is 1 - 1/K, that of the others 1/K.
    let variance = spread / (count * count) + best.1 * (1.0 - 2.0 / count);
    if variance > 0.0 { 0.5 * lead * lead / variance } else { f64::INFINITY }
}

/// Of a uniform prior's posterior.
fn mean_and_variance(arm: &Arm) -> (f64, f64) {
    let (ones, zeros) = arm.ones_and_zeros();
    let (a, n) = (ones as f64 + 1.0, (ones + zeros) as f64 + 2.0);
    let mean = a / n;
    (mean, mean * (1.0 - mean) / (n + 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arm(ones: u64, zeros: u64) -> Arm {
        let mut arm = Arm::default();
        (0..ones).for_each(|_| arm.add(true));
        (0..zeros).for_each(|_| arm.add(false));
        arm
    }

    #[test]
    fn evidence_is_half_a_squared_z_score() {
        // Two arms, 400 answers each: a difference of 0.1, half of it over the average, deviation 0.035 / 2.
        let found = evidence(&[arm(200, 200), arm(240, 160)]);
        assert!((found - 4.0).abs() < 0.15, "{found}");
        assert_eq!(evidence(&[arm(9, 1)]), f64::INFINITY);
    }

    #[test]
    fn what_is_played_too_little_is_due_until_it_is_not() {
        let arms = [arm(60, 60), arm(2, 2)];
        let mut balance = Balance { total: 123, ..Balance::default() };
        balance.count(&arms, &[120, 4]);
        assert_eq!(balance.due(&[120, 4]), None, "nobody has looked");
        balance.total = 127;
        balance.count(&arms, &[120, 4]);
        assert_eq!(balance.due(&[120, 4]), Some(1));
        assert_eq!(balance.due(&[120, 64]), None);
    }
}
