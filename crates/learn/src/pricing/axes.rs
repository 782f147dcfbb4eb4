//! Where the function is held: a few nodes on each axis, between which it is linear; and the log's finest
//! cells, over which it is averaged.

use reticent_protocol::pricing::{Prices, Terms};
use reticent_schema::AxisKind;

use crate::linear::eigen;

/// Length scales in units of an axis, from wiggly to flat: an axis with the last one does not matter.
pub(super) const LENGTHS: [f64; 7] = [0.1, 0.17, 0.3, 0.55, 1.0, 2.0, 10.0];
/// Where each axis starts.
pub(super) const START: usize = 3;
/// Two different levels of a category are as far apart as the ends of half an axis.
const LEVEL_DISTANCE: f64 = 0.5;
/// Nodes of a range of prices: with few context axes, and with many.
const PRICE_NODES: usize = 25;
const FEW_PRICE_NODES: usize = 13;

/// With so many contexts, what they do to the outcome is taken to add up: nothing else can be learned.
const MANY: usize = 6;
/// So many finest cells are no trouble.
const FEW_CELLS: usize = 6000;

/// A place on an axis: between a node and the next, so far along.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spot {
    pub(super) node: usize,
    pub(super) share: f64,
}

impl Spot {
    /// The nodes around, with their shares.
    pub(super) fn parts(self) -> impl Iterator<Item = (usize, f64)> {
        let near = [(self.node, 1.0 - self.share), (self.node + 1, self.share)];
        near.into_iter().filter(|(_, share)| *share > 0.0)
    }
}

/// Eigenvalues of the axis's covariance over its nodes, and eigenvectors as columns.
pub(super) type Modes = (Vec<f64>, Vec<f64>);

/// One axis.
#[derive(Debug, Clone)]
pub(super) struct Axis {
    /// Where the nodes are, in [0, 1]. Levels of a category are nodes in the middle of their cells.
    places: Vec<f64>,
    levels: bool,
    /// The middle of each finest cell.
    pub(super) cells: Vec<Spot>,
    /// For each length.
    pub(super) modes: Vec<Modes>,
}

/// The axes of a market's contexts, then the price.
#[derive(Debug, Clone)]
pub(super) struct Axes {
    pub(super) each: Vec<Axis>,
    low: f64,
    width: f64,
}

impl Axes {
    /// The axes with the finest cells that any question may have.
    pub(super) fn new(terms: &Terms) -> Axes {
        Axes::with_cells(terms, &terms.finest())
    }

    /// The axes with cells that are fine enough for these questions: where there are many axes, no finer than
    /// they need.
    pub(super) fn for_parts(terms: &Terms, questions: &[&[u32]]) -> Axes {
        let finest = terms.finest();
        if finest.iter().map(|&cells| cells as usize).product::<usize>() <= FEW_CELLS {
            return Axes::new(terms);
        }
        let needed = |axis: usize| {
            let common = questions.iter().map(|parts| parts[axis]).fold(1, least_common_multiple);
            if axis + 1 == finest.len() || common == 1 {
                finest[axis].min(common.saturating_mul(2))
            } else {
                common.min(finest[axis])
            }
        };
        Axes::with_cells(terms, &(0..finest.len()).map(needed).collect::<Vec<u32>>())
    }

    fn with_cells(terms: &Terms, finest: &[u32]) -> Axes {
        let dimension = terms.context().dimension();
        let mut each: Vec<Axis> = terms
            .context()
            .axes()
            .zip(finest)
            .map(|(axis, &cells)| match axis.kind {
                AxisKind::Numeric => Axis::numeric(nodes(dimension), cells as usize),
                AxisKind::Category(levels) => Axis::category(levels),
            })
            .collect();
        each.push(match terms.prices() {
            Prices::Range(..) => Axis::numeric(
                if dimension <= 2 { PRICE_NODES } else { FEW_PRICE_NODES },
                finest[dimension] as usize,
            ),
            Prices::Points(points) => {
                let unit = |price: &f64| (price - points[0]) / (terms.prices().high() - points[0]);
                Axis::listed(points.iter().map(unit).collect())
            }
        });
        Axes { each, low: terms.prices().low(), width: terms.prices().high() - terms.prices().low() }
    }

    /// Whether contexts are so many that what they do is taken to add up.
    pub(super) fn additive(&self) -> bool {
        self.contexts().len() >= MANY
    }

