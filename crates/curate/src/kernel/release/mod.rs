//! `private-kernel`: the whole function released once; predictions cost nothing more.
//!
//! [`Collector`] adds up what people contribute and releases the noisy sum as a [`Release`], which is all
//! that is public. [`Surface`] reads it: the function's mean and a band at any point, and the best action for
//! a context, as often as one likes. The proof is in `guarantee.md`.

mod chosen;
mod collect;
mod design;
mod habits;
mod luck;
mod model;
mod older;
mod posterior;
mod priors;
mod reading;
mod search;
mod sketch;
mod slices;
mod spread;
mod surface;
#[cfg(test)]
mod tests;
mod thompson;

pub use collect::{Collector, ReleaseError, ReleaseLoss};
pub use design::Design;
pub(super) use older::linear_reading;
pub use search::{Choice, Recommended};
pub use sketch::Sketch;
pub use spread::Departure;
pub use surface::{Estimate, People, Surface};

use reticent_privacy::{Delta, Epsilon, Guarantee, Loss, Noise, Provenance};
use serde::{Deserialize, Serialize};

use self::sketch::Parts;
use super::algebra::Singular;
use super::{KernelSpec, Points, Population};

/// The name of the file's format.
const FORMAT: &str = "reticent released function";
/// The version that is written. Older ones are read.
const VERSION: u32 = 3;

/// Everything about the function that anybody may see: safe to publish, and enough to read the function from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Body", into = "Body")]
pub struct Release {
    body: Body,
}

/// A release as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    format: String,
    version: u32,
    /// What version 1 said of its noise: whether it came from the operating system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    private: Option<bool>,
    /// Since version 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    guarantee: Option<Guarantee>,
    epsilon: Epsilon,
    delta: Delta,
    setting: KernelSpec,
    population: Population,
    people: u64,
    /// The noise's standard deviation, as a share of one person's largest contribution.
    sigma: f64,
    /// Since version 3: what each person contributed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parts: Option<Parts>,
    /// Of versions 1 and 2, with the next two: what each person contributed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    regulariser: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    points: Option<Points>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    check: Option<f64>,
    /// The noisy sum of contributions, in steps of 2^-24.
    noisy: Vec<i64>,
}

/// Why a stored release cannot be read.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Something else.
    #[error("this is no released function: its format is not \"{FORMAT}\"")]
    Format,
    /// Made by a later version.
    #[error(
        "the function was released in format {got}, and this program knows up to {VERSION}; use a later one"
    )]
    Version {
        /// The file's version.
        got: u32,
    },
    /// Made by an earlier version, which did not say enough.
    #[error(
        "the function was released in format {got}, from which length scales are not learned; release it anew"
    )]
    Older {
        /// The file's version.
        got: u32,
    },
    /// Parts that do not fit together.
    #[error("the released function is damaged: its {part} does not fit the rest")]
    Damaged {
        /// Which part.
        part: &'static str,
    },
    /// The feature map failed.
    #[error(transparent)]
    Singular(#[from] Singular),
}

impl From<Release> for Body {
    fn from(release: Release) -> Body {
        release.body
    }
}

impl TryFrom<Body> for Release {
    type Error = ReadError;

    fn try_from(body: Body) -> Result<Release, ReadError> {
        if body.format != FORMAT {
            return Err(ReadError::Format);
        }
        if body.version > VERSION {
            return Err(ReadError::Version { got: body.version });
        }
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let setting = &body.setting;
        let sample = match &body.population {
            Population::Uniform => setting.contexts(),
            Population::Sample(sample) => sample.dimensions(),
        };
        let parts = [
            ("version", body.version > 0),
            ("guarantee", body.noise().is_some()),
            ("number of people", body.people > 0),
            ("noise", positive(body.sigma)),
            ("population", sample == setting.contexts()),
            ("list of what people contributed", body.contributed()),
            ("list of noisy numbers", body.numbers() == Some(body.noisy.len())),
        ];
        match parts.iter().find(|(_, fits)| !fits) {
            Some((part, _)) => Err(ReadError::Damaged { part }),
            None => Ok(Release { body }),
        }
    }
}

impl Body {
    /// Whether what people contributed is said as this version says it.
    fn contributed(&self) -> bool {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        match (self.version, &self.parts, self.regulariser, &self.points, self.check) {
            (3.., Some(parts), None, None, None) => parts.fit(&self.setting),
            (1 | 2, None, Some(regulariser), Some(points), Some(_)) => {
                positive(regulariser) && !points.is_empty() && points.dimensions() == self.setting.inputs()
            }
            _ => false,
        }
    }

