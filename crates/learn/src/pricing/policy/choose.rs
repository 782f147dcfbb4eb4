//! Which price is quoted: the one that surely gains most over the best single price, and that price itself
//! where no other surely gains.
//!
//! A band that holds for all contexts and prices at once is what is promised, but a poor guide: where all its
//! lower ends are negative the lowest price wins. What decides is the gain over one price for everybody, which
//! is learned from all records together and is known best. Each caution, in deviations of the gain in a
//! context, makes a policy; of those whose gain over all people is surely positive the best is taken.

use serde::{Deserialize, Serialize};

use super::crowd::Crowd;
use super::draws::{Drawn, Draws, Known, moments};
use super::learn::points;
use super::quote::Quoting;
use crate::pricing::fit::Fitted;
use crate::pricing::objective::Objective;
use crate::pricing::overlap::THIN;

/// How prices were chosen.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The best price for everybody, by the log.
    pub single: f64,
    /// How many deviations of its gain another price must be worth; none if everybody has the single price.
    pub caution: Option<f64>,
    /// How much more than the single price the policy earns on average, and at least.
    pub gain: f64,
    /// The lower end of that: one-sided, 99 %.
    pub gain_at_least: f64,
    /// The share of people who get another price than the single one.
    pub others: f64,
}

/// Deviations that a single price is judged below its mean, from the most cautious on, until the best is worth
/// this share of the highest mean: where little is known, caution alone would ask for nothing.
const SINGLE: [f64; 9] = [2.0, 1.75, 1.5, 1.25, 1.0, 0.75, 0.5, 0.25, 0.0];
const WORTH: f64 = 0.3;
/// Deviations of the gain in a context that another price must be worth.
const CAUTIONS: [f64; 8] = [0.0, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0];
/// Deviations of the gain over all people that must be left: one-sided, 99 %; and those by which policies that
/// have them are compared.
const SURE: f64 = 2.33;
const MERIT: f64 = 0.7;

/// What the posterior says at each node of the contexts and each price.
pub(super) struct Surface<'a> {
    pub(super) rank: usize,
    /// The mean outcome, between 0 and 1.
    pub(super) mean: &'a [f64],
    /// Whitened.
    pub(super) rows: &'a [f64],
    pub(super) omitted: &'a [f64],
}

/// What is decided: a score for each node and price, and how.
pub(super) struct Decided {
    pub(super) score: Vec<f64>,
    pub(super) choice: Choice,
}

/// Everything that a choice looks at.
pub(super) struct Choosing<'a> {
    fitted: &'a Fitted,
    objective: &'a Objective,
    crowd: Crowd,
    quoting: Quoting,
    known: Known,
    /// Whether a price may be chosen: it is allowed, and in the log.
    common: Vec<bool>,
    /// Where the nodes of the contexts are.
    nodes: Vec<Vec<f64>>,
}

