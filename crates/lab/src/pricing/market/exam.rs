//! What a price policy loses in the target market.

use reticent_privacy::SimRng;

use super::{Law, Market};

/// Contexts of the target market with what the best price earns in each.
///
/// With one coordinate they are a fixed quadrature of the target's density, and there is no sampling error;
/// with more they are drawn.
#[derive(Debug, Clone)]
pub struct Exam {
    market: Market,
    /// One after the other.
    contexts: Vec<f64>,
    /// Sum to one.
    weights: Vec<f64>,
    best: Vec<f64>,
}

/// Contexts of a quadrature, about.
const NODES: usize = 2000;

impl Exam {
    /// Contexts of a usual exam.
    pub const CONTEXTS: usize = 2000;

    /// An exam of so many contexts, at least one, for a market of more than one coordinate.
    pub fn draw(market: &Market, contexts: usize, rng: &mut SimRng) -> Exam {
        let dims = market.dims();
        let (points, weights) = if dims == 1 {
            let nodes = match &market.0 {
                Law::Smooth(law) => law.nodes(NODES),
                Law::LowerBound(law) => law.nodes(NODES),
            };
            let total: f64 = nodes.iter().map(|node| node.1).sum();
            nodes.into_iter().map(|(x, weight)| (x, weight / total)).unzip()
        } else {
            let contexts = contexts.max(1);
            let mut points = vec![0.0; contexts * dims];
            points.chunks_exact_mut(dims).for_each(|context| market.draw_target(rng, context));
            (points, vec![1.0 / contexts as f64; contexts])
        };
        let best = points.chunks_exact(dims).map(|context| market.best(context).revenue).collect();
        Exam { market: market.clone(), contexts: points, weights, best }
    }

    /// The market.
    pub fn market(&self) -> &Market {
        &self.market
    }

    /// The contexts.
    pub fn contexts(&self) -> impl Iterator<Item = &[f64]> {
        self.contexts.chunks_exact(self.market.dims())
    }

    /// What a policy earns on average: V of (1).
    pub fn value(&self, mut policy: impl FnMut(&[f64]) -> f64) -> f64 {
        let earned = self.contexts().map(|context| self.market.revenue(context, policy(context)));
        earned.zip(&self.weights).map(|(revenue, weight)| revenue * weight).sum()
    }

    /// What a policy loses on average against the best one.
    pub fn suboptimality(&self, mut policy: impl FnMut(&[f64]) -> f64) -> f64 {
        let lost = self.contexts().zip(&self.best);
        let lost = lost.map(|(context, best)| best - self.market.revenue(context, policy(context)));
        lost.zip(&self.weights).map(|(loss, weight)| loss * weight).sum()
    }

    /// What the best policy earns on average.
    pub fn optimum(&self) -> f64 {
        self.best.iter().zip(&self.weights).map(|(revenue, weight)| revenue * weight).sum()
    }

    /// What the best policy earns on average that has these prices alone; `None` without a price.
    pub fn optimum_of(&self, prices: &[f64]) -> Option<f64> {
        let best =
            self.contexts().map(|context| self.market.best_of(context, prices).map(|best| best.revenue));
        best.zip(&self.weights).map(|(revenue, weight)| Some(revenue? * weight)).sum()
    }
}
