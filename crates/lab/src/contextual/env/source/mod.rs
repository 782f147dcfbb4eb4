//! Auxiliary data sets: people who were served before, by a known policy, and whose contexts may have another law.

mod records;
mod shift;
mod spec;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use reticent_privacy::{Epsilon, SimRng};

pub use records::{Record, Records};
pub use spec::{SourceSpec, SourceSpecError};

use super::data::Table;
use super::law::Law;

/// An auxiliary data set of either kind of world.
#[derive(Debug, Clone)]
pub struct Source {
    label: String,
    behaviour: Vec<f64>,
    made: Made,
}

#[derive(Debug, Clone)]
enum Made {
    MadeUp { spec: SourceSpec, law: Law, dims: usize },
    Group { table: Arc<Table>, index: usize },
}

impl Source {
    pub(super) fn made_up(number: usize, spec: SourceSpec, law: Law, dims: usize) -> Source {
        let behaviour = behaviour(law.arms(), spec.kappa());
        Source { label: format!("source {number}"), behaviour, made: Made::MadeUp { spec, law, dims } }
    }

    /// The group at `index` among those that are not served. Its people were served arms uniformly at random.
    pub(super) fn group(table: &Arc<Table>, index: usize) -> Source {
        let label = format!("group {}", table.sources()[index].0);
        let behaviour = behaviour(table.arms(), 1.0);
        Source { label, behaviour, made: Made::Group { table: Arc::clone(table), index } }
    }

    /// `source 1`, or `group 3` for data.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// How it was made: for results that depend on it.
    pub fn description(&self) -> String {
        match &self.made {
            Made::MadeUp { spec, .. } => spec.to_string(),
            Made::Group { .. } => self.label.clone(),
        }
    }

    /// How many people it holds.
    pub fn people(&self) -> u64 {
        match &self.made {
            Made::MadeUp { spec, .. } => spec.people(),
            Made::Group { table, index } => table.sources()[*index].1.len() as u64,
        }
    }

    /// With which probability its people were served each arm, whatever their context.
    pub fn behaviour(&self) -> &[f64] {
        &self.behaviour
    }

    /// The privacy loss its people agreed to; `None` for a group of data, where the experiment decides.
    pub fn epsilon(&self) -> Option<Epsilon> {
        match &self.made {
            Made::MadeUp { spec, .. } => Some(spec.epsilon()),
            Made::Group { .. } => None,
        }
    }

    /// Its people's records: made up afresh, or the group's rows in a random order with fresh arms.
    pub fn records<'a>(&'a self, rng: &'a mut SimRng) -> Records<'a> {
        match &self.made {
            Made::MadeUp { spec, law, dims } => Records::made_up(*spec, *law, *dims, &self.behaviour, rng),
            Made::Group { table, index } => {
                Records::of_rows(table, &table.sources()[*index].1, &self.behaviour, rng)
            }
        }
    }
}

/// kappa/K + (2 - 2 kappa)/(K(K - 1)) (0, .., K - 1): uniform for kappa = 1, the first arm never for 0 (Section 4.1).
pub(super) fn behaviour(arms: u32, kappa: f64) -> Vec<f64> {
    let k = f64::from(arms);
    (0..arms).map(|arm| kappa / k + (2.0 - 2.0 * kappa) / (k * (k - 1.0)) * f64::from(arm)).collect()
}
