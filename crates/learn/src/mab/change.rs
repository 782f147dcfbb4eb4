//! Whether an arm still is what it was: a test that may be looked at after every report.
//!
//! **Statement.** As long as an arm's rewards keep their law, the test ever fires with probability at most alpha,
//! however and however often the arm is chosen.
//!
//! **Proof.** Then the arm's bits are independent coins of one probability q, in the order of their answers: which
//! person is asked depends on earlier bits alone. Fix a place s. Let E be the likelihood of all bits so far where those
//! up to s and those after it have probabilities of their own, each mixed over Beta(1/2, 1/2), over the largest
//! likelihood of one probability for all. The latter is at least that of q, so that E is at most the ratio M of the
//! mixture to the likelihood of q, a martingale with mean 1. So is the sum of w(s) M(s) over places, for weights that
//! add up to 1 at most, and by Ville's inequality it ever reaches 1/alpha with probability at most alpha. The test
//! fires where a single w(s) E(s) does, and looks at some places alone: both make it fire less. QED.
//!
//! Places are ends of blocks of answers. Blocks that are long ago are joined, so that an arm with n answers keeps a few
//! times log n of them.

use serde::{Deserialize, Serialize};

use super::sequence::log_mixture;

/// How often the test of all arms together ever cuts a stretch of time in which nothing changes.
pub const FALSE_CHANGES: f64 = 0.01;
/// Answers in a block.
const BLOCK: u64 = 32;
/// So many blocks of one size are kept before the two oldest are joined.
const ALIKE: usize = 4;
/// The sum of 1 / (k ln(k)^2) over all k from 2, rounded up.
const ALL_WEIGHTS: f64 = 2.11;

/// One arm's answers in order, as blocks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct History {
    /// Answers and ones; the oldest first, none smaller than the one after it.
    blocks: Vec<(u64, u64)>,
    /// What is no whole block yet.
    open: (u64, u64),
}

impl History {
    /// One more answer. True if it shows, at this error rate, that the arm has changed.
    #[inline]
    pub(super) fn add(&mut self, bit: bool, alpha: f64) -> bool {
        self.open.0 += 1;
        self.open.1 += u64::from(bit);
        self.open.0 == BLOCK && self.close(alpha)
    }

    fn close(&mut self, alpha: f64) -> bool {
        self.blocks.push(std::mem::take(&mut self.open));
        let changed = self.log_evidence(-libm::log(alpha)).is_some();
        self.join();
        changed
    }

    /// Two of the oldest of a size that has too many become one of the next.
    fn join(&mut self) {
        let mut end = self.blocks.len();
        while end > ALIKE && self.blocks[end - 1 - ALIKE].0 == self.blocks[end - 1].0 {
            let at = end - 1 - ALIKE;
            let (pulls, ones) = self.blocks.remove(at + 1);
            self.blocks[at].0 += pulls;
            self.blocks[at].1 += ones;
            end = at + 1;
        }
    }

    /// The first evidence of at least `limit`, as a logarithm.
    fn log_evidence(&self, limit: f64) -> Option<f64> {
        let (all, all_ones) =
            self.blocks.iter().fold((0, 0), |sum, block| (sum.0 + block.0, sum.1 + block.1));
        let (mut before, mut ones) = (0, 0);
        let whole = largest_log_likelihood(all_ones, all);
        for &(pulls, block_ones) in &self.blocks[..self.blocks.len() - 1] {
            before += pulls;
            ones += block_ones;
            let (after, ones_after) = (all - before, all_ones - ones);
            // What any two probabilities could show: without logarithms, and nearly always too little.
            if at_most([(before, ones), (after, ones_after)], all_ones as f64 / all as f64) < limit {
                continue;
            }
            let place = (before / BLOCK + 1) as f64;
            let log_place = libm::log(place);
            let weight = -libm::log(ALL_WEIGHTS * place * log_place * log_place);
            let split = log_mixture(ones, before - ones) + log_mixture(ones_after, after - ones_after);
            let evidence = split - whole + weight;
            if evidence >= limit {
                return Some(evidence);
            }
        }
        None
    }

