//! Which price is quoted: the one whose value, less some deviations, is highest in a context, if that gains over the
//! best single price; and otherwise that price for everybody.
//!
//! A band that holds for all contexts and prices at once is what is promised, but a poor guide: where all its
//! lower ends are negative the lowest price wins. Each caution, in deviations of a value, makes a policy. One that
//! hardly looks at deviations must surely gain over one price for everybody, which is learned from all records
//! together and is known best. A careful one asks for prices that are known well, and need only be expected to
//! gain if a context is shown to matter: then it is likelier than not that people are better told apart.

use serde::{Deserialize, Serialize};

use super::crowd::Crowd;
use super::draws::{Drawn, Draws, Known, moments};
use super::grid::Grid;
use super::learn::points;
use super::quote::Quoting;
use super::shown;
use crate::linear::dot;
use crate::pricing::fit::Fitted;
use crate::pricing::objective::Objective;
use crate::pricing::overlap::THIN;

/// How prices were chosen.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The best price for everybody, by the log.
    pub single: f64,
    /// How many deviations of its value a price is judged below its mean; none if everybody has the single price.
    pub caution: Option<f64>,
    /// How much more than the single price the policy earns on average, and at least.
    pub gain: f64,
    /// The lower end of that: one-sided, 95 %. Below zero if a context is shown to matter and the gain is not sure.
    pub gain_at_least: f64,
    /// The share of people who get another price than the single one.
    pub others: f64,
}

/// Deviations that a single price is judged below its mean, from the most cautious on, until the best is worth
/// this share of the highest mean: where little is known, caution alone would ask for nothing.
const SINGLE: [f64; 9] = [2.0, 1.75, 1.5, 1.25, 1.0, 0.75, 0.5, 0.25, 0.0];
const WORTH: f64 = 0.3;
/// Deviations that prices are judged below their means, and whether such a policy is careful.
const CAUTIONS: [(f64, bool); 4] = [(0.5, false), (1.0, false), (2.0, true), (3.0, true)];
/// Deviations of the gain over all people that must be left for it to be sure: one-sided, 95 %.
const SURE: f64 = 1.645;
/// A gain of less than this share of what the single price earns is not worth telling people apart.
const WORTHWHILE: f64 = 0.001;
/// A gain that is not sure is not worth the risk of losing this share of it, with 95 % confidence.
const RISK: f64 = 0.1;
/// Of policies that gain nearly as much, to this share, the most careful is taken.
const NEARLY: f64 = 0.95;

/// The variance of an outcome that is not believed: so large that it weighs nothing.
const DISBELIEVED: f64 = 1e6;

