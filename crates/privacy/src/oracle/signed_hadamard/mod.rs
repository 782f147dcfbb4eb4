//! Signed frequencies from one bit a person: for each symbol, how many hold it with a plus minus how many with a minus.
//!
//! The frequency oracles estimate the two shares apart and pay for both. Where the difference is all that is
//! wanted, plus and minus of a symbol can share one row of a Hadamard matrix, and below epsilon 1.76 that has
//! the smaller variance.

use num_bigint::BigUint;

use super::hadamard_response::transform::walsh_hadamard;
use super::{Domain, Report, Shape, Symbol};
use crate::exact::TwoLevel;
use crate::mechanism::{Mechanism, RandomisedResponse};
use crate::{Epsilon, Generator, Guarantee};

/// One signed symbol as one randomised bit: a row of the Hadamard matrix drawn at random, and whether the
/// symbol's sign there, times the person's, is a plus.
///
/// ```
/// use reticent_privacy::oracle::{Domain, SignedHadamard};
/// use reticent_privacy::{Epsilon, NoiseRng};
/// let domain = Domain::new(12)?;
/// let oracle = SignedHadamard::new(domain, Epsilon::new(1.0)?);
/// let mut rng = NoiseRng::from_os()?;
/// let mut counts = vec![0; oracle.shape().cells()];
/// for person in 0..10_000 {
///     let report = oracle.randomise(domain.symbol(person % 2)?, person % 4 != 0, &mut rng);
///     oracle.shape().count(&report, &mut counts)?;
/// }
/// let signed = oracle.estimate(&counts);
/// assert!((signed[1] - 0.5).abs() < 8.0 * (oracle.variance() / 10_000.0).sqrt());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignedHadamard {
    domain: Domain,
    rows: u32,
    bit: RandomisedResponse,
}

impl SignedHadamard {
    /// The oracle for `domain` at loss `epsilon`.
    pub fn new(domain: Domain, epsilon: Epsilon) -> SignedHadamard {
        let rows = domain.size().next_power_of_two();
        SignedHadamard { domain, rows, bit: RandomisedResponse::new(epsilon) }
    }

    /// The symbols.
    pub fn domain(&self) -> Domain {
        self.domain
    }

    /// The loss of one report.
    pub fn epsilon(&self) -> Epsilon {
        self.bit.epsilon()
    }

    /// Rows of the matrix: a power of two.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// What reports look like: twice the row, plus the bit.
    #[inline]
    pub fn shape(&self) -> Shape {
        Shape::Index { outputs: 2 * self.rows }
    }

    /// One report. A symbol beyond the domain counts as its last.
    #[inline]
    pub fn randomise<G: Generator>(&self, symbol: Symbol, plus: bool, rng: &mut G) -> Report {
        // The rows are a power of two, so masked random bits are uniform.
        let row = (rng.next_u64() as u32) & (self.rows - 1);
        let bit = self.bit.release_with(self.is_plus(row, symbol, plus), rng);
        Report::Index(2 * row + u32::from(bit))
    }

    /// The bit before randomising: H(row, symbol) times the sign.
    #[inline]
    fn is_plus(&self, row: u32, symbol: Symbol, plus: bool) -> bool {
        plus ^ ((row & self.domain.place(symbol)).count_ones() % 2 == 1)
    }

    /// Unbiased signed frequencies of all symbols, from counts of [`shape`](Self::shape). Zero without reports.
    pub fn estimate(&self, counts: &[u64]) -> Vec<f64> {
        let mut sums: Vec<i64> = counts.chunks_exact(2).map(|pair| pair[1] as i64 - pair[0] as i64).collect();
        sums.resize(self.rows as usize, 0);
        walsh_hadamard(&mut sums);
        let reports: u64 = counts.iter().sum();
        let scale = reports as f64 * self.contrast();
        let share = |sum: i64| if reports == 0 { 0.0 } else { sum as f64 / scale };
        sums[..self.domain.size() as usize].iter().map(|&sum| share(sum)).collect()
    }

    /// The mean of the randomised bit, as a sign, for a true plus.
    fn contrast(&self) -> f64 {
        2.0 * self.bit.keep_probability() - 1.0
    }

    /// The variance of a symbol's estimate from one report of a person who does not hold it: an upper bound
    /// for those who do.
    pub fn variance(&self) -> f64 {
        1.0 / (self.contrast() * self.contrast())
    }

    /// The exact law of the report: each with its weight, over a denominator common to all symbols and signs.
    pub fn law(&self, symbol: Symbol, plus: bool) -> Vec<(Report, BigUint)> {
        let (keep, flip) = TwoLevel::new(self.epsilon(), 1, 1).weights();
        let weight =
            |row, bit| if self.is_plus(row, symbol, plus) == bit { keep.clone() } else { flip.clone() };
        let outputs = (0..self.rows).flat_map(|row| [false, true].map(|bit| (row, bit)));
        outputs.map(|(row, bit)| (Report::Index(2 * row + u32::from(bit)), weight(row, bit))).collect()
    }

    /// What one report promises.
    pub fn guarantee(&self) -> Guarantee {
        Guarantee::local(
            self.epsilon(),
            "one signed symbol of one person",
            "any two symbols with any signs",
            "crates/privacy/src/oracle/signed_hadamard/guarantee.md",
        )
    }
}

#[cfg(test)]
mod tests;
