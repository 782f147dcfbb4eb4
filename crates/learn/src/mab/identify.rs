//! Which arm is the best, at a stated error, as soon as the reports show it.
//!
//! **Statement.** As long as the arms' rewards keep their law, the probability that ever an arm is called the best that
//! is not is at most [`ERROR`], whatever the agent plays and whenever one looks.
//!
//! **Proof.** For arms a and b let E be the likelihood of both arms' bits, where the probability of each is mixed over
//! Beta(1/2, 1/2), over the largest likelihood under any probabilities with b at least as good as a. If b is, the
//! latter is at least the true likelihood, so that E is at most a martingale with mean 1, and ever reaches 1/alpha with
//! probability at most alpha (Ville). An arm is called the best when its E against every other one reaches
//! (K - 1) / ERROR. Let b be best. For a worse a to be called best its E against b must get there, which has
//! probability at most ERROR / (K - 1); there are at most K - 1 such arms. QED.
//!
//! Better bits are better rewards: a bit's mean rises with the reward's.

use serde::{Deserialize, Serialize};

use super::arm::Arm;
use super::kl_ucb::bernoulli_kl;
use super::sequence::log_mixture;

/// How often an arm is ever called the best that is not.
pub const ERROR: f64 = 0.05;
/// Looked at when the answers have grown by this share.
const GROWTH: u64 = 64;

/// The arm that was shown to be the best.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Found {
    arm: Option<u32>,
    /// Answers at which it is looked at next.
    next: u64,
}

impl Found {
    pub(super) fn arm(self) -> Option<u32> {
        self.arm
    }

    /// Looks, if it is time.
    #[inline]
    pub(super) fn look(&mut self, arms: &[Arm], answers: u64) {
        if self.arm.is_none() && answers >= self.next {
            self.next = answers + answers / GROWTH + 1;
            self.arm = best(arms, ERROR);
        }
    }

    pub(super) fn is_possible(self, arms: usize) -> bool {
        self.arm.is_none_or(|arm| (arm as usize) < arms)
    }
}

/// The arm that these counts show to be the best, at this error.
fn best(arms: &[Arm], error: f64) -> Option<u32> {
    let tried = (0_u32..).zip(arms).filter(|(_, arm)| arm.pulls > 0);
    let (best, arm) = tried.max_by(|(_, a), (_, b)| a.mean().total_cmp(&b.mean()))?;
    let limit = libm::log((arms.len() - 1).max(1) as f64 / error);
    let mut rivals = (0_u32..).zip(arms).filter(|(rival, _)| *rival != best);
    rivals.all(|(_, rival)| shows(arm, rival, limit)).then_some(best)
}

/// Whether the evidence that the first arm is better than the second reaches a limit.
fn shows(arm: &Arm, rival: &Arm, limit: f64) -> bool {
    // The mixture is at most the largest likelihood, and what that shows is cheap to know.
    if rival.pulls == 0 || lead(arm, rival) < limit {
        return false;
    }
    log_evidence(arm, rival) >= limit
}

/// The logarithm of the largest likelihood of both arms' bits over that with one probability for both; zero if the
/// second arm looks better.
pub(super) fn lead(arm: &Arm, rival: &Arm) -> f64 {
    if rival.mean() >= arm.mean() {
        return 0.0;
    }
    let (n, m) = (arm.pulls as f64, rival.pulls as f64);
    let pooled = (n * arm.mean() + m * rival.mean()) / (n + m);
    n * bernoulli_kl(arm.mean(), pooled) + m * bernoulli_kl(rival.mean(), pooled)
}

fn log_evidence(arm: &Arm, rival: &Arm) -> f64 {
    let parts = [arm, rival].map(Arm::ones_and_zeros);
    let mixture: f64 = parts.iter().map(|&(ones, zeros)| log_mixture(ones, zeros)).sum();
    let (ones, zeros) = (parts[0].0 + parts[1].0, parts[0].1 + parts[1].1);
    let all = (ones + zeros) as f64;
    let term = |count: u64| if count == 0 { 0.0 } else { count as f64 * libm::log(count as f64 / all) };
    mixture - term(ones) - term(zeros)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_privacy::{SimSeed, Stream};

    fn arm(ones: u64, zeros: u64) -> Arm {
        let mut arm = Arm::default();
        (0..ones).for_each(|_| arm.add(true));
        (0..zeros).for_each(|_| arm.add(false));
        arm
    }

    #[test]
    fn what_is_clear_is_said_and_nothing_else() {
        assert_eq!(best(&[arm(50, 50), arm(80, 20)], 0.05), Some(1));
        assert_eq!(best(&[arm(50, 50), arm(60, 40)], 0.05), None);
        assert_eq!(best(&[arm(0, 0), arm(80, 20)], 0.05), None, "an arm that nobody tried may be better");
        assert_eq!(best(&[arm(3, 4)], 0.05), Some(0), "the only arm is the best");
        assert_eq!(best(&[arm(50, 50), arm(50, 50)], 0.05), None);
    }

    /// Two arms that are alike, looked at after every pair of 500: of 400 runs an arm is called better in at most 20 on
    /// average for each side, together in far fewer; 45 come with probability below 1e-7. Looked at as often, the
    /// z-test finds one in most runs of that kind: the test sees an error that grows with looking.
    #[test]
    fn errs_as_seldom_as_it_says() {
        let mut wrong = [0; 2];
        for run in 0..400_u64 {
            let mut rng = SimSeed(6).stream(run, Stream::Environment);
            let mut arms = [Arm::default(); 2];
            let mut said = [false; 2];
            for n in 1..=500 {
                for arm in &mut arms {
                    arm.add(rng.uniform() < 0.6);
                }
                said[0] |= best(&arms, 0.05).is_some();
                let difference = arms[0].mean() - arms[1].mean();
                said[1] |= n >= 30 && difference.abs() > 1.96 * (0.48 / f64::from(n)).sqrt();
            }
            (0..2).for_each(|kind| wrong[kind] += u32::from(said[kind]));
        }
        assert!(wrong[0] <= 45 && wrong[1] > 100, "{wrong:?}");
    }
}
