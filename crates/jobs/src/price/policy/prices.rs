//! What prices are worth that somebody else chose: a table of contexts, each with its price.

use std::path::{Path, PathBuf};

use reticent_learn::pricing::{Earns, FitError, Fitted, Objective, Policy, fit};
use reticent_protocol::pricing::{Prices, Terms};

use super::contexts::encoded;
use super::evaluate::own_logs;
use super::sources::counted;
use super::wish::usual;
use super::worth::Judge;
use super::{PolicyFileError, Single, Source, Worth, read_policy};
use crate::Progress;
use crate::columns::{self, CellFault, ColumnsError, Fault, Layout, RawTable, Reading, Wanted};
use crate::price::market_file::wanted_of;

/// More rows than this are thinned evenly.
const MOST: usize = 50_000;

/// How prices are valued.
#[derive(Debug, Clone, Copy)]
pub struct EvaluatePrices<'a> {
    /// A row for each person: the context, and the price that they would be quoted.
    pub table: &'a RawTable,
    /// The column of the price.
    pub column: &'a str,
    /// Privatised logs of the market.
    pub logs: &'a [&'a Path],
    /// A policy to compare with; it says what is earned, too.
    pub policy: Option<&'a Path>,
    /// What is earned, without a policy; what the log makes likely if none is named.
    pub earns: Option<Earns>,
    /// How sure to be, without a policy.
    pub confidence: f64,
}

/// What prices are worth.
#[derive(Debug, Clone)]
pub struct PricesEvaluation {
    /// The logs.
    pub sources: Vec<Source>,
    /// How many reports they hold.
    pub reports: u64,
    /// What is earned, and how sure intervals are.
    pub objective: Objective,
    /// How many people have a price.
    pub rows: u64,
    /// What these prices earn.
    pub worth: Worth,
    /// The mean of these prices.
    pub mean_price: f64,
    /// The mean outcome with these prices; none if outcomes are rewards.
    pub volume: Option<Worth>,
    /// The share of people for whom the logs surely have records of their price.
    pub covered: f64,
    /// One price for the same people: the policy's own, or the best by these logs, which favours it.
    pub single: Single,
    /// How much more than that these prices earn.
    pub gain_over_single: Worth,
    /// What the policy's prices earn from the same people.
    pub policy: Option<Worth>,
    /// How much more than the policy's these prices earn.
    pub gain_over_policy: Option<Worth>,
    /// Those of the logs that the policy was learned from: they flatter it.
    pub learned_from: Vec<PathBuf>,
}

