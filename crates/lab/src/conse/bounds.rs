//! What the paper proves, with the constants that its proofs have: Theorem 2.1, Lemmas 2.1 and 3.1, Corollary
//! 3.2, Theorems 2.3 and 3.3, Lemma 3.4, Propositions 2.6 and 3.6. Rewards are in [0, 1].

use super::World;

/// error x regret >= this times M, by Lemma 1.1 and the proof of Theorem 2.1. There e >= phi^2 / 4 with phi^2 =
/// 3 gap / (32 regret), for rewards of -1 and 1: so 3 gap / 128, and 3 gap / 512 for rewards in [0, 1], where
/// errors are a quarter, and regrets and gaps a half.
pub fn least_product(gap: f64) -> f64 {
    3.0 * gap / 512.0
}

/// Pulls of the worse arm in the first half, at most, by the end of the proof of Lemma 3.1 (and of Lemma 2.1
/// without a loss, where its factor 3 for random batches and the 1 / epsilon are not there).
pub fn most_bad_pulls(people: u64, gap: f64, epsilon: Option<f64>) -> f64 {
    let log = libm::log(2.0 * libm::log(2.0 / gap) * people as f64);
    let of_means = 1024.0 / (gap * gap);
    match epsilon {
        None => log * (of_means + 96.0 / gap),
        Some(epsilon) => 3.0 * log * (of_means + 96.0 / (epsilon * gap)),
    }
}

/// The people that the theorems speak of: max(`f_min(n)^(1 - alpha)`, log n), or log n / epsilon with a loss. The
/// algorithms have the count of the first half in the place of `f_min(n)`, and log n in both.
pub fn printed_length(world: &World, people: u64, alpha: f64, epsilon: Option<f64>) -> f64 {
    let least = (0..world.means.len())
        .map(|feature| world.arrivals.expected(feature, people))
        .fold(f64::INFINITY, f64::min);
    let log = libm::log(people as f64) / epsilon.unwrap_or(1.0);
    libm::pow(least, 1.0 - alpha).max(log)
}

/// The variance that Propositions 2.6 and 3.6 print, over T: s0^2 + s1^2, as if T people were on *each* arm.
pub fn printed_variance(means: [f64; 2]) -> f64 {
    means.iter().map(|mean| mean * (1.0 - mean)).sum()
}

/// The variance of T people on coins, over T: each arm has T / 2 of them.
pub fn coin_variance(means: [f64; 2]) -> f64 {
    2.0 * printed_variance(means)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::Arrivals;

    #[test]
    fn constants_are_those_of_the_proofs() {
        assert!((least_product(0.3) - 0.001_757_812_5).abs() < 1e-12);
        // log(2 log(2 / 0.5) 1000) (1024 / 0.25 + 96 / 0.5).
        let log = libm::log(2.0 * libm::log(4.0) * 1000.0);
        assert!((most_bad_pulls(1000, 0.5, None) - log * 4288.0).abs() < 1e-6);
        assert!((most_bad_pulls(1000, 0.5, Some(2.0)) - 3.0 * log * 4192.0).abs() < 1e-6);
        assert!((coin_variance([0.5, 0.5]) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn lengths_follow_the_rarest_feature() {
        let world = World::alternating(Arrivals::Stationary { shares: vec![3.0, 1.0] }, 0.3);
        let length = |alpha, epsilon| printed_length(&world, 40_000, alpha, epsilon);
        assert!((length(0.0, None) - 10_000.0).abs() < 1.0);
        assert!((length(0.5, None) - 100.0).abs() < 0.1);
        assert!((length(1.0, None) - libm::log(40_000.0)).abs() < 1e-9);
        assert!((length(1.0, Some(0.25)) - 4.0 * libm::log(40_000.0)).abs() < 1e-9);
    }
}
