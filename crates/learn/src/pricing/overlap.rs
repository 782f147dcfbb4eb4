//! How much of the target market the log covers.

use serde::{Deserialize, Serialize};

use super::fit::Fitted;
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

/// Below this the log says little.
const THIN: f64 = 0.1;

impl Fitted {
    /// The overlap with a target market, given as a sample of contexts in the unit cube; without a sample, of
    /// the log with itself.
    pub fn overlap(&self, policy: &Policy, target: Option<&[Vec<f64>]>) -> Overlap {
        let mut in_context = Vec::new();
        let mut at_price = Vec::new();
        let mut harmonic = (0.0, 0.0);
        for (weight, point) in self.people(target) {
            let price = policy.quote_point(&point).price;
            let (context, here) = self.sure_densities(&point, price);
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
