//! How sure one can be of a share.

/// Deviations of a normal variable that 95 % lie within.
const Z: f64 = 1.959_963_984_540_054;

/// Wilson's 95 % interval of a probability of which `count` of `n` trials were seen; all of [0, 1] without trials.
pub fn share_interval(count: u64, n: u64) -> [f64; 2] {
    if n == 0 {
        return [0.0, 1.0];
    }
    let (n, share) = (n as f64, count as f64 / n as f64);
    let middle = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let half = Z / (1.0 + Z * Z / n) * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    [(middle - half).max(0.0), (middle + half).min(1.0)]
}

/// The share of people who got each arm, given how many got each in every trial.
pub(crate) fn arm_shares<'a>(trials: impl Iterator<Item = &'a [u64]>) -> Vec<f64> {
    let mut pulls: Vec<u64> = Vec::new();
    for trial in trials {
        pulls.resize(pulls.len().max(trial.len()), 0);
        pulls.iter_mut().zip(trial).for_each(|(sum, more)| *sum += more);
    }
    let all = pulls.iter().sum::<u64>() as f64;
    pulls.iter().map(|&pulls| pulls as f64 / all).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_intervals() {
        // 81 of 263, an example of Newcombe (1998): 0.2553 to 0.3662.
        let [low, high] = share_interval(81, 263);
        assert!((low - 0.2553).abs() < 5e-5 && (high - 0.3662).abs() < 5e-5, "{low} {high}");
        assert_eq!(share_interval(0, 0), [0.0, 1.0]);
        assert!(share_interval(0, 10)[0] < 1e-12 && share_interval(10, 10)[1] > 1.0 - 1e-12);
    }
}
