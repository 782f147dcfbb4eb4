//! Any of the five oracles, and which of them to take.

use num_bigint::BigUint;

use super::{
    Decode, Domain, HadamardResponse, KaryResponse, Oracle, OracleKind, ProjectiveGeometry, Report, Setup,
    Shape, SubsetSelection, Symbol, UnaryEncoding,
};
use crate::{Epsilon, Generator};

/// One of the five oracles, chosen when running.
#[derive(Debug, Clone, PartialEq)]
pub enum FrequencyOracle {
    /// k-ary randomised response.
    KaryResponse(KaryResponse),
    /// Optimised unary encoding.
    UnaryEncoding(UnaryEncoding),
    /// Subset selection.
    SubsetSelection(SubsetSelection),
    /// Hadamard response.
    HadamardResponse(HadamardResponse),
    /// Projective geometry response.
    ProjectiveGeometry(ProjectiveGeometry),
}

/// A report of so many bytes costs as much as twice the variance: variance decides among short reports, and
/// nobody sends a megabyte to save a tenth of it.
const DOUBLING_BYTES: f64 = 64.0;
/// Costs so close to the smallest count as equal; then the decoder decides.
pub(super) const AS_GOOD: f64 = 1.01;

/// The same call on whichever oracle it is.
macro_rules! each {
    ($self:expr, $oracle:ident => $call:expr) => {
        match $self {
            FrequencyOracle::KaryResponse($oracle) => $call,
            FrequencyOracle::UnaryEncoding($oracle) => $call,
            FrequencyOracle::SubsetSelection($oracle) => $call,
            FrequencyOracle::HadamardResponse($oracle) => $call,
            FrequencyOracle::ProjectiveGeometry($oracle) => $call,
        }
    };
}

impl FrequencyOracle {
    /// The oracle `kind` for `domain` at loss `epsilon`.
    pub fn new(kind: OracleKind, domain: Domain, epsilon: Epsilon) -> FrequencyOracle {
        match kind {
            OracleKind::KaryResponse => Self::KaryResponse(KaryResponse::new(domain, epsilon)),
            OracleKind::UnaryEncoding => Self::UnaryEncoding(UnaryEncoding::new(domain, epsilon)),
            OracleKind::SubsetSelection => Self::SubsetSelection(SubsetSelection::new(domain, epsilon)),
            OracleKind::HadamardResponse => Self::HadamardResponse(HadamardResponse::new(domain, epsilon)),
            OracleKind::ProjectiveGeometry => {
                Self::ProjectiveGeometry(ProjectiveGeometry::new(domain, epsilon))
            }
        }
    }

    /// The oracle to take for `domain` at loss `epsilon`: the one with the smallest variance at frequency 0,
    /// where nearly all of many symbols are, times 1 + bytes/64 for the length of its reports; of those
    /// within 1 % of it, the cheapest to decode.
    pub fn best(domain: Domain, epsilon: Epsilon) -> FrequencyOracle {
        Self::best_at(domain, epsilon, 0.0)
    }

    /// The same by the variance at another frequency, where few of the symbols are held by all people.
    pub fn best_at(domain: Domain, epsilon: Epsilon, frequency: f64) -> FrequencyOracle {
        let oracles = OracleKind::ALL.map(|kind| Self::new(kind, domain, epsilon));
        let cost = |oracle: &Self| oracle.cost_at(frequency);
        let smallest = oracles.iter().map(cost).fold(f64::INFINITY, f64::min);
        let as_good = oracles.into_iter().filter(|oracle| cost(oracle) <= AS_GOOD * smallest);
        let first = as_good.min_by_key(|oracle| (oracle.decode_cost(), oracle.report_bytes()));
        // The smallest is as good as itself, so there is a first.
        first.unwrap_or_else(|| Self::new(OracleKind::KaryResponse, domain, epsilon))
    }

    /// What [`best_at`](Self::best_at) makes small.
    pub(super) fn cost_at(&self, frequency: f64) -> f64 {
        self.variance(frequency, 1) * (1.0 + self.report_bytes() as f64 / DOUBLING_BYTES)
    }

    /// About how many additions an estimate takes.
    fn decode_cost(&self) -> u64 {
        let cells = self.cells() as u64;
        match self {
            Self::KaryResponse(_) | Self::UnaryEncoding(_) | Self::SubsetSelection(_) => cells,
            Self::HadamardResponse(oracle) => cells * u64::from(1 + oracle.blocks().1.ilog2()),
            Self::ProjectiveGeometry(oracle) => {
                let (q, t) = oracle.field_and_dimension();
                cells * u64::from(q) * u64::from(t)
            }
        }
    }
}

impl Decode for FrequencyOracle {
    fn setup(&self) -> Setup {
        each!(self, oracle => oracle.setup())
    }

    fn frequencies(&self, counts: &[u64], reports: u64) -> Vec<f64> {
        each!(self, oracle => oracle.frequencies(counts, reports))
    }

    fn variance_of_one(&self, frequency: f64) -> f64 {
        each!(self, oracle => oracle.variance_of_one(frequency))
    }
}

impl Oracle for FrequencyOracle {
    fn design(&self) -> [u32; 2] {
        each!(self, oracle => oracle.design())
    }

    fn shape(&self) -> Shape {
        each!(self, oracle => oracle.shape())
    }

    #[inline]
    fn randomise<G: Generator>(&self, symbol: Symbol, rng: &mut G) -> Report {
        each!(self, oracle => oracle.randomise(symbol, rng))
    }

    fn law(&self, symbol: Symbol) -> Option<Vec<(Report, BigUint)>> {
        each!(self, oracle => oracle.law(symbol))
    }
}
