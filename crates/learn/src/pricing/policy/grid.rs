//! What the posterior says at every node of the contexts and every price to choose from.

use crate::linear::dot;
use crate::pricing::axes::Spot;
use crate::pricing::fit::Fitted;

/// The places: the price counts first.
pub(super) struct Grid<'a> {
    fitted: &'a Fitted,
    spots: Vec<Vec<Spot>>,
}

impl<'a> Grid<'a> {
    pub(super) fn new(fitted: &'a Fitted, prices: &[f64]) -> Grid<'a> {
        let nodes = |count: usize| (0..count).map(|node| Spot { node, share: 0.0 }).collect();
        let contexts = fitted.axes.contexts().iter().map(|axis| nodes(axis.places().len()));
        let prices = prices.iter().map(|&price| fitted.axes.price_spot(price)).collect();
        Grid { fitted, spots: contexts.chain([prices]).collect() }
    }

    /// How many places there are.
    pub(super) fn places(&self) -> usize {
        self.spots.iter().map(Vec::len).product()
    }

    /// How many numbers a function is drawn from.
    pub(super) fn rank(&self) -> usize {
        self.fitted.basis.rank()
    }

    /// The mean outcome, between 0 and 1 but for what the posterior gets wrong.
    pub(super) fn mean(&self) -> Vec<f64> {
        let mean = self.combined(self.fitted.posterior.means(), 1);
        mean.into_iter().map(|value| self.fitted.level + value).collect()
    }

    /// The variance of that by what is learned.
    pub(super) fn variance(&self) -> Vec<f64> {
        let rank = self.rank();
        let rows = self.combined(&self.fitted.posterior.whitened(), rank);
        rows.chunks_exact(rank).map(|row| dot(row, row)).collect()
    }

    /// The variance by what is left out of the functions.
    pub(super) fn omitted(&self) -> Vec<f64> {
        let Fitted { basis, axes, .. } = self.fitted;
        if let Some(everywhere) = basis.left_out() {
            return vec![everywhere; self.places()];
        }
        let (rank, axis) = (self.rank(), axes.each.len() - 1);
        let shares: Vec<f64> =
            self.spots[axis].iter().map(|&spot| basis.node_share(axes, axis, spot)).collect();
        let spots: Vec<&[Spot]> = self.spots.iter().map(Vec::as_slice).collect();
        let rows = basis.over(axes, &spots);
        let places = rows.chunks_exact(rank).zip(shares.iter().cycle());
        places.map(|(row, &share)| basis.omitted(row, share)).collect()
    }

    /// How far functions that are drawn from the posterior, by standard normal vectors one after another, are from
    /// its mean: at each place one of each draw.
    pub(super) fn drawn(&self, normals: &[f64]) -> Vec<f64> {
        self.combined(&self.fitted.posterior.drawn(normals), normals.len() / self.rank())
    }

    fn combined(&self, each: &[f64], width: usize) -> Vec<f64> {
        self.fitted.basis.combined(&self.fitted.axes, &self.spots, each, width)
    }
}
