//! How many deviations a band must be wide to hold everywhere at once.

use reticent_privacy::{SimSeed, Stream};

/// Functions drawn from the posterior: the more places there are, the fewer, so that the work is bounded; and
/// never fewer than give the quantile.
const WORK: usize = 300_000_000;
const DRAWS: std::ops::RangeInclusive<usize> = 400..=2000;
/// Draws that are compared with all places before the next.
const AT_ONCE: usize = 16;
/// The draws are public and need no secret; the same reports give the same policy.
const SEED: SimSeed = SimSeed(0x7072_6963_696e_6720);

/// The number of deviations that the posterior exceeds somewhere with probability at most 1 - `confidence`:
/// an order statistic of the largest deviation of functions drawn from the posterior, moved up by two of its
/// own deviations. `drawn` gives, for standard normal vectors of `rank` numbers one after another, how far the
/// functions are from the mean at each place, one of each draw; `variance` is that of each place.
pub(super) fn width(
    rank: usize,
    variance: &[f64],
    confidence: f64,
    drawn: impl Fn(&[f64]) -> Vec<f64>,
) -> f64 {
    let draws = (WORK / (rank * variance.len()).max(1)).clamp(*DRAWS.start(), *DRAWS.end());
    let mut rng = SEED.stream(0, Stream::Agent);
    let normals: Vec<f64> = (0..draws * rank).map(|_| rng.normal()).collect();
    let scales: Vec<f64> =
        variance.iter().map(|variance| 1.0 / variance.sqrt().max(f64::MIN_POSITIVE)).collect();
    let mut largest = vec![0.0_f64; draws];
    // A few draws at a time stay close by while all places are gone through.
    for (largest, normals) in largest.chunks_mut(AT_ONCE).zip(normals.chunks(AT_ONCE * rank)) {
        let drawn = drawn(normals);
        for (place, scale) in drawn.chunks_exact(largest.len()).zip(&scales) {
            for (largest, value) in largest.iter_mut().zip(place) {
                *largest = largest.max(value.abs() * scale);
            }
        }
    }
    largest.sort_by(f64::total_cmp);
    let (n, tail) = (draws as f64, 1.0 - confidence);
    let above = (n * tail - 2.0 * (n * tail * confidence).sqrt()).max(0.0) as usize;
    largest[draws - 1 - above.min(draws - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Independent places: the largest of k deviations is below w with probability (2 Phi(w) - 1)^k.
    #[test]
    fn independent_places_have_the_width_of_the_largest_of_so_many_normals() {
        use statrs::distribution::{ContinuousCDF, Normal};
        let normal = Normal::new(0.0, 1.0).unwrap();
        for rank in [1_usize, 8, 64] {
            // Each place has a number of its own, three times as far from nothing.
            let drawn = |normals: &[f64]| {
                let count = normals.len() / rank;
                (0..normals.len()).map(|at| 3.0 * normals[at % count * rank + at / count]).collect()
            };
            let width = width(rank, &vec![9.0; rank], 0.95, drawn);
            let holds = (2.0 * normal.cdf(width) - 1.0).powi(rank as i32);
            // 2,000 draws: the order statistic lies 1.9 to 2.1 deviations up, give or take four.
            assert!((0.945..0.98).contains(&holds), "{rank}: {width} {holds}");
        }
    }
}
