//! The price for one context, in well under a microsecond.

use reticent_schema::{Field, Value};

use super::{Policy, PolicyError, Quote};
use crate::pricing::axes::{Axes, Axis};

/// Context axes of a market: more are refused with its terms.
const MOST: usize = 16;

/// The corners of the simplex that a point lies in, with their weights.
struct Corners {
    nodes: [usize; MOST + 1],
    weights: [f64; MOST + 1],
    count: usize,
}

impl Policy {
    /// The price for a context of numbers, one for each field in order. Values outside the declared ranges are refused.
    pub fn quote(&self, context: &[f64]) -> Result<Quote, PolicyError> {
        let mut point = [0.0; MOST];
        let point = &mut point[..self.terms.context().dimension()];
        self.terms.context().check_numbers(context)?;
        self.terms.context().encode_numbers(context, point)?;
        for (field, &value) in self.terms.context().fields().iter().zip(context) {
            check(field, value)?;
        }
        Ok(self.quote_point(point))
    }

    /// The same for a context with categories.
    pub fn quote_values(&self, context: &[Value]) -> Result<Quote, PolicyError> {
        let mut point = [0.0; MOST];
        let point = &mut point[..self.terms.context().dimension()];
        self.terms.context().check_values(context)?;
        self.terms.context().encode_values(context, point)?;
        for (field, value) in self.terms.context().fields().iter().zip(context) {
            if let Value::Number(value) = value {
                check(field, *value)?;
            }
        }
        Ok(self.quote_point(point))
    }

    /// The same for a point of the unit cube.
    pub fn quote_point(&self, point: &[f64]) -> Quote {
        let corners = self.corners(point);
        let (_, at) = corners.highest(&self.score, self.objective.prices.len());
        self.answer(&corners, at)
    }

    /// Mean and pessimistic value of each price for a point of the unit cube.
    pub fn curve(&self, point: &[f64]) -> Vec<(f64, f64, f64)> {
        let corners = self.corners(point);
        let prices = self.objective.prices.len();
        let of = |(at, &price): (usize, &f64)| {
            let lower = self.bounded(price, corners.blend(&self.lower[at..], prices));
            (price, corners.blend(&self.mean[at..], prices), lower)
        };
        self.objective.prices.iter().enumerate().map(of).collect()
    }

    fn answer(&self, corners: &Corners, at: usize) -> Quote {
        let density = corners.blend(&self.density, 1);
        let (price, prices) = (self.objective.prices[at], self.objective.prices.len());
        match self.objective.fallback.filter(|_| self.nothing_known(corners)) {
            None => {
                let mean = corners.blend(&self.mean[at..], prices);
                let lower = self.bounded(price, corners.blend(&self.lower[at..], prices));
                Quote { price, mean, lower, fallback: false, density }
            }
            Some(fallback) => {
                let mean = self.mean_near(corners, fallback);
                Quote { price: fallback, mean, lower: self.least(fallback), fallback: true, density }
            }
        }
    }

    /// Whether no price is known to earn more than with the worst outcome.
    fn nothing_known(&self, corners: &Corners) -> bool {
        let (value, at) = corners.highest(&self.lower, self.objective.prices.len());
        let price = self.objective.prices[at];
        self.bounded(price, value) <= self.least(price)
    }

    /// The mean at the price to choose from that is nearest to the fallback.
    fn mean_near(&self, corners: &Corners, fallback: f64) -> f64 {
        let prices = &self.objective.prices;
        let distance = |&at: &usize| (prices[at] - fallback).abs();
        let nearest = (0..prices.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0);
        corners.blend(&self.mean[nearest..], prices.len())
    }

    /// What a price earns at the very least: with the worst outcome.
    fn least(&self, price: f64) -> f64 {
        let range = self.terms.outcome();
        let margin = self.objective.margin(price);
        margin * if margin < 0.0 { range.high() } else { range.low() }
    }

