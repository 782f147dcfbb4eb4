//! An exponential real number, of which only as many binary digits are drawn as a question about it needs.

use num_bigint::BigUint;

use crate::Generator;

/// A draw of the exponential law with mean 1, held as a whole part and a lazily drawn fraction.
///
/// Von Neumann (1951): comparisons of uniform numbers alone, e^2/(e-1) = 4.3 words on average.
#[derive(Debug)]
pub(crate) struct Exponential {
    whole: u64,
    fraction: Digits,
}

/// A uniform real number in [0, 1): its first 64 binary digits, and further ones when somebody asked.
#[derive(Debug)]
struct Digits {
    first: u64,
    rest: Vec<u64>,
}

impl Digits {
    #[inline]
    fn draw<G: Generator>(rng: &mut G) -> Digits {
        Digits { first: rng.next_u64(), rest: Vec::new() }
    }

    #[inline]
    fn is_below<G: Generator>(&mut self, other: &mut Digits, rng: &mut G) -> bool {
        if self.first == other.first { self.breaks_tie(other, rng) } else { self.first < other.first }
    }

    #[cold]
    fn breaks_tie<G: Generator>(&mut self, other: &mut Digits, rng: &mut G) -> bool {
        let mut place = 0;
        loop {
            let (mine, theirs) = (self.digit(place, rng), other.digit(place, rng));
            if mine != theirs {
                return mine < theirs;
            }
            place += 1;
        }
    }

    fn digit<G: Generator>(&mut self, place: usize, rng: &mut G) -> u64 {
        while self.rest.len() <= place {
            self.rest.push(rng.next_u64());
        }
        self.rest[place]
    }
}

impl Exponential {
    /// One draw. A run u0 > u1 > ... of uniform numbers has odd length with probability exp(-u0): then u0 is
    /// the fraction. Each run of even length, which has probability 1/e, adds one to the whole part.
    #[inline]
    pub(crate) fn draw<G: Generator>(rng: &mut G) -> Exponential {
        let mut whole = 0;
        loop {
            let mut start = Digits::draw(rng);
            let mut last = Digits::draw(rng);
            let mut odd = true;
            if last.is_below(&mut start, rng) {
                loop {
                    odd = !odd;
                    let mut next = Digits::draw(rng);
                    if !next.is_below(&mut last, rng) {
                        break;
                    }
                    last = next;
                }
            }
            if odd {
                return Exponential { whole, fraction: start };
            }
            whole += 1;
        }
    }

    /// The whole part and the first 64 digits of the fraction.
    #[inline]
    pub(crate) fn prefix(&self) -> (u64, u64) {
        (self.whole, self.fraction.first)
    }

    /// A float near the number: within 2^-52, relative for numbers above 1.
    #[inline]
    pub(crate) fn approximate(&self) -> f64 {
        self.whole as f64 + self.fraction.first as f64 / 18_446_744_073_709_551_616.0
    }

    /// The digits drawn so far as an integer N over 2^bits: the number lies in [N, N + 1) / 2^bits.
    pub(crate) fn digits(&self) -> (BigUint, u32) {
        let mut digits = (BigUint::from(self.whole) << 64_u32) + self.fraction.first;
        for &word in &self.fraction.rest {
            digits = (digits << 64_u32) + word;
        }
        (digits, 64 * (1 + self.fraction.rest.len() as u32))
    }

    /// Draws 64 digits more.
    pub(crate) fn refine<G: Generator>(&mut self, rng: &mut G) {
        self.fraction.rest.push(rng.next_u64());
    }
}
