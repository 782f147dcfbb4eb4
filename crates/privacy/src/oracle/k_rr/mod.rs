//! k-ary randomised response: the true symbol, or any other one.

use std::num::NonZeroU64;

use num_bigint::BigUint;

use super::select::select;
use super::support::Support;
use super::{Decode, Domain, Oracle, OracleKind, Report, Setup, Shape, Symbol, two_level_law};
use crate::exact::{TwoLevel, uniform_below};
use crate::{Epsilon, Generator};

/// Kairouz, Bonawitz and Ramage (2016), k-RR: the true symbol e^epsilon times as likely as each other. The best
/// oracle for few symbols or a large loss.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KaryResponse {
    domain: Domain,
    epsilon: Epsilon,
    channel: TwoLevel,
    /// D - 1, or 1 in a domain of one, where it is not used.
    others: NonZeroU64,
}

impl KaryResponse {
    /// The oracle for `domain` at loss `epsilon`.
    pub fn new(domain: Domain, epsilon: Epsilon) -> KaryResponse {
        let others = NonZeroU64::new(u64::from(domain.size()) - 1).unwrap_or(NonZeroU64::MIN);
        KaryResponse { domain, epsilon, channel: TwoLevel::new(epsilon, 1, others.get()), others }
    }

    /// The number sent in the report.
    #[inline]
    pub fn randomise_index<G: Generator>(&self, symbol: Symbol, rng: &mut G) -> u32 {
        let own = self.domain.place(symbol);
        let inside = self.channel.draw_inside(rng);
        // Drawn in either case, so that the time does not tell which it was.
        let drawn = uniform_below(self.others, rng) as u32;
        let other = (drawn + u32::from(drawn >= own)).min(self.domain.size() - 1);
        select(inside, u64::from(own), u64::from(other)) as u32
    }

    fn support(&self) -> Support {
        let channel = &self.channel;
        Support::new(channel.each_inside(), channel.each_outside(), channel.each_gap())
    }
}

impl Decode for KaryResponse {
    fn setup(&self) -> Setup {
        Setup { kind: OracleKind::KaryResponse, domain: self.domain, epsilon: self.epsilon }
    }

    fn frequencies(&self, counts: &[u64], reports: u64) -> Vec<f64> {
        self.support().estimates(counts, reports)
    }

    fn variance_of_one(&self, frequency: f64) -> f64 {
        self.support().variance_of_one(frequency)
    }
}

impl Oracle for KaryResponse {
    fn design(&self) -> [u32; 2] {
        [self.domain.size(), 0]
    }

    fn shape(&self) -> Shape {
        Shape::Index { outputs: self.domain.size() }
    }

    #[inline]
    fn randomise<G: Generator>(&self, symbol: Symbol, rng: &mut G) -> Report {
        Report::Index(self.randomise_index(symbol, rng))
    }

    fn law(&self, symbol: Symbol) -> Option<Vec<(Report, BigUint)>> {
        let own = self.domain.place(symbol);
        two_level_law(&self.channel, self.domain, self.domain.size(), |output| output == own)
    }
}

#[cfg(test)]
mod tests;
