//! Which projective space: the field's size q and the number of coordinates t.

/// The space of the smallest cost: see [`choose`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Design {
    /// The field's size, a prime.
    pub(super) q: u32,
    /// The number of coordinates, at least 2.
    pub(super) t: u32,
}

/// A space may have so many points for each symbol, or so many in all: a bound on the server's memory, and
/// far below what [`TwoLevel`](crate::exact::TwoLevel) takes.
const POINTS_PER_SYMBOL: u64 = 16;
const ALWAYS_ALLOWED: u64 = 1 << 20;
/// Choices whose variance is so close to the best are as good; the smallest space wins.
const AS_GOOD: f64 = 1.01;

impl Design {
    /// (q^m - 1)/(q - 1): the number of points with m coordinates. Zero for none.
    pub(super) fn points(self, m: u32) -> u64 {
        (0..m).fold(0, |points, _| points * u64::from(self.q) + 1)
    }

    /// The variance of one report at frequency 0, with probabilities that are not yet rounded: only to choose by.
    fn variance(self, epsilon: f64) -> f64 {
        let [all, each, both] = [0, 1, 2].map(|less| self.points(self.t - less) as f64);
        // Relative to an output inside, so that a large loss does not overflow.
        let light = libm::exp(-epsilon);
        let total = each + (all - each) * light;
        let other = (both + (each - both) * light) / total;
        let gap = (each - both) * (1.0 - light) / total;
        other * (1.0 - other) / (gap * gap)
    }
}

/// The space with at least `symbols` points of the smallest variance; among those within one percent of it, the one
/// with the fewest points: fewer bytes, and a faster decoder.
///
/// For t = 2 a report is k-ary response among q + 1 outputs, whose variance grows with q: the smallest q is the best.
/// For t > 2 the variance falls until q is about e^epsilon + 1 and grows after it, so that q need not go beyond twice
/// that.
pub(super) fn choose(symbols: u32, epsilon: f64) -> Design {
    let far_enough = 2.0 * (libm::exp(epsilon) + 1.0);
    let largest = ALWAYS_ALLOWED.max(POINTS_PER_SYMBOL * u64::from(symbols));
    let mut designs: Vec<(f64, u64, Design)> = Vec::new();
    for t in 2..=30 {
        for q in (smallest_field(symbols, t)..).filter(|&q| is_prime(q)) {
            let design = Design { q, t };
            if design.points(t) > largest {
                break;
            }
            designs.push((design.variance(epsilon), design.points(t), design));
            if t == 2 || f64::from(q) > far_enough {
                break;
            }
        }
    }
    let best = designs.iter().map(|&(variance, ..)| variance).fold(f64::INFINITY, f64::min);
    let as_good = designs.iter().filter(|&&(variance, ..)| variance <= AS_GOOD * best);
    // Two coordinates always suffice: there is a prime between D and 2 D.
    as_good.min_by_key(|&&(_, points, _)| points).map_or(Design { q: 2, t: 2 }, |&(.., design)| design)
}

/// The smallest q, prime or not, with at least `symbols` points.
fn smallest_field(symbols: u32, t: u32) -> u32 {
    // (q^t - 1)/(q - 1) <= (q + 1)^(t-1): no smaller q is enough, with one to spare for the float.
    let root = libm::pow(f64::from(symbols), 1.0 / f64::from(t - 1)) as u32;
    let enough = |q: u32| Design { q, t }.points(t) >= u64::from(symbols);
    (root.saturating_sub(2).max(2)..=symbols.max(2)).find(|&q| enough(q)).unwrap_or(2)
}

fn is_prime(n: u32) -> bool {
    n >= 2 && (2..=n.isqrt()).all(|d| !n.is_multiple_of(d))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn within_a_tenth_of_the_optimum() {
        // Domains around powers of two, three and ten, primes, and those just above a space's size.
        let domains =
            [16, 17, 31, 32, 33, 40, 41, 57, 64, 97, 100, 121, 122, 133, 256, 365, 500, 512, 729, 1000, 1009];
        let larger =
            [1023, 1024, 1025, 1093, 1094, 2047, 2048, 2187, 2801, 2803, 3000, 3281, 4093, 4095, 4096];
        for symbols in domains.into_iter().chain(larger) {
            for step in 5..=50 {
                let epsilon = f64::from(step) / 10.0;
                let e = libm::exp(epsilon);
                let optimum = 4.0 * e / ((e - 1.0) * (e - 1.0));
                let design = choose(symbols, epsilon);
                assert!(is_prime(design.q) && design.points(design.t) >= u64::from(symbols));
                let ratio = design.variance(epsilon) / optimum;
                assert!(ratio < 1.1, "D = {symbols}, epsilon = {epsilon}: {ratio}");
            }
        }
    }

    #[test]
    fn known_choices_and_edges() {
        assert_eq!(choose(1024, 1.0), Design { q: 3, t: 7 });
        assert_eq!(choose(1 << 20, 1.0), Design { q: 3, t: 14 });
        assert_eq!(choose(2, 1.0), Design { q: 2, t: 2 });
        for symbols in [2, 3, 4, 5, 1 << 10, (1 << 20) - 1, 1 << 20] {
            for epsilon in [1e-9, 1e-6, 3.0, 9.0, 50.0, 1024.0] {
                let design = choose(symbols, epsilon);
                let points = design.points(design.t);
                assert!(
                    points >= u64::from(symbols)
                        && points <= ALWAYS_ALLOWED.max(POINTS_PER_SYMBOL * u64::from(symbols)),
                    "{symbols} {epsilon}"
                );
            }
        }
    }
}