/// What the posterior says at each node of the contexts and each price.
pub(super) struct Surface<'a> {
    pub(super) grid: &'a Grid<'a>,
    /// The mean outcome, between 0 and 1.
    pub(super) mean: &'a [f64],
    /// Its variances, by what is learned and by what is left out.
    pub(super) variance: &'a [f64],
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
    /// Whether what the log says of a price may be believed: it lies below where outcomes rise again.
    supported: Vec<bool>,
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
        let last = fitted.last_price(objective);
        let supported = objective.prices.iter().map(|&price| price <= last);
        let supported: Vec<bool> = if objective.prices.iter().any(|&price| price <= last) {
            supported.collect()
        } else {
            vec![true; objective.prices.len()]
        };
        let allowed: Vec<bool> = allowed.iter().zip(&supported).map(|(may, here)| *may && *here).collect();
        let common = common(fitted, objective, &crowd, &allowed);
        let nodes = points(&fitted.axes);
        Choosing { fitted, objective, crowd, quoting, known, common, supported, nodes }
    }

    /// The decision.
    pub(super) fn decide(&self, surface: &Surface<'_>) -> Decided {
        let prices = self.objective.prices.len();
        let draws = Draws::new(surface.grid.rank(), surface.mean.len());
        let (single, earned) = self.best_single(&draws);
        // What such a log says of prices is wrong, and worst where people are told apart by it.
        let alike = self.fitted.axes.contexts().is_empty();
        if alike || self.fitted.outcomes_rise(self.objective).is_some() {
            return self.everybody(surface.mean.len(), single);
        }
        // Nodes of many contexts are corners that nobody is near: what is bent there is wrong in between.
        let known = if self.fitted.axes.additive() { Known::Nothing } else { self.known };
        let apart = surface.grid.drawn(draws.normals());
        let drawn = Drawn::new(surface.mean, surface.variance, apart, prices, known);
        let values = self.values(surface, &drawn, single);
        let candidates: Vec<Decided> = CAUTIONS
            .iter()
            .filter_map(|&(caution, careful)| {
                let score = values.iter().map(|(mean, deviation)| mean - caution * deviation).collect();
                let made = self.candidate(&drawn, single, caution, score)?;
                let bounded = made.choice.gain_at_least > -RISK * earned.abs();
                let likely = careful && bounded && self.told_apart();
                let enough = if likely { made.choice.gain } else { made.choice.gain_at_least };
                (enough > 0.0 && made.choice.gain > WORTHWHILE * earned.abs()).then_some(made)
            })
            .collect();
        let most = candidates.iter().map(|made| made.choice.gain).fold(0.0, f64::max);
        let careful = candidates.into_iter().rev().find(|made| made.choice.gain >= NEARLY * most);
        careful.unwrap_or_else(|| self.everybody(surface.mean.len(), single))
    }

    /// The single price for everybody.
    fn everybody(&self, places: usize, single: usize) -> Decided {
        let prices = self.objective.prices.len();
        let most = self.most();
        let score = (0..places).map(|place| if place % prices == single { most } else { 0.0 });
        let single = self.objective.prices[single];
        let choice = Choice { single, caution: None, gain: 0.0, gain_at_least: 0.0, others: 0.0 };
        Decided { score: score.collect(), choice }
    }

    /// The policy of a score, with what it gains; none if it has one price for everybody as well.
    fn candidate(&self, drawn: &Drawn, single: usize, caution: f64, score: Vec<f64>) -> Option<Decided> {
        let quoted = self.quoting.quotes(&score);
        let weights = quoted.iter().zip(&self.crowd.weights);
        let others: f64 = weights.filter(|(at, _)| **at != single).map(|(_, weight)| weight).sum();
        let (gain, deviation) = self.gain(drawn, &quoted, single);
        let choice = Choice {
            single: self.objective.prices[single],
            caution: Some(caution),
            gain,
            gain_at_least: gain - SURE * deviation,
            others,
        };
        (others > 0.0).then_some(Decided { score, choice })
    }

    /// Whether some context is shown to matter, by the test that is also told.
    fn told_apart(&self) -> bool {
        let contexts = &self.fitted.evidence[..self.fitted.evidence.len() - 1];
        contexts.iter().any(|&evidence| shown(evidence))
    }

    /// The price whose value for everybody, less some deviations, is highest, and its mean; the lowest of equals.
    fn best_single(&self, draws: &Draws) -> (usize, f64) {
        let Fitted { basis, axes, posterior, level, .. } = self.fitted;
        let (mut mean, mut rows) = (Vec::new(), Vec::new());
        for &price in &self.objective.prices {
            let mut row = self.crowd.mean(&basis.price(axes, axes.price_spot(price)));
            mean.push(level + posterior.mean(&row));
            posterior.whiten(&mut row);
            rows.extend(row);
        }
        let each = rows.chunks_exact(basis.rank()).zip(&self.supported);
        // What is not believed does not count where neighbours are pooled.
        let variance: Vec<f64> =
            each.map(|(row, &here)| if here { dot(row, row) } else { DISBELIEVED }).collect();
        let drawn = Drawn::new(&mean, &variance, draws.of_rows(&rows), mean.len(), self.known);
        let each: Vec<(f64, f64)> = (0..mean.len())
            .map(|at| moments(drawn.at(at).iter().map(|&outcome| self.earned(at, outcome))))
            .collect();
        let modest = self.objective.prices.iter().zip(&self.common);
        let usual = self.fitted.mean_price();
        let modest: Vec<bool> = modest.map(|(price, may)| *may && *price <= usual).collect();
        let single = cautious(&each, &self.common, &modest);
        (single, each[single].0)
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

    /// For each node and price: mean and deviation of what it earns; next to nothing where it may not be chosen.
    fn values(&self, surface: &Surface<'_>, drawn: &Drawn, single: usize) -> Vec<(f64, f64)> {
        let prices = self.objective.prices.len();
        let width = self.fitted.terms.outcome().width();
        let nothing = (-self.most(), self.most());
        let value = |place: usize| {
            let at = place % prices;
            if at != single && (!self.common[at] || self.thin(place / prices, at)) {
                return nothing;
            }
            let (mean, deviation) = moments(drawn.at(place).iter().map(|&outcome| self.earned(at, outcome)));
            let unknown = (width * self.margin(at)).powi(2) * surface.omitted[place];
            (mean, (deviation * deviation + unknown).sqrt())
        };
        (0..surface.mean.len()).map(value).collect()
    }

    /// Whether the log has next to no records of a price in a context: what is said there rests on smoothness
    /// alone, and a price that is better than the single one must rest on more.
    fn thin(&self, node: usize, at: usize) -> bool {
        let (fitted, price, point) = (self.fitted, self.objective.prices[at], &self.nodes[node]);
        if fitted.gapped() || fitted.density_at(point, price) >= THIN {
            return false;
        }
        // A smooth density has nothing beside a list price. What is there for people who pay alike is there for each.
        !(fitted.surely_has(price)
            && !fitted.follows.contains(&true)
            && fitted.context_density(point) >= THIN)
    }

    /// What an outcome between 0 and 1 earns at a price.
    fn earned(&self, at: usize, outcome: f64) -> f64 {
        let range = self.fitted.terms.outcome();
        self.margin(at) * (range.low() + range.width() * outcome)
    }

    fn margin(&self, at: usize) -> f64 {
        self.objective.margin(self.objective.prices[at])
    }

    /// More than any price can earn, or lose, beside another.
    fn most(&self) -> f64 {
        let range = self.fitted.terms.outcome();
        let margins = (0..self.objective.prices.len()).map(|at| self.margin(at).abs());
        2.0 * margins.fold(0.0, f64::max) * range.low().abs().max(range.high().abs())
    }
}

