//! Wilcoxon's signed-rank test (Wilcoxon 1945): are paired differences centred at zero?

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

/// Up to this many differences the distribution is counted out; all 2^50 sign patterns still fit a float exactly.
const MOST_EXACT: usize = 50;

/// The outcome of a signed-rank test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SignedRank {
    /// W+: the sum of the ranks of the positive differences.
    pub statistic: f64,
    /// The p-value against "differences tend to be positive".
    pub p_greater: f64,
    /// The p-value against "differences are not centred at zero".
    pub p_two_sided: f64,
    /// How many differences were not zero.
    pub used: usize,
}

/// Tests whether differences are symmetric around zero. Zeros are dropped, ties get the mean of their ranks.
///
/// Exact for up to 50 differences without ties. Otherwise a normal approximation with corrections for ties
/// and for continuity: with few differences and many ties its p-values are rough. `None` if a difference is
/// NaN or all are zero.
pub fn wilcoxon_signed_rank(differences: &[f64]) -> Option<SignedRank> {
    if differences.iter().any(|x| x.is_nan()) {
        return None;
    }
    let mut kept: Vec<f64> = differences.iter().copied().filter(|x| *x != 0.0).collect();
    kept.sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
    let n = kept.len();
    let (statistic, tie_sum) = rank_sum(&kept);
    let (p_greater, p_less) = match n {
        0 => return None,
        1..=MOST_EXACT if tie_sum == 0.0 => exact(n, statistic as usize),
        _ => approximate(n as f64, statistic, tie_sum)?,
    };
    let p_two_sided = (2.0 * p_greater.min(p_less)).min(1.0);
    Some(SignedRank { statistic, p_greater, p_two_sided, used: n })
}

/// W+ and the sum of t^3 - t over groups of t ties, for differences in order of size.
fn rank_sum(sorted: &[f64]) -> (f64, f64) {
    let (mut before, mut statistic, mut tie_sum) = (0.0, 0.0, 0.0);
    for group in sorted.chunk_by(|a, b| a.abs() == b.abs()) {
        let t = group.len() as f64;
        let rank = before + f64::midpoint(1.0, t);
        statistic += rank * group.iter().filter(|x| **x > 0.0).count() as f64;
        tie_sum += t * t * t - t;
        before += t;
    }
    (statistic, tie_sum)
}

/// P(W+ >= w) and P(W+ <= w): under the null each rank is positive with probability 1/2, independently.
fn exact(n: usize, w: usize) -> (f64, f64) {
    // ways[s]: how many sets of the ranks so far sum to s.
    let mut ways = vec![0_u64; n * (n + 1) / 2 + 1];
    ways[0] = 1;
    for rank in 1..=n {
        for sum in (rank..ways.len()).rev() {
            ways[sum] += ways[sum - rank];
        }
    }
    let part = |ways: &[u64]| ways.iter().sum::<u64>() as f64 / (1_u64 << n) as f64;
    (part(&ways[w..]), part(&ways[..=w]))
}

