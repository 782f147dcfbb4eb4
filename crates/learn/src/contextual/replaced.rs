//! Cells change when better ones are known; reports that were asked about earlier ones are still taken.

use reticent_protocol::contextual::{AxisCells, Grid, Plan};
use serde::{Deserialize, Serialize};

use super::belief::Belief;
use super::kernel::Kernel;
use super::regrid::Regrid;
use super::statistics::Statistics;
use super::systems::Systems;
use super::tally::{Arms, Expected, Tally};
use super::{Contextual, cells, questions};

/// Cells are looked at when so many groups could be told apart, by the rule of questions ...
const FIRST_GROUPS: f64 = 12.0;
/// ... and again after so many times as many people.
const GROWTH: u64 = 3;
/// So many grids are remembered: people triple forty times before there are more of them than there will ever be.
pub(super) const MOST_REPLACED: usize = 41;
/// From here on questions do not take cells together, so that numbers need no powers of two.
const WITHOUT_GROUPS: f64 = 10.0;

/// Cells that were replaced, with where people were believed to be.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Replaced {
    grid: Grid,
    /// None if they are the experiment's.
    cells: Option<Vec<AxisCells>>,
    even: Vec<f64>,
    masses: Vec<f64>,
    source_masses: Vec<Vec<f64>>,
}

/// The same in a document.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stored {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) cells: Option<Vec<AxisCells>>,
    even: Vec<f64>,
    masses: Vec<f64>,
    source_masses: Vec<Vec<f64>>,
}

impl Replaced {
    pub(super) fn grid(&self) -> &Grid {
        &self.grid
    }

    pub(super) fn stored(&self) -> Stored {
        let Replaced { cells, even, masses, source_masses, .. } = self.clone();
        Stored { cells, even, masses, source_masses }
    }
}

impl Stored {
    /// Of this grid, if nothing is wrong with it.
    pub(super) fn checked(self, grid: Grid, sources: usize) -> Option<Replaced> {
        let Stored { cells, even, masses, source_masses } = self;
        let many = grid.cells();
        let are_shares = |masses: &Vec<f64>| {
            masses.len() == many
                && masses.iter().all(|mass| *mass > 0.0)
                && (masses.iter().sum::<f64>() - 1.0).abs() < 1e-6
        };
        let sound = source_masses.len() == sources
            && [&even, &masses].into_iter().chain(&source_masses).all(are_shares);
        sound.then_some(Replaced { grid, cells, even, masses, source_masses })
    }
}

/// What reports are counted by.
pub(super) struct Folding<'a> {
    pub(super) grid: &'a Grid,
    pub(super) replaced: &'a [Replaced],
    pub(super) belief: &'a Belief,
}

impl Folding<'_> {
    /// Adds a policy's counts to the statistics, whatever cells it has; of a source, or of the target.
    pub(super) fn fold(
        &self,
        plan: &Plan,
        tally: &mut Tally,
        arms: Arms<'_>,
        source: Option<usize>,
        into: &mut Statistics,
    ) {
        if tally.reports() == 0 {
            return;
        }
        if plan.grid() == self.grid {
            let masses = source.map_or(&self.belief.masses, |source| &self.belief.source_masses[source]);
            let expected = Expected { masses, even: &self.belief.even(), arms, mean: &self.belief.mean };
            return tally.fold(plan, &expected, into);
        }
        // An agent's policies are of cells that it has or had.
        let Some(before) = self.replaced.iter().find(|before| before.grid == *plan.grid()) else { return };
        let masses = source.map_or(&before.masses, |source| &before.source_masses[source]);
        let way = Regrid::new(&before.grid, masses, self.grid);
        let mean: Vec<Vec<f64>> = self.belief.mean.iter().map(|mean| way.back(masses, mean)).collect();
        let mut counted = Statistics::new(masses.len(), mean.len() as u32);
        tally.fold(plan, &Expected { masses, even: &before.even, arms, mean: &mean }, &mut counted);
        into.add(&way.statistics(&counted, masses, &before.even));
    }
}

impl Contextual {
    /// Goes on with better cells if there are any, and learns again.
    pub(super) fn with_better_cells(&mut self) -> Option<Systems> {
        let epsilon = self.spec.epsilon();
        let told = questions::groups(self.spec.grid(), self.people as f64, epsilon);
        if told < FIRST_GROUPS
            || self.people < GROWTH * self.regridded
            || self.replaced.len() >= MOST_REPLACED
        {
            return None;
        }
        self.regridded = self.people;
        let (limit, halves) = (self.spec.grid().cells(), epsilon.value() < WITHOUT_GROUPS);
        let (encoding, belief) = (self.spec.encoding(), &self.belief);
        let known = cells::Known { grid: &self.grid, masses: &belief.masses, mean: &belief.mean };
        let better = cells::better(encoding, &known, limit, halves)?;
        let grid = Grid::of(encoding, better)?;
        self.move_to(grid);
        Some(self.learn(true, false))
    }

    fn move_to(&mut self, grid: Grid) {
        let way = Regrid::new(&self.grid, &self.belief.masses, &grid);
        let sources: Vec<Regrid> =
            self.belief.source_masses.iter().map(|masses| Regrid::new(&self.grid, masses, &grid)).collect();
        let kernel = Kernel::new(&self.spec, &grid);
        let belief = self.belief.moved(&way, &sources, &self.kernel, &kernel);
        let even = self.belief.even();
        self.target = way.statistics(&self.target, &self.belief.masses, &even);
        for ((statistics, way), masses) in
            self.sources.iter_mut().zip(&sources).zip(&self.belief.source_masses)
        {
            *statistics = way.statistics(statistics, masses, &even);
        }
        let before = std::mem::replace(&mut self.belief, belief);
        let cells = self.own_cells();
        let Belief { masses, source_masses, .. } = before;
        let grid = std::mem::replace(&mut self.grid, grid);
        self.replaced.push(Replaced { grid, cells, even, masses, source_masses });
        self.kernel = kernel;
        self.remembered = super::Remembered::default();
    }
}
