//! Markets with a demand curve.

use reticent_privacy::SimRng;

use super::logging::band::Band;
use super::{Best, CurveSpec, Logged, Logging, MarketError, OutcomeKind};

/// A market whose contexts act through one score.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Smooth {
    spec: CurveSpec,
    /// 1 / sqrt(d).
    weight: f64,
}

/// How far from the best price a log may explore less.
const REACH: f64 = 0.15;

impl Smooth {
    pub(super) fn new(spec: CurveSpec) -> Result<Smooth, MarketError> {
        spec.check()?;
        Ok(Smooth { spec, weight: 1.0 / (spec.dims as f64).sqrt() })
    }

    pub(super) fn spec(&self) -> &CurveSpec {
        &self.spec
    }

    /// s(x) = 1/2 + sum of (`x_j` - 1/2) / sqrt(d), clipped to [0, 1]: x itself for d = 1, and with the same
    /// spread for each d.
    #[inline]
    fn score(&self, context: &[f64]) -> f64 {
        let sum: f64 = context.iter().map(|x| x - 0.5).sum();
        (0.5 + self.weight * sum).clamp(0.0, 1.0)
    }

    #[inline]
    pub(super) fn draw(&self, rng: &mut SimRng, context: &mut [f64]) -> Logged {
        let CurveSpec { demand, source, logging, outcome, .. } = self.spec;
        source.draw(rng, context);
        let score = self.score(context);
        let price = match logging {
            Logging::Uniform => rng.uniform(),
            Logging::Exploring { zeta } => Band::around(demand.best(score).price, REACH, zeta).draw(rng),
        };
        let chance = match outcome {
            OutcomeKind::Reward => demand.revenue(score, price),
            OutcomeKind::Sale => demand.sale(score, price),
        };
        Logged { price, outcome: f64::from(u8::from(rng.uniform() < chance)) }
    }

    pub(super) fn draw_target(&self, rng: &mut SimRng, context: &mut [f64]) {
        self.spec.target.draw(rng, context);
    }

    pub(super) fn sale(&self, context: &[f64], price: f64) -> f64 {
        self.spec.demand.sale(self.score(context), price)
    }

    pub(super) fn revenue(&self, context: &[f64], price: f64) -> f64 {
        self.spec.demand.revenue(self.score(context), price)
    }

    pub(super) fn best(&self, context: &[f64]) -> Best {
        self.spec.demand.best(self.score(context))
    }

    pub(super) fn source_density(&self, context: &[f64]) -> f64 {
        self.spec.source.density(context)
    }

    pub(super) fn target_density(&self, context: &[f64]) -> f64 {
        self.spec.target.density(context)
    }

    pub(super) fn logging_density(&self, context: &[f64], price: f64) -> f64 {
        match self.spec.logging {
            Logging::Uniform => 1.0,
            Logging::Exploring { zeta } => Band::around(self.best(context).price, REACH, zeta).density(price),
        }
    }

    /// For d = 1: midpoints of equal intervals, weighted by the target's density.
    pub(super) fn nodes(&self, about: usize) -> Vec<(f64, f64)> {
        let midpoints = (0..about).map(|number| (number as f64 + 0.5) / about as f64);
        midpoints.map(|x| (x, self.target_density(&[x]) / about as f64)).collect()
    }
}
