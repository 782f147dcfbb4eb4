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
            Bound::LaiRobbins(epsilon, squash) => lai_robbins(env, epsilon, squash)? * log_t,
        })
    }
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
