//! One question about a record, and the oracle that answers it.

use reticent_privacy::Epsilon;
use reticent_privacy::oracle::{Domain, FrequencyOracle, Oracle, OracleError, OracleKind, Shape};
use serde::{Deserialize, Serialize};

use super::Terms;

/// Which cell of a coarse grid a record lies in, and whether its outcome was good: one symbol, one report,
/// the whole epsilon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Into how many equal parts each axis is cut: those of the context, then the price.
    pub parts: Vec<u32>,
    /// The oracle.
    pub oracle: OracleKind,
    /// What its reports mean: see [`Oracle::design`].
    pub design: [u32; 2],
}

/// A question with its oracle built.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    parts: Vec<u32>,
    cells: u32,
    outputs: u32,
    oracle: FrequencyOracle,
}

/// Why a question cannot be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QuestionError {
    /// Parts that do not fit the axes.
    #[error("a question cuts each axis into a number of parts that the terms allow, the price last")]
    Parts,
    /// Reports would be sets, which a log does not hold.
    #[error("the question's oracle reports sets; take k-rr, hadamard-response or projective-geometry")]
    Sets,
    /// Reports would mean something else here.
    #[error(
        "the question's oracle has another design in this version of the program; read the log with the version that made it"
    )]
    Design,
    /// Too many symbols.
    #[error(transparent)]
    Oracle(#[from] OracleError),
}

impl Question {
    /// The question with the oracle of least variance among those whose report is one number.
    pub fn new(terms: &Terms, parts: Vec<u32>, epsilon: Epsilon) -> Result<Question, QuestionError> {
        let domain = Domain::new(symbols(terms, &parts)?)?;
        let oracle = best(domain, epsilon);
        Ok(Question { parts, oracle: oracle.kind(), design: oracle.design() })
    }

    /// The question with its oracle built; refuses parts and designs that do not fit.
    pub fn channel(&self, terms: &Terms, epsilon: Epsilon) -> Result<Channel, QuestionError> {
        let symbols = symbols(terms, &self.parts)?;
        let oracle = FrequencyOracle::new(self.oracle, Domain::new(symbols)?, epsilon);
        let Shape::Index { outputs } = oracle.shape() else { return Err(QuestionError::Sets) };
        if oracle.design() != self.design {
            return Err(QuestionError::Design);
        }
        Ok(Channel { parts: self.parts.clone(), cells: symbols / 2, outputs, oracle })
    }
}

/// The oracle of least variance among those whose reports are numbers; the shorter report where two are as good.
pub(super) fn best(domain: Domain, epsilon: Epsilon) -> FrequencyOracle {
    let kinds = [OracleKind::KaryResponse, OracleKind::HadamardResponse, OracleKind::ProjectiveGeometry];
    let oracles = kinds.map(|kind| FrequencyOracle::new(kind, domain, epsilon));
    let least = oracles.iter().map(|oracle| oracle.variance(0.0, 1)).fold(f64::INFINITY, f64::min);
    let [first, ..] = &oracles;
    let as_good = oracles.iter().filter(|oracle| oracle.variance(0.0, 1) <= AS_GOOD * least);
    as_good.min_by_key(|oracle| oracle.cells()).unwrap_or(first).clone()
}

/// Variances so close count as equal.
const AS_GOOD: f64 = 1.001;

/// Cells times good and bad, if the parts are allowed.
fn symbols(terms: &Terms, parts: &[u32]) -> Result<u32, QuestionError> {
    let fits = parts.len() == terms.axes()
        && parts.iter().enumerate().all(|(axis, part)| terms.cuts(axis).contains(part));
    let cells = parts.iter().try_fold(1_u32, |p, &part| p.checked_mul(part));
    cells.and_then(|cells| cells.checked_mul(2)).filter(|_| fits).ok_or(QuestionError::Parts)
}

impl Channel {
    /// Into how many parts each axis is cut.
    pub fn parts(&self) -> &[u32] {
        &self.parts
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.cells as usize
    }

    /// How many different reports there are.
    pub fn outputs(&self) -> u32 {
        self.outputs
    }

    /// The oracle, over symbols 2 x cell + good.
    #[inline]
    pub fn oracle(&self) -> &FrequencyOracle {
        &self.oracle
    }

    /// The cell of a point of the unit cube: the last axis, the price, counts first. Whatever the point, the
    /// cell is one of the question's.
    #[inline]
    pub fn cell(&self, point: &[f64]) -> u32 {
        self.parts
            .iter()
            .zip(point)
            .fold(0, |cell, (&parts, &x)| cell * parts + ((x * f64::from(parts)) as u32).min(parts - 1))
    }
}
