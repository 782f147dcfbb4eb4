//! A market's file: which columns of a table are context, price and outcome, and where they lie.

use std::path::Path;

use reticent_protocol::pricing::{Prices, PricesError, Spec, Terms, TermsError};
use reticent_schema::Experiment;
use reticent_schema::experiment::{self, Problem};
use reticent_schema::{Axis, Encoding, EncodingError, Field, Range, RangeError};
use serde::{Deserialize, Serialize};

use super::PricingFileError;
use crate::experiment_file::experiment;
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
}

/// Why a market cannot be as it is declared.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MarketError {
    /// No context.
    #[error("declare at least one [[context]]")]
    NoContext,
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
    /// A column of words.
    #[error("column `{0}` has levels: tables of numbers alone can be privatised so far; devices take levels")]
    Levels(String),
}

/// Reads and checks a market's file: the experiment's document, or a market of version 1.
pub fn read_market(path: &Path) -> Result<Market, PricingFileError> {
    let file = path.display().to_string();
    let text = files::read_text(path)?;
    if let Some(read) = experiment(&text) {
        let read = read.map_err(|message| PricingFileError::MarketFile { file: file.clone(), message })?;
        return Market::of(&read).map_err(|fault| PricingFileError::Market { file, fault });
    }
    let raw: Raw = toml::from_str(&text).map_err(|error| PricingFileError::MarketFile {
        file: file.clone(),
        message: place(&text, &error),
    })?;
    Market::try_from(raw).map_err(|fault| PricingFileError::Market { file, fault })
}

/// What is wrong, and in which line. Without the excerpt: a log that is taken for a market must not be quoted.
fn place(text: &str, error: &toml::de::Error) -> String {
    let line = error.span().map(|span| 1 + text[..span.start.min(text.len())].matches('\n').count());
    let line = line.map_or(String::new(), |line| format!("line {line}: "));
    format!("{line}{}", error.message())
}

impl Market {
    /// The market that this document declares, with its epsilon and questions.
    pub fn of(experiment: &Experiment) -> Result<Market, MarketError> {
        let Problem::Pricing(pricing) = experiment.problem() else {
            return Err(MarketError::Kind(experiment.problem().kind()));
        };
        if let Some(column) = pricing.context.columns.iter().find(|column| column.levels.is_some()) {
            return Err(MarketError::Levels(column.name.clone()));
        }
        let spec = Spec::of(experiment.draft()).map_err(|error| MarketError::Document(error.to_string()))?;
        let kind = match pricing.outcome.kind {
            experiment::OutcomeKind::Binary => OutcomeKind::Sale,
            experiment::OutcomeKind::Number => OutcomeKind::Reward,
        };
        let names = pricing.context.columns.iter().map(|column| column.name.clone());
        let columns: Vec<String> =
            names.chain([pricing.price.column.clone(), pricing.outcome.column.clone()]).collect();
        match (1..columns.len()).find(|&at| columns[..at].contains(&columns[at])) {
            Some(at) => Err(MarketError::Twice(columns[at].clone())),
            None => Ok(Market { columns, kind, terms: spec.terms().clone(), spec: Some(spec) }),
        }
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
    low: f64,
    high: f64,
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
        if context.is_empty() {
            return Err(MarketError::NoContext);
        }
        let mut columns: Vec<String> = context.iter().map(|one| one.column.clone()).collect();
        columns.extend([price.column.clone(), outcome.column.clone()]);
        if let Some(twice) = (1..columns.len()).find(|&place| columns[..place].contains(&columns[place])) {
            return Err(MarketError::Twice(columns.swap_remove(twice)));
        }
        let terms = Terms::new(encoding(context)?, prices(price)?, range(&outcome)?)?;
        Ok(Market { columns, kind: outcome.kind, terms, spec: None })
    }
}

fn encoding(contexts: Vec<Context>) -> Result<Encoding, EncodingError> {
    let axes = contexts.iter().map(|one| Axis::Field { field: one.column.clone() }).collect();
    let field = |Context { column, low, high }| Field::Numeric { name: column, low, high };
    Encoding::new(contexts.into_iter().map(field).collect(), axes)
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
