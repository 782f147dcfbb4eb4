//! Everything that can be run by name says the same things about itself.

use std::error::Error;

use reticent_privacy::{Epsilon, Guarantee};
use serde::Serialize;

use crate::runner::LabError;

/// Where a method comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// A non-private baseline.
    Baseline,
    /// A paper's algorithm with the paper's constants.
    Faithful,
    /// Ours.
    Ours,
}

/// Which rewards a method is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rewards {
    /// Rewards in [0, 1]; others are clipped on the device.
    Unit,
    /// Any real rewards.
    Unbounded,
}

/// An agent, a design or a method of one problem, by name.
pub trait Named: Copy + PartialEq + 'static {
    /// All of them, in the order in which they are shown.
    const ALL: &'static [Self];
    /// The one to take.
    const DEFAULT: Self;

    /// The name on the command line and in files.
    fn name(self) -> &'static str;

    /// One line on what it is.
    fn summary(self) -> &'static str;

    /// Where it comes from.
    fn origin(self) -> Origin;

    /// What it promises each person at this loss.
    fn guarantee(self, epsilon: Epsilon) -> Result<Guarantee, Box<dyn Error + Send + Sync>>;

    /// Which rewards it is made for.
    fn rewards(self) -> Rewards {
        Rewards::Unit
    }

    /// Whether it learns from auxiliary sources.
    fn uses_sources(self) -> bool {
        false
    }

    /// The one of this name.
    fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.name() == name)
    }
}

/// Below this likeness a name is another name, not a slip.
const ALIKE: f64 = 0.65;

/// ` (did you mean X?)` if one of the names is like what was written, else nothing.
pub fn did_you_mean<'a>(written: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let alike = names.into_iter().map(|name| (strsim::normalized_damerau_levenshtein(written, name), name));
    let nearest =
        alike.filter(|(likeness, _)| *likeness >= ALIKE).max_by(|one, other| one.0.total_cmp(&other.0));
    nearest.map_or_else(String::new, |(_, name)| format!(" (did you mean {name}?)"))
}

/// What a method promises in an experiment. One that needs no loss promises nothing, whatever it is.
pub(crate) fn promise<N: Named>(method: N, epsilon: Option<Epsilon>) -> Result<Guarantee, LabError> {
    method.guarantee(epsilon.unwrap_or(Epsilon::MAX)).map_err(LabError::Player)
}
