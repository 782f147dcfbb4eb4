//! The best prices that keep to rules.

use super::surface::Nodes;
use super::{RuleAxes, RuledPolicy, Rules, RulesError};
use crate::linear::add_scaled;
use crate::pricing::axes::Spot;
use crate::pricing::fit::Fitted;
use crate::pricing::objective::Earns;
use crate::pricing::policy::stored::{Table, step};
use crate::pricing::policy::{Choice, Policy};
use crate::pricing::value::Value;

/// Deviations of the gain that must be left, one-sided 99 %, and those by which what has them is compared: as
/// without rules.
const SURE: f64 = 2.33;
const MERIT: f64 = 0.7;
/// No more people than this are asked while prices are looked for.
const MOST: usize = 1000;
/// Weights of a limit that are tried: ever larger, then between the last two.
const TRIED: usize = 24;
const HALVED: usize = 14;

/// Rules, and what they are for.
pub(super) struct Ruled<'a> {
    pub(super) fitted: &'a Fitted,
    pub(super) policy: &'a Policy,
    pub(super) rules: &'a Rules,
    pub(super) axes: &'a RuleAxes,
    pub(super) target: Option<&'a [Vec<f64>]>,
}

/// What a unit of volume and a unit of price are worth beside what is earned.
#[derive(Debug, Clone, Copy)]
struct Weights {
    volume: f64,
    price: f64,
}

/// What is looked at again and again.
struct Ground<'a> {
    ruled: &'a Ruled<'a>,
    few: Option<Vec<Vec<f64>>>,
    people: Vec<(f64, Vec<f64>)>,
    nodes: Nodes,
    /// Whether a price may not be chosen at a node; and nowhere.
    out: Vec<bool>,
    nowhere: Vec<bool>,
    /// The mean outcome at each node and price.
    volume: Vec<f64>,
    /// More than any price earns, less than nothing counts.
    most: f64,
    /// How many deviations below its estimate the volume must be reached.
    deviations: f64,
}

impl Ruled<'_> {
    pub(super) fn decide(&self, deviations: f64) -> Result<RuledPolicy, RulesError> {
        let mut ground = Ground::new(self, deviations);
        let mut single = ground.single();
        if single.is_none() && deviations > 0.0 {
            // Nothing is sure: what is expected must do, and that is said.
            ground.deviations = 0.0;
            single = ground.single();
        }
        let single = single.ok_or_else(|| ground.refused())?;
        let mut best = ground.made(&ground.only(single), ground.choice(single, None));
        let mut most = 0.0;
        let misled = self.fitted.outcomes_rise(&self.policy.objective).is_some();
        if !self.rules.single && !misled {
            for score in [&self.policy.score, &self.policy.mean] {
                let Some(policy) = ground.kept(score, single) else { continue };
                let (gain, deviation) = ground.gain(&policy, single);
                let merit = gain - MERIT * deviation;
                if gain - SURE * deviation > 0.0 && merit > most {
                    most = merit;
                    let choice = ground.choice(single, Some((&policy, gain, gain - SURE * deviation)));
                    best = Policy { choice: Some(choice), ..policy };
                }
            }
        }
        let volume = (self.policy.objective.earns != Earns::Outcome).then(|| self.volume(&best, self.target));
        let sure = volume.as_ref().zip(self.rules.least_volume).is_none_or(|(volume, least)| {
            volume.mean - deviations * volume.deviation >= least - slack(least)
        });
        let mean_price = self.mean_price(&best, self.target);
        let volume = volume.map(|volume| (volume.mean, volume.deviation));
        Ok(RuledPolicy { policy: best, volume, mean_price, sure })
    }

    /// The mean outcome of a person with these prices.
    fn volume(&self, policy: &Policy, target: Option<&[Vec<f64>]>) -> Value {
        self.fitted.value_of(target, |point| policy.quote_point(point).price, |_| 1.0)
    }

    fn mean_price(&self, policy: &Policy, target: Option<&[Vec<f64>]>) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (weight, point) in self.fitted.people(target) {
            sum += weight * policy.quote_point(&point).price;
            weights += weight;
        }
        sum / weights
    }
}

