//! Clopper and Pearson (1934): limits of a binomial probability that hold for each sample size, without an
//! approximation.

use super::beta::regularised_beta;

/// The special functions are off by less than 10^-6 of a tail probability up to 10^8 draws; the level is
/// lowered by more.
const ROUNDING: f64 = 1e-5;

/// A number that exceeds the true probability with probability at most `level`: the p at which `hits` or more of
/// `draws` would come with probability `level`.
pub(super) fn lower_limit(hits: u64, draws: u64, level: f64) -> f64 {
    if hits == 0 {
        return 0.0;
    }
    let level = level * (1.0 - ROUNDING);
    let (a, b) = (hits as f64, (draws - hits) as f64 + 1.0);
    let (mut low, mut high) = (0.0, 1.0);
    // The tail grows with p; `low` keeps to the side where it is below the level.
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        if regularised_beta(a, b, middle) < level {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// A number below the true probability with probability at most `level`.
pub(super) fn upper_limit(hits: u64, draws: u64, level: f64) -> f64 {
    1.0 - lower_limit(draws - hits, draws, level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::{Binomial, Discrete};

    #[test]
    fn known_values() {
        // R 4: binom.test(c(hits, draws - hits), conf.level = 0.95)$conf.int, two-sided: 0.025 on either side.
        for (hits, draws, low, high) in [
            (1, 10, 0.002_528_579, 0.445_016_1),
            (5, 10, 0.187_086_0, 0.812_914_0),
            (0, 10, 0.0, 0.308_497_1),
            (10, 10, 0.691_502_9, 1.0),
        ] {
            assert!((lower_limit(hits, draws, 0.025) - low).abs() < 3e-6, "{hits}/{draws}");
            assert!((upper_limit(hits, draws, 0.025) - high).abs() < 3e-6, "{hits}/{draws}");
        }
    }

    #[test]
    fn closed_forms_at_the_ends() {
        for draws in [1, 7, 400_000] {
            // All or nothing: p^n = level.
            let root = libm::exp(libm::log(1e-6) / draws as f64);
            assert!((lower_limit(draws, draws, 1e-6) - root).abs() < 1e-5);
            assert!((upper_limit(0, draws, 1e-6) - (1.0 - root)).abs() < 1e-5);
            assert_eq!((lower_limit(0, draws, 1e-6), upper_limit(draws, draws, 1e-6)), (0.0, 1.0));
        }
    }

    /// The exact probability that the lower limit exceeds the truth.
    fn missed(draws: u64, p: f64, limit: impl Fn(u64) -> f64) -> f64 {
        let law = Binomial::new(p, draws).unwrap();
        (0..=draws).filter(|&hits| limit(hits) > p).map(|hits| law.pmf(hits)).sum()
    }

    #[test]
    fn covers_exactly_as_often_as_it_says_and_an_estimate_does_not() {
        for draws in [5, 40, 300] {
            for p in [0.001, 0.03, 0.3, 0.5, 0.9, 0.999] {
                for level in [0.05, 1e-4] {
                    assert!(missed(draws, p, |hits| lower_limit(hits, draws, level)) <= level);
                    let mirrored = |hits| 1.0 - upper_limit(draws - hits, draws, level);
                    assert!(missed(draws, p, mirrored) <= level);
                }
            }
        }
        // Power: the estimate itself is no lower limit.
        assert!(missed(300, 0.3, |hits| hits as f64 / 300.0) > 0.05);
    }
}
