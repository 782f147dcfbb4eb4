//! A market's file: which columns of a table are context, price and outcome, and where they lie.

use std::path::Path;

use reticent_protocol::pricing::{Prices, PricesError, Spec, Terms, TermsError};
use reticent_schema::Experiment;
use reticent_schema::experiment::{self, Problem};
use reticent_schema::{Axis, Encoding, EncodingError, Field, Range, RangeError};
use serde::{Deserialize, Serialize};

use super::PricingFileError;
use crate::columns::{FormatError, Layout, TableFormat, Wanted};
use crate::experiment_file::experiment;
use crate::plan_text::{PlanFault, PlanText, table_format};
use reticent_store::files;

/// A commented market file.
pub const EXAMPLE: &str = include_str!("../../../../examples/price/market.toml");

/// What an outcome is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutcomeKind {
    /// Whether somebody bought, or the share that did: demand.
    Sale,
    /// Revenue or profit itself.
    Reward,
}

/// A market as its file declares it. Public.
#[derive(Debug, Clone, PartialEq)]
pub struct Market {
    columns: Vec<String>,
    kind: OutcomeKind,
    terms: Terms,
    /// Epsilon and questions, if an experiment's document declares them.
    spec: Option<Spec>,
    /// How a table is written.
    table: TableFormat,
}

