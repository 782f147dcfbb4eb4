//! Cells change when better ones are known; reports that were asked about earlier ones are still taken.

use reticent_protocol::contextual::{AxisCells, Grid};
use serde::{Deserialize, Serialize};

use super::belief::{Belief, Remembered};
use super::kernel::Kernel;
use super::regrid::Regrid;
use super::statistics::Statistics;
use super::systems::Systems;
use super::tally::{Arms, Expected, Shown};
use super::{Contextual, Open, cells, questions};

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
}

/// The same in a document.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stored {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) cells: Option<Vec<AxisCells>>,
    even: Vec<f64>,
    masses: Vec<f64>,
}

impl Replaced {
    pub(super) fn grid(&self) -> &Grid {
        &self.grid
    }

    pub(super) fn stored(&self) -> Stored {
        let Replaced { cells, even, masses, .. } = self.clone();
        Stored { cells, even, masses }
    }
}

impl Stored {
    /// Of this grid, if nothing is wrong with it.
    pub(super) fn checked(self, grid: Grid) -> Option<Replaced> {
        let Stored { cells, even, masses } = self;
        let many = grid.cells();
        let are_shares = |masses: &Vec<f64>| {
            masses.len() == many
                && masses.iter().all(|mass| *mass > 0.0)
                && (masses.iter().sum::<f64>() - 1.0).abs() < 1e-6
        };
        let sound = are_shares(&even) && are_shares(&masses);
        sound.then_some(Replaced { grid, cells, even, masses })
    }
}

impl Contextual {
    /// Adds the counts of all policies to the statistics, whatever cells they have.
    pub(super) fn fold_policies(&mut self) {
        let (belief, shown) = (&self.belief, Shown::of(&self.spec));
        let (arms, even) = (Arms::Mapped(shown), belief.even());
        for Open { plan, tally, .. } in &mut self.open {
            self.guard.review(plan, tally);
            if tally.reports() == 0 {
                continue;
            }
            if *plan.grid() == self.grid {
                let expected = Expected { masses: &belief.masses, even: &even, arms, mean: &belief.mean };
                tally.fold(plan, &expected, &mut self.target);
                continue;
            }
            // An agent's policies are of cells that it has or had.
            let Some(before) = self.replaced.iter().find(|before| before.grid == *plan.grid()) else {
                continue;
            };
            let Replaced { masses, even, .. } = before;
            let way = Regrid::new(&before.grid, masses, &self.grid);
            let mean: Vec<Vec<f64>> = belief.mean.iter().map(|mean| way.back(masses, mean)).collect();
            let mut counted = Statistics::new(masses.len(), self.spec.arms());
            tally.fold(plan, &Expected { masses, even, arms, mean: &mean }, &mut counted);
            self.target.add(&way.statistics(&counted, masses, even));
        }
    }

    /// Goes on with better cells if there are any, and learns again. Where there are sources cells stay: how their
    /// people are spread within a cell they were never asked.
    pub(super) fn with_better_cells(&mut self) -> Option<Systems> {
        let epsilon = self.spec.epsilon();
        let told = questions::groups(self.spec.grid(), self.people as f64, epsilon);
        let is_time = told >= FIRST_GROUPS && self.people >= GROWTH * self.regridded;
        if !is_time || !self.sources.is_empty() || self.replaced.len() >= MOST_REPLACED {
            return None;
        }
        self.regridded = self.people;
        let (limit, halves) = (self.spec.grid().cells(), epsilon.value() < WITHOUT_GROUPS);
        let (encoding, belief) = (self.spec.encoding(), &self.belief);
        let known = cells::Known { grid: &self.grid, masses: &belief.masses, mean: &belief.mean };
        let better = cells::better(encoding, &known, limit, halves)?;
        self.move_to(Grid::of(encoding, better)?);
        Some(self.learn(true, false))
    }

    fn move_to(&mut self, grid: Grid) {
        let way = Regrid::new(&self.grid, &self.belief.masses, &grid);
        let kernel = Kernel::new(&self.spec, &grid);
        let belief = self.belief.moved(&way, &self.kernel, &kernel);
        let (even, cells) = (self.belief.even(), self.own_cells());
        let Belief { masses, .. } = std::mem::replace(&mut self.belief, belief);
        self.target = way.statistics(&self.target, &masses, &even);
        let grid = std::mem::replace(&mut self.grid, grid);
        // Of other cells there are no policies any more whose reports are taken.
        self.replaced.retain(|before| self.open.iter().any(|open| *open.plan.grid() == before.grid));
        self.replaced.push(Replaced { grid, cells, even, masses });
        (self.kernel, self.remembered) = (kernel, Remembered::default());
    }
}
