//! A made-up source as it is written on the command line.

use std::fmt;
use std::str::FromStr;

use reticent_privacy::{Epsilon, LossError};
use serde::{Deserialize, Serialize};

/// A made-up source: `people=5000,gamma=0,kappa=1,epsilon=8`, with `,permuted` if its arms earn what others should.
///
/// `people` and `epsilon` are required; gamma is 0 (uniform contexts) and kappa 1 (uniform arms) if left out.
///
/// ```
/// use reticent_lab::contextual::env::SourceSpec;
/// let spec: SourceSpec = "people=5000,epsilon=8,gamma=0.2".parse()?;
/// assert_eq!(spec.to_string(), "people=5000,gamma=0.2,kappa=1,epsilon=8");
/// # Ok::<(), reticent_lab::contextual::env::SourceSpecError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SourceSpec {
    people: u64,
    gamma: f64,
    kappa: f64,
    epsilon: Epsilon,
    permuted: bool,
}

/// Why a source could not be understood.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceSpecError {
    /// A required field is not there.
    #[error("a source needs `{0}`; write it like people=5000,gamma=0,kappa=1,epsilon=8")]
    Missing(&'static str),
    /// A field that no source has.
    #[error("a source has no `{0}`; its fields are people, gamma, kappa, epsilon and permuted")]
    Unknown(String),
    /// A field that occurs twice.
    #[error("a source has `{0}` only once")]
    Repeated(&'static str),
    /// A field whose value is missing, or `permuted` with one.
    #[error("`{0}` of a source: {1}")]
    Form(&'static str, &'static str),
    /// A value that is not in its range.
    #[error("`{field}` of a source must be {range}, got {got:?}")]
    Range {
        /// The field.
        field: &'static str,
        /// What it may be.
        range: &'static str,
        /// What it was.
        got: String,
    },
    /// Not a privacy loss.
    #[error("`epsilon` of a source: {0}")]
    Epsilon(#[from] LossError),
}

const FIELDS: [&str; 5] = ["people", "gamma", "kappa", "epsilon", "permuted"];
const MAX_PEOPLE: u64 = 1_000_000_000_000;

impl SourceSpec {
    /// A source of `people` with contexts of shift `gamma`, arms chosen by `kappa`, and loss `epsilon`.
    pub fn new(people: u64, gamma: f64, kappa: f64, epsilon: Epsilon) -> Result<SourceSpec, SourceSpecError> {
        let check = |inside: bool, field, range, got: String| {
            if inside { Ok(()) } else { Err(SourceSpecError::Range { field, range, got }) }
        };
        check(people <= MAX_PEOPLE, "people", PEOPLE, people.to_string())?;
        check((0.0..=1000.0).contains(&gamma), "gamma", GAMMA, gamma.to_string())?;
        check((0.0..=1.0).contains(&kappa), "kappa", KAPPA, kappa.to_string())?;
        // Adding zero turns -0 into 0.
        Ok(SourceSpec { people, gamma: gamma + 0.0, kappa: kappa + 0.0, epsilon, permuted: false })
    }

    /// The same, but each arm earns what the next one would in the served world: an adversary of transfer.
    #[must_use]
    pub fn misleading(self) -> SourceSpec {
        SourceSpec { permuted: true, ..self }
    }

    /// How many people it holds.
    pub fn people(&self) -> u64 {
        self.people
    }

    /// The contexts' density is proportional to |x - 1/2|^gamma in the sup norm.
    pub fn gamma(&self) -> f64 {
        self.gamma
    }

    /// How evenly arms were chosen, from 0 to 1 (uniformly).
    pub fn kappa(&self) -> f64 {
        self.kappa
    }

    /// The loss its people agreed to.
    pub fn epsilon(&self) -> Epsilon {
        self.epsilon
    }

    /// Whether each arm earns what the next one should.
    pub fn permuted(&self) -> bool {
        self.permuted
    }
}

const PEOPLE: &str = "a whole number of at most 1000000000000";
const GAMMA: &str = "a number from 0 to 1000";
const KAPPA: &str = "a number from 0 to 1";

impl FromStr for SourceSpec {
    type Err = SourceSpecError;

    fn from_str(text: &str) -> Result<SourceSpec, SourceSpecError> {
        let mut values: [Option<&str>; FIELDS.len()] = [None; FIELDS.len()];
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, value) =
                part.split_once('=').map_or((part, None), |(n, v)| (n.trim(), Some(v.trim())));
            let place = FIELDS.iter().position(|field| *field == name);
            let place = place.ok_or_else(|| SourceSpecError::Unknown(name.to_string()))?;
            let field = FIELDS[place];
            let value = match (field, value) {
                ("permuted", None) => "",
                ("permuted", Some(_)) => {
                    return Err(SourceSpecError::Form(field, "takes no value; leave it out for no"));
                }
                (_, Some(value)) => value,
                (_, None) => return Err(SourceSpecError::Form(field, "needs a value after `=`")),
            };
            if values[place].replace(value).is_some() {
                return Err(SourceSpecError::Repeated(field));
            }
        }
        let [people, gamma, kappa, epsilon, permuted] = values;
        let people = people.ok_or(SourceSpecError::Missing("people"))?;
        let epsilon = epsilon.ok_or(SourceSpecError::Missing("epsilon"))?;
        let people = parsed("people", PEOPLE, people)?;
        let gamma = parsed("gamma", GAMMA, gamma.unwrap_or("0"))?;
        let kappa = parsed("kappa", KAPPA, kappa.unwrap_or("1"))?;
        let spec = SourceSpec::new(people, gamma, kappa, epsilon.parse()?)?;
        Ok(if permuted.is_some() { spec.misleading() } else { spec })
    }
}

fn parsed<T: FromStr>(field: &'static str, range: &'static str, got: &str) -> Result<T, SourceSpecError> {
    got.parse().map_err(|_| SourceSpecError::Range { field, range, got: got.to_string() })
}

impl fmt::Display for SourceSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SourceSpec { people, gamma, kappa, epsilon, permuted } = self;
        write!(f, "people={people},gamma={gamma},kappa={kappa},epsilon={epsilon}")?;
        if *permuted { f.write_str(",permuted") } else { Ok(()) }
    }
}

impl TryFrom<String> for SourceSpec {
    type Error = SourceSpecError;
    fn try_from(text: String) -> Result<SourceSpec, SourceSpecError> {
        text.parse()
    }
}

impl From<SourceSpec> for String {
    fn from(spec: SourceSpec) -> String {
        spec.to_string()
    }
}