    /// No band says less, or more, than the range of outcomes.
    fn bounded(&self, price: f64, value: f64) -> f64 {
        let range = self.terms.outcome();
        let margin = self.objective.margin(price);
        let most = margin * if margin < 0.0 { range.low() } else { range.high() };
        value.clamp(self.least(price), most)
    }

    /// The corners around a point: Kuhn's simplex, from the lowest corner of the cell one step along each axis,
    /// in the order of how far the point is along it.
    #[inline]
    fn corners(&self, point: &[f64]) -> Corners {
        Corners::around(self.axes.contexts(), &self.strides, point)
    }
}

/// How many numbers a step along each axis skips, in nodes.
pub(super) fn strides(axes: &[Axis]) -> Vec<usize> {
    let sizes: Vec<usize> = axes.iter().map(|axis| axis.places().len()).collect();
    (0..sizes.len()).map(|axis| sizes[axis + 1..].iter().product()).collect()
}

/// People between nodes, to be quoted a price each by several scores.
pub(super) struct Quoting {
    prices: usize,
    people: Vec<Corners>,
}

impl Quoting {
    pub(super) fn new(axes: &Axes, prices: usize, points: &[Vec<f64>]) -> Quoting {
        let axes = axes.contexts();
        let strides = strides(axes);
        Quoting {
            prices,
            people: points.iter().map(|point| Corners::around(axes, &strides, point)).collect(),
        }
    }

    /// The nodes around a person, with their weights.
    pub(super) fn corners(&self, person: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let corners = &self.people[person];
        corners.nodes.iter().copied().zip(corners.weights.iter().copied()).take(corners.count - 1)
    }

    /// Which price each gets.
    pub(super) fn quotes(&self, score: &[f64]) -> Vec<usize> {
        self.people.iter().map(|corners| corners.highest(score, self.prices).1).collect()
    }
}

impl Corners {
    #[inline]
    fn around(axes: &[Axis], strides: &[usize], point: &[f64]) -> Corners {
        let mut corners = Corners { nodes: [0; MOST + 1], weights: [0.0; MOST + 1], count: 1 };
        let (mut steps, mut node) = ([(0.0, 0); MOST], 0);
        let steps = &mut steps[..axes.len()];
        for (step, ((axis, &x), &stride)) in steps.iter_mut().zip(axes.iter().zip(point).zip(strides)) {
            let spot = Axis::spot(axis, x);
            node += spot.node * stride;
            *step = (spot.share, stride);
        }
        steps.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        let mut share = 1.0;
        for &mut (next, stride) in steps {
            corners.put(node, share - next);
            (node, share) = (node + stride, next);
        }
        corners.put(node, share);
        corners
    }

    /// The highest of a node's values over prices, and where it is: the smallest price of equals.
    fn highest(&self, values: &[f64], prices: usize) -> (f64, usize) {
        let mut best = (f64::NEG_INFINITY, 0);
        for price in 0..prices {
            let value = self.blend(&values[price..], prices);
            if value > best.0 {
                best = (value, price);
            }
        }
        best
    }

    /// A corner without weight need not exist: beyond the last node of an axis.
    #[inline]
    fn put(&mut self, node: usize, weight: f64) {
        if weight > 0.0 {
            self.nodes[self.count - 1] = node;
            self.weights[self.count - 1] = weight;
            self.count += 1;
        }
    }

    /// The mean of the corners' values, `width` of which each node has.
    #[inline]
    fn blend(&self, values: &[f64], width: usize) -> f64 {
        let corners = self.nodes.iter().zip(&self.weights).take(self.count - 1);
        corners.map(|(&node, weight)| weight * values[node * width]).sum()
    }
}

fn check(field: &Field, value: f64) -> Result<(), PolicyError> {
    match field {
        Field::Numeric { name, low, high } if !(*low..=*high).contains(&value) => {
            Err(PolicyError::Outside { field: name.clone() })
        }
        _ => Ok(()),
    }
}
