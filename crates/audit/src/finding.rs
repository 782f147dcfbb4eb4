//! What an audit found, as data.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Claim;

/// How the loss was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// From the probabilities themselves, in integers.
    Exact,
    /// From runs of the mechanism.
    Sampling,
}

/// Whether the measurement contradicts the claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It does not.
    Passes,
    /// An exact audit whose weights are too coarse to tell.
    Undecided,
    /// The mechanism leaks more than it claims.
    Leaks,
}

/// How often the mechanism was run, over all inputs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Samples {
    /// To find the worst neighbours and the event that tells them apart.
    pub training: u64,
    /// For the one test that the finding rests on.
    pub fresh: u64,
}

/// The result of one audit.
///
/// An infinite `measured` or `tightness` (an output that only one of two neighbours can have) is `null` in
/// JSON, which has no infinity; the verdict is then `leaks`, and the event says so in words. An infinite
/// `upper` is `null` too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// What was audited.
    pub name: String,
    /// What it promises.
    pub claimed: Claim,
    /// A lower bound on its true epsilon (at the claimed delta), which holds with the confidence below.
    #[serde(with = "infinity_as_null")]
    pub measured: f64,
    /// A proved upper bound, when the audit was exact.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "optional_infinity")]
    pub upper: Option<f64>,
    /// The probability, over the audit's own draws, that `measured` is at most the true loss; 1 when exact.
    pub confidence: f64,
    /// How often the mechanism was run.
    pub samples: Samples,
    /// The worst pair found: the event is likelier under the first.
    pub neighbours: String,
    /// What an attacker would look for, in words.
    pub event: String,
    /// The rarest outright disclosure that the test would have seen, as a probability: an event that only one of two
    /// neighbours can have, if the search points at it, is called a leak in 95 % of audits from here on. None where so
    /// few runs see none at all, and for exact audits, which see any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smallest_leak: Option<f64>,
    /// What was not looked at, in words: empty if the search left nothing out that it knows how to look for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<String>,
    /// How the loss was measured.
    pub method: Method,
    /// Whether that contradicts the claim.
    pub verdict: Verdict,
    /// `measured / claimed`: near 1, the claim is as small as it can be.
    #[serde(with = "infinity_as_null")]
    pub tightness: f64,
}

impl Finding {
    /// Whether nothing contradicts the claim.
    pub fn passes(&self) -> bool {
        self.verdict == Verdict::Passes
    }

    /// What a disclosure must be to be seen, in words.
    pub fn sight(&self) -> String {
        match (self.method, self.smallest_leak) {
            (Method::Exact, _) => "every output was listed".to_owned(),
            (Method::Sampling, Some(least)) => {
                format!("a disclosure in fewer than 1 of {:.0} runs would not be seen", (1.0 / least).floor())
            }
            (Method::Sampling, None) => "so few runs see no disclosure at all".to_owned(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.verdict {
            Verdict::Passes => "passes",
            Verdict::Undecided => "is undecided",
            Verdict::Leaks => "LEAKS",
        };
        write!(
            f,
            "{}: {verdict}: claimed {}, measured at least {:.6}",
            self.name, self.claimed, self.measured
        )?;
        match self.method {
            Method::Exact => write!(f, " (exactly)")?,
            Method::Sampling => {
                write!(f, " (confidence {}, {} fresh runs)", self.confidence, self.samples.fresh)?;
            }
        }
        write!(f, ", {}: {}", self.neighbours, self.event)?;
        if self.method == Method::Sampling {
            write!(f, "; {}", self.sight())?;
        }
        self.unseen.iter().try_for_each(|left_out| write!(f, "; not looked at: {left_out}"))
    }
}

mod infinity_as_null {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference to the field")]
    pub(super) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        value.is_finite().then_some(value).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(deserializer)?.unwrap_or(f64::INFINITY))
    }
}

mod optional_infinity {
    use serde::{Deserializer, Serializer};

    #[expect(clippy::ref_option, reason = "serde hands over a reference to the field")]
    pub(super) fn serialize<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
        super::infinity_as_null::serialize(&value.unwrap_or(f64::INFINITY), serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
        super::infinity_as_null::deserialize(deserializer).map(Some)
    }
}
