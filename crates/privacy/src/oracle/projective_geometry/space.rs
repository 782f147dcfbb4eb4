//! Points of a projective space as numbers, and the answer to a symbol as a function of a number.

use super::super::select::select;
use super::design::Design;

/// Division by a constant that is known only when running: a multiplication and a shift.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Divisor {
    divisor: u64,
    reciprocal: u64,
}

impl Divisor {
    /// Exact for numbers n with n d < 2^62 (Granlund and Montgomery 1994): the reciprocal is at most 1 too large in
    /// units of 2^-62, which moves n/d by less than 1/d.
    fn new(divisor: u64) -> Divisor {
        Divisor { divisor, reciprocal: (1 << 62) / divisor + 1 }
    }

    #[inline]
    fn divide(self, n: u64) -> (u64, u64) {
        let quotient = ((u128::from(n) * u128::from(self.reciprocal)) >> 62) as u64;
        (quotient, n - quotient * self.divisor)
    }
}

/// Symbols whose vector ends in 1 at coordinate `pivot` and has zeros after it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Level {
    /// The first such symbol.
    start: u32,
    /// The pivot, j.
    pivot: u32,
    /// T = q^(t-1-j): how many ways there are to fill the coordinates after the pivot.
    tails: Divisor,
    /// How many points of the symbol's hyperplane have a coordinate other than 0 before the pivot.
    leading: u64,
    /// The points with zeros up to the pivot; their numbers come first.
    after: u64,
    /// The points with zeros before the pivot; their numbers come first.
    from: u64,
}

/// The space, its points' numbers, and the symbols' hyperplanes.
///
/// A point is the vector of its line whose first coordinate other than 0 is 1. The point (0, .., 0, 1) has number 0,
/// and the point (y', a) with y' a point of number k in one dimension less has number q k + a + 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Space {
    pub(super) design: Design,
    /// K, all points.
    pub(super) points: u64,
    /// c, the points on each hyperplane.
    pub(super) each: u64,
    /// lambda, the points on any two hyperplanes at once.
    pub(super) both: u64,
    field: Divisor,
    scales: Divisor,
    levels: Vec<Level>,
    /// For m = 1, 2, ..: how many points have m coordinates, and what to add to the number of a point that has its
    /// leading 1 followed by m coordinates to get its digits in base q.
    lengths: Vec<(u64, u64)>,
}

impl Space {
    /// The hyperplanes of the first `symbols` vectors.
    pub(super) fn new(design: Design, symbols: u32) -> Space {
        let (q, t) = (u64::from(design.q), design.t);
        let mut levels = Vec::new();
        let mut start = 0;
        for pivot in (0..t).rev() {
            if start >= u64::from(symbols) {
                break;
            }
            let tails = q.pow(t - 1 - pivot);
            levels.push(Level {
                start: start as u32,
                pivot,
                tails: Divisor::new(tails),
                leading: design.points(pivot) * tails,
                after: design.points(t - 1 - pivot),
                from: design.points(t - pivot),
            });
            start += q.pow(pivot);
        }
        let lengths = (1..t).map(|m| (design.points(m), q.pow(m) - design.points(m))).collect();
        let [points, each, both] = [0, 1, 2].map(|less| design.points(t - less));
        let (field, scales) = (Divisor::new(q), Divisor::new(q - 1));
        Space { design, points, each, both, field, scales, levels, lengths }
    }

    /// The symbol's level and the digits, in base q, of its coordinates before the pivot.
    #[inline]
    fn vector(&self, place: u32) -> (&Level, u64) {
        let level = self.levels.iter().skip(1).map(|level| usize::from(level.start <= place)).sum::<usize>();
        let level = &self.levels[level];
        (level, u64::from(place - level.start))
    }

    /// Point number `v` of the c in the symbol's hyperplane, or of the K - c outside: a bijection, proved in
    /// `guarantee.md`.
    ///
    /// The same steps for each symbol and for either group; choices are masks.
    #[inline]
    pub(super) fn respond(&self, place: u32, inside: bool, v: u64) -> u32 {
        let (level, mut x) = self.vector(place);
        let q = u64::from(self.design.q);
        // On the hyperplane the product with x is 0; off it, any of q - 1 values.
        let leading = level.leading * select(inside, 1, q - 1);
        let (filled, tail) = level.tails.divide(v);
        let (scaled, scale) = self.scales.divide(filled);
        let k = select(inside, filled, scaled);
        let product = select(inside, 0, scale + 1);
        let length = self.lengths.iter().fold(1, |add, &(points, more)| select(k >= points, more, add));
        let (mut y, mut sum) = (k + length, 0);
        for _ in 1..self.design.t {
            let (x_digit, y_digit);
            (x, x_digit) = self.field.divide(x);
            (y, y_digit) = self.field.divide(y);
            sum += x_digit * y_digit;
        }
        // Below 2^62 / q: for t = 2 the field has at most a prime above 2^20, and else q^(t-1) is below 2^30.
        let (_, sum) = self.field.divide(sum);
        let (_, pivot) = self.field.divide(product + q - sum);
        let tails = level.tails.divisor;
        let with_leading = (k * q + pivot) * tails + tail + level.from;
        let without = v.wrapping_sub(leading).wrapping_add(select(inside, 0, level.after));
        select(v < leading, with_leading, without) as u32
    }

    /// Is the point on the symbol's hyperplane? By coordinates, slowly: for audits and tests.
    pub(super) fn incident(&self, place: u32, point: u32) -> bool {
        let product: u64 = self.symbol(place).iter().zip(self.point(point)).map(|(x, y)| x * y).sum();
        product.is_multiple_of(u64::from(self.design.q))
    }

    /// The symbol's coordinates.
    fn symbol(&self, place: u32) -> Vec<u64> {
        let (level, mut digits) = self.vector(place);
        let mut x = vec![0; self.design.t as usize];
        x[level.pivot as usize] = 1;
        for coordinate in x[..level.pivot as usize].iter_mut().rev() {
            (digits, *coordinate) = self.field.divide(digits);
        }
        x
    }

    /// The point's coordinates.
    fn point(&self, number: u32) -> Vec<u64> {
        let mut y = vec![0; self.design.t as usize];
        let mut number = u64::from(number);
        for coordinate in y.iter_mut().rev() {
            if number == 0 {
                *coordinate = 1;
                break;
            }
            (number, *coordinate) = self.field.divide(number - 1);
        }
        y
    }
}
