//! KL-UCB on the private bits.

use reticent_privacy::mechanism::RandomisedResponse;
use reticent_protocol::Report;
use reticent_protocol::mab::{Lottery, Policy, Spec, Squash};

use super::guard::{Discounting, Piled, discounted};
use super::index::{LazyArgmax, Rule};
use super::memory::Memory;
use super::{AbsorbError, Agent, ArmEstimate, draws, estimate, read};

/// KL-UCB (Garivier and Cappé 2011) on the bits of the Bernoulli channel, with less exploration and the
/// channel's range.
///
/// The bits are Bernoulli whatever the reward's law in [0, 1], so the index is valid for all of them. The
/// textbook index reaches the Lai-Robbins constant of the channel. Two changes leave ln t its leading term
/// and lower what comes after; they are chosen by measurement, and we have no regret bound for them:
/// - the budget is ln(t / (sqrt(K) N)) instead of ln t, between KL-UCB+ (no K) and MOSS (K without the root);
/// - no reward can lift a bit's mean above the keep probability p, so an index that reaches p counts as "may
///   be the best there is", and such arms are ordered by their mean.
///
/// `docs/mab.md` has the measurements that chose them.
#[derive(Debug)]
pub struct KlUcb {
    spec: Spec,
    pub(super) memory: Memory,
    argmax: LazyArgmax<KullbackLeibler>,
    /// How much bits of nobody weigh where answers are foreseen.
    halves: f64,
}

impl KlUcb {
    /// The agent for a spec.
    pub fn new(spec: Spec) -> KlUcb {
        let memory = Memory::new(spec.arms());
        Self::resume(spec, memory)
    }

    /// From a saved state.
    pub(super) fn resume(spec: Spec, memory: Memory) -> KlUcb {
        let halves = halves(keep(&spec));
        KlUcb { argmax: argmax(&spec, &memory, halves), spec, memory, halves }
    }

    /// An arm as the index sees it: whoever is still to answer has, as is foreseen.
    #[inline]
    fn look_again(&mut self, arm: usize) {
        let (played, mean) = self.memory.seen(arm, self.halves);
        self.argmax.update(arm, played, mean);
    }
}

fn keep(spec: &Spec) -> f64 {
    RandomisedResponse::new(spec.epsilon()).keep_probability()
}

/// As much as a prior of rewards that are anywhere in their range: a quarter, the variance of a bit, over that of the
/// mean of an arm's bits.
fn halves(keep: f64) -> f64 {
    3.0 / ((2.0 * keep - 1.0) * (2.0 * keep - 1.0))
}

fn argmax(spec: &Spec, memory: &Memory, halves: f64) -> LazyArgmax<KullbackLeibler> {
    let rule = KullbackLeibler::new(memory.arms.len(), keep(spec));
    LazyArgmax::new(rule, (0..memory.arms.len()).map(|arm| memory.seen(arm, halves)))
}

impl Agent for KlUcb {
    /// For several people, each draw is made as if those before it had confirmed what is known: an arm's index
    /// falls as it is played, so that the draws spread over whatever may be best (after Desautels, Krause and
    /// Burdick 2014).
    #[inline]
    fn policy(&mut self, people: u64) -> Policy {
        self.memory.policies += 1;
        let arms = match draws(people) {
            1 => {
                let arm = self.memory.due().unwrap_or_else(|| self.argmax.choose() as u32);
                let given_up = self.memory.ask(arm);
                self.look_again(arm as usize);
                for arm in given_up {
                    self.look_again(arm as usize);
                }
                Lottery::one(arm)
            }
            draws => {
                let foreseen = self.argmax.foreseen(people, draws);
                let arms = self.memory.spread(people, draws, |number| foreseen[number as usize]);
                Lottery::of_draws(arms).unwrap_or_else(|| Lottery::one(0))
            }
        };
        let (experiment, squash) = (self.spec.digest(), Squash::over(self.spec.reward()));
        Policy { experiment, version: self.memory.policies, question: 0, squash, arms }
    }

    #[inline]
    fn absorb(&mut self, report: &Report) -> Result<(), AbsorbError> {
        let (number, bit) = read(report, &self.spec)?;
        if report.question != 0 {
            return Err(AbsorbError::UnknownQuestion { got: report.question, now: 0 });
        }
        if self.memory.count(report.policy, number, bit) {
            self.argmax = argmax(&self.spec, &self.memory, self.halves);
        } else {
            self.look_again(number);
        }
        Ok(())
    }

