//! What theory says of the regret: curves to draw beside the measured ones.

use reticent_baselines::mab::Squash;
use reticent_learn::mab::bernoulli_kl;
use reticent_privacy::Epsilon;
use reticent_privacy::mechanism::BernoulliResponse;

use crate::mab::env::Environment;

/// A bound on the expected regret of an environment, as a function of the number of people.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// Theorem 1: no epsilon-LDP agent does better, asymptotically.
    LowerTheorem1(Epsilon),
    /// Theorem 4: LDP-UCB-L does no worse.
    UpperTheorem4(Epsilon),
    /// Theorem 6: LDP-UCB-B does no worse.
    UpperTheorem6(Epsilon),
    /// Corollary 10: LDP-UCB-LS does no worse, on normal rewards of variance 1.
    UpperCorollary10(Epsilon),
    /// Corollary 11: LDP-UCB-BS does no worse, on normal rewards of variance 1.
    UpperCorollary11(Epsilon),
    /// Theorem 4, distribution-free: O(sqrt(nT log T) / epsilon), with the constant that its proof gives.
    FreeTheorem4(Epsilon),
    /// Theorem 6, distribution-free, with the constant that its proof gives.
    FreeTheorem6(Epsilon),
    /// Lai and Robbins (1985) on the private bits, asymptotically: the best constant on this channel, and for
    /// yes-or-no rewards on any epsilon-LDP channel, since each is a post-processing of randomised response.
    LaiRobbins(Epsilon, Squash),
}

impl Bound {
    /// The name in legends.
    pub fn label(self) -> String {
        match self {
            Bound::LowerTheorem1(e) => format!("Theorem 1: least possible, ε = {e}"),
            Bound::UpperTheorem4(e) => format!("Theorem 4: at most, ε = {e}"),
            Bound::UpperTheorem6(e) => format!("Theorem 6: at most, ε = {e}"),
            Bound::UpperCorollary10(e) => format!("Corollary 10: at most, ε = {e}"),
            Bound::UpperCorollary11(e) => format!("Corollary 11: at most, ε = {e}"),
            Bound::FreeTheorem4(e) => format!("Theorem 4, any arms: at most, ε = {e}"),
            Bound::FreeTheorem6(e) => format!("Theorem 6, any arms: at most, ε = {e}"),
            Bound::LaiRobbins(e, _) => format!("Lai-Robbins on private bits, ε = {e}"),
        }
    }

    /// The bound after `users` people, or `None` where it has no meaning (unknown means behind the squash).
    pub fn at(self, env: &Environment, users: f64) -> Option<f64> {
        let log_t = libm::log(users);
        let gaps: Vec<f64> = env.gaps().into_iter().filter(|gap| *gap > 0.0).collect();
        let sum = |term: &dyn Fn(f64) -> f64| gaps.iter().map(|&gap| term(gap)).sum::<f64>();
        let pi_squared = std::f64::consts::PI * std::f64::consts::PI;
        Some(match self {
            Bound::LowerTheorem1(epsilon) => {
                let spread = 2.0 * libm::sinh(epsilon.value());
                sum(&|gap| 1.0 / gap) * log_t / (spread * spread)
            }
            Bound::UpperTheorem4(epsilon) => {
                let factor = 1.0 + 4.0 / epsilon.value();
                sum(&|gap| 8.0 * factor * factor * log_t / gap + (1.0 + 2.0 * pi_squared / 3.0) * gap)
            }
            Bound::UpperTheorem6(epsilon) => {
                let factor = 1.0 / libm::tanh(epsilon.value() / 2.0);
                sum(&|gap| 8.0 * factor * factor * log_t / gap + (1.0 + pi_squared / 3.0) * gap)
            }
            Bound::UpperCorollary10(epsilon) => {
                Bound::UpperTheorem4(epsilon).at(env, users)? / (SIGMOID_SLOPE * SIGMOID_SLOPE)
            }
            Bound::UpperCorollary11(epsilon) => {
                Bound::UpperTheorem6(epsilon).at(env, users)? / (SIGMOID_SLOPE * SIGMOID_SLOPE)
            }
            Bound::FreeTheorem4(epsilon) => {
                let factor = 1.0 + 4.0 / epsilon.value();
                distribution_free(env, users, factor, 1.0 + 2.0 * pi_squared / 3.0)
            }
            Bound::FreeTheorem6(epsilon) => {
                let factor = 1.0 / libm::tanh(epsilon.value() / 2.0);
                distribution_free(env, users, factor, 1.0 + pi_squared / 3.0)
            }
            Bound::LaiRobbins(epsilon, squash) => lai_robbins(env, epsilon, squash)? * log_t,
        })
    }
}

