//! Names of arms on the map itself, where there is room: pale colours are
//! hard to tell from others that are bright by nature.

use super::super::palette::PAPER;
use super::super::svg::Svg;
use super::super::text::{Anchor, ROW};
use super::fill::Fill;
use super::grid::Grid;

/// Empty space around a name.
const PAD: f64 = 5.0;
/// Height that a name needs.
const HEIGHT: f64 = 18.0;
/// A place this much wider than high is as good as a wider one.
const SLIM: f64 = 4.0;

/// A place for a name: its middle, and how much room there is.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spot {
    middle: (f64, f64),
    width: f64,
    height: f64,
}

/// Writes each arm's name into the middle of its largest region, if it fits.
pub(super) fn draw(svg: &mut Svg, grid: &Grid, names: &[String]) {
    for (arm, spot) in best_spots(grid, names.len()).into_iter().enumerate() {
        let width = ROW.width(&names[arm]);
        let Some(spot) = spot.filter(|spot| spot.height >= HEIGHT && spot.width >= width + 2.0 * PAD) else {
            continue;
        };
        if names[arm].trim().is_empty() {
            continue;
        }
        let (x, y) = spot.middle;
        let place = [("x", x - width / 2.0 - PAD), ("y", y - HEIGHT / 2.0)];
        let tag =
            svg.tag("rect").nums(place).nums([("width", width + 2.0 * PAD), ("height", HEIGHT), ("rx", 4.0)]);
        tag.attr("fill", PAPER).num("fill-opacity", 0.82).end();
        ROW.write(svg, &names[arm..=arm], (x, y + ROW.half_height()), Anchor::Middle);
    }
}

/// The roomiest place of each arm.
fn best_spots(grid: &Grid, arms: usize) -> Vec<Option<Spot>> {
    let mut best: Vec<Option<Spot>> = vec![None; arms];
    for row in 0..grid.drawn_rows() {
        for (from, to) in grid.runs(row, same_arm) {
            let Fill::Arm { arm, .. } = grid.fills[row * grid.columns + from] else { continue };
            let spot = spot(grid, row, (from, to));
            if best[arm].is_none_or(|best| room(best) < room(spot)) {
                best[arm] = Some(spot);
            }
        }
    }
    best
}

fn same_arm(a: Fill, b: Fill) -> bool {
    match (a, b) {
        (Fill::Arm { arm: a, .. }, Fill::Arm { arm: b, .. }) => a == b,
        _ => a == b,
    }
}

/// Places that are equally good are told apart by their height.
fn room(spot: Spot) -> (f64, f64) {
    (spot.width.min(SLIM * spot.height), spot.height)
}

/// The middle of a run of cells, as high as the arm reaches both up and down.
fn spot(grid: &Grid, row: usize, (from, to): (usize, usize)) -> Spot {
    let column = usize::midpoint(from, to - 1);
    let fill = |row: usize| grid.fills[row * grid.columns + column];
    let reach = |row_at: &dyn Fn(usize) -> Option<usize>| {
        let rows = (1..).map_while(|step| row_at(step).filter(|row| *row < grid.rows));
        rows.take_while(|other| same_arm(fill(*other), fill(row))).count()
    };
    let both = reach(&|step| row.checked_add(step)).min(reach(&|step| row.checked_sub(step)));
    let area = grid.cells(row, from, to);
    Spot {
        middle: (f64::midpoint(area.left, area.right), f64::midpoint(area.top, area.bottom)),
        width: area.right - area.left,
        height: (2 * both + 1) as f64 * grid.row_height(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::frame::Area;
    use super::*;

    #[test]
    fn a_name_stands_in_the_middle_of_its_region() {
        let fill = |i: usize| Fill::certain(usize::from(i % 10 >= 6));
        let area = Area { left: 0.0, top: 0.0, right: 100.0, bottom: 100.0 };
        let grid = Grid { area, columns: 10, rows: 10, fills: (0..100).map(fill).collect() };
        let spots = best_spots(&grid, 3);
        let (left, right) = (spots[0].unwrap(), spots[1].unwrap());
        assert_eq!((left.middle.0, left.width, right.middle.0, right.width), (30.0, 60.0, 80.0, 40.0));
        assert!((40.0..=60.0).contains(&left.middle.1) && left.height >= 60.0 / SLIM, "{left:?}");
        assert_eq!(spots[2], None);
    }
}