    fn estimates(&self) -> Vec<ArmEstimate> {
        estimate::estimates(&self.spec, Squash::over(self.spec.reward()), &self.memory.arms)
    }

    fn changes(&self) -> u32 {
        self.memory.changes()
    }

    fn found(&self) -> Option<u32> {
        self.memory.found()
    }

    fn spec(&self) -> &Spec {
        &self.spec
    }
}

impl Discounting for KlUcb {
    fn discount(&mut self, piled: Piled) {
        let (ones, zeros) = discounted(&self.memory.arms, self.memory.piled(piled));
        let pulls = (ones + zeros).max(1.0);
        self.argmax.update(piled.arm, pulls as u64, ones / pulls);
    }
}

/// The largest q with N kl(mean, q) <= ln(t / (sqrt(K) N)); beyond the cap, the cap plus the mean.
#[derive(Debug)]
pub struct KullbackLeibler {
    cap: f64,
    log_root_arms: f64,
}

impl KullbackLeibler {
    /// For so many arms, whose bits have means of at most `cap`.
    pub fn new(arms: usize, cap: f64) -> KullbackLeibler {
        KullbackLeibler { cap, log_root_arms: 0.5 * libm::log(arms as f64) }
    }
}

impl Rule for KullbackLeibler {
    fn index(&self, pulls: f64, mean: f64, log_t: f64) -> f64 {
        let budget = log_t - self.log_root_arms - libm::log(pulls);
        let q = upper(mean, budget.max(0.0) / pulls);
        if q < self.cap { q } else { self.cap + mean }
    }

    #[inline]
    fn cost(&self, pulls: f64, mean: f64, level: f64) -> f64 {
        // Beyond the cap only the mean counts; to get there costs what reaching the cap does.
        let reach = level.min(self.cap);
        if reach <= mean && level <= self.cap + mean {
            0.0
        } else if level > self.cap + mean {
            f64::INFINITY
        } else {
            pulls * bernoulli_kl(mean, reach) + libm::log(pulls) + self.log_root_arms
        }
    }
}

/// kl(p, q) of two coins; infinite where q excludes what p allows.
#[inline]
pub fn bernoulli_kl(p: f64, q: f64) -> f64 {
    if q <= 0.0 || q >= 1.0 {
        return if p == q { 0.0 } else { f64::INFINITY };
    }
    // Through log1p: the two terms nearly cancel when p and q are close, and this keeps their difference accurate.
    let term = |x: f64, shift: f64| if x == 0.0 { 0.0 } else { -x * libm::log1p(shift / x) };
    (term(p, q - p) + term(1.0 - p, p - q)).max(0.0)
}

/// The largest q in [p, 1] with kl(p, q) <= budget.
///
/// kl(p, .) is convex and increasing on [p, 1), and Pinsker's inequality gives a start above the root, from
/// which Newton's iterates fall to it without overshooting.
fn upper(p: f64, budget: f64) -> f64 {
    if p >= 1.0 {
        return 1.0;
    }
    let mut q = (p + (0.5 * budget).sqrt()).min(1.0 - 1e-12 * (1.0 - p));
    for _ in 0..60 {
        let excess = bernoulli_kl(p, q) - budget;
        let slope = (q - p) / (q * (1.0 - q));
        let step = excess / slope;
        // At the root, where the divergence is steepest next to 0 and 1; or where p and q meet and the step is 0/0.
        if step.is_nan() || step <= 1e-13 * q.min(1.0 - q) {
            break;
        }
        q = (q - step).max(p);
    }
    q
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn upper_inverts_the_divergence(p in 0.0_f64..1.0, budget in 1e-9_f64..3.0) {
            let q = upper(p, budget);
            prop_assert!((p..=1.0).contains(&q));
            // At the cap next to 1 the budget is not used up; elsewhere the root is met.
            if q < 1.0 - 1e-9 {
                prop_assert!((bernoulli_kl(p, q) - budget).abs() <= 1e-6 * budget + 1e-12, "{} {}", bernoulli_kl(p, q), budget);
            }
        }
    }

    #[test]
    fn known_values() {
        assert_eq!(upper(1.0, 0.5), 1.0);
        assert_eq!(bernoulli_kl(0.3, 0.3), 0.0);
        assert_eq!(bernoulli_kl(0.5, 1.0), f64::INFINITY);
        // kl(0, q) = -ln(1 - q).
        assert!((upper(0.0, 1.0) - (1.0 - libm::exp(-1.0))).abs() < 1e-12);
    }
}
