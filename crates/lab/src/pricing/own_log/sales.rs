//! Raw sales in memory, as the paper has them: everything between 0 and 1.

use reticent_jobs::Progress;
use reticent_jobs::columns::{Reading, read_with};
use reticent_learn::pricing::Earns;
use reticent_protocol::pricing::Terms;
use reticent_schema::Range;

use super::{OwnLog, OwnLogError};

/// People's records. Shows nothing.
pub(super) struct Raw {
    pub(super) dims: usize,
    pub(super) contexts: Vec<f64>,
    pub(super) prices: Vec<f64>,
    pub(super) rewards: Vec<f64>,
}

impl Raw {
    /// Each context with its price and reward.
    pub(super) fn each(&self) -> impl Iterator<Item = (&[f64], (&f64, &f64))> {
        self.contexts.chunks_exact(self.dims).zip(self.prices.iter().zip(&self.rewards))
    }
}

impl OwnLog<'_> {
    /// All sales of the table, none of them outside what the market declares.
    pub(super) fn read(&self, progress: &dyn Progress) -> Result<Raw, OwnLogError> {
        let terms = self.market.terms();
        let (fields, dims) = (terms.context().fields().len(), terms.context().dimension());
        let (low, high) = rewards(terms, self.earns);
        let mut raw = Raw { dims, contexts: Vec::new(), prices: Vec::new(), rewards: Vec::new() };
        let (mut context, mut point) = (vec![0.0; fields], vec![0.0; dims]);
        let reading = Reading { watcher: None, once: true };
        read_with(self.sales, &self.market.layout(false)?, reading, |batch| -> Result<(), OwnLogError> {
            if progress.stop() {
                return Err(OwnLogError::Interrupted);
            }
            for row in 0..batch.rows() {
                for (place, value) in context.iter_mut().enumerate() {
                    *value = batch.column(place)[row];
                }
                // Whatever is inside the declared ranges has a point.
                if terms.context().encode_placed(&context, &mut point).is_err() {
                    continue;
                }
                let (price, outcome) = (batch.column(fields)[row], batch.column(fields + 1)[row]);
                let reward = match self.earns {
                    Earns::Outcome => outcome,
                    Earns::Margin { cost } => (price - cost) * outcome,
                };
                raw.contexts.extend_from_slice(&point);
                raw.prices.push(terms.prices().unit(price));
                raw.rewards.push(((reward - low) / (high - low)).clamp(0.0, 1.0));
            }
            progress.served(batch.rows() as u64);
            Ok(())
        })?;
        Ok(raw)
    }
}

/// Where rewards lie.
fn rewards(terms: &Terms, earns: Earns) -> (f64, f64) {
    let outcome: Range = terms.outcome();
    let Earns::Margin { cost } = earns else { return (outcome.low(), outcome.high()) };
    let prices = [terms.prices().low() - cost, terms.prices().high() - cost];
    let ends = prices.into_iter().flat_map(|margin| [margin * outcome.low(), margin * outcome.high()]);
    ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| (low.min(end), high.max(end)))
}
