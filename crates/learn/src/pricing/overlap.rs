//! How much of the target market the log covers.

use reticent_protocol::pricing::Prices;
use serde::{Deserialize, Serialize};

use super::fit::Fitted;
use super::objective::Objective;
use super::policy::Policy;

/// The log's density, relative to a log that is even over the declared ranges, where the target's people are:
/// what is surely there, two deviations below the estimate. A log too small or too noisy to tell covers
/// nobody.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Overlap {
    /// The share of the target's people in contexts where the log has at least a tenth of an even log's records.
    pub covered: f64,
    /// The density that 95 % of the target's people exceed.
    pub least: f64,
    /// The same two with the chosen price in place of all prices.
    pub covered_at_price: f64,
    /// The density at the chosen price that 95 % exceed.
    pub least_at_price: f64,
    /// How many records of an even log would be worth as much to the target's people, as a share of the
    /// log's: a harmonic mean of the densities at the chosen prices.
    pub effective: f64,
}

/// Below this density, relative to an even one, the log says little.
pub(super) const THIN: f64 = 0.1;

impl Fitted {
    /// The overlap with a target market, given as a sample of contexts in the unit cube; without a sample, of
    /// the log with itself.
    pub fn overlap(&self, policy: &Policy, target: Option<&[Vec<f64>]>) -> Overlap {
        let mut in_context = Vec::new();
        let mut at_price = Vec::new();
        let mut harmonic = (0.0, 0.0);
        for (weight, point) in self.people(target) {
            let price = policy.quote_point(&point).price;
            let (context, mut here) = self.sure_densities(&point, price);
            if !self.occurred(policy.objective(), price) {
                here = 0.0;
            }
            in_context.push((context, weight));
            at_price.push((here, weight));
            harmonic.0 += weight;
            harmonic.1 += weight / here.max(1e-6);
        }
        let (covered, least) = summary(in_context);
        let (covered_at_price, least_at_price) = summary(at_price);
        Overlap {
            covered,
            least,
            covered_at_price,
            least_at_price,
            effective: harmonic.0 / harmonic.1.max(f64::MIN_POSITIVE),
        }
    }
}

impl Fitted {
    /// Names and stretches of the axes, the price last, that were declared as ranges and have gaps: the log has
    /// surely nothing between the stretches. Declare such prices as a list, and such contexts as categories.
    pub fn gaps(&self) -> Vec<(String, Vec<(f64, f64)>)> {
        let prices = self.terms.prices();
        let contexts = self.terms.context().axes().map(|axis| (axis.name.to_string(), axis.low, axis.high));
        let all = contexts.chain([("price".to_string(), prices.low(), prices.high())]);
        let named = all.zip(&self.stretches).filter_map(|((name, low, high), stretches)| {
            let own = |place: f64| low + (high - low) * place;
            Some((name, stretches.as_ref()?.iter().map(|&(a, b)| (own(a), own(b))).collect()))
        });
        named.collect()
    }

    /// Names of the contexts with which the log's prices move. Whoever chose them so may have seen more than the
    /// log says, and then prices learned from it are wrong: no log can show that.
    pub fn price_follows(&self) -> Vec<String> {
        let axes = self.terms.context().axes().zip(&self.follows);
        axes.filter(|(_, follows)| **follows).map(|(axis, _)| axis.name.to_string()).collect()
    }

    /// Whether a range of prices has gaps.
    pub(super) fn gapped(&self) -> bool {
        self.stretches.last().is_some_and(Option::is_some)
    }

    /// Which prices can be chosen: all, but of a log with gaps the lowest of each stretch alone. Where in a
    /// stretch its records lie is not known, and what they bought they would have bought for less.
    pub(super) fn known_prices(&self, objective: &Objective) -> Vec<bool> {
        let Some(stretches) = self.stretches.last().and_then(Option::as_ref) else {
            return vec![true; objective.prices.len()];
        };
        let mut known = vec![false; objective.prices.len()];
        for stretch in stretches {
            if let Some(at) = objective.prices.iter().position(|&price| self.within(price, *stretch)) {
                known[at] = true;
            }
        }
        // Prices that all lie in gaps were asked for: the choice is theirs.
        if known.contains(&true) { known } else { vec![true; objective.prices.len()] }
    }

    /// Whether the log surely has this very price, or others all around it. Of a log with gaps, only a price that
    /// is the one to choose from in its stretch; of another, one whose part of the range surely has records and so
    /// have the parts beside it: a part that stands alone may hold a single price, anywhere in it.
    fn occurred(&self, objective: &Objective, price: f64) -> bool {
        if matches!(self.terms.prices(), Prices::Points(_)) {
            return true;
        }
        if let Some(stretches) = self.stretches.last().and_then(Option::as_ref) {
            let stretch = stretches.iter().find(|stretch| self.within(price, **stretch));
            return stretch.is_some_and(|stretch| {
                objective.prices.iter().filter(|other| self.within(**other, *stretch)).count() == 1
            });
        }
        self.surely_has(price)
    }

    /// Whether the log surely has records of a price, by the questions' own cells: of a list the price itself, of a
    /// range its part and the parts beside it.
    pub(super) fn surely_has(&self, price: f64) -> bool {
        let Some(full) = &self.spread else { return false };
        let part = (self.terms.prices().unit(price) * full.len() as f64) as usize;
        let part = part.min(full.len() - 1);
        match self.terms.prices() {
            Prices::Points(_) => full[part],
            Prices::Range(..) => {
                full[part.saturating_sub(1)..(part + 2).min(full.len())].iter().all(|full| *full)
            }
        }
    }

    fn within(&self, price: f64, (low, high): (f64, f64)) -> bool {
        let prices = self.terms.prices();
        let place = (price - prices.low()) / (prices.high() - prices.low());
        (low - 1e-9..high + 1e-9).contains(&place)
    }
}

/// The share of the weight above [`THIN`], and the density that 95 % of it exceeds.
fn summary(mut densities: Vec<(f64, f64)>) -> (f64, f64) {
    densities.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = densities.iter().map(|(_, weight)| weight).sum();
    let thin: f64 = densities.iter().filter(|(density, _)| *density < THIN).map(|(_, weight)| weight).sum();
    let mut below = 0.0;
    let least = densities.iter().find(|(_, weight)| {
        below += weight;
        below >= 0.05 * total
    });
    (1.0 - thin / total, least.map_or(0.0, |(density, _)| *density))
}
