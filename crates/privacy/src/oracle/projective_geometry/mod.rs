//! Projective geometry response: a point of a projective space, more likely if it is on the true symbol's hyperplane.

mod decode;
mod design;
mod space;

use std::num::NonZeroU64;

use num_bigint::BigUint;

use super::select::select;
use super::support::Support;
use super::{Decode, Domain, Oracle, OracleKind, Report, Setup, Shape, Symbol, two_level_law};
use crate::exact::{TwoLevel, uniform_below};
use crate::{Epsilon, Generator};
use design::Design;
use space::Space;

/// Feldman, Nelson, Nguyen and Talwar (2022): the variance of subset selection, up to a few percent, with reports
/// as short as an index.
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectiveGeometry {
    domain: Domain,
    epsilon: Epsilon,
    channel: TwoLevel,
    space: Space,
}

impl ProjectiveGeometry {
    /// The oracle for `domain` at loss `epsilon`, with the field and the dimension of the smallest variance.
    pub fn new(domain: Domain, epsilon: Epsilon) -> ProjectiveGeometry {
        Self::over(domain, epsilon, design::choose(domain.size(), epsilon.value()))
    }

    fn over(domain: Domain, epsilon: Epsilon, design: Design) -> ProjectiveGeometry {
        let space = Space::new(design, domain.size());
        let channel = TwoLevel::new(epsilon, space.each, space.points - space.each);
        ProjectiveGeometry { domain, epsilon, channel, space }
    }

    /// The field's size and the number of coordinates, (q, t).
    pub fn field_and_dimension(&self) -> (u32, u32) {
        (self.space.design.q, self.space.design.t)
    }

    /// The number sent in the report.
    #[inline]
    pub fn randomise_index<G: Generator>(&self, symbol: Symbol, rng: &mut G) -> u32 {
        let inside = self.channel.draw_inside(rng);
        let (each, all) = (self.space.each, self.space.points);
        let bound = select(inside, each, all - each);
        // Both group sizes are positive.
        let v = uniform_below(NonZeroU64::MIN.saturating_add(bound - 1), rng);
        // In a domain of one, each report is the same.
        let point = self.space.respond(self.domain.place(symbol), inside, v);
        if self.domain.size() == 1 { 0 } else { point }
    }

    fn support(&self) -> Support {
        let (each, both) = (self.space.each as f64, self.space.both as f64);
        let channel = &self.channel;
        let other = both * channel.each_inside() + (each - both) * channel.each_outside();
        Support::new(channel.inside_probability(), other, (each - both) * channel.each_gap())
    }
}

impl Decode for ProjectiveGeometry {
    fn setup(&self) -> Setup {
        Setup { kind: OracleKind::ProjectiveGeometry, domain: self.domain, epsilon: self.epsilon }
    }

    fn frequencies(&self, counts: &[u64], reports: u64) -> Vec<f64> {
        let supported = decode::supports(self.space.design, counts, self.domain.size());
        self.support().estimates(&supported, reports)
    }

    fn variance_of_one(&self, frequency: f64) -> f64 {
        self.support().variance_of_one(frequency)
    }
}

impl Oracle for ProjectiveGeometry {
    fn design(&self) -> [u32; 2] {
        let (q, t) = self.field_and_dimension();
        [q, t]
    }

    fn shape(&self) -> Shape {
        let outputs = if self.domain.size() == 1 { 1 } else { self.space.points as u32 };
        Shape::Index { outputs }
    }

    #[inline]
    fn randomise<G: Generator>(&self, symbol: Symbol, rng: &mut G) -> Report {
        Report::Index(self.randomise_index(symbol, rng))
    }

    fn law(&self, symbol: Symbol) -> Option<Vec<(Report, BigUint)>> {
        let own = self.domain.place(symbol);
        two_level_law(&self.channel, self.domain, self.space.points as u32, |point| {
            self.space.incident(own, point)
        })
    }
}

#[cfg(test)]
mod tests;
