//! Subset selection: a random set of fixed size, e^epsilon times as likely if it has the true symbol.

use std::num::NonZeroU64;

use num_bigint::BigUint;

use super::support::Support;
use super::{Decode, Domain, LARGEST_LAW, Oracle, OracleKind, Report, Setup, Shape, Symbol, certain_law};
use crate::exact::{TwoLevel, uniform_below};
use crate::{Epsilon, Generator};

/// Ye and Barg (2018): sets of omega symbols, omega near D/(e^epsilon + 1). No oracle has a smaller worst-case
/// variance, but its reports are long.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SubsetSelection {
    domain: Domain,
    epsilon: Epsilon,
    channel: TwoLevel,
    /// omega: below D, or D = 1.
    members: u32,
}

impl SubsetSelection {
    /// The oracle for `domain` at loss `epsilon`, with the set size of the smaller variance on either side of
    /// D/(e^epsilon + 1).
    pub fn new(domain: Domain, epsilon: Epsilon) -> SubsetSelection {
        let largest = domain.size().saturating_sub(1).max(1);
        // As a float this saturates at zero for a large loss; at least one symbol is in each set.
        let below = (f64::from(domain.size()) / (libm::exp(epsilon.value()) + 1.0)) as u32;
        let [low, high] =
            [below, below + 1].map(|members| Self::of_size(domain, epsilon, members.clamp(1, largest)));
        if high.variance_of_one(0.0) < low.variance_of_one(0.0) { high } else { low }
    }

    fn of_size(domain: Domain, epsilon: Epsilon, members: u32) -> SubsetSelection {
        // In a domain of one the channel is never used.
        let outside = u64::from(domain.size() - members).max(1);
        SubsetSelection {
            domain,
            epsilon,
            channel: TwoLevel::new(epsilon, u64::from(members), outside),
            members,
        }
    }

    /// The size of each set, omega.
    pub fn members(&self) -> u32 {
        self.members
    }

    /// A set is for the person's symbol if it has it; for another, with probability (omega - 1)/(D - 1) if the set has
    /// the person's own symbol and omega/(D - 1) if not.
    fn support(&self) -> Support {
        let (own, others) = (self.channel.inside_probability(), f64::from(self.domain.size()) - 1.0);
        let members = f64::from(self.members);
        // P1 - P0 = (D p - omega)/(D - 1) is omega (D - omega)(W - w)/(D - 1), by the difference that does not cancel.
        let gap = members * (f64::from(self.domain.size()) - members) * self.channel.each_gap() / others;
        // omega - P1, by the other group's probability, which keeps its precision when it is tiny.
        let other = (members - 1.0 + self.channel.outside_probability()) / others;
        Support::new(own, other, gap)
    }
}

/// n over k.
fn binomial(n: u32, k: u32) -> BigUint {
    (0..k).fold(BigUint::from(1_u32), |product, i| product * (n - i) / (i + 1))
}

impl Decode for SubsetSelection {
    fn setup(&self) -> Setup {
        Setup { kind: OracleKind::SubsetSelection, domain: self.domain, epsilon: self.epsilon }
    }

    fn frequencies(&self, counts: &[u64], reports: u64) -> Vec<f64> {
        self.support().estimates(counts, reports)
    }

    fn variance_of_one(&self, frequency: f64) -> f64 {
        self.support().variance_of_one(frequency)
    }
}

impl Oracle for SubsetSelection {
    fn design(&self) -> [u32; 2] {
        [self.members, 0]
    }

    fn shape(&self) -> Shape {
        Shape::Set { symbols: self.domain.size(), members: Some(self.members) }
    }

    #[inline]
    fn randomise<G: Generator>(&self, symbol: Symbol, rng: &mut G) -> Report {
        let own = self.domain.place(symbol);
        let mut set = vec![0; self.domain.size().div_ceil(64) as usize];
        let inside = self.channel.draw_inside(rng) || self.domain.size() == 1;
        set[own as usize / 64] |= u64::from(inside) << (own % 64);
        // Floyd's algorithm (Bentley and Floyd 1987) for omega of the D - 1 others. Its last omega - 1 steps alone
        // choose omega - 1 of them: with the own symbol in the set, the first step is made but adds nothing.
        let others = u64::from(self.domain.size()) - 1;
        let first = others - u64::from(self.members).min(others);
        for last in first..others {
            let drawn = uniform_below(NonZeroU64::MIN.saturating_add(last), rng);
            // The others are numbered without the person's own symbol.
            let position = |other: u64| other + u64::from(other >= u64::from(own));
            let (a, b) = (position(drawn), position(last));
            let taken = (set[a as usize / 64] >> (a % 64) & 1).wrapping_neg();
            let chosen = (a & !taken) | (b & taken);
            set[chosen as usize / 64] |= u64::from(!(inside && last == first)) << (chosen % 64);
        }
        Report::Set(set)
    }

    fn law(&self, symbol: Symbol) -> Option<Vec<(Report, BigUint)>> {
        let (own, size) = (self.domain.place(symbol), self.domain.size());
        if size == 1 {
            return Some(certain_law(Report::Set(vec![1])));
        }
        // C(D, omega) is at least D, so a larger domain is not listed; up to 63 symbols a set is one word.
        if size > 63 || binomial(size, self.members) > BigUint::from(LARGEST_LAW) {
            return None;
        }
        let (inside, outside) = (binomial(size - 1, self.members - 1), binomial(size - 1, self.members));
        // Over 2^64 times both numbers of sets.
        let keep = self.channel.keep_of_two_to_64();
        let heavy = outside * keep;
        let light = inside * ((BigUint::from(1_u32) << 64_u32) - keep);
        let weight = |set: u64| if set >> own & 1 == 1 { heavy.clone() } else { light.clone() };
        Some(sets_of(size, self.members).map(|set| (Report::Set(vec![set]), weight(set))).collect())
    }
}

/// All sets of `members` of fewer than 64 symbols, in order: Gosper's step to the next number with as many ones.
fn sets_of(symbols: u32, members: u32) -> impl Iterator<Item = u64> {
    let first = (1_u64 << members) - 1;
    let next = |&set: &u64| {
        let lowest = set & set.wrapping_neg();
        let ripple = set + lowest;
        Some((((set ^ ripple) >> 2) / lowest) | ripple)
    };
    std::iter::successors(Some(first), next).take_while(move |set| set >> symbols == 0)
}

#[cfg(test)]
mod tests;