/// Why a market cannot be as it is declared.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MarketError {
    /// A context column.
    #[error("[[context]]: {0}")]
    Context(#[from] EncodingError),
    /// Neither a range nor a list.
    #[error("[price]: give either low and high, or points")]
    PriceForm,
    /// No prices.
    #[error("[price]: {0}")]
    Price(#[from] PricesError),
    /// A sale is a share.
    #[error("[outcome]: a sale lies between 0 and 1; for revenue or profit say kind = \"reward\"")]
    Sale,
    /// Nobody knows where rewards lie.
    #[error("[outcome]: a reward needs low and high")]
    Reward,
    /// One column for two purposes.
    #[error("the column `{0}` is declared twice")]
    Twice(String),
    /// No range of outcomes.
    #[error("[outcome]: {0}")]
    Outcome(#[from] RangeError),
    /// All together.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// Another problem's experiment.
    #[error("the experiment is of kind {0:?}, not \"pricing\"")]
    Kind(&'static str),
    /// The experiment's document.
    #[error("{0}")]
    Document(String),
    /// Neither a range nor levels.
    #[error("[[context]] {0:?}: give either low and high, or levels")]
    ContextForm(String),
    /// How tables are written.
    #[error(transparent)]
    Table(#[from] FormatError),
}

/// Reads and checks a market's file: the experiment's document, or a market of version 1.
pub fn read_market(path: &Path) -> Result<Market, PricingFileError> {
    let file = path.display().to_string();
    let text = files::read_text(path)?;
    let wrong = |message| PricingFileError::MarketFile { file: file.clone(), message };
    let market = if let Some(read) = experiment(&text) {
        let read = read.map_err(wrong)?;
        let table = table_format(&text).map_err(|fault| wrong(fault.to_string()))?;
        Market::of(&read).and_then(|market| market.written(table))
    } else {
        let (raw, table) = parsed(&text).map_err(|fault| wrong(fault.to_string()))?;
        Market::try_from(raw).and_then(|market| market.written(table))
    };
    market.map_err(|fault| PricingFileError::Market { file: file.clone(), fault })
}

fn parsed(text: &str) -> Result<(Raw, TableFormat), PlanFault> {
    let mut plan = PlanText::parse(text.trim_start_matches('\u{feff}'))?;
    let table = plan.table()?;
    Ok((plan.rest()?, table))
}

impl Market {
    /// The market that this document declares, with its epsilon and questions.
    pub fn of(experiment: &Experiment) -> Result<Market, MarketError> {
        let Problem::Pricing(pricing) = experiment.problem() else {
            return Err(MarketError::Kind(experiment.problem().kind()));
        };
        let spec = Spec::of(experiment.draft()).map_err(|error| MarketError::Document(error.to_string()))?;
        let kind = match pricing.outcome.kind {
            experiment::OutcomeKind::Binary => OutcomeKind::Sale,
            experiment::OutcomeKind::Number => OutcomeKind::Reward,
        };
        let names = pricing.context.columns.iter().map(|column| column.name.clone());
        let columns: Vec<String> =
            names.chain([pricing.price.column.clone(), pricing.outcome.column.clone()]).collect();
        if let Some(at) = (1..columns.len()).find(|&at| columns[..at].contains(&columns[at])) {
            return Err(MarketError::Twice(columns[at].clone()));
        }
        let (terms, table) = (spec.terms().clone(), TableFormat::default());
        Ok(Market { columns, kind, terms, spec: Some(spec), table })
    }

    /// The same with tables that are written so.
    pub fn written(mut self, table: TableFormat) -> Result<Market, MarketError> {
        table.check_names(self.columns.iter().map(String::as_str))?;
        self.table = table;
        self.layout(false)?;
        Ok(self)
    }

    /// How a table is read: contexts, then price, then outcome; none of them outside the declared ranges,
    /// unless they may be clipped.
    pub fn layout(&self, clip: bool) -> Result<Layout, FormatError> {
        let mut wanted: Vec<Wanted> =
            self.terms.context().fields().iter().map(|field| wanted_of(field, clip)).collect();
        wanted.push(match self.terms.prices() {
            Prices::Range(low, high) => Wanted::range(self.price(), *low, *high, clip),
            Prices::Points(points) => Wanted::points(self.price(), points, clip),
        });
        let outcome = self.terms.outcome();
        wanted.push(Wanted::range(self.outcome(), outcome.low(), outcome.high(), clip));
        Layout::new(&self.table, &wanted)
    }

    /// Epsilon and questions, if an experiment's document declares them.
    pub fn declared(&self) -> Option<&Spec> {
        self.spec.as_ref()
    }

    /// What all parties agree on.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// What an outcome is.
    pub fn kind(&self) -> OutcomeKind {
        self.kind
    }

    /// The table's columns: contexts, then price, then outcome.
    pub fn columns(&self) -> Vec<&str> {
        self.columns.iter().map(String::as_str).collect()
    }

    /// How its tables are written.
    pub fn table(&self) -> &TableFormat {
        &self.table
    }

    /// The columns of the context.
    pub fn contexts(&self) -> &[String] {
        &self.columns[..self.columns.len() - 2]
    }

    /// The column of the price.
    pub fn price(&self) -> &str {
        &self.columns[self.columns.len() - 2]
    }

    /// The column of the outcome.
    pub fn outcome(&self) -> &str {
        &self.columns[self.columns.len() - 1]
    }
}

/// What a table must have for a field of a context.
pub(super) fn wanted_of(field: &Field, clip: bool) -> Wanted {
    match field {
        Field::Numeric { name, low, high } => Wanted::range(name, *low, *high, clip),
        Field::Category { name, levels } => Wanted::levels(name, levels),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    #[serde(default)]
    context: Vec<Context>,
    price: Price,
    outcome: Outcome,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Context {
    column: String,
    low: Option<f64>,
    high: Option<f64>,
    levels: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Price {
    column: String,
    low: Option<f64>,
    high: Option<f64>,
    points: Option<Vec<f64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Outcome {
    kind: OutcomeKind,
    column: String,
    low: Option<f64>,
    high: Option<f64>,
}

impl TryFrom<Raw> for Market {
    type Error = MarketError;
    fn try_from(Raw { context, price, outcome }: Raw) -> Result<Market, MarketError> {
        let mut columns: Vec<String> = context.iter().map(|one| one.column.clone()).collect();
        columns.extend([price.column.clone(), outcome.column.clone()]);
        if let Some(twice) = (1..columns.len()).find(|&place| columns[..place].contains(&columns[place])) {
            return Err(MarketError::Twice(columns.swap_remove(twice)));
        }
        let terms = Terms::new(encoding(context)?, prices(price)?, range(&outcome)?)?;
        Ok(Market { columns, kind: outcome.kind, terms, spec: None, table: TableFormat::default() })
    }
}

fn encoding(contexts: Vec<Context>) -> Result<Encoding, MarketError> {
    let axes = contexts.iter().map(|one| Axis::Field { field: one.column.clone() }).collect();
    let fields = contexts.into_iter().map(field).collect::<Result<_, _>>()?;
    Ok(Encoding::new(fields, axes)?)
}

fn field(Context { column, low, high, levels }: Context) -> Result<Field, MarketError> {
    match (low, high, levels) {
        (Some(low), Some(high), None) => Ok(Field::Numeric { name: column, low, high }),
        (None, None, Some(levels)) => Ok(Field::Category { name: column, levels }),
        _ => Err(MarketError::ContextForm(column)),
    }
}

fn prices(price: Price) -> Result<Prices, MarketError> {
    match (price.low, price.high, price.points) {
        (Some(low), Some(high), None) => Ok(Prices::range(low, high)?),
        (None, None, Some(points)) => Ok(Prices::points(points)?),
        _ => Err(MarketError::PriceForm),
    }
}

fn range(outcome: &Outcome) -> Result<Range, MarketError> {
    match (outcome.kind, outcome.low, outcome.high) {
        (OutcomeKind::Sale, low, high) => {
            let (low, high) = (low.unwrap_or(0.0), high.unwrap_or(1.0));
            let share = low >= 0.0 && high <= 1.0;
            if share { Ok(Range::new(low, high)?) } else { Err(MarketError::Sale) }
        }
        (OutcomeKind::Reward, Some(low), Some(high)) => Ok(Range::new(low, high)?),
        (OutcomeKind::Reward, ..) => Err(MarketError::Reward),
    }
}