    /// How many numbers were released.
    fn numbers(&self) -> Option<usize> {
        self.parts.as_ref().map(Parts::numbers).or_else(|| self.points.as_ref().map(Points::len))
    }

    /// Where the noise came from, if it is said as this version says it and agrees with the loss.
    fn noise(&self) -> Option<Noise> {
        match (self.version, self.private, &self.guarantee) {
            (1, Some(true), None) => Some(Provenance::SystemEntropy.into()),
            (1, Some(false), None) => Some(Provenance::Simulation.into()),
            (2.., None, Some(stated)) => {
                let made = promise(self.epsilon, self.delta).made_with(stated.noise);
                (stated.noise != Noise::NotDrawn && stated.agrees_with(&made)).then_some(stated.noise)
            }
            _ => None,
        }
    }
}

impl Release {
    fn new(sketch: &Sketch, budget: &ReleaseLoss, noisy: Vec<i64>, noise: Provenance) -> Release {
        let body = Body {
            format: FORMAT.into(),
            version: VERSION,
            private: None,
            guarantee: Some(promise(budget.epsilon, budget.delta).made_with(noise)),
            epsilon: budget.epsilon,
            delta: budget.delta,
            setting: sketch.setting().clone(),
            population: sketch.population().clone(),
            people: sketch.people(),
            sigma: budget.sigma(),
            parts: Some(sketch.parts().clone()),
            regulariser: None,
            points: None,
            check: None,
            noisy,
        };
        Release { body }
    }

    /// The sketch that the release was made with, since version 3.
    pub(in crate::kernel) fn sketch(&self) -> Option<Sketch> {
        let Body { setting, population, people, parts, .. } = &self.body;
        parts.as_ref().map(|parts| Sketch::again(setting, population, *people, parts))
    }

    /// The design that a release of version 1 or 2 was made with.
    pub(super) fn design(&self, threads: usize) -> Result<Design, ReadError> {
        let Body { setting, population, people, regulariser, points, .. } = &self.body;
        let (Some(regulariser), Some(points)) = (*regulariser, points.clone()) else {
            return Err(ReadError::Damaged { part: "list of what people contributed" });
        };
        let design = Design::again(setting, population, *people, points, regulariser, threads)?;
        self.fits(&design)?;
        Ok(design)
    }

    fn fits(&self, design: &Design) -> Result<(), ReadError> {
        let check = design.check();
        let stored = self.body.check.unwrap_or(f64::NAN);
        let same = design.rank() == self.rank() && (check - stored).abs() <= 1e-6 * check.abs();
        if same { Ok(()) } else { Err(ReadError::Damaged { part: "design" }) }
    }

    pub(super) fn sigma(&self) -> f64 {
        self.body.sigma
    }

    /// What the release promises, for all predictions together: nothing, if its noise came from a seed.
    pub fn guarantee(&self) -> Guarantee {
        promise(self.body.epsilon, self.body.delta).made_with(self.body.noise().unwrap_or(Noise::NotStated))
    }

    /// The version of the format that it was released in.
    pub fn version(&self) -> u32 {
        self.body.version
    }

    /// Whether there is as much noise in it as its loss needs.
    pub fn has_enough_noise(&self) -> bool {
        let needed = ReleaseLoss::new(self.body.epsilon, self.body.delta).map(|loss| loss.sigma());
        needed.is_ok_and(|needed| self.body.sigma >= needed * (1.0 - ROUNDING))
    }

    /// The plan.
    pub fn setting(&self) -> &KernelSpec {
        &self.body.setting
    }

    /// How many people it was learned from.
    pub fn people(&self) -> u64 {
        self.body.people
    }

    /// How many numbers were released.
    pub fn rank(&self) -> usize {
        self.body.noisy.len()
    }

    /// The released numbers, in steps of 2^-24: the whole of what the mechanism gave.
    pub fn noisy(&self) -> &[i64] {
        &self.body.noisy
    }
}

/// What a computed noise may fall short by, as a share of it.
const ROUNDING: f64 = 1e-9;

/// What a release under this budget promises, with noise from the operating system.
pub fn promise(epsilon: Epsilon, delta: Delta) -> Guarantee {
    Guarantee::central(
        Loss::Approximate { epsilon, delta },
        "one person's context and reward",
        "logs in which one person's context and reward are replaced; actions are drawn without looking and may be known",
        "crates/curate/src/kernel/release/guarantee.md",
    )
}