    /// Whether stored blocks can be those of an arm with so many answers and ones since the beginning.
    pub(super) fn is_possible(&self, (answers, ones): (u64, u64)) -> bool {
        let sum = self.blocks.iter().try_fold(self.open, |sum, block| {
            Some((sum.0.checked_add(block.0)?, sum.1.checked_add(block.1)?))
        });
        let sound =
            |block: &(u64, u64)| block.0 >= BLOCK && block.0.is_multiple_of(BLOCK) && block.1 <= block.0;
        self.open.0 < BLOCK
            && self.open.1 <= self.open.0
            && self.blocks.iter().all(sound)
            && self.blocks.windows(2).all(|pair| pair[0].0 >= pair[1].0)
            && sum.is_some_and(|sum| sum.0 <= answers && sum.1 <= ones)
    }
}

/// The logarithm of the likelihood under the probability that fits best.
fn largest_log_likelihood(ones: u64, all: u64) -> f64 {
    let term =
        |count: u64| if count == 0 { 0.0 } else { count as f64 * libm::log(count as f64 / all as f64) };
    term(ones) + term(all - ones)
}

/// An upper bound of the logarithm of a likelihood ratio: a divergence of coins is at most their chi-square distance.
fn at_most(parts: [(u64, u64); 2], mean: f64) -> f64 {
    let part = |(pulls, ones): (u64, u64)| {
        let distance = ones as f64 / pulls as f64 - mean;
        pulls as f64 * distance * distance
    };
    let spread = mean * (1.0 - mean);
    if spread > 0.0 { parts.map(part).iter().sum::<f64>() / spread } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_privacy::{SimSeed, Stream};

    fn fires_at(run: u64, answers: u64, mean: impl Fn(u64) -> f64) -> Option<u64> {
        let mut rng = SimSeed(24).stream(run, Stream::Environment);
        let mut history = History::default();
        (0..answers).find(|&at| history.add(rng.uniform() < mean(at), 0.05))
    }

    /// Of 400 arms that stay the same at most 20 may fire on average; 45 with probability 1e-7. Of those whose bits
    /// change by .18 after 3,000 answers nearly all do, in the order of a hundred later: the test is no test that
    /// never fires.
    #[test]
    fn fires_when_an_arm_changes_and_seldom_when_not() {
        let q = |run: u64| [0.27, 0.5, 0.65, 0.73][run as usize % 4];
        let false_alarms = (0..400).filter(|&run| fires_at(run, 6_000, |_| q(run)).is_some()).count();
        assert!(false_alarms <= 45, "{false_alarms}");
        let noticed: Vec<u64> = (0..40)
            .filter_map(|run| fires_at(run, 4_000, |at| if at < 3_000 { 0.73 } else { 0.55 }))
            .filter(|&at| at >= 3_000)
            .collect();
        let mean = noticed.iter().sum::<u64>() as f64 / noticed.len() as f64 - 3_000.0;
        assert!(noticed.len() >= 38 && mean < 400.0, "{} {mean}", noticed.len());
    }

    #[test]
    fn weights_add_up_to_one_at_most() {
        let weight = |k: f64| 1.0 / (ALL_WEIGHTS * k * libm::log(k) * libm::log(k));
        let sum: f64 = (2..1_000_000).map(|k| weight(f64::from(k))).sum();
        // The rest is at most the integral of the same from there on.
        assert!(sum + 1.0 / (ALL_WEIGHTS * libm::log(999_999.0)) <= 1.0, "{sum}");
    }

    #[test]
    fn few_blocks_are_kept_and_nothing_is_lost() {
        let mut history = History::default();
        for n in 1..=100_000_u64 {
            history.add(n.is_multiple_of(3), 1e-9);
            if n.is_multiple_of(5_003) {
                let counts = (n, n / 3);
                assert!(history.is_possible(counts), "{history:?}");
                let kept: u64 = history.blocks.iter().map(|block| block.0).sum();
                assert_eq!(kept + history.open.0, n);
            }
        }
        assert!(history.blocks.len() < 5 * 13, "{}", history.blocks.len());
    }
}