/// A price must be in the log at least this often, beside the one that is there most or, if that is less, beside an
/// even log: most records of a shop may be at its list price. By what is surely there, or, where nothing is sure, by
/// what is likely there.
const SURELY: f64 = 0.1;
const LIKELY: f64 = 0.5;

/// Which prices the log has, for the people at hand together: what others earn rests on smoothness alone, and a wide
/// declared range would be won by its far end.
fn common(fitted: &Fitted, objective: &Objective, crowd: &Crowd, allowed: &[bool]) -> Vec<bool> {
    // The lowest price of a stretch stands for all of it, which has records; a smooth density is low at its edge.
    if fitted.gapped() {
        return allowed.to_vec();
    }
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
    let least = least * most(&densities).min(1.0);
    let there = |price: f64| fitted.surely_has(price) && !fitted.follows.contains(&true);
    let each = objective.prices.iter().zip(&densities).zip(allowed);
    each.map(|((&price, density), may)| *may && (*density >= least || there(price))).collect()
}

/// The place of the highest of these means less some deviations, where it is allowed; the lowest of equals. If nothing
/// is worth much with all caution, only modest prices are asked for: where demand is not seen it seems to be the same
/// at all prices, and the highest would win.
fn cautious(each: &[(f64, f64)], allowed: &[bool], modest: &[bool]) -> usize {
    let most = each.iter().zip(allowed).filter(|(_, allowed)| **allowed).map(|(each, _)| each.0);
    let most = most.fold(f64::NEG_INFINITY, f64::max);
    let mut best = (f64::NEG_INFINITY, 0);
    for (tried, caution) in SINGLE.into_iter().enumerate() {
        best = (f64::NEG_INFINITY, 0);
        let may = if tried > 0 && modest.contains(&true) { modest } else { allowed };
        for (at, (mean, deviation)) in each.iter().enumerate().filter(|(at, _)| may[*at]) {
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