/// Sums are as exact as this.
fn slack(limit: f64) -> f64 {
    1e-9 * limit.abs().max(1e-9)
}

impl<'a> Ground<'a> {
    fn new(ruled: &'a Ruled<'a>, deviations: f64) -> Ground<'a> {
        let Ruled { fitted, policy, target, axes, .. } = *ruled;
        let few: Option<Vec<Vec<f64>>> =
            target.map(|target| target.iter().step_by(target.len().div_ceil(MOST).max(1)).cloned().collect());
        let people = fitted.people(few.as_deref());
        let nodes = Nodes::new(policy.axes.contexts(), &people);
        let prices = &policy.objective.prices;
        let margins: Vec<f64> = prices.iter().map(|&price| policy.objective.margin(price)).collect();
        let range = policy.terms.outcome();
        let largest = margins.iter().map(|margin| margin.abs()).fold(0.0, f64::max);
        let most = (2.0 * largest * range.low().abs().max(range.high().abs())).max(f64::MIN_POSITIVE);
        // What may not be chosen has a score below all that could be earned.
        let mut out: Vec<f64> =
            policy.score.iter().map(|&score| if score <= -0.999 * most { 1.0 } else { 0.0 }).collect();
        nodes.blinded(axes, &mut out, prices.len());
        let out: Vec<bool> = out.into_iter().map(|share| share > 0.5).collect();
        let nowhere = (0..prices.len()).map(|at| out.iter().skip(at).step_by(prices.len()).all(|out| *out));
        let nowhere = nowhere.collect();
        let volume = volumes(&policy.mean, &margins);
        Ground { ruled, few, people, nodes, out, nowhere, volume, most, deviations }
    }

    fn prices(&self) -> &[f64] {
        &self.ruled.policy.objective.prices
    }

    /// The place of the best price for everybody that keeps the limits: the policy's own if it does.
    fn single(&self) -> Option<usize> {
        let own = self.ruled.policy.choice.map(|choice| choice.single);
        if let Some(at) = own.and_then(|own| self.prices().iter().position(|price| *price == own))
            && self.keeps_everywhere(at)
        {
            return Some(at);
        }
        let allowed = (0..self.prices().len()).filter(|&at| !self.nowhere[at] && self.keeps_everywhere(at));
        let worth = |at: usize| {
            let value = self.value_at(at, |price| self.ruled.policy.objective.margin(price));
            value.mean - value.deviation
        };
        let mut best = None;
        for (worth, at) in allowed.map(|at| (worth(at), at)) {
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, at));
            }
        }
        best.map(|(_, at)| at)
    }

    fn value_at(&self, at: usize, margin: impl Fn(f64) -> f64) -> Value {
        let price = self.prices()[at];
        self.ruled.fitted.value_of(self.ruled.target, |_| price, margin)
    }

    /// Whether one price for everybody keeps the limits.
    fn keeps_everywhere(&self, at: usize) -> bool {
        let price = self.prices()[at];
        let cheap = self.ruled.rules.most_mean_price.is_none_or(|most| price <= most + slack(most));
        cheap
            && self
                .ruled
                .rules
                .least_volume
                .is_none_or(|least| self.reached(least, &self.value_at(at, |_| 1.0)))
    }

    fn reached(&self, least: f64, volume: &Value) -> bool {
        volume.mean - self.deviations * volume.deviation >= least - slack(least)
    }

    /// Why no price for everybody keeps the limits.
    fn refused(&self) -> RulesError {
        let allowed: Vec<usize> = (0..self.prices().len()).filter(|&at| !self.nowhere[at]).collect();
        if let Some(asked) = self.ruled.rules.least_volume {
            let volumes = allowed.iter().map(|&at| (self.value_at(at, |_| 1.0).mean, at));
            let most = volumes.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, 0));
            if most.0 < asked - slack(asked) {
                return RulesError::Volume { asked, most: most.0, price: self.prices()[most.1] };
            }
        }
        let lowest = allowed.first().map_or(self.prices()[0], |&at| self.prices()[at]);
        match self.ruled.rules.most_mean_price {
            Some(asked) if lowest > asked => RulesError::MeanPrice { asked, lowest },
            _ => RulesError::Both,
        }
    }

    /// Prices by a score that keep to all rules; none if that cannot be had, or is one price.
    fn kept(&self, base: &[f64], single: usize) -> Option<Policy> {
        let free = Weights { volume: 0.0, price: 0.0 };
        let with = |weights: Weights| {
            let choice = self.choice(single, None);
            self.made(&self.scores(base, weights), choice)
        };
        let rules = self.ruled.rules;
        let few = self.few.as_deref();
        let volume = |target: Option<&[Vec<f64>]>, policy: &Policy| {
            rules.least_volume.is_none_or(|least| self.reached(least, &self.ruled.volume(policy, target)))
        };
        let cheap = |target: Option<&[Vec<f64>]>, policy: &Policy| {
            rules
                .most_mean_price
                .is_none_or(|most| self.ruled.mean_price(policy, target) <= most + slack(most))
        };
        let unit = self.most / self.ruled.policy.terms.outcome().width();
        let weights = least_weight(unit, |volume| Weights { volume, ..free }, |w| volume(few, &with(w)))?;
        let width = self.prices()[self.prices().len() - 1] - self.prices()[0];
        let unit = self.most / width.max(f64::MIN_POSITIVE);
        let weights = least_weight(unit, |price| Weights { price, ..weights }, |w| cheap(few, &with(w)))?;
        // All people have the last word: the few may have been a little luckier.
        let larger = |times: i32| Weights {
            volume: weights.volume * 1.05_f64.powi(times),
            price: weights.price * 1.05_f64.powi(times),
        };
        let target = self.ruled.target;
        let mut tried = (0..40).map(|times| with(larger(times)));
        tried.find(|policy| volume(target, policy) && cheap(target, policy))
    }

    /// Scores with what limits are worth, changed so that prices keep to rules about contexts.
    fn scores(&self, base: &[f64], weights: Weights) -> Vec<f64> {
        let prices = self.prices();
        let axes = self.ruled.axes;
        let mut scores: Vec<f64> = base
            .iter()
            .zip(&self.volume)
            .zip(prices.iter().cycle())
            .map(|((score, volume), price)| score + weights.volume * volume - weights.price * price)
            .collect();
        self.nodes.blinded(axes, &mut scores, prices.len());
        let highest = scores.iter().map(|score| score.abs()).fold(self.most, f64::max);
        let exclude = |scores: &mut [f64], by: f64, out: &dyn Fn(usize) -> bool| {
            let places = scores.iter_mut().enumerate().filter(|(place, _)| out(*place));
            places.for_each(|(_, score)| *score -= by);
        };
        exclude(&mut scores, 2.0 * highest, &|place| self.out[place]);
        self.nodes.ordered(axes, &mut scores, prices.len());
        // What no node may have stays out, whatever the limits are worth.
        let highest = scores.iter().map(|score| score.abs()).fold(self.most, f64::max);
        exclude(&mut scores, 100.0 * highest, &|place| self.nowhere[place % prices.len()]);
        scores
    }

    /// Scores by which everybody has one price.
    fn only(&self, single: usize) -> Vec<f64> {
        let prices = self.prices().len();
        let score = |place: usize| if place % prices == single { 0.0 } else { -self.most };
        (0..self.out.len()).map(score).collect()
    }

    /// The policy with other scores, and with values that look at no more than it may.
    fn made(&self, scores: &[f64], choice: Choice) -> Policy {
        let Ruled { policy, axes, .. } = *self.ruled;
        let (mut mean, mut lower, mut density) =
            (policy.mean.clone(), policy.lower.clone(), policy.density.clone());
        self.nodes.blinded(axes, &mut mean, self.prices().len());
        self.nodes.blinded(axes, &mut lower, self.prices().len());
        self.nodes.blinded(axes, &mut density, 1);
        let step = step(&policy.terms, &policy.objective);
        let mut table = Table {
            mean: mean.iter().map(|value| (value / step).round() as i64).collect(),
            lower: lower.iter().map(|value| (value / step + 1e-6).floor() as i64).collect(),
            score: Vec::with_capacity(scores.len()),
            density: density.iter().map(|density| (density * 1000.0).round() as u32).collect(),
        };
        // Differences are rounded, so that they stay in order.
        for scores in scores.chunks_exact(self.prices().len()) {
            let mut sum = (scores[0] / step).round() as i64;
            table.score.push(sum);
            for pair in scores.windows(2) {
                sum += ((pair[1] - pair[0]) / step).round() as i64;
                table.score.push(sum);
            }
        }
        let (terms, objective) = (policy.terms.clone(), policy.objective.clone());
        Policy::assembled(terms, objective, policy.learned.clone(), Some(choice), &table)
    }

    fn choice(&self, single: usize, found: Option<(&Policy, f64, f64)>) -> Choice {
        let price = self.prices()[single];
        let none = Choice { single: price, caution: None, gain: 0.0, gain_at_least: 0.0, others: 0.0 };
        let base = self.ruled.policy.choice.unwrap_or(none);
        match found {
            None => none,
            Some((policy, gain, gain_at_least)) => {
                let caution = Some(base.caution.unwrap_or(0.0));
                Choice { single: price, caution, gain, gain_at_least, others: self.others(policy, single) }
            }
        }
    }

    /// The share of people who get another price.
    fn others(&self, policy: &Policy, single: usize) -> f64 {
        let price = self.prices()[single];
        let (mut others, mut total) = (0.0, 0.0);
        for (weight, point) in &self.people {
            others += if policy.quote_point(point).price == price { 0.0 } else { *weight };
            total += weight;
        }
        others / total
    }

    /// What a policy earns more than one price for everybody, and the deviation of that: linear in the unknown
    /// function.
    fn gain(&self, policy: &Policy, single: usize) -> (f64, f64) {
        let Fitted { axes, basis, posterior, terms, level, .. } = self.ruled.fitted;
        let (range, objective) = (terms.outcome(), &policy.objective);
        let single = self.prices()[single];
        let mut row = vec![0.0; basis.rank()];
        let (mut sum, mut total) = (0.0, 0.0);
        for (weight, point) in &self.people {
            total += weight;
            let quoted = policy.quote_point(point).price;
            if quoted == single {
                continue;
            }
            for (price, sign) in [(quoted, 1.0), (single, -1.0)] {
                let contexts = axes.contexts().iter().zip(point).map(|(axis, &x)| axis.spot(x));
                let spots: Vec<Spot> = contexts.chain([axes.price_spot(price)]).collect();
                let here = basis.at(axes, &spots);
                let factor = weight * sign * objective.margin(price);
                sum += factor * (range.low() + range.width() * (level + posterior.mean(&here)));
                add_scaled(&mut row, factor * range.width(), &here);
            }
        }
        (sum / total, posterior.deviation(&row) / total)
    }
}

