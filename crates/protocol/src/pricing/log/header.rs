//! What a log says about itself before its first report.

use reticent_privacy::{Guarantee, Noise, Provenance};
use serde::{Deserialize, Serialize};

use super::{LogError, MAX_HEADER, VERSION};
use crate::pricing::Spec;

/// How many hexadecimal digits name an experiment.
const DIGEST: usize = 64;

/// What a log says about itself: what its reports answer, what they promise, and for which experiment they
/// were made.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    spec: Spec,
    noise: Noise,
    experiment: Option<String>,
}

/// The header since version 2. That of version 1 is the spec alone.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    spec: Spec,
    guarantee: Guarantee,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    experiment: Option<String>,
}

impl Header {
    /// The header of reports whose noise comes from a generator of this provenance:
    /// [`PROVENANCE`](reticent_privacy::Generator::PROVENANCE).
    pub fn new(spec: &Spec, noise: Provenance) -> Header {
        Header { spec: spec.clone(), noise: noise.into(), experiment: None }
    }

    /// The same for the experiment with this digest, 64 hexadecimal digits in lower case.
    pub fn of_experiment(self, digest: &str) -> Result<Header, LogError> {
        if !is_digest(digest) {
            return Err(LogError::Experiment);
        }
        Ok(Header { experiment: Some(digest.into()), ..self })
    }

    /// What the reports answer.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Where their noise came from. Version 1 did not say.
    pub fn noise(&self) -> Noise {
        self.noise
    }

    /// What each report promises: nothing, if its noise came from a seed.
    pub fn guarantee(&self) -> Guarantee {
        self.spec.guarantee().made_with(self.noise)
    }

    /// The digest of the experiment, if the log is of one.
    pub fn experiment(&self) -> Option<&str> {
        self.experiment.as_deref()
    }

    /// The header as JSON, in the version that is written.
    pub(super) fn json(&self) -> Result<Vec<u8>, LogError> {
        let (spec, experiment) = (self.spec.clone(), self.experiment.clone());
        let stored = Stored { spec, guarantee: self.guarantee(), experiment };
        let json = serde_json::to_vec(&stored).map_err(|error| LogError::Io(error.into()))?;
        if json.len() > MAX_HEADER { Err(LogError::LongSpec) } else { Ok(json) }
    }

    /// The header of a log of this version.
    pub(super) fn parse(version: u32, json: &[u8]) -> Result<Header, LogError> {
        let refused = |error: serde_json::Error| LogError::Spec(error.to_string());
        if version < VERSION {
            let spec = serde_json::from_slice(json).map_err(refused)?;
            return Ok(Header { spec, noise: Noise::NotStated, experiment: None });
        }
        let Stored { spec, guarantee, experiment } = serde_json::from_slice(json).map_err(refused)?;
        let noise = guarantee.noise;
        if noise == Noise::NotDrawn || !guarantee.agrees_with(&spec.guarantee().made_with(noise)) {
            return Err(LogError::Guarantee);
        }
        if experiment.as_deref().is_some_and(|digest| !is_digest(digest)) {
            return Err(LogError::Experiment);
        }
        Ok(Header { spec, noise, experiment })
    }
}

fn is_digest(text: &str) -> bool {
    text.len() == DIGEST && text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
}
