//! What cells are chosen, and by what.

use super::*;
use reticent_schema::Field;

fn numbers(axes: usize) -> Encoding {
    Encoding::unit(axes).unwrap()
}

/// Two arms, of which the first is better by `lead` of a cell's middle.
fn means(grid: &Grid, lead: impl Fn(&[f64]) -> f64) -> Vec<Vec<f64>> {
    let lead: Vec<f64> = (0..grid.cells()).map(|cell| lead(&grid.middle(cell))).collect();
    vec![lead.iter().map(|lead| lead / 2.0).collect(), lead.iter().map(|lead| -lead / 2.0).collect()]
}

fn even(cells: usize) -> Vec<f64> {
    vec![1.0 / cells as f64; cells]
}

fn chosen(grid: &Grid, masses: &[f64], mean: &[Vec<f64>], halves: bool) -> Option<Vec<AxisCells>> {
    better(&numbers(grid.sizes().len()), &Known { grid, masses, mean }, 64, halves)
}

fn axis(grid: &Grid, masses: &[f64], mean: &[Vec<f64>]) -> Axis {
    let mut axis = Axis::new(&Known { grid, masses, mean }, 0, AxisKind::Numeric);
    axis.doubt(DOUBT * axis.all_hidden());
    axis
}

#[test]
fn an_axis_that_decides_nothing_gives_its_cells_away() {
    let grid = Grid::new(vec![8, 8]).unwrap();
    let mean = means(&grid, |x| 1.0 - 2.0 * x[1]);
    let cells = chosen(&grid, &even(64), &mean, true).unwrap();
    let sizes: Vec<u32> = cells.iter().map(AxisCells::size).collect();
    assert!(sizes[0] <= 4 && sizes[1] >= 16, "{sizes:?}");
    // Both decide as much: they stay as they are.
    assert_eq!(chosen(&grid, &even(64), &means(&grid, |x| 1.0 - x[0] - x[1]), true), None);
}

/// The border between the arms lies at three quarters: cells are narrow there, and wide far away.
#[test]
fn cells_are_narrow_where_the_best_arm_changes() {
    let grid = Grid::new(vec![16]).unwrap();
    let mean = means(&grid, |x| if x[0] < 0.75 { 0.3 } else { -0.3 });
    let (cells, _) = axis(&grid, &even(16), &mean).cells(24);
    let width = |at: f64| {
        let [low, high] = cells.parts(cells.cell(at))[0];
        high - low
    };
    assert!(width(0.75) < 0.03 && width(0.2) > 5.0 * width(0.75), "{} {}", width(0.75), width(0.2));
}

#[test]
fn cells_are_narrow_where_people_are() {
    let grid = Grid::new(vec![16]).unwrap();
    let mut masses = vec![0.001; 16];
    masses[3] = 1.0 - 0.015;
    let cells = chosen(&grid, &masses, &means(&grid, |x| 0.5 - x[0]), false).unwrap();
    let low = (0..cells[0].size()).filter(|&cell| cells[0].parts(cell)[0][1] <= 4.0 / 16.0 + 1e-9).count();
    assert!(low * 3 > cells[0].size() as usize, "{cells:?}");
}

/// However people are spread, halves and quarters stay where they were.
#[test]
fn round_numbers_stay_cuts() {
    let grid = Grid::new(vec![16]).unwrap();
    for power in 1..6 {
        let raw: Vec<f64> = (0..16).map(|cell| libm::pow(1.0 + f64::from(cell), f64::from(power))).collect();
        let masses: Vec<f64> = raw.iter().map(|mass| mass / raw.iter().sum::<f64>()).collect();
        let mean = means(&grid, |x| 0.5 - x[0]);
        let (cells, _) = axis(&grid, &masses, &mean).cells(11);
        for border in [0.5, 0.75] {
            assert_eq!(cells.parts(cells.cell(border))[0][0], border, "{power}: {cells:?}");
        }
    }
}

fn levels(count: usize) -> Encoding {
    let levels = (0..count).map(|i| format!("level {i}")).collect();
    let fields = vec![
        Field::Category { name: "c".into(), levels },
        Field::Numeric { name: "n".into(), low: 0.0, high: 1.0 },
    ];
    let axes = ["c", "n"].map(|field| reticent_schema::Axis::Field { field: field.into() }).to_vec();
    Encoding::new(fields, axes).unwrap()
}

/// Levels that are alike share a cell, wherever they stand in the list; those that differ do not.
#[test]
fn levels_that_differ_least_are_put_together() {
    let encoding = levels(6);
    let grid = Grid::sized(&encoding, &[6, 8]).unwrap();
    let odd = |x: f64| (x * 6.0) as usize % 2 == 1;
    let mean = means(&grid, |x| if odd(x[0]) { 0.5 - x[1] } else { x[1] - 0.5 });
    let known = Known { grid: &grid, masses: &even(48), mean: &mean };
    let mut axis = Axis::new(&known, 0, AxisKind::Category(6));
    axis.doubt(0.001);
    let (cells, hidden) = axis.cells(2);
    assert_eq!(cells, AxisCells::Levels(vec![0, 1, 0, 1, 0, 1]));
    assert!(hidden < 0.02 * axis.cells(1).1, "{hidden}");
}

/// Too many levels to put together in time.
#[test]
fn thousands_of_levels_stay_as_they_are() {
    let encoding = levels(3_000);
    let grid = Grid::sized(&encoding, &[64, 16]).unwrap();
    let mean = means(&grid, |x| 0.5 - x[1]);
    let known = Known { grid: &grid, masses: &even(1024), mean: &mean };
    assert_eq!(better(&encoding, &known, 1024, false), None);
}

/// Levels that were together are told apart if those that were not differ.
#[test]
fn levels_that_were_hidden_are_told_apart_if_others_differ() {
    let encoding = levels(6);
    let grid = Grid::sized(&encoding, &[3, 21]).unwrap();
    let mean = means(&grid, |x| 1.5 * (x[0] * 3.0).floor() - 1.0);
    let cells = better(&encoding, &Known { grid: &grid, masses: &even(63), mean: &mean }, 63, false).unwrap();
    assert_eq!(cells[0], AxisCells::Even(6), "{cells:?}");
}