/// The mean outcome at each node and price: what is earned by the margin, or what neighbours have where that is 0.
fn volumes(mean: &[f64], margins: &[f64]) -> Vec<f64> {
    let prices = margins.len();
    let near = |at: usize| {
        let order = (0..prices).filter(|&other| margins[other] != 0.0);
        order.min_by_key(|other| other.abs_diff(at)).unwrap_or(at)
    };
    let from: Vec<usize> = (0..prices).map(near).collect();
    let volume = |(place, _): (usize, &f64)| {
        let at = from[place % prices];
        if margins[at] == 0.0 { 0.0 } else { mean[place - place % prices + at] / margins[at] }
    };
    mean.iter().enumerate().map(volume).collect()
}

/// About the least weight with which a limit is kept; none if no weight will do.
fn least_weight(unit: f64, with: impl Fn(f64) -> Weights, kept: impl Fn(Weights) -> bool) -> Option<Weights> {
    if kept(with(0.0)) {
        return Some(with(0.0));
    }
    let (mut low, mut high) = (0.0, unit * 1e-3);
    let mut tried = 0;
    while !kept(with(high)) {
        tried += 1;
        if tried == TRIED {
            return None;
        }
        (low, high) = (high, high * 2.0);
    }
    for _ in 0..HALVED {
        let middle = f64::midpoint(low, high);
        if kept(with(middle)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(with(high))
}