/// The `c_s` of Lemma 7 for normal noise of variance 1, as its proof computes it: 0.2066 / e.
const SIGMOID_SLOPE: f64 = 0.2066 / std::f64::consts::E;

/// The proofs split arms at a gap alpha: those below lose T alpha together, the others 8 factor^2 log T / alpha + rest
/// each. At the alpha that makes both alike that is the sum below; nobody can lose more than the largest gap each time.
fn distribution_free(env: &Environment, users: f64, factor: f64, rest: f64) -> f64 {
    let arms = f64::from(env.arms());
    let worst = env.gaps().into_iter().fold(0.0, f64::max);
    (2.0 * factor * (8.0 * arms * users * libm::log(users)).sqrt() + arms * rest).min(worst * users)
}

/// People whom no rule that errs with probability `error` at most can do without, on average, to tell the best arm from
/// private bits (Garivier and Kaufmann 2016): kl(error, 1 - error) over the largest information that any shares of arms
/// give against the rival that is hardest to exclude. None if several arms are the best.
pub fn identification(env: &Environment, epsilon: Epsilon, error: f64) -> Option<f64> {
    let curator = BernoulliResponse::new(epsilon);
    let bits: Option<Vec<f64>> = env
        .rewards()
        .iter()
        .map(|reward| Some(curator.response_mean(reward.mean_through(Squash::Clip)?)))
        .collect();
    let bits = bits?;
    let best = env.gaps().iter().position(|gap| *gap == 0.0)?;
    if env.gaps().iter().filter(|gap| **gap == 0.0).count() > 1 || bits.len() < 2 {
        return None;
    }
    Some(bernoulli_kl(error, 1.0 - error) / information(&bits, best))
}

/// The information of one person at the best shares: with the best arm's share as 1, each rival's share x follows
/// from a common cost y by bisection; y is searched for the largest y / (1 + sum x), which has one maximum.
fn information(bits: &[f64], best: usize) -> f64 {
    let cost = |rival: f64, x: f64| {
        let pooled = (bits[best] + x * rival) / (1.0 + x);
        bernoulli_kl(bits[best], pooled) + x * bernoulli_kl(rival, pooled)
    };
    let rivals: Vec<f64> = (0..bits.len()).filter(|&arm| arm != best).map(|arm| bits[arm]).collect();
    let share = |rival: f64, y: f64| {
        let (mut low, mut high) = (0.0, 1e9);
        for _ in 0..200 {
            let middle = f64::midpoint(low, high);
            if cost(rival, middle) < y { low = middle } else { high = middle }
        }
        high
    };
    let rate = |y: f64| y / (1.0 + rivals.iter().map(|&rival| share(rival, y)).sum::<f64>());
    // No share of a rival gives more than the best arm's own divergence to it.
    let (mut low, mut high) =
        (0.0, rivals.iter().map(|&rival| bernoulli_kl(bits[best], rival)).fold(f64::INFINITY, f64::min));
    for _ in 0..200 {
        let third = (high - low) / 3.0;
        if rate(low + third) < rate(high - third) { low += third } else { high -= third }
    }
    rate(low)
}

