//! The oracles' names.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::OracleError;

/// Which of the five oracles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum OracleKind {
    /// [`KaryResponse`](super::KaryResponse).
    #[serde(rename = "k-rr")]
    KaryResponse,
    /// [`UnaryEncoding`](super::UnaryEncoding).
    #[serde(rename = "unary-encoding")]
    UnaryEncoding,
    /// [`SubsetSelection`](super::SubsetSelection).
    #[serde(rename = "subset-selection")]
    SubsetSelection,
    /// [`HadamardResponse`](super::HadamardResponse).
    #[serde(rename = "hadamard-response")]
    HadamardResponse,
    /// [`ProjectiveGeometry`](super::ProjectiveGeometry).
    #[serde(rename = "projective-geometry")]
    ProjectiveGeometry,
}

impl OracleKind {
    /// All of them.
    pub const ALL: [OracleKind; 5] = [
        OracleKind::KaryResponse,
        OracleKind::UnaryEncoding,
        OracleKind::SubsetSelection,
        OracleKind::HadamardResponse,
        OracleKind::ProjectiveGeometry,
    ];

    /// The name, as in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            OracleKind::KaryResponse => "k-rr",
            OracleKind::UnaryEncoding => "unary-encoding",
            OracleKind::SubsetSelection => "subset-selection",
            OracleKind::HadamardResponse => "hadamard-response",
            OracleKind::ProjectiveGeometry => "projective-geometry",
        }
    }

    /// The proof's file, from the project's root.
    pub(super) fn proof(self) -> &'static str {
        match self {
            OracleKind::KaryResponse => "crates/privacy/src/oracle/k_rr/guarantee.md",
            OracleKind::UnaryEncoding => "crates/privacy/src/oracle/unary_encoding/guarantee.md",
            OracleKind::SubsetSelection => "crates/privacy/src/oracle/subset_selection/guarantee.md",
            OracleKind::HadamardResponse => "crates/privacy/src/oracle/hadamard_response/guarantee.md",
            OracleKind::ProjectiveGeometry => "crates/privacy/src/oracle/projective_geometry/guarantee.md",
        }
    }
}

impl fmt::Display for OracleKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for OracleKind {
    type Err = OracleError;
    fn from_str(text: &str) -> Result<OracleKind, OracleError> {
        let named = OracleKind::ALL.into_iter().find(|kind| kind.name() == text.trim());
        named.ok_or_else(|| OracleError::UnknownKind { got: text.to_string() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_and_proofs_exist() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
        for kind in OracleKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("{:?}", kind.name()));
            let proof = std::fs::read_to_string(format!("{root}{}", kind.proof())).unwrap();
            assert!(proof.contains("**Proof.**"), "{kind}");
        }
        assert!("k-RR".parse::<OracleKind>().is_err());
    }
}