impl EvaluatePrices<'_> {
    /// Learns the market from these logs, and asks what the prices earn in it, from the people of the table.
    pub fn run(&self, progress: &dyn Progress) -> Result<PricesEvaluation, PolicyFileError> {
        let stored = self.policy.map(read_policy).transpose()?;
        let (sources, tallies) = counted(self.logs, progress)?;
        let Some(terms) = tallies.first().map(|tally| tally.spec().terms()) else {
            return Err(FitError::Empty.into());
        };
        if let (Some(stored), Some(path)) = (&stored, self.policy)
            && stored.policy.terms() != terms
        {
            let log = self.logs.first().map_or_else(String::new, |log| log.display().to_string());
            return Err(PolicyFileError::OtherMarket { log, policy: path.display().to_string() });
        }
        let objective = self.objective(terms, stored.as_ref().map(|stored| &stored.policy))?;
        let (points, rows) = self.read(terms, progress)?;
        progress.begin("learning");
        let fitted = fit(&tallies)?;
        if progress.stop() {
            return Err(PolicyFileError::Interrupted);
        }
        let judged = Judged { fitted: &fitted, points: &points, objective: &objective };
        let policy = stored.as_ref().map(|stored| &stored.policy);
        let single = policy
            .and_then(Policy::choice)
            .map_or_else(|| judged.judge().best_single(), |choice| judged.judge().single(choice.single));
        Ok(PricesEvaluation {
            reports: tallies.iter().map(reticent_learn::pricing::Tally::reports).sum(),
            rows,
            worth: judged.worth(|price| objective.margin(price)),
            mean_price: points.iter().map(|point| price_of(point)).sum::<f64>() / points.len() as f64,
            volume: (objective.earns != Earns::Outcome).then(|| judged.worth(|_| 1.0)),
            covered: fitted.covered_of(Some(&points), price_of),
            gain_over_single: judged.gain(|_| single.price),
            single,
            policy: policy.map(|policy| judged.judge().policy(policy)),
            gain_over_policy: policy.map(|policy| judged.gain(|point| policy.quote_point(point).price)),
            learned_from: stored.as_ref().map_or_else(Vec::new, |stored| own_logs(stored, &sources)),
            objective,
            sources,
        })
    }

    fn objective(&self, terms: &Terms, policy: Option<&Policy>) -> Result<Objective, PolicyFileError> {
        if let Some(policy) = policy {
            return Ok(policy.objective().clone());
        }
        let mut objective = Objective::new(terms, self.earns.unwrap_or_else(|| usual(terms)));
        objective.confidence = self.confidence;
        objective.check(terms)?;
        Ok(objective)
    }

    /// Contexts in the unit cube, each with its price behind, and how many rows there were.
    fn read(&self, terms: &Terms, progress: &dyn Progress) -> Result<(Vec<Vec<f64>>, u64), PolicyFileError> {
        progress.begin("reading prices");
        let fields = terms.context().fields();
        if fields.iter().any(|field| field.name() == self.column) {
            return Err(PolicyFileError::PriceIsContext { column: self.column.into() });
        }
        let mut wanted: Vec<Wanted> = fields.iter().map(|field| wanted_of(field, false)).collect();
        wanted.push(match terms.prices() {
            Prices::Range(low, high) => Wanted::range(self.column, *low, *high, false),
            Prices::Points(points) => Wanted::points(self.column, points, false),
        });
        let layout = Layout::new(&self.table.format, &wanted)?;
        let (mut points, mut stride) = (Vec::new(), 1);
        let mut context = vec![0.0; fields.len()];
        let reading = Reading { watcher: None, once: true };
        let rows = columns::read_with(&self.table.files, &layout, reading, |batch| {
            if progress.stop() {
                return Err(PolicyFileError::Interrupted);
            }
            for row in 0..batch.rows() {
                if !(batch.first_row() + row as u64 - 1).is_multiple_of(stride) {
                    continue;
                }
                for (place, value) in context.iter_mut().enumerate() {
                    *value = batch.column(place)[row];
                }
                let mut point = encoded(terms, &context)?;
                point.push(batch.column(fields.len())[row]);
                points.push(point);
                if points.len() > MOST {
                    stride *= 2;
                    points = std::mem::take(&mut points).into_iter().step_by(2).collect();
                }
            }
            progress.served(batch.rows() as u64);
            Ok(())
        });
        Ok((points, rows.map_err(advised)?))
    }
}

/// The price that stands behind a context.
fn price_of(point: &[f64]) -> f64 {
    point.last().copied().unwrap_or(f64::NAN)
}

/// People with prices, and a fit that judges them.
struct Judged<'a> {
    fitted: &'a Fitted,
    points: &'a [Vec<f64>],
    objective: &'a Objective,
}

impl Judged<'_> {
    fn judge(&self) -> Judge<'_> {
        Judge { fitted: self.fitted, target: Some(self.points), objective: self.objective }
    }

    fn worth(&self, margin: impl Fn(f64) -> f64) -> Worth {
        self.judge().worth(self.fitted.value_of(Some(self.points), price_of, margin))
    }

    /// How much more these prices earn than others.
    fn gain(&self, other_of: impl Fn(&[f64]) -> f64) -> Worth {
        let margin = |price| self.objective.margin(price);
        self.judge().worth(self.fitted.gain_of(Some(self.points), price_of, other_of, margin))
    }
}

fn advised(error: PolicyFileError) -> PolicyFileError {
    match error {
        PolicyFileError::Columns(ColumnsError::Data {
            file,
            fault: Fault::Cell { row, column, fault: CellFault::Outside | CellFault::NotListed },
        }) => PolicyFileError::Outside { file, row, column },
        other => other,
    }
}
