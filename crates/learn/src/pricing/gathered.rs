//! What each question sees of a basis: its functions added up over the records of each cell.
//!
//! With few contexts the functions are added up over all finest cells. With many there are too many cells for
//! each prior that is tried; but then each function has one context at most, and it is enough to add up, once,
//! each node's share of each context and price.

use super::answers::Answers;
use super::axes::{Axes, Spot};
use super::basis::Basis;

/// The questions with where records are.
pub(super) struct Gathered<'a> {
    axes: &'a Axes,
    answers: &'a [Answers],
    masses: &'a [f64],
    /// For each question with many contexts: for each cell, node of a context (or none, first) and node of the
    /// price, the mass near them.
    near: Vec<Vec<f64>>,
}

impl<'a> Gathered<'a> {
    pub(super) fn new(axes: &'a Axes, answers: &'a [Answers], masses: &'a [f64]) -> Gathered<'a> {
        let mut gathered = Gathered { axes, answers, masses, near: Vec::new() };
        if axes.additive() {
            gathered.near = answers.iter().map(|question| gathered.near(question)).collect();
        }
        gathered
    }

    /// Each question's rows one after another.
    pub(super) fn rows(&self, basis: &Basis) -> Vec<Vec<f64>> {
        let rank = basis.rank();
        if self.axes.additive() {
            return self.near.iter().map(|near| self.combined(basis, near)).collect();
        }
        let spots: Vec<&[Spot]> = self.axes.each.iter().map(|axis| &axis.cells[..]).collect();
        let mut weighted = basis.over(self.axes, &spots);
        for (row, &mass) in weighted.chunks_exact_mut(rank).zip(self.masses) {
            for value in row {
                *value *= mass;
            }
        }
        self.answers.iter().map(|question| question.summed(&weighted, rank)).collect()
    }

    /// Nodes of all contexts, and none.
    fn nodes(&self) -> usize {
        1 + self.axes.contexts().iter().map(|axis| axis.places().len()).sum::<usize>()
    }

    fn near(&self, question: &Answers) -> Vec<f64> {
        let (nodes, price) = (self.nodes(), self.axes.price());
        let (prices, width) = (price.cells.len(), price.places().len());
        let mut near = vec![0.0; question.cells() * nodes * width];
        let sizes: Vec<usize> = self.axes.contexts().iter().map(|axis| axis.cells.len()).collect();
        for (context, masses) in self.masses.chunks_exact(prices).enumerate() {
            let hats = self.hats(&sizes, context);
            for (at, &mass) in masses.iter().enumerate() {
                let cell = question.cell_of[context * prices + at] as usize;
                let sums = &mut near[cell * nodes * width..][..nodes * width];
                for &(node, share) in &hats {
                    for (place, part) in price.cells[at].parts() {
                        sums[node * width + place] += mass * share * part;
                    }
                }
            }
        }
        near
    }

    /// The nodes near a cell of the contexts, numbered over all axes from 1, and none at 0.
    fn hats(&self, sizes: &[usize], context: usize) -> Vec<(usize, f64)> {
        let mut hats = vec![(0, 1.0)];
        let (mut rest, mut first) = (context, self.nodes());
        for (axis, &size) in self.axes.contexts().iter().zip(sizes).rev() {
            first -= axis.places().len();
            let spot = axis.cells[rest % size];
            rest /= size;
            hats.extend(spot.parts().map(|(node, share)| (first + node, share)));
        }
        hats
    }

    fn combined(&self, basis: &Basis, near: &[f64]) -> Vec<f64> {
        let (nodes, width) = (self.nodes(), self.axes.price().places().len());
        let functions = basis.parts(self.axes);
        let mut rows = Vec::with_capacity(near.len() / (nodes * width) * functions.len());
        for cell in near.chunks_exact(nodes * width) {
            rows.extend(functions.iter().map(|function| {
                let of_node = |(node, share): &(usize, f64)| {
                    let masses = &cell[node * width..][..width];
                    share * masses.iter().zip(&function.price).map(|(mass, value)| mass * value).sum::<f64>()
                };
                function.contexts.iter().map(of_node).sum::<f64>()
            }));
        }
        rows
    }
}
