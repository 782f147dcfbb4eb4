//! Who gets which arm, over the two axes that matter most; of the others, the middle.

use reticent_chart::plot::{Cells, MapAxis, MapChart, Panel};
use reticent_schema::experiment::Problem;
use reticent_schema::{AxisView, Encoding, Experiment, Field};
use serde::Deserialize;
use serde_json::Value;

/// What is taken from an insight's map.
#[derive(Deserialize)]
struct Map {
    grid: Vec<usize>,
    best: Vec<u32>,
    probability: Vec<f64>,
    /// The longer, the less an axis matters.
    lengths: Vec<f64>,
}

/// A picture of the map, if the insight has one.
pub(super) fn picture(experiment: &Experiment, insight: &Value) -> Option<MapChart> {
    let Problem::Contextual(problem) = experiment.problem() else { return None };
    let map = Map::deserialize(&insight["map"]).ok()?;
    let encoding = problem.context.encoding().ok()?;
    let axes = axes(&encoding);
    if axes.len() != map.grid.len() {
        return None;
    }
    let shown = map.shown();
    let x = axes[*shown.first()?].clone();
    let y = shown.get(1).map(|&at| axes[at].clone());
    let arms = problem.arms.len() as f64;
    let certainty = |&chance: &f64| ((chance - 1.0 / arms) / (1.0 - 1.0 / arms)).clamp(0.0, 1.0);
    let cells = map.cells(&shown);
    let panel = Panel {
        columns: map.grid[shown[0]],
        rows: shown.get(1).map_or(1, |&at| map.grid[at]),
        cells: Cells::Arms {
            best: cells.iter().map(|&cell| map.best.get(cell).copied()).collect::<Option<_>>()?,
            certainty: cells
                .iter()
                .map(|&cell| map.probability.get(cell).map(certainty))
                .collect::<Option<_>>()?,
        },
        x,
        y,
        ..Panel::default()
    };
    Some(MapChart {
        title: "Who gets which arm".into(),
        subtitle: Some("The arm that is most probably best; the paler, the less is known.".into()),
        panels: vec![panel],
        categories: problem.arms.clone(),
        note: None,
    })
}

impl Map {
    /// One or two axes, in the order of the document.
    fn shown(&self) -> Vec<usize> {
        let mut axes: Vec<usize> = (0..self.grid.len()).collect();
        let length = |at: &usize| self.lengths.get(*at).copied().unwrap_or(f64::INFINITY);
        axes.sort_by(|a, b| length(a).total_cmp(&length(b)));
        axes.truncate(2);
        axes.sort_unstable();
        axes
    }

    /// The cells along these axes, row by row from the bottom. A cell's number counts along the last axis first.
    fn cells(&self, shown: &[usize]) -> Vec<usize> {
        let mut cells = Vec::new();
        for row in 0..shown.get(1).map_or(1, |&at| self.grid[at]) {
            for column in 0..self.grid[shown[0]] {
                let place = |(at, &size): (usize, &usize)| match shown.iter().position(|&one| one == at) {
                    Some(0) => (column, size),
                    Some(_) => (row, size),
                    None => (size / 2, size),
                };
                cells.push(
                    self.grid.iter().enumerate().map(place).fold(0, |cell, (at, size)| cell * size + at),
                );
            }
        }
        cells
    }
}

/// The axes of the grid; levels are told in their order.
fn axes(encoding: &Encoding) -> Vec<MapAxis> {
    let levels = |name: &str| {
        encoding.fields().iter().find_map(|field| match field {
            Field::Category { name: this, levels } if this == name => Some(levels.join(", ")),
            _ => None,
        })
    };
    let axis = |axis: AxisView<'_>| {
        let name = match levels(axis.name) {
            Some(levels) => format!("{}: {levels}", axis.name),
            None => axis.name.to_string(),
        };
        MapAxis { name, low: axis.low, high: axis.high }
    };
    encoding.axes().map(axis).collect()
}