impl<'a> Choosing<'a> {
    /// For these people, or the log's own.
    pub(super) fn new(
        fitted: &'a Fitted,
        objective: &'a Objective,
        target: Option<&[Vec<f64>]>,
    ) -> Choosing<'a> {
        let crowd = Crowd::of(fitted, target);
        let quoting = Quoting::new(&fitted.axes, objective.prices.len(), &crowd.points);
        let known = if objective.falls() { Known::Falling } else { Known::Bounded };
        let allowed = fitted.known_prices(objective);
        let common = common(fitted, objective, &crowd, &allowed);
        let nodes = points(&fitted.axes);
        Choosing { fitted, objective, crowd, quoting, known, common, nodes }
    }

    /// The decision.
    pub(super) fn decide(&self, surface: &Surface<'_>) -> Decided {
        let prices = self.objective.prices.len();
        let draws = Draws::new(surface.rank, surface.mean.len());
        let single = self.best_single(&draws);
        // Nodes of many contexts are corners that nobody is near: what is bent there is wrong in between.
        let known = if self.fitted.axes.additive() { Known::Nothing } else { self.known };
        let drawn = draws.outcomes(surface.mean, surface.rows, prices, known);
        let gains = self.gains(surface, &drawn, single);
        let mut best = Decided {
            score: gains.iter().map(|&(mean, deviation)| -mean.abs() - deviation).collect(),
            choice: Choice {
                single: self.objective.prices[single],
                caution: None,
                gain: 0.0,
                gain_at_least: 0.0,
                others: 0.0,
            },
        };
        let mut most = 0.0;
        for caution in CAUTIONS {
            let score: Vec<f64> = gains.iter().map(|(mean, deviation)| mean - caution * deviation).collect();
            let quoted = self.quoting.quotes(&score);
            let weights = quoted.iter().zip(&self.crowd.weights);
            let others: f64 = weights.filter(|(at, _)| **at != single).map(|(_, weight)| weight).sum();
            if others <= 0.0 {
                continue;
            }
            let (gain, deviation) = self.gain(&drawn, &quoted, single);
            let gain_at_least = gain - SURE * deviation;
            let merit = gain - MERIT * deviation;
            if merit > most && gain_at_least > 0.0 {
                most = merit;
                let choice = Choice { caution: Some(caution), gain, gain_at_least, others, ..best.choice };
                best = Decided { score, choice };
            }
        }
        best
    }

    /// The price whose value for everybody, less some deviations, is highest; the lowest of equals.
    fn best_single(&self, draws: &Draws) -> usize {
        let Fitted { basis, axes, posterior, level, .. } = self.fitted;
        let (mut mean, mut rows) = (Vec::new(), Vec::new());
        for &price in &self.objective.prices {
            let mut row = self.crowd.mean(&basis.price(axes, axes.price_spot(price)));
            mean.push(level + posterior.mean(&row));
            posterior.whiten(&mut row);
            rows.extend(row);
        }
        let drawn = draws.outcomes(&mean, &rows, mean.len(), self.known);
        let each: Vec<(f64, f64)> = (0..mean.len())
            .map(|at| moments(drawn.at(at).iter().map(|&outcome| self.earned(at, outcome))))
            .collect();
        cautious(&each, &self.common)
    }

    /// The mean and the deviation of what these prices earn more than the single one, over all people.
    fn gain(&self, drawn: &Drawn, quoted: &[usize], single: usize) -> (f64, f64) {
        let prices = self.objective.prices.len();
        let mut gains = vec![0.0; drawn.count];
        for (person, (&at, weight)) in quoted.iter().zip(&self.crowd.weights).enumerate() {
            if at == single {
                continue;
            }
            for (node, share) in self.quoting.corners(person) {
                let (here, there) = (drawn.at(node * prices + at), drawn.at(node * prices + single));
                for ((gain, &here), &there) in gains.iter_mut().zip(here).zip(there) {
                    *gain += weight * share * (self.earned(at, here) - self.earned(single, there));
                }
            }
        }
        moments(gains.into_iter())
    }

    /// For each node and price: mean and deviation of its gain over the single price there.
    fn gains(&self, surface: &Surface<'_>, drawn: &Drawn, single: usize) -> Vec<(f64, f64)> {
        let prices = self.objective.prices.len();
        let width = self.fitted.terms.outcome().width();
        let mut gains = Vec::with_capacity(surface.mean.len());
        for place in 0..surface.mean.len() {
            let (at, other) = (place % prices, place - place % prices + single);
            if at == single {
                gains.push((0.0, 0.0));
                continue;
            }
            if !self.common[at] || self.thin(place / prices, at) {
                gains.push((-self.most(), self.most()));
                continue;
            }
            let both = drawn.at(place).iter().zip(drawn.at(other));
            let (mean, deviation) =
                moments(both.map(|(&here, &there)| self.earned(at, here) - self.earned(single, there)));
            let part = |at: usize, place: usize| (width * self.margin(at)).powi(2) * surface.omitted[place];
            let unknown = part(at, place) + part(single, other);
            gains.push((mean, (deviation * deviation + unknown).sqrt()));
        }
        gains
    }

    /// Whether the log has next to no records of a price in a context: what is said there rests on smoothness
    /// alone, and a price that is better than the single one must rest on more.
    fn thin(&self, node: usize, at: usize) -> bool {
        self.fitted.density_at(&self.nodes[node], self.objective.prices[at]) < THIN
    }

    /// What an outcome between 0 and 1 earns at a price.
    fn earned(&self, at: usize, outcome: f64) -> f64 {
        let range = self.fitted.terms.outcome();
        self.margin(at) * (range.low() + range.width() * outcome)
    }

    fn margin(&self, at: usize) -> f64 {
        self.objective.margin(self.objective.prices[at])
    }

    /// More than any price can gain over another.
    fn most(&self) -> f64 {
        let range = self.fitted.terms.outcome();
        let margins = (0..self.objective.prices.len()).map(|at| self.margin(at).abs());
        2.0 * margins.fold(0.0, f64::max) * range.low().abs().max(range.high().abs())
    }
}

/// A price must be in the log at least this often, beside the one that is there most: by what is surely there, or,
/// where nothing is sure, by what is likely there.
const SURELY: f64 = 0.1;
const LIKELY: f64 = 0.5;

/// Which prices the log has, for the people at hand together: what others earn rests on smoothness alone, and a wide
/// declared range would be won by its far end.
fn common(fitted: &Fitted, objective: &Objective, crowd: &Crowd, allowed: &[bool]) -> Vec<bool> {
    let mean = |density: &dyn Fn(&[f64], f64) -> f64| -> Vec<f64> {
        let of = |price: f64| {
            let people = crowd.points.iter().zip(&crowd.weights);
            people.map(|(point, weight)| weight * density(point, price)).sum::<f64>()
        };
        objective.prices.iter().zip(allowed).map(|(&price, &may)| if may { of(price) } else { 0.0 }).collect()
    };
    let most = |densities: &[f64]| densities.iter().copied().fold(0.0, f64::max);
    let surely = mean(&|point, price| fitted.sure_densities(point, price).1);
    let (densities, least) = if most(&surely) > 0.0 {
        (surely, SURELY)
    } else {
        (mean(&|point, price| fitted.density_at(point, price)), LIKELY)
    };
    let least = least * most(&densities);
    densities.iter().zip(allowed).map(|(density, may)| *may && *density >= least).collect()
}

/// The place of the highest of these means less some deviations, where it is allowed; the lowest of equals.
fn cautious(each: &[(f64, f64)], allowed: &[bool]) -> usize {
    let most = each.iter().zip(allowed).filter(|(_, allowed)| **allowed).map(|(each, _)| each.0);
    let most = most.fold(f64::NEG_INFINITY, f64::max);
    let mut best = (f64::NEG_INFINITY, 0);
    for caution in SINGLE {
        best = (f64::NEG_INFINITY, 0);
        for (at, (mean, deviation)) in each.iter().enumerate().filter(|(at, _)| allowed[*at]) {
            let value = mean - caution * deviation;
            if value > best.0 {
                best = (value, at);
            }
        }
        if best.0 > WORTH * most {
            break;
        }
    }
    best.1
}
