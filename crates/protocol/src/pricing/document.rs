//! A pricing spec as the public document that all experiments have, and back.

use reticent_privacy::Epsilon;
use reticent_privacy::oracle::OracleKind;
use reticent_schema::experiment::{self, Context, Draft, Outcome, OutcomeKind, Price, Pricing, Problem};
use reticent_schema::{Decimal, DecimalError, Experiment, Range};

use super::{Prices, Question, Spec, SpecError, Terms, designed};

/// What columns are called in the document of a market that has no table.
const PRICE: &str = "price";
const OUTCOME: &str = "outcome";

/// The document of these terms and questions.
pub(super) fn document(
    terms: &Terms,
    epsilon: Epsilon,
    questions: &[Question],
) -> Result<Experiment, SpecError> {
    let decimal = |value: f64| Decimal::from_f64(value);
    let (low, high, points) = match terms.prices() {
        Prices::Range(low, high) => (Some(decimal(*low)?), Some(decimal(*high)?), None),
        Prices::Points(points) => {
            let points = points.iter().map(|&point| decimal(point));
            (None, None, Some(points.collect::<Result<_, DecimalError>>()?))
        }
    };
    let outcome = Outcome {
        column: OUTCOME.into(),
        kind: OutcomeKind::Number,
        low: decimal(terms.outcome().low())?,
        high: decimal(terms.outcome().high())?,
    };
    let problem = Pricing {
        context: Context::of(terms.context())?,
        price: Price { column: PRICE.into(), low, high, points },
        outcome,
        records: None,
        questions: questions.iter().map(declared).collect(),
    };
    Ok(Experiment::new(Draft::new("pricing", epsilon, Problem::Pricing(problem)))?)
}

fn declared(question: &Question) -> experiment::Question {
    let Question { parts, oracle, design } = question.clone();
    experiment::Question { parts, oracle: oracle.name().into(), design }
}

impl Spec {
    /// The experiment of this document. The questions are chosen if the document leaves them out, for as many
    /// records as it says, and then part of it.
    pub fn of(draft: &Draft) -> Result<Spec, SpecError> {
        let mut draft = draft.clone();
        let epsilon = draft.epsilon.as_str().parse()?;
        let Problem::Pricing(problem) = &mut draft.problem else {
            return Err(SpecError::Kind(draft.problem.kind()));
        };
        let terms = terms_of(problem)?;
        let questions = match (&*problem.questions, problem.records) {
            ([], None) => return Err(SpecError::Records),
            ([], Some(records)) => designed(&terms, epsilon, records)?,
            (declared, _) => declared.iter().map(question).collect::<Result<_, _>>()?,
        };
        problem.questions = questions.iter().map(declared).collect();
        Spec::with_document(terms, questions, Experiment::new(draft)?)
    }
}

/// The terms that a document declares.
pub fn terms_of(problem: &Pricing) -> Result<Terms, SpecError> {
    let prices = match &problem.price {
        Price { low: Some(low), high: Some(high), points: None, .. } => {
            Prices::range(low.value(), high.value())?
        }
        Price { low: None, high: None, points: Some(points), .. } => {
            Prices::points(points.iter().map(Decimal::value).collect())?
        }
        _ => return Err(SpecError::Price),
    };
    let outcome = Range::new(problem.outcome.low.value(), problem.outcome.high.value())?;
    Ok(Terms::new(problem.context.encoding()?, prices, outcome)?)
}

fn question(declared: &experiment::Question) -> Result<Question, SpecError> {
    let oracle = OracleKind::ALL.into_iter().find(|kind| kind.name() == declared.oracle);
    let oracle = oracle.ok_or_else(|| SpecError::Oracle(declared.oracle.clone()))?;
    Ok(Question { parts: declared.parts.clone(), oracle, design: declared.design })
}
