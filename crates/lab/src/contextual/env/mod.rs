//! Worlds of contextual bandits: people with a context, arms whose mean reward depends on it, and auxiliary sources.
//!
//! Some worlds are made up, so that their mean rewards are known and regret can be measured; any classification file
//! becomes one more, in which the right label earns 1 and what is counted is mistakes (Section 4.2 of the paper).

mod crowd;
mod data;
mod error;
mod gap;
mod identity;
mod law;
mod source;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use reticent_privacy::SimRng;
use reticent_schema::Field;

pub use crowd::{Crowd, Person};
pub use data::{DataFault, MAX_LABELS};
pub use error::WorldError;
pub use identity::Identity;
pub use source::{Record, Records, Source, SourceSpec, SourceSpecError};

use data::Table;
use law::Law;

/// `Debug` for what belongs to people: it names the type and shows nothing, so that no log can.
macro_rules! private_debug {
    ($name:ident $(<$life:lifetime>)?) => {
        impl std::fmt::Debug for $name $(<$life>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(concat!(stringify!($name), " { .. }"))
            }
        }
    };
}
use private_debug;

/// The most coordinates of a context.
pub const MAX_DIMS: usize = 1000;
/// The most arms of a made-up world.
pub const MAX_ARMS: u32 = 50;

/// What can be asked of a world; what is left out has the world's own default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WorldOptions {
    /// Coordinates of the context: made-up worlds only (default 2).
    pub dims: Option<usize>,
    /// Arms: `exponential` and `exponential-code` only (default 3).
    pub arms: Option<u32>,
    /// The group that is served, while the others become sources: data only (default: all rows are served).
    pub target_group: Option<u32>,
}

/// A contextual bandit world.
#[derive(Debug, Clone)]
pub struct World {
    name: String,
    labels: Vec<String>,
    made: Made,
}

#[derive(Debug, Clone)]
enum Made {
    /// Contexts uniform on the unit cube.
    MadeUp {
        law: Law,
        dims: usize,
    },
    Data(Arc<Table>),
}

impl World {
    /// The made-up worlds.
    pub const NAMES: [&str; 10] = law::NAMES;
    /// One line on each of them.
    pub const SUMMARIES: [&str; 10] = [
        "contexts uniform, rewards bumps along x1 with centres k/K, as in the text of Ma et al. 2025",
        "the same with centres (k+1)/(K+1), as in the authors' code",
        "2 arms, best by the sign of (x1 - 1/2)(x2 - 1/2): no axis alone says anything",
        "people in six tight clusters of the plane, 3 arms, the best one by cluster",
        "20 levels and 2 numbers, 4 arms, the best one by level alone",
        "10 arms, one of them better by 0.05 for everybody",
        "5 numbers of which 2 matter, 3 arms",
        "2 numbers of which the first says which of 2 arms is better, by 0.4",
        "the same, with the boundary in the middle",
        "2 numbers, 2 arms, the best one by four quarters that do not meet in the middle",
    ];

    /// One of [`NAMES`](World::NAMES), or `data:FILE.csv` (or `.csv.gz`).
    pub fn open(name: &str, options: &WorldOptions) -> Result<World, WorldError> {
        if let Some(file) = name.strip_prefix("data:") {
            if options.dims.is_some() || options.arms.is_some() {
                return Err(WorldError::FileDecides);
            }
            let table = Table::read(Path::new(file), options.target_group)?;
            let labels = (0..table.arms()).map(|label| format!("label {label}")).collect();
            return Ok(World { name: name.to_string(), labels, made: Made::Data(Arc::new(table)) });
        }
        let law = Law::named(name, options.arms)?;
        if options.target_group.is_some() {
            return Err(WorldError::NoGroups(name.to_string()));
        }
        if law.own_dims().is_some() && options.dims.is_some() {
            return Err(WorldError::FixedWorld(name.to_string()));
        }
        let dims = law.own_dims().or(options.dims).unwrap_or(2);
        if !(1..=MAX_DIMS).contains(&dims) {
            return Err(WorldError::Dims(dims));
        }
        let labels = (0..law.arms()).map(|arm| format!("arm {arm}")).collect();
        Ok(World { name: name.to_string(), labels, made: Made::MadeUp { law, dims } })
    }

