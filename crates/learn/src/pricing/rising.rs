//! Whether the log's outcomes grow with the price, as no demand does.
//!
//! If they do, those were asked for more who would buy anyway, by something that the log does not have: what it says of
//! prices is then wrong for everybody, and most where people are told apart.

use super::fit::Fitted;
use super::objective::Objective;
use crate::linear::{add_scaled, dot};

/// Deviations by which the outcome must be higher at the dearer of two prices, of all pairs.
const SURELY: f64 = 3.5;
/// It must be higher by this share of the outcome's range: a smooth curve overshoots a little beside a step.
const LEAST: f64 = 0.03;

/// Two prices of which the outcomes are higher at the dearer.
pub(super) struct Rise {
    pub(super) low: f64,
    pub(super) high: f64,
    /// Whether outcomes are as high at some still lower price.
    pub(super) before: bool,
}

impl Fitted {
    /// Two prices, of which the log's outcomes are surely higher at the dearer, over its own people; none if they
    /// never are, or if outcomes are rewards, which may.
    pub fn outcomes_rise(&self, objective: &Objective) -> Option<(f64, f64)> {
        self.surest_rise(objective, SURELY).map(|rise| (rise.low, rise.high))
    }

    /// The rise that is surest by so many deviations.
    pub(super) fn surest_rise(&self, objective: &Objective, deviations: f64) -> Option<Rise> {
        // Records of a stretch lie anywhere in it.
        if !objective.falls() || self.gapped() {
            return None;
        }
        let Fitted { basis, posterior, .. } = self;
        let contexts = self.mean_context();
        let mut seen: Vec<(f64, f64, Vec<f64>)> = Vec::new();
        let mut most: Option<(f64, Rise)> = None;
        for &place in self.axes.price().places().iter().filter(|&&place| self.has_records(place)) {
            let price = basis.price(&self.axes, self.axes.price().spot(place));
            let mut row: Vec<f64> =
                contexts.iter().zip(price).map(|(context, price)| context * price).collect();
            let mean = posterior.mean(&row);
            posterior.whiten(&mut row);
            for (at, (lower, lowest, other)) in seen.iter().enumerate() {
                let apart: Vec<f64> = row.iter().zip(other).map(|(here, there)| here - there).collect();
                let rise = mean - lowest;
                let sure = rise - deviations * dot(&apart, &apart).sqrt();
                if rise > LEAST && sure > most.as_ref().map_or(0.0, |most| most.0) {
                    let before = seen[..at].iter().any(|(_, earlier, _)| *earlier >= mean);
                    most = Some((sure, Rise { low: *lower, high: place, before }));
                }
            }
            seen.push((place, mean, row));
        }
        let prices = self.terms.prices();
        let own = |place: f64| prices.low() + (prices.high() - prices.low()) * place;
        most.map(|(_, Rise { low, high, before })| Rise { low: own(low), high: own(high), before })
    }

    /// The functions' parts of the context, averaged over the log's people.
    fn mean_context(&self) -> Vec<f64> {
        let basis = &self.basis;
        let people = self.people(None);
        let total: f64 = people.iter().map(|(weight, _)| weight).sum();
        let mut mean = vec![0.0; basis.rank()];
        for (weight, point) in people {
            let spots: Vec<_> =
                self.axes.contexts().iter().zip(&point).map(|(axis, &x)| axis.spot(x)).collect();
            add_scaled(&mut mean, weight / total, &basis.context(&self.axes, &spots));
        }
        mean
    }
}
