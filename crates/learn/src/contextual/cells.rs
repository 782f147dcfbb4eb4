//! Which cells are worth telling apart: narrow ones where the best arm changes and people are, wide ones elsewhere.
//!
//! People of a cell get one arm, so what rewards vary within it is lost. How much that is follows from what is believed
//! of neighbouring cells. Along a number, cells of width h hide h^2 / 12 times the squared slope, so that their density
//! should go with the cube root of people times squared slope (Panter and Dite 1951); levels of a category are put
//! together where they differ least (Ward 1963). Axes get more cells in turn, always the one that then hides least for
//! each, until there is no room.

mod axis;
mod levels;
#[cfg(test)]
mod tests;

use reticent_protocol::contextual::{AxisCells, Grid};
use reticent_schema::{AxisKind, Encoding};

use axis::Axis;

/// What neighbouring cells differ by may be wrong, and is not known of axes that have one cell: each axis is taken to
/// hide at least this share of what all of them do.
const DOUBT: f64 = 0.02;
/// Cells with the same best arm count for so much less.
const ALIKE: f64 = 0.25;
/// Putting levels together takes time of their number cubed; with more of them cells stay as they are.
const MOST_LEVELS: usize = 512;
/// Other cells are taken if they hide no more than this share of what the present ones do.
const WORTHWHILE: f64 = 0.8;

/// What is known of rewards in some cells.
pub(super) struct Known<'a> {
    pub(super) grid: &'a Grid,
    pub(super) masses: &'a [f64],
    /// For each arm its mean in each cell.
    pub(super) mean: &'a [Vec<f64>],
}

/// Better cells than the present ones, of which there are no more than `limit`, and numbers have powers of two if
/// `halves`; none if the present ones are about as good.
pub(super) fn better(
    encoding: &Encoding,
    known: &Known<'_>,
    limit: usize,
    halves: bool,
) -> Option<Vec<AxisCells>> {
    let kinds = encoding.axes().map(|axis| axis.kind);
    if kinds.clone().any(|kind| matches!(kind, AxisKind::Category(levels) if levels > MOST_LEVELS)) {
        return None;
    }
    let mut axes: Vec<Axis> = kinds.enumerate().map(|(at, kind)| Axis::new(known, at, kind)).collect();
    let all: f64 = axes.iter().map(Axis::all_hidden).sum();
    for axis in &mut axes {
        axis.doubt(DOUBT * all);
    }
    let mut found: Vec<(AxisCells, f64)> = axes.iter().map(|axis| axis.cells(1)).collect();
    let mut open: Vec<usize> = (0..axes.len()).collect();
    while let Some((axis, next)) = best_step(&axes, &found, &open, halves) {
        let others = (0..axes.len()).filter(|&other| other != axis);
        let others: usize = others.map(|other| found[other].0.size() as usize).product();
        if next.0.size() as usize * others > limit {
            open.retain(|&other| other != axis);
        } else {
            found[axis] = next;
        }
    }
    let after: f64 = found.iter().map(|(_, hidden)| hidden).sum();
    let before: f64 = axes.iter().zip(known.grid.axes()).map(|(axis, cells)| axis.hidden_by(cells)).sum();
    (after < WORTHWHILE * before).then(|| found.into_iter().map(|(cells, _)| cells).collect())
}

/// The axis of those that are open whose next cells take most away of what is hidden, for the room that they need.
fn best_step(
    axes: &[Axis],
    found: &[(AxisCells, f64)],
    open: &[usize],
    halves: bool,
) -> Option<(usize, (AxisCells, f64))> {
    let step = |&axis: &usize| {
        let (cells, hidden) = &found[axis];
        let now = cells.size();
        let score = |(next, after): &(AxisCells, f64)| {
            (hidden - after) / libm::log(f64::from(next.size()) / f64::from(now))
        };
        let nexts = axes[axis].next_sizes(now, halves).into_iter().map(|size| axes[axis].cells(size));
        let nexts = nexts.filter(|(cells, _)| cells.size() > now).map(|next| (score(&next), next));
        let best = nexts.reduce(|a, b| if b.0 > a.0 { b } else { a });
        best.map(|(score, next)| (score, axis, next))
    };
    let best = open.iter().filter_map(step).reduce(|a, b| if b.0 > a.0 { b } else { a })?;
    (best.0 > 0.0).then_some((best.1, best.2))
}

impl Known<'_> {
    /// The arm that is best in a cell.
    fn leader(&self, cell: usize) -> usize {
        let arms = self.mean.len();
        (1..arms).fold(0, |best, arm| if self.mean[arm][cell] > self.mean[best][cell] { arm } else { best })
    }

    /// By how much two cells differ in what decides between arms, squared.
    fn difference(&self, a: usize, b: usize) -> f64 {
        let change = |mean: &Vec<f64>| mean[a] - mean[b];
        let arms = self.mean.len() as f64;
        let common = self.mean.iter().map(change).sum::<f64>() / arms;
        let square: f64 =
            self.mean.iter().map(|mean| (change(mean) - common) * (change(mean) - common)).sum();
        if self.leader(a) == self.leader(b) { ALIKE * square } else { square }
    }
}