    /// Whether a name is one of ours: a made-up world's, or a data file's.
    pub fn is_name(name: &str) -> bool {
        name.starts_with("data:") || law::NAMES.contains(&name)
    }

    /// The name it was opened by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Coordinates of a context.
    pub fn dims(&self) -> usize {
        match &self.made {
            Made::MadeUp { dims, .. } => *dims,
            Made::Data(table) => table.dims(),
        }
    }

    /// How many arms there are.
    pub fn arms(&self) -> u32 {
        self.labels.len() as u32
    }

    /// The arms' names.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// How many people there are: as many as rows are served for data, `None` (no end) for made-up worlds.
    pub fn people(&self) -> Option<u64> {
        match &self.made {
            Made::MadeUp { .. } => None,
            Made::Data(table) => Some(table.target().len() as u64),
        }
    }

    /// The smallest and the largest value of each coordinate: of all rows for data, 0 and 1 for made-up worlds.
    pub fn ranges(&self) -> Vec<(f64, f64)> {
        match &self.made {
            Made::MadeUp { .. } => self.fields().iter().map(ends).collect(),
            Made::Data(table) => table.ranges().to_vec(),
        }
    }

    /// Whether it is made up, with all contexts in the unit cube.
    pub fn is_unit_cube(&self) -> bool {
        matches!(self.made, Made::MadeUp { .. })
            && self.ranges().iter().all(|&(low, high)| low >= 0.0 && high <= 1.0)
    }

    /// What each coordinate is. A level is a coordinate of its place plus one half.
    pub fn fields(&self) -> Vec<Field> {
        match &self.made {
            Made::MadeUp { law, dims } => law.fields(*dims),
            Made::Data(table) => table.fields(),
        }
    }

    /// What the results of this world depend on.
    pub fn identity(&self) -> Identity {
        match &self.made {
            Made::MadeUp { law, dims } => law.identity(*dims),
            Made::Data(table) => table.identity(),
        }
    }

    /// The mean reward of each arm at `x`, which has [`dims`](World::dims) coordinates; `None` for data,
    /// where nobody knows.
    pub fn means(&self, x: &[f64]) -> Option<Vec<f64>> {
        match &self.made {
            Made::MadeUp { law, .. } => Some((0..law.arms()).map(|arm| law.mean(arm, x)).collect()),
            Made::Data(_) => None,
        }
    }

    /// A new stream of `people` people: fresh contexts, or the served rows in a fresh random order, drawn here and
    /// now; if there are fewer rows than people, each is any row.
    pub fn crowd(&self, people: u64, rng: &mut SimRng) -> Crowd {
        match &self.made {
            Made::MadeUp { law, dims } => Crowd::made_up(*law, *dims),
            Made::Data(table) => Crowd::of_rows(Arc::clone(table), people, rng),
        }
    }

    /// The auxiliary data sets: one for each spec in a made-up world; in data every group but the served one,
    /// in the order of their numbers, and no specs are taken.
    pub fn sources(&self, specs: &[SourceSpec]) -> Result<Vec<Source>, WorldError> {
        match &self.made {
            Made::MadeUp { law, .. } if law.own_dims().is_some() && !specs.is_empty() => {
                Err(WorldError::NoMadeUpSources)
            }
            Made::MadeUp { law, dims } => {
                Ok(specs.iter().zip(1..).map(|(&spec, i)| Source::made_up(i, spec, *law, *dims)).collect())
            }
            Made::Data(_) if !specs.is_empty() => Err(WorldError::SourcesAreGroups),
            Made::Data(table) => Ok((0..table.sources().len()).map(|i| Source::group(table, i)).collect()),
        }
    }

    /// The propensity of each arm in a source of the given `kappa`: kappa/K + (2 - 2 kappa)/(K(K - 1)) (0, .., K - 1).
    pub fn behaviour(&self, kappa: f64) -> Vec<f64> {
        source::behaviour(self.arms(), kappa)
    }
}

/// The ends of a coordinate.
fn ends(field: &Field) -> (f64, f64) {
    match field {
        Field::Numeric { low, high, .. } => (*low, *high),
        Field::Category { levels, .. } => (0.0, levels.len() as f64),
    }
}
