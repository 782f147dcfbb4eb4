//! What was learned as a picture: the best arm for each context, how sure that is, and the truth where it is known.

use reticent_learn::contextual::Insight;
use reticent_protocol::contextual::Grid;

use super::env::World;
use super::{Experiment, Run};
use crate::runner::LabError;
use reticent_chart::plot::{Cells, MapAxis, MapChart, Panel};

/// What the first trial's agent knows at the end; `None` for agents that cannot tell.
pub fn learned(experiment: &Experiment) -> Result<Option<Insight>, LabError> {
    let mut run = Run::start(experiment, 0)?;
    run.complete(experiment, &|_| true)?;
    Ok(run.insight())
}

/// Places of the third axis at which slices are shown.
const SLICES: usize = 3;

/// Two axes of the grid at fixed places of the others.
struct Slice {
    axes: Vec<usize>,
    /// The place on each axis; those of `axes` are replaced.
    at: Vec<u32>,
    label: String,
}

/// Maps of what was learned: along one axis as strips, in the plane, or in slices through the two axes that
/// matter most.
pub fn map_chart(insight: &Insight, world: &World, title: &str, subtitle: String, note: String) -> MapChart {
    let slices = slices(insight);
    let learned =
        slices.iter().map(|slice| slice.panel(insight, world, "learned", |cell| arm(insight, cell)));
    let unsure = slices
        .iter()
        .map(|slice| slice.levels(insight, world, "uncertainty", |cell| deviation(insight, cell)));
    let mut panels: Vec<Panel> = learned.chain(unsure).collect();
    if truth(insight, world, 0).is_some() {
        let known = |cell: usize| (truth(insight, world, cell).unwrap_or(0), 1.0);
        panels.extend(slices.iter().map(|slice| slice.panel(insight, world, "truth", known)));
    }
    let categories = world.labels().to_vec();
    MapChart { title: title.to_string(), subtitle: Some(subtitle), panels, categories, note: Some(note) }
}

/// The best arm, and how certain it is: 0 for a guess among all arms, 1 for certainty.
fn arm(insight: &Insight, cell: usize) -> (u32, f64) {
    let guess = 1.0 / insight.arms.len() as f64;
    (insight.best[cell], ((insight.probability[cell] - guess) / (1.0 - guess)).clamp(0.0, 1.0))
}

/// The deviation of the best arm's reward.
fn deviation(insight: &Insight, cell: usize) -> f64 {
    insight.arms[insight.best[cell] as usize].deviation[cell]
}

/// The arm that is best in the middle of a cell.
fn truth(insight: &Insight, world: &World, cell: usize) -> Option<u32> {
    if insight.grid.len() != world.dims() {
        return None;
    }
    let places = Grid::new(insight.grid.clone())?.places(cell);
    let middle: Vec<f64> =
        places.iter().zip(&insight.grid).map(|(&p, &size)| (f64::from(p) + 0.5) / f64::from(size)).collect();
    let means = world.means(&middle)?;
    let best = (1..means.len()).fold(0, |best, arm| if means[arm] > means[best] { arm } else { best });
    Some(best as u32)
}

/// One slice for one or two axes; three through the third axis that matters for more.
fn slices(insight: &Insight) -> Vec<Slice> {
    let mut order: Vec<usize> = (0..insight.grid.len()).filter(|&axis| insight.grid[axis] > 1).collect();
    if order.len() > 2 {
        order.sort_by(|&a, &b| insight.lengths[a].total_cmp(&insight.lengths[b]).then(a.cmp(&b)));
    }
    let middle: Vec<u32> = insight.grid.iter().map(|&size| size / 2).collect();
    let mut axes: Vec<usize> = order.iter().copied().take(2).collect();
    axes.sort_unstable();
    let Some(&third) = order.get(2) else {
        return vec![Slice { axes, at: middle, label: String::new() }];
    };
    let size = insight.grid[third];
    let count = SLICES.min(size as usize) as u32;
    (0..count)
        .map(|i| {
            let mut at = middle.clone();
            at[third] = (2 * i + 1) * size / (2 * count);
            let value = (f64::from(at[third]) + 0.5) / f64::from(size);
            Slice { axes: axes.clone(), at, label: format!(", x{} = {value:.2}", third + 1) }
        })
        .collect()
}

impl Slice {
    /// The cells of this slice, row by row from the bottom.
    fn cells(&self, grid: &[u32]) -> Vec<usize> {
        let size = |i: usize| self.axes.get(i).map_or(1, |&axis| grid[axis]);
        let mut cells = Vec::new();
        for row in 0..size(1) {
            for column in 0..size(0) {
                let mut at = self.at.clone();
                for (&axis, place) in self.axes.iter().zip([column, row]) {
                    at[axis] = place;
                }
                cells.push(
                    grid.iter()
                        .zip(&at)
                        .fold(0, |cell, (&size, &place)| cell * size as usize + place as usize),
                );
            }
        }
        cells
    }

    fn frame(&self, grid: &[u32], world: &World, title: &str, cells: Cells) -> Panel {
        let ranges = world.ranges();
        let axis = |i: usize| {
            self.axes.get(i).map(|&axis| {
                let (low, high) =
                    ranges.get(axis).copied().filter(|_| grid.len() == ranges.len()).unwrap_or((0.0, 1.0));
                MapAxis { name: format!("x{}", axis + 1), low, high }
            })
        };
        let size = |i: usize| self.axes.get(i).map_or(1, |&axis| grid[axis] as usize);
        let x = axis(0).unwrap_or(MapAxis { name: "x1".into(), low: 0.0, high: 1.0 });
        Panel {
            title: format!("{title}{}", self.label),
            x,
            y: axis(1),
            columns: size(0),
            rows: size(1),
            cells,
            line: Vec::new(),
        }
    }

    fn panel(
        &self,
        insight: &Insight,
        world: &World,
        title: &str,
        of: impl Fn(usize) -> (u32, f64),
    ) -> Panel {
        let (best, certainty) = self.cells(&insight.grid).into_iter().map(of).unzip();
        self.frame(&insight.grid, world, title, Cells::Arms { best, certainty })
    }

    fn levels(&self, insight: &Insight, world: &World, title: &str, of: impl Fn(usize) -> f64) -> Panel {
        let values = self.cells(&insight.grid).into_iter().map(of).collect();
        let label = "deviation of the best arm's reward".to_string();
        self.frame(&insight.grid, world, title, Cells::Level { values, label })
    }
}