fn approximate(n: f64, w: f64, tie_sum: f64) -> Option<(f64, f64)> {
    let mean = n * (n + 1.0) / 4.0;
    let sd = (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - tie_sum / 48.0).sqrt();
    let normal = Normal::new(0.0, 1.0).ok()?;
    Some((normal.sf((w - mean - 0.5) / sd), normal.cdf((w - mean + 0.5) / sd)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_privacy::{SimRng, SimSeed, Stream};
    use statrs::distribution::{Binomial, ChiSquared, DiscreteCDF};

    /// A correct test fails on a fresh seed with this probability.
    const LEVEL: f64 = 1e-6;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-9 * b
    }

    fn check(differences: &[f64], statistic: f64, p_greater: f64, p_two_sided: f64) {
        let found = wilcoxon_signed_rank(differences).unwrap();
        assert_eq!(found.statistic, statistic);
        assert!(close(found.p_greater, p_greater) && close(found.p_two_sided, p_two_sided), "{found:?}");
    }

    fn scattered(count: u32, shift: f64) -> Vec<f64> {
        (0..count).map(|i| f64::from(i * 37 % 101) - shift + 0.001 * f64::from(i * i)).collect()
    }

    /// Values of scipy 1.17.1 (`wilcoxon`, `exact` and `asymptotic` with `correction=True`).
    #[test]
    fn agrees_with_scipy() {
        // Darwin's maize: crossed minus self-fertilised, in inches.
        let maize =
            [6.125, -8.375, 1.0, 2.0, 0.75, 2.875, 3.5, 5.125, 1.75, 3.625, 7.0, 3.0, 9.375, 7.5, -6.0];
        check(&maize, 96.0, 0.020_629_882_812_5, 0.041_259_765_625);
        check(&[1.0, 2.0, 3.0, 4.0, 5.0], 15.0, 0.031_25, 0.062_5);
        check(&scattered(30, 45.5), 255.0, 0.327_719_212_509_691_7, 0.655_438_425_019_383_4);
        check(&scattered(50, 42.5), 820.0, 0.039_428_953_709_781_39, 0.078_857_907_419_562_78);
        check(&scattered(80, 40.5), 2264.0, 0.001_012_943_573_402_993, 0.002_025_887_146_805_986);
        let ties = [1.0, -1.0, 2.0, 2.0, -3.0, 4.0, 4.0, 4.0, -5.0, 6.0, 0.0, -0.0];
        check(&ties, 39.5, 0.119_641_189_908_752_33, 0.239_282_379_817_504_66);
        assert_eq!(wilcoxon_signed_rank(&ties).unwrap().used, 10);
    }

    #[test]
    fn counting_agrees_with_all_sign_patterns() {
        let n = 9;
        for w in 0..=n * (n + 1) / 2 {
            let sum = |signs: u32| (1..=n).filter(|i| signs >> (i - 1) & 1 == 1).sum::<usize>();
            let part = |hits: usize| hits as f64 / f64::from(1_u32 << n);
            let above = (0..1_u32 << n).filter(|signs| sum(*signs) >= w).count();
            let below = (0..1_u32 << n).filter(|signs| sum(*signs) <= w).count();
            assert_eq!(exact(n, w), (part(above), part(below)));
        }
    }

    #[test]
    fn nothing_to_test_is_none() {
        assert_eq!(wilcoxon_signed_rank(&[]), None);
        assert_eq!(wilcoxon_signed_rank(&[0.0, -0.0]), None);
        assert_eq!(wilcoxon_signed_rank(&[1.0, f64::NAN]), None);
        assert_eq!(wilcoxon_signed_rank(&[f64::INFINITY, -1.0]).unwrap().statistic, 2.0);
    }

    /// 20 000 tests of `n` normal differences. A p-value less a uniform part of its own atom is uniform under the null;
    /// the p-value of Pearson's chi-square in 20 cells says whether these are.
    fn uniformity(n: usize, shift: f64) -> f64 {
        const RUNS: u64 = 20_000;
        let mut rng: SimRng = SimSeed(1945).stream(n as u64, Stream::Environment);
        let mut cells = [0_u32; 20];
        for _ in 0..RUNS {
            let differences: Vec<f64> = (0..n).map(|_| rng.normal() + shift).collect();
            let mirrored: Vec<f64> = differences.iter().map(|x| -x).collect();
            let p = wilcoxon_signed_rank(&differences).unwrap().p_greater;
            let atom = p + wilcoxon_signed_rank(&mirrored).unwrap().p_greater - 1.0;
            cells[((p - rng.uniform() * atom) * 20.0).clamp(0.0, 19.0) as usize] += 1;
        }
        let expected = RUNS as f64 / 20.0;
        let statistic = cells.iter().map(|c| (f64::from(*c) - expected).powi(2) / expected).sum();
        ChiSquared::new(19.0).unwrap().sf(statistic)
    }

    #[test]
    fn p_values_are_uniform_under_the_null_and_the_check_has_power() {
        for n in [12, 35, 80] {
            assert!(uniformity(n, 0.0) > LEVEL, "{n}");
            assert!(uniformity(n, 0.05) < LEVEL, "{n}");
        }
    }

    /// The t-test finds a shift of 0.8 sd in 20 differences with probability 0.96 at level 0.05, and the
    /// signed ranks lose little of it. Fewer than a binomial with 0.93 would give is a broken test.
    #[test]
    fn a_shift_is_found() {
        let mut rng = SimSeed(1945).stream(0, Stream::Agent);
        let mut found = 0;
        for _ in 0..5_000 {
            let differences: Vec<f64> = (0..20).map(|_| rng.normal() + 0.8).collect();
            found += u64::from(wilcoxon_signed_rank(&differences).unwrap().p_greater <= 0.05);
        }
        let fewer = Binomial::new(0.93, 5_000).unwrap().cdf(found);
        assert!(fewer > LEVEL, "{found} of 5000");
    }
}
