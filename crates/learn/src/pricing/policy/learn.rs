//! From a posterior to a policy.

use super::choose::{Choosing, Decided, Surface};
use super::grid::Grid;
use super::stored::Table;
use super::{Learned, Policy, PolicyError};
use crate::pricing::axes::{Axes, LENGTHS};
use crate::pricing::band;
use crate::pricing::fit::Fitted;
use crate::pricing::objective::Objective;

impl Fitted {
    /// The policy for an objective, for the log's own people.
    pub fn policy(&self, objective: Objective) -> Result<Policy, PolicyError> {
        self.policy_for(objective, None)
    }

    /// The policy for an objective and for these people, a sample of contexts in the unit cube.
    pub fn policy_for(
        &self,
        objective: Objective,
        target: Option<&[Vec<f64>]>,
    ) -> Result<Policy, PolicyError> {
        objective.check(&self.terms)?;
        let prices = objective.prices.len();
        let grid = Grid::new(self, &objective.prices);
        let (mut mean, variance, omitted) = (grid.mean(), grid.variance(), grid.omitted());
        if objective.monotone {
            mean = mean.chunks_exact(prices).flat_map(falling).collect();
        }
        let surface = Surface { grid: &grid, mean: &mean, variance: &variance, omitted: &omitted };
        let decided = Choosing::new(self, &objective, target).decide(&surface);
        let width = band::width(grid.rank(), &variance, objective.confidence, |normals| grid.drawn(normals));
        let deviation = variance.iter().zip(&omitted).map(|(variance, omitted)| (variance + omitted).sqrt());
        let deviation: Vec<f64> = deviation.collect();
        let (mut means, mut lowers) = (Vec::new(), Vec::new());
        for (mean, deviation) in mean.chunks_exact(prices).zip(deviation.chunks_exact(prices)) {
            let (mean, lower) = self.earned(&objective, mean, deviation, width);
            means.extend(mean);
            lowers.extend(lower);
        }
        let learned = Learned {
            reports: self.reports,
            epsilons: self.epsilons.clone(),
            lengths: self.shape.lengths.iter().map(|&length| LENGTHS[length]).collect(),
            band: width,
            evidence: self.evidence.clone(),
        };
        let density: Vec<f64> =
            points(&Axes::new(&self.terms)).iter().map(|point| self.context_density(point)).collect();
        let Decided { score, choice } = decided;
        let table = Table::rounded(&self.terms, &objective, [&means, &lowers, &score], &density);
        Ok(Policy::assembled(self.terms.clone(), objective, learned, Some(choice), &table))
    }

    /// What is earned in one context at each price: on average, and by the band. Knowing that outcomes fall
    /// with the price tightens both: a lower end holds for all lower prices too, an upper end for all higher
    /// ones.
    fn earned(
        &self,
        objective: &Objective,
        mean: &[f64],
        deviation: &[f64],
        width: f64,
    ) -> (Vec<f64>, Vec<f64>) {
        let ends = |sign: f64| -> Vec<f64> {
            mean.iter().zip(deviation).map(|(m, d)| m + sign * width * d).collect()
        };
        let (mut lower, mut upper) = (ends(-1.0), ends(1.0));
        if objective.monotone {
            for i in (1..lower.len()).rev() {
                lower[i - 1] = lower[i - 1].max(lower[i]);
            }
            for i in 1..upper.len() {
                upper[i] = upper[i].min(upper[i - 1]);
            }
        }
        let range = self.terms.outcome();
        let outcome = |unit: f64| range.low() + range.width() * unit;
        let margins: Vec<f64> = objective.prices.iter().map(|&price| objective.margin(price)).collect();
        let pessimistic = margins
            .iter()
            .enumerate()
            .map(|(i, &margin)| margin * outcome(if margin < 0.0 { upper[i] } else { lower[i] }));
        let average =
            margins.iter().enumerate().map(|(i, &margin)| margin * outcome(mean[i].clamp(0.0, 1.0)));
        (average.collect(), pessimistic.collect())
    }
}

/// The coordinates of each node of the contexts.
pub(super) fn points(axes: &Axes) -> Vec<Vec<f64>> {
    let mut points = vec![Vec::new()];
    for axis in axes.contexts() {
        points = points
            .iter()
            .flat_map(|point| axis.places().iter().map(|&place| [&point[..], &[place]].concat()))
            .collect();
    }
    points
}

/// The nearest sequence that never grows, by pooling neighbours that do (Ayer et al. 1955).
fn falling(values: &[f64]) -> Vec<f64> {
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for &value in values {
        let mut pool = (value, 1);
        while let Some(&(sum, count)) = pools.last() {
            if sum / count as f64 >= pool.0 / pool.1 as f64 {
                break;
            }
            pools.pop();
            pool = (pool.0 + sum, pool.1 + count);
        }
        pools.push(pool);
    }
    pools.into_iter().flat_map(|(sum, count)| std::iter::repeat_n(sum / count as f64, count)).collect()
}