    /// The axes of the context.
    pub(super) fn contexts(&self) -> &[Axis] {
        &self.each[..self.each.len() - 1]
    }

    /// The axis of the price.
    pub(super) fn price(&self) -> &Axis {
        &self.each[self.each.len() - 1]
    }

    /// Where a price is.
    pub(super) fn price_spot(&self, price: f64) -> Spot {
        self.price().spot((price - self.low) / self.width)
    }

    /// How many finest cells there are together.
    pub(super) fn cells(&self) -> usize {
        self.each.iter().map(|axis| axis.cells.len()).product()
    }

    /// The middle of each finest cell, in the unit cube as devices see it, in the order of the cells.
    pub(super) fn middles(&self) -> Vec<Vec<f64>> {
        let sizes: Vec<usize> = self.each.iter().map(|axis| axis.cells.len()).collect();
        (0..self.cells())
            .map(|cell| {
                let mut rest = cell;
                let mut point: Vec<f64> = sizes
                    .iter()
                    .rev()
                    .map(|&size| {
                        let place = rest % size;
                        rest /= size;
                        (place as f64 + 0.5) / size as f64
                    })
                    .collect();
                point.reverse();
                point
            })
            .collect()
    }
}

/// Nodes of a numeric axis of the context, so that all of them together stay few.
fn nodes(dimension: usize) -> usize {
    match dimension {
        0 | 1 => 33,
        2 => 13,
        3 => 7,
        4 | 5 => 4,
        _ => 2,
    }
}

impl Axis {
    fn numeric(nodes: usize, cells: usize) -> Axis {
        let places: Vec<f64> = (0..nodes).map(|i| i as f64 / (nodes - 1) as f64).collect();
        let mut axis = Axis { modes: modes(&places, f64::abs), places, levels: false, cells: Vec::new() };
        axis.cells = (0..cells).map(|cell| axis.spot((cell as f64 + 0.5) / cells as f64)).collect();
        axis
    }

    fn category(levels: usize) -> Axis {
        let places: Vec<f64> = (0..levels).map(|level| (level as f64 + 0.5) / levels as f64).collect();
        let apart = |difference: f64| if difference == 0.0 { 0.0 } else { LEVEL_DISTANCE };
        Axis { modes: modes(&places, apart), places, levels: true, cells: whole(levels) }
    }

    /// Nodes where they are listed: each is a cell of its own.
    fn listed(places: Vec<f64>) -> Axis {
        let cells = whole(places.len());
        Axis { modes: modes(&places, f64::abs), places, levels: false, cells }
    }

    /// Whether each node is a cell of its own: a level, or a listed price.
    pub(super) fn apart(&self) -> bool {
        self.cells.len() == self.places.len() && self.cells.iter().all(|cell| cell.share == 0.0)
    }

    /// Where the nodes are.
    pub(super) fn places(&self) -> &[f64] {
        &self.places
    }

    /// The place of a coordinate: between the two nodes around it; at the one level for a category; at an end
    /// beyond it.
    #[inline]
    pub(super) fn spot(&self, x: f64) -> Spot {
        let last = self.places.len() - 1;
        if self.levels {
            let level = (x * self.places.len() as f64) as usize;
            return Spot { node: level.min(last), share: 0.0 };
        }
        let above = self.places.partition_point(|&place| place <= x);
        if above == 0 || last == 0 {
            return Spot { node: 0, share: 0.0 };
        }
        let node = (above - 1).min(last - 1);
        let share = (x - self.places[node]) / (self.places[node + 1] - self.places[node]);
        Spot { node, share: share.clamp(0.0, 1.0) }
    }
}

fn least_common_multiple(a: u32, b: u32) -> u32 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x).saturating_mul(b)
}

fn whole(nodes: usize) -> Vec<Spot> {
    (0..nodes).map(|node| Spot { node, share: 0.0 }).collect()
}

fn modes(places: &[f64], distance: impl Fn(f64) -> f64) -> Vec<Modes> {
    let n = places.len();
    let of_length = |length: f64| {
        let matrix = (0..n * n).map(|at| matern_5_2(distance(places[at / n] - places[at % n]) / length));
        eigen(n, matrix.collect())
    };
    LENGTHS.map(of_length).into()
}

fn matern_5_2(r: f64) -> f64 {
    let t = 5_f64.sqrt() * r;
    (1.0 + t + t * t / 3.0) * libm::exp(-t)
}
