//! How often each report occurs: all that a log's reports say, since their order says nothing.

#[cfg(test)]
mod tests;

use reticent_protocol::pricing::{Report, Spec};
use serde::{Deserialize, Serialize};

/// Reports that are counted at once: a lane's counts stay below 2^32.
const AT_ONCE: usize = 1 << 20;
/// Lanes of counts: equal reports in succession need not wait for each other.
const LANES: usize = 4;

/// Counts of a spec's reports.
///
/// ```
/// use reticent_learn::pricing::Tally;
/// use reticent_privacy::Epsilon;
/// use reticent_schema::{Encoding, Range};
/// use reticent_protocol::pricing::{Prices, Report, Spec, Terms};
/// let sold = Range::UNIT;
/// let terms = Terms::new(Encoding::unit(1)?, Prices::range(0.0, 20.0)?, sold)?;
/// let spec = Spec::designed(terms, Epsilon::new(4.0)?, 100_000)?;
/// let mut tally = Tally::new(&spec);
/// tally.add(Report { question: 0, output: 3 })?;
/// // Two reports as a log has them: codes of two bytes, the lower first.
/// tally.add_payload(&[3, 0, 7, 0])?;
/// assert_eq!((tally.reports(), tally.counts()[3]), (3, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw")]
pub struct Tally {
    spec: Spec,
    counts: Vec<u64>,
    #[serde(skip)]
    reports: u64,
}

/// Why reports were not counted. If any was not, none was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TallyError {
    /// A report of another spec.
    #[error("a report is none of the tally's spec; count it under the spec that it was made with")]
    Report,
    /// Bytes that are no whole reports.
    #[error("the bytes end within a report; give whole reports")]
    Length,
    /// A tally of another spec.
    #[error("tallies of different specs cannot be added up; fit them together instead")]
    Spec,
    /// Counts that do not belong to the spec.
    #[error("a tally has one count for each of its spec's reports")]
    Counts,
    /// More reports than can be counted.
    #[error("there are more reports than can be counted")]
    Many,
}

impl Tally {
    /// Nothing counted yet.
    pub fn new(spec: &Spec) -> Tally {
        Tally { spec: spec.clone(), counts: vec![0; spec.codes() as usize], reports: 0 }
    }

    /// These counts of each code, as [`counts`](Tally::counts) gave them.
    pub fn of_counts(spec: &Spec, counts: Vec<u64>) -> Result<Tally, TallyError> {
        Raw { spec: spec.clone(), counts }.try_into()
    }

    /// Counts a report as it was sent.
    pub fn absorb(&mut self, report: &reticent_protocol::Report) -> Result<(), TallyError> {
        self.add(self.spec.received(report).map_err(|_| TallyError::Report)?)
    }

    /// Counts a report as a log holds it.
    pub fn add(&mut self, report: Report) -> Result<(), TallyError> {
        let code = self.spec.code(report).map_err(|_| TallyError::Report)?;
        self.reports = self.more(1)?;
        self.counts[code as usize] += 1;
        Ok(())
    }

    /// Counts reports as a log has them: codes of [`report_bytes`](Spec::report_bytes) bytes, the lowest first.
    pub fn add_payload(&mut self, bytes: &[u8]) -> Result<(), TallyError> {
        match self.spec.report_bytes() {
            1 => self.add_codes::<1>(bytes, |code| usize::from(code[0])),
            2 => self.add_codes::<2>(bytes, |code| usize::from(u16::from_le_bytes(*code))),
            3 => self.add_codes::<3>(bytes, |&[a, b, c]| u32::from_le_bytes([a, b, c, 0]) as usize),
            _ => self.add_codes::<4>(bytes, |code| u32::from_le_bytes(*code) as usize),
        }
    }

    /// Adds another tally's counts.
    pub fn merge(&mut self, other: &Tally) -> Result<(), TallyError> {
        if self.spec != other.spec {
            return Err(TallyError::Spec);
        }
        self.reports = self.more(other.reports)?;
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
        Ok(())
    }

    /// What the reports answer.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// How many reports were counted.
    pub fn reports(&self) -> u64 {
        self.reports
    }

    /// How often each code occurred.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// No count can overflow if their sum does not.
    fn more(&self, reports: u64) -> Result<u64, TallyError> {
        self.reports.checked_add(reports).ok_or(TallyError::Many)
    }

    fn add_codes<const N: usize>(
        &mut self,
        bytes: &[u8],
        code: impl Fn(&[u8; N]) -> usize,
    ) -> Result<(), TallyError> {
        let (codes, []) = bytes.as_chunks::<N>() else { return Err(TallyError::Length) };
        // All are checked before the first is counted.
        if codes.iter().map(&code).max().is_some_and(|most| most >= self.counts.len()) {
            return Err(TallyError::Report);
        }
        self.reports = self.more(codes.len() as u64)?;
        for part in codes.chunks(AT_ONCE) {
            // Lanes must be cleared and added up: not worth it for few reports of many kinds.
            if part.len() < LANES * self.counts.len() {
                for one in part {
                    self.counts[code(one)] += 1;
                }
            } else {
                self.add_in_lanes(part, &code);
            }
        }
        Ok(())
    }

    fn add_in_lanes<const N: usize>(&mut self, codes: &[[u8; N]], code: impl Fn(&[u8; N]) -> usize) {
        let mut lanes: [Vec<u32>; LANES] = std::array::from_fn(|_| vec![0; self.counts.len()]);
        let [a, b, c, d] = &mut lanes;
        let (fours, rest) = codes.as_chunks::<LANES>();
        for [i, j, k, l] in fours {
            a[code(i)] += 1;
            b[code(j)] += 1;
            c[code(k)] += 1;
            d[code(l)] += 1;
        }
        for one in rest {
            a[code(one)] += 1;
        }
        for lane in &lanes {
            for (count, &more) in self.counts.iter_mut().zip(lane) {
                *count += u64::from(more);
            }
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    spec: Spec,
    counts: Vec<u64>,
}

impl TryFrom<Raw> for Tally {
    type Error = TallyError;
    fn try_from(Raw { spec, counts }: Raw) -> Result<Tally, TallyError> {
        if counts.len() != spec.codes() as usize {
            return Err(TallyError::Counts);
        }
        let reports =
            counts.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count)).ok_or(TallyError::Many)?;
        Ok(Tally { spec, counts, reports })
    }
}
