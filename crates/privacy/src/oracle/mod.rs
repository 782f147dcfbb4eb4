//! Frequency oracles: how often each of D symbols occurs among people, none of whom tells their own.
//!
//! Each person's device [randomises](Oracle::randomise) its symbol into a [`Report`]; an [`Aggregate`] counts reports;
//! [`Oracle::estimate`] turns the counts into unbiased frequencies. Each oracle has its proof in a `guarantee.md`
//! beside its code. [`FrequencyOracle::best`] chooses among them.
//!
//! ```
//! use reticent_privacy::oracle::{Aggregate, Domain, FrequencyOracle, Oracle};
//! use reticent_privacy::{Epsilon, NoiseRng};
//! let domain = Domain::new(50)?;
//! let oracle = FrequencyOracle::best(domain, Epsilon::new(1.0)?);
//! let mut rng = NoiseRng::from_os()?;
//! let mut aggregate = Aggregate::new(&oracle);
//! for person in 0..10_000 {
//!     let report = oracle.randomise(domain.symbol(person % 3)?, &mut rng);
//!     aggregate.add(&oracle, &oracle.decode(&oracle.encode(&report))?)?;
//! }
//! let frequencies = oracle.estimate(&aggregate)?;
//! let deviation = oracle.variance(1.0 / 3.0, 10_000).sqrt();
//! assert!((frequencies[0] - 1.0 / 3.0).abs() < 8.0 * deviation);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod aggregate;
mod choice;
mod domain;
mod hadamard_response;
mod k_rr;
mod kind;
mod projective_geometry;
mod report;
mod select;
mod signed_hadamard;
mod subset_selection;
mod support;
#[cfg(test)]
mod tests;
mod unary_encoding;

pub use aggregate::{Aggregate, AggregateError};
pub use choice::FrequencyOracle;
pub use domain::{Domain, OracleError, Symbol};
pub use hadamard_response::HadamardResponse;
pub use k_rr::KaryResponse;
pub use kind::OracleKind;
pub use projective_geometry::ProjectiveGeometry;
pub use report::{Report, ReportError, Shape};
pub use signed_hadamard::SignedHadamard;
pub use subset_selection::SubsetSelection;
pub use unary_encoding::UnaryEncoding;

use num_bigint::BigUint;

use crate::exact::TwoLevel;
use crate::{Epsilon, Generator, Guarantee};
use sealed::{Decode, Setup};

/// A local randomiser over a [`Domain`] and the estimator that belongs to it. Sealed: each has its proof here.
pub trait Oracle: Decode {
    /// Which oracle this is.
    fn kind(&self) -> OracleKind {
        self.setup().kind
    }

    /// The symbols counted.
    fn domain(&self) -> Domain {
        self.setup().domain
    }

    /// The loss that each report is calibrated to.
    fn epsilon(&self) -> Epsilon {
        self.setup().epsilon
    }

    /// What reports look like.
    fn shape(&self) -> Shape;

    /// The two numbers that, beside kind, domain and loss, say what a report means: chosen by a rule that a
    /// later version may improve, so whoever stores or sends reports keeps them too.
    fn design(&self) -> [u32; 2];

    /// One report, drawn exactly: integers on random bits, no floating point. A symbol beyond the domain counts as its
    /// last.
    fn randomise<G: Generator>(&self, symbol: Symbol, rng: &mut G) -> Report;

    /// The exact law of the report for `symbol`: each possible report with its weight, over a denominator common to
    /// all symbols. None when there are more than 2^16 reports.
    fn law(&self, symbol: Symbol) -> Option<Vec<(Report, BigUint)>>;

    /// The variance of one symbol's estimate from `reports` reports when a share `frequency` of the people hold the
    /// symbol and the others are spread evenly over the other symbols: the noise alone, with the probabilities as they
    /// are, rounded. Infinite without reports; zero for the only symbol of a domain of one.
    fn variance(&self, frequency: f64, reports: u64) -> f64 {
        if self.domain().size() == 1 { 0.0 } else { self.variance_of_one(frequency) / reports as f64 }
    }

    /// What one report promises.
    fn guarantee(&self) -> Guarantee {
        Guarantee::local(self.epsilon(), "one symbol of one person", "any two symbols", self.kind().proof())
    }

    /// The length of each encoded report.
    fn report_bytes(&self) -> usize {
        self.shape().bytes()
    }

    /// The report in [`report_bytes`](Self::report_bytes) bytes.
    fn encode(&self, report: &Report) -> Vec<u8> {
        self.shape().encode(report)
    }

    /// The report that `bytes` encode; refuses everything that [`encode`](Self::encode) does not write.
    fn decode(&self, bytes: &[u8]) -> Result<Report, ReportError> {
        self.shape().decode(bytes)
    }

    /// The number of counts that reports add up to.
    fn cells(&self) -> usize {
        self.shape().cells()
    }

    /// Adds one report to `counts`, unless it is none of this oracle's.
    #[inline]
    fn count(&self, report: &Report, counts: &mut [u64]) -> Result<(), ReportError> {
        self.shape().count(report, counts)
    }

    /// Unbiased frequencies of all symbols, which may be negative and need not sum to one. Without any report there is
    /// no such estimate, and each symbol gets the even share 1/D. The only symbol of a domain of one has frequency 1.
    fn estimate(&self, aggregate: &Aggregate) -> Result<Vec<f64>, AggregateError>
    where
        Self: Sized,
    {
        aggregate.check_oracle(self)?;
        let symbols = self.domain().size();
        if symbols == 1 || aggregate.reports() == 0 {
            return Ok(vec![1.0 / f64::from(symbols); symbols as usize]);
        }
        Ok(self.frequencies(aggregate.counts(), aggregate.reports()))
    }
}

mod sealed {
    use super::{Domain, OracleKind};
    use crate::Epsilon;

    /// What every oracle is made from.
    #[derive(Debug, Clone, Copy)]
    pub struct Setup {
        /// Which oracle this is.
        pub kind: OracleKind,
        /// The symbols counted.
        pub domain: Domain,
        /// The loss that each report is calibrated to.
        pub epsilon: Epsilon,
    }

    /// What an estimate is made of: reached only through the checks of [`Oracle::estimate`](super::Oracle::estimate).
    pub trait Decode {
        /// What every oracle is made from.
        fn setup(&self) -> Setup;

        /// The frequencies from an oracle's own counts of at least one report.
        fn frequencies(&self, counts: &[u64], reports: u64) -> Vec<f64>;

        /// The variance of one symbol's estimate from one report.
        fn variance_of_one(&self, frequency: f64) -> f64;
    }
}

/// More possible reports than this are not listed by [`Oracle::law`].
const LARGEST_LAW: u64 = 1 << 16;

/// The law of an index drawn by `channel`: uniform among the outputs inside, uniform among those outside. In
/// a domain of one a report carries nothing.
fn two_level_law(
    channel: &TwoLevel,
    domain: Domain,
    outputs: u32,
    is_inside: impl Fn(u32) -> bool,
) -> Option<Vec<(Report, BigUint)>> {
    if domain.size() == 1 {
        return Some(certain_law(Report::Index(0)));
    }
    let (heavy, light) = channel.weights();
    let weight = |output| if is_inside(output) { heavy.clone() } else { light.clone() };
    let listed = u64::from(outputs) <= LARGEST_LAW;
    listed.then(|| (0..outputs).map(|output| (Report::Index(output), weight(output))).collect())
}

/// The law of a report that carries nothing: D = 1.
fn certain_law(report: Report) -> Vec<(Report, BigUint)> {
    vec![(report, BigUint::from(1_u32))]
}
