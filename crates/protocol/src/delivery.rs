//! How a report is delivered: the id by which it is known when it comes again, and why it is not taken.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Sixteen bytes that tell nothing. A device gives them to a report once, and sends them again with every retry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReportId(pub [u8; 16]);

/// Text that is no report's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a report's id has 32 lower-case hexadecimal digits")]
pub struct NoReportId;

impl fmt::Display for ReportId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl FromStr for ReportId {
    type Err = NoReportId;

    fn from_str(text: &str) -> Result<ReportId, NoReportId> {
        let plain = text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let word = plain.then(|| u128::from_str_radix(text, 16).ok()).flatten();
        Ok(ReportId(word.ok_or(NoReportId)?.to_be_bytes()))
    }
}

/// Why a report was not taken. The names are part of the protocol (`docs/service.md`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Reason {
    /// A report of this id was taken before: it is counted once.
    Replayed,
    /// Its policy is not known yet to the server that was asked.
    TooEarly,
    /// Its policy is closed.
    TooLate,
    /// It is of another experiment.
    OtherExperiment,
    /// It is no answer to a question of its policy.
    NotAnAnswer,
    /// The experiment takes no reports for now.
    Paused,
    /// The experiment takes no more reports.
    Closed,
    /// For a reason that this version does not know.
    #[serde(other)]
    Unknown,
}

impl Reason {
    /// All that a server of this version gives.
    pub const ALL: [Reason; 7] = [
        Reason::Replayed,
        Reason::TooEarly,
        Reason::TooLate,
        Reason::OtherExperiment,
        Reason::NotAnAnswer,
        Reason::Paused,
        Reason::Closed,
    ];

    /// Whether it makes sense to send the same report again later.
    pub fn is_for_now(self) -> bool {
        matches!(self, Reason::TooEarly | Reason::Paused)
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Reason::Replayed => "taken before",
            Reason::TooEarly => "its policy is not known yet",
            Reason::TooLate => "too late for its policy",
            Reason::OtherExperiment => "of another experiment",
            Reason::NotAnAnswer => "no answer to what was asked",
            Reason::Paused => "the experiment is paused",
            Reason::Closed => "the experiment is over",
            Reason::Unknown => "refused for a reason that this version does not know",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_as_it_is_written() {
        let id = ReportId([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255]);
        assert_eq!(id.to_string(), "000102030405060708090a0b0c0d0eff");
        assert_eq!(id.to_string().parse(), Ok(id));
        for wrong in ["", "00", "000102030405060708090A0B0C0D0EFF", "+00102030405060708090a0b0c0d0eff"] {
            assert_eq!(wrong.parse::<ReportId>(), Err(NoReportId));
        }
    }

    #[test]
    fn a_reason_of_a_later_version_is_unknown() {
        assert_eq!(serde_json::to_string(&Reason::NotAnAnswer).unwrap(), "\"not-an-answer\"");
        for reason in Reason::ALL {
            let text = serde_json::to_string(&reason).unwrap();
            assert_eq!(serde_json::from_str::<Reason>(&text).unwrap(), reason);
        }
        assert_eq!(serde_json::from_str::<Reason>("\"too-loud\"").unwrap(), Reason::Unknown);
    }
}