/// Sum over the worse arms of gap / KL(bit of the arm, bit of the best).
fn lai_robbins(env: &Environment, epsilon: Epsilon, squash: Squash) -> Option<f64> {
    let curator = BernoulliResponse::new(epsilon);
    let bits: Option<Vec<f64>> = env
        .rewards()
        .iter()
        .map(|reward| Some(curator.response_mean(reward.mean_through(squash)?)))
        .collect();
    let bits = bits?;
    let best = bits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let terms = env.gaps().into_iter().zip(bits).filter(|(gap, _)| *gap > 0.0);
    Some(terms.map(|(gap, bit)| gap / bernoulli_kl(bit, best)).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_ratios() {
        let env = Environment::open("mab-bernoulli").unwrap();
        let two = Epsilon::new(2.0).unwrap();
        // Leading terms relative to UCB1's: 9.0 and 1.7 at epsilon 2 (section 4).
        let lead =
            |bound: Bound| (bound.at(&env, 1e12).unwrap() - bound.at(&env, 1e6).unwrap()) / libm::log(1e6);
        let ucb1: f64 = env.gaps().iter().filter(|g| **g > 0.0).map(|g| 8.0 / g).sum();
        assert!((lead(Bound::UpperTheorem4(two)) / ucb1 - 9.0).abs() < 1e-9);
        assert!((lead(Bound::UpperTheorem6(two)) / ucb1 - 1.724).abs() < 1e-3);
        // Sum of 1/gap is 5/0.1 + 5/0.2 + 5/0.3 + 4/0.4.
        let lower = Bound::LowerTheorem1(two).at(&env, libm::exp(1.0)).unwrap();
        let spread = libm::exp(2.0) - libm::exp(-2.0);
        assert!((lower - (50.0 + 25.0 + 50.0 / 3.0 + 10.0) / (spread * spread)).abs() < 1e-9);
    }

    /// Two arms: the best shares make both divergences to the pooled mean alike, near a half each; then people are
    /// kl(error, 1 - error) over the Chernoff information, about 8 of a squared gap over a variance each way.
    #[test]
    fn two_arms_need_what_chernoff_says() {
        let bits = [0.5, 0.55];
        let found = information(&bits, 1);
        assert!((found - 0.05 * 0.05 / (8.0 * 0.25)).abs() < 0.05 * found, "{found}");
    }

    #[test]
    fn the_corollaries_are_the_theorems_over_a_squared_slope() {
        let env = Environment::open("mab-gaussian").unwrap();
        let half = Epsilon::new(0.5).unwrap();
        let ratio = |a: Bound, b: Bound| a.at(&env, 1e7).unwrap() / b.at(&env, 1e7).unwrap();
        let slope = 0.2066 / libm::exp(1.0);
        let expected = 1.0 / (slope * slope);
        assert!((ratio(Bound::UpperCorollary10(half), Bound::UpperTheorem4(half)) - expected).abs() < 1e-6);
        assert!((ratio(Bound::UpperCorollary11(half), Bound::UpperTheorem6(half)) - expected).abs() < 1e-6);
    }

    #[test]
    fn the_lower_bounds_are_ordered() {
        let env = Environment::open("mab-bernoulli").unwrap();
        for epsilon in [0.2, 0.5, 1.0, 2.0] {
            let epsilon = Epsilon::new(epsilon).unwrap();
            let weak = Bound::LowerTheorem1(epsilon).at(&env, 1e6).unwrap();
            let strong = Bound::LaiRobbins(epsilon, Squash::Clip).at(&env, 1e6).unwrap();
            let upper = Bound::UpperTheorem6(epsilon).at(&env, 1e6).unwrap();
            assert!(weak < strong && strong < upper);
        }
        let gaussian = Environment::open("mab-gaussian").unwrap();
        assert!(Bound::LaiRobbins(Epsilon::MAX, Squash::Sigmoid).at(&gaussian, 1e6).is_some());
    }
}
