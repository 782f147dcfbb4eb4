//! Optimised unary encoding: a set that has the true symbol with probability one half, and few of the others.

use num_bigint::BigUint;

use super::support::Support;
use super::{Decode, Domain, Oracle, OracleKind, Report, Setup, Shape, Symbol};
use crate::exact::{TwoLevel, coins64};
use crate::{Epsilon, Generator};

/// Wang, Blocki, Li and Jha (2017), OUE: each symbol's bit is drawn on its own, the true one by a fair coin, the
/// others 1 with probability 1/(e^epsilon + 1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnaryEncoding {
    domain: Domain,
    epsilon: Epsilon,
    channel: TwoLevel,
}

impl UnaryEncoding {
    /// The oracle for `domain` at loss `epsilon`.
    pub fn new(domain: Domain, epsilon: Epsilon) -> UnaryEncoding {
        UnaryEncoding { domain, epsilon, channel: TwoLevel::new(epsilon, 1, 1) }
    }

    /// The probability of another symbol's bit, in units of 2^-64. Not zero, as `keep` is not.
    #[inline]
    fn threshold(&self) -> u64 {
        self.channel.keep_of_two_to_64().wrapping_neg()
    }

    fn support(&self) -> Support {
        // 1/2 - q = (p - q)/2 with q = 1 - p, by the difference that does not cancel.
        Support::new(0.5, self.channel.outside_probability(), self.channel.each_gap() / 2.0)
    }

    /// The weight of a set, over 2 2^(64 (D - 1)).
    fn weight(&self, own: u32, set: u64) -> BigUint {
        let one = BigUint::from(self.threshold());
        let zero = BigUint::from(self.channel.keep_of_two_to_64());
        let others = (0..self.domain.size()).filter(|&symbol| symbol != own);
        others.fold(BigUint::from(1_u32), |weight, symbol| {
            weight * if set >> symbol & 1 == 1 { &one } else { &zero }
        })
    }
}

impl Decode for UnaryEncoding {
    fn setup(&self) -> Setup {
        Setup { kind: OracleKind::UnaryEncoding, domain: self.domain, epsilon: self.epsilon }
    }

    fn frequencies(&self, counts: &[u64], reports: u64) -> Vec<f64> {
        self.support().estimates(counts, reports)
    }

    fn variance_of_one(&self, frequency: f64) -> f64 {
        self.support().variance_of_one(frequency)
    }
}

impl Oracle for UnaryEncoding {
    fn design(&self) -> [u32; 2] {
        [self.domain.size(), 0]
    }

    fn shape(&self) -> Shape {
        Shape::Set { symbols: self.domain.size(), members: None }
    }

    #[inline]
    fn randomise<G: Generator>(&self, symbol: Symbol, rng: &mut G) -> Report {
        let own = self.domain.place(symbol);
        let fair = rng.next_u64();
        let size = self.domain.size();
        let words = (0..size.div_ceil(64)).map(|word| {
            let coins = coins64(self.threshold(), rng);
            // One bit where this word has the person's own symbol, none elsewhere: each word takes the same path.
            let mine = u64::from(word == own / 64) << (own % 64);
            let unused = (64 * (word + 1)).saturating_sub(size);
            ((coins & !mine) | (fair & mine)) & (u64::MAX >> unused)
        });
        Report::Set(words.collect())
    }

    fn law(&self, symbol: Symbol) -> Option<Vec<(Report, BigUint)>> {
        let own = self.domain.place(symbol);
        // 2^D sets are listed up to D = 16.
        let listed = self.domain.size() <= super::LARGEST_LAW.ilog2();
        let sets = 0..1_u64 << (self.domain.size() % 64);
        listed.then(|| sets.map(|set| (Report::Set(vec![set]), self.weight(own, set))).collect())
    }
}

#[cfg(test)]
mod tests;
