//! The public document that everybody agrees on before the first person takes part: one form for all five
//! problems, and its digest, by which everything else names it. `docs/protocol.md` describes it for others.

mod axes;
mod check;
mod column;
mod problem;

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use reticent_privacy::{Epsilon, LossError};

pub use axes::{AxesError, Context};
pub use check::ExperimentError;
pub use column::{Column, Ends, Projection};
pub use problem::{
    Action, AgentOptions, Bandit, Contextual, Design, Direction, Kernel, Outcome, OutcomeKind, Price,
    Pricing, Problem, Question, Source, Trial, Tuning,
};

use crate::{Decimal, Digest, Prefix};

/// An experiment as all parties know it. Checked when it is made and by the same checks when it is read;
/// public, so that nothing in it may depend on anybody's record.
///
/// ```
/// use reticent_schema::Experiment;
/// let experiment = Experiment::from_json(r#"{
///     "name": "landing page",
///     "epsilon": "1",
///     "problem": { "kind": "bandit", "arms": ["blue", "green"] }
/// }"#)?;
/// assert_eq!(experiment.problem().arms(), ["blue", "green"]);
/// assert_eq!(experiment.report_window_days().get(), 7);
/// assert_eq!(experiment.digest().to_string().len(), 64);
/// # Ok::<(), reticent_schema::ExperimentError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Draft", into = "Draft")]
pub struct Experiment {
    draft: Draft,
    epsilon: Epsilon,
    digest: Digest,
}

/// An experiment as it is written, with every choice that may be left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// What this document is.
    #[serde(default)]
    pub format: Format,
    /// The version of its form.
    #[serde(default)]
    pub version: Version,
    /// What people call it: 1 to 100 characters.
    pub name: String,
    /// The privacy loss: of one report in the local model, of everything released in the central one.
    pub epsilon: Decimal,
    /// What one person contributes, in words; follows from the problem if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// For how many days after a policy was published its reports still count.
    #[serde(default = "usual_window")]
    pub report_window_days: NonZeroU32,
    /// What is to be learned.
    pub problem: Problem,
}

/// The only format of this document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub enum Format {
    /// An experiment.
    #[default]
    #[serde(rename = "reticent-experiment")]
    Experiment,
}

/// The version that this program writes and reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(with = "u32"))]
#[serde(try_from = "u32", into = "u32")]
pub struct Version;

const VERSION: u32 = 2;

impl TryFrom<u32> for Version {
    type Error = String;
    fn try_from(version: u32) -> Result<Version, String> {
        if version == VERSION {
            Ok(Version)
        } else {
            Err(format!("the experiment has version {version}; this program reads version {VERSION}"))
        }
    }
}

impl From<Version> for u32 {
    fn from(_: Version) -> u32 {
        VERSION
    }
}

fn usual_window() -> NonZeroU32 {
    NonZeroU32::new(7).unwrap_or(NonZeroU32::MIN)
}

impl Draft {
    /// A draft with every choice left at its default.
    pub fn new(name: &str, epsilon: Epsilon, problem: Problem) -> Draft {
        Draft {
            format: Format::Experiment,
            version: Version,
            name: name.into(),
            epsilon: decimal_of(epsilon),
            unit: None,
            report_window_days: usual_window(),
            problem,
        }
    }
}

/// A loss has at most nine decimals: it always is a decimal.
pub(crate) fn decimal_of(epsilon: Epsilon) -> Decimal {
    epsilon.to_string().parse().unwrap_or_else(|_| unreachable!("a loss is written as a plain decimal"))
}

impl Experiment {
    /// Checks a draft, and writes out what it leaves to the default.
    pub fn new(mut draft: Draft) -> Result<Experiment, ExperimentError> {
        let epsilon: Epsilon = draft.epsilon.as_str().parse().map_err(|error: LossError| error)?;
        // One spelling: rounded up to nine decimals, as it is charged.
        draft.epsilon = decimal_of(epsilon);
        check::draft(&mut draft)?;
        let unit = draft.unit.take().unwrap_or_else(|| draft.problem.unit().into());
        draft.unit = Some(unit);
        let digest = Digest::of(&draft)?;
        Ok(Experiment { draft, epsilon, digest })
    }

    /// Reads and checks a document in JSON.
    pub fn from_json(text: &str) -> Result<Experiment, ExperimentError> {
        let draft: Draft =
            serde_json::from_str(text).map_err(|error| ExperimentError::Json(error.to_string()))?;
        Experiment::new(draft)
    }

    /// The document in its canonical form: what the digest is of.
    pub fn to_json(&self) -> Result<String, ExperimentError> {
        Ok(crate::canonical(&self.draft)?)
    }

    /// What everything that belongs to this experiment names.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// Its first bytes, which reports name.
    pub fn prefix(&self) -> Prefix {
        self.digest.prefix()
    }

    /// What people call it.
    pub fn name(&self) -> &str {
        &self.draft.name
    }

    /// The privacy loss.
    pub fn epsilon(&self) -> Epsilon {
        self.epsilon
    }

    /// What one person contributes.
    pub fn unit(&self) -> &str {
        self.draft.unit.as_deref().unwrap_or_default()
    }

    /// For how many days a policy's reports still count.
    pub fn report_window_days(&self) -> NonZeroU32 {
        self.draft.report_window_days
    }

    /// What is to be learned.
    pub fn problem(&self) -> &Problem {
        &self.draft.problem
    }

    /// The document.
    pub fn draft(&self) -> &Draft {
        &self.draft
    }
}

/// The JSON Schema of the document.
#[cfg(feature = "json-schema")]
pub fn json_schema() -> String {
    let schema = schemars::schema_for!(Draft);
    // A schema is a JSON value.
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

impl TryFrom<Draft> for Experiment {
    type Error = ExperimentError;
    fn try_from(draft: Draft) -> Result<Experiment, ExperimentError> {
        Experiment::new(draft)
    }
}

impl From<Experiment> for Draft {
    fn from(experiment: Experiment) -> Draft {
        experiment.draft
    }
}

#[cfg(test)]
mod tests;
