//! Reports added up: all that an estimate needs.

use serde::{Deserialize, Serialize};

use super::{Domain, FrequencyOracle, Oracle, OracleKind, Report, ReportError, Shape};
use crate::Epsilon;

/// Counts of one oracle's reports. Aggregates of the same oracle merge in any order into the same result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Stored")]
pub struct Aggregate {
    kind: OracleKind,
    domain: Domain,
    epsilon: Epsilon,
    /// What a report means, as the oracle's rule chose it when counting began.
    design: [u32; 2],
    reports: u64,
    counts: Vec<u64>,
}

/// Why an aggregate was refused. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AggregateError {
    /// Counts of one oracle given to another.
    #[error("the counts are of another oracle, domain or loss; keep one aggregate for each")]
    OtherOracle,
    /// Reports that mean something else than this version's would.
    #[error(
        "the counts were made with another design of the same oracle; read them with the version that made them"
    )]
    OtherDesign,
    /// More reports than can be counted.
    #[error("an aggregate holds at most {} reports; start another one", Aggregate::MAX_REPORTS)]
    TooMany,
    /// Counts that no reports add up to.
    #[error(
        "the counts do not belong to the stated oracle and number of reports; the file was changed or cut"
    )]
    Inconsistent,
    /// A report of another oracle, or damaged.
    #[error(transparent)]
    Report(#[from] ReportError),
}

impl Aggregate {
    /// The most reports: sums over counts, with signs, then fit a 64-bit integer.
    pub const MAX_REPORTS: u64 = i64::MAX as u64;

    /// No report of `oracle` yet.
    pub fn new(oracle: &impl Oracle) -> Aggregate {
        Aggregate {
            kind: oracle.kind(),
            domain: oracle.domain(),
            epsilon: oracle.epsilon(),
            design: oracle.design(),
            reports: 0,
            counts: vec![0; oracle.cells()],
        }
    }

    /// The aggregate that these counts of `oracle`'s numbered reports are; refused for an oracle whose
    /// reports are sets, where counts do not say how many reports there were.
    pub fn of_counts(oracle: &impl Oracle, counts: Vec<u64>) -> Result<Aggregate, AggregateError> {
        let Shape::Index { outputs } = oracle.shape() else { return Err(AggregateError::OtherOracle) };
        let reports = counts.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count));
        let reports =
            reports.filter(|&reports| reports <= Self::MAX_REPORTS).ok_or(AggregateError::TooMany)?;
        if counts.len() != outputs as usize {
            return Err(AggregateError::Inconsistent);
        }
        Ok(Aggregate { reports, counts, ..Aggregate::new(oracle) })
    }

    /// How many reports were added.
    pub fn reports(&self) -> u64 {
        self.reports
    }

    /// The counts, one for each of the oracle's cells.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Adds one report of `oracle`.
    #[inline]
    pub fn add(&mut self, oracle: &impl Oracle, report: &Report) -> Result<(), AggregateError> {
        self.check_oracle(oracle)?;
        if self.reports >= Self::MAX_REPORTS {
            return Err(AggregateError::TooMany);
        }
        oracle.count(report, &mut self.counts)?;
        self.reports += 1;
        Ok(())
    }

    /// Adds the reports of `other`.
    pub fn merge(&mut self, other: &Aggregate) -> Result<(), AggregateError> {
        let settings = |a: &Aggregate| (a.kind, a.domain, a.epsilon, a.design);
        if settings(self) != settings(other) {
            return Err(AggregateError::OtherOracle);
        }
        let reports = self.reports.saturating_add(other.reports);
        if reports > Self::MAX_REPORTS {
            return Err(AggregateError::TooMany);
        }
        self.reports = reports;
        // No count exceeds the number of reports, in either: no sum can overflow.
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
        Ok(())
    }

    /// Were these reports made by `oracle`?
    #[inline]
    pub(super) fn check_oracle(&self, oracle: &impl Oracle) -> Result<(), AggregateError> {
        let same = self.kind == oracle.kind()
            && self.domain == oracle.domain()
            && self.epsilon == oracle.epsilon()
            && self.design == oracle.design();
        if same { Ok(()) } else { Err(AggregateError::OtherOracle) }
    }
}

/// The stored form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    kind: OracleKind,
    domain: Domain,
    epsilon: Epsilon,
    design: [u32; 2],
    reports: u64,
    counts: Vec<u64>,
}

impl TryFrom<Stored> for Aggregate {
    type Error = AggregateError;

    fn try_from(stored: Stored) -> Result<Aggregate, AggregateError> {
        let Stored { kind, domain, epsilon, design, reports, counts } = stored;
        if reports > Self::MAX_REPORTS {
            return Err(AggregateError::TooMany);
        }
        let oracle = FrequencyOracle::new(kind, domain, epsilon);
        if oracle.design() != design {
            return Err(AggregateError::OtherDesign);
        }
        let shape = oracle.shape();
        let total: u128 = counts.iter().map(|&count| u128::from(count)).sum();
        let per_report = match shape {
            Shape::Index { .. } => Some(1),
            Shape::Set { members, .. } => members,
        };
        let consistent = counts.len() == shape.cells()
            && counts.iter().all(|&count| count <= reports)
            && per_report.is_none_or(|each| total == u128::from(reports) * u128::from(each));
        if !consistent {
            return Err(AggregateError::Inconsistent);
        }
        Ok(Aggregate { kind, domain, epsilon, design, reports, counts })
    }
}
