//! Charts of one problem.

use super::bench::{Bench, epsilon};
use super::rate::Rate;
use super::sweep::{Cell, LOSS, LOSSES, Line, PEOPLE, Sweep};
use crate::reproduce::mark;
use reticent_chart::numbers::number;
use reticent_chart::plot::{Axis, Chart, Series};

/// Error against people, with the theorem's rate.
pub(super) fn by_people(bench: &Bench<'_>, sweep: &Sweep, rate: &Rate) -> Chart {
    let mut series: Vec<Series> = sweep.lines(bench.people()).iter().map(line).collect();
    series.push(Series::bound("√(γ/T)", rate.learning()));
    series.push(Series::bound(format!("γ/(T ε), ε = {LOSS}"), rate.privacy(LOSS)));
    let title = format!("{}: error against people", sweep.problem.title);
    Chart { x: Axis::log("people T"), ..framed(bench, title, None, series) }
}

/// Error against the loss. What has no loss is a level.
pub(super) fn by_loss(bench: &Bench<'_>, sweep: &Sweep) -> Chart {
    let (mut series, mut levels) = (Vec::new(), Vec::new());
    for &method in sweep.methods {
        let cells = LOSSES
            .into_iter()
            .filter_map(|loss| Some((loss, sweep.cell(method, Some(epsilon(loss)), PEOPLE)?)));
        let cells: Vec<(f64, &Cell)> = cells.collect();
        if !cells.is_empty() {
            let points = cells.iter().map(|(loss, cell)| (*loss, cell.measured.error.mean)).collect();
            let band = cells.iter().map(|(_, cell)| band(cell)).collect();
            series.push(Series::measured(method.name(), points).with_band(band));
        }
        if let Some(cell) = sweep.cell(method, None, PEOPLE) {
            let name = if method.is_private() {
                format!("{}, no noise", method.name())
            } else {
                method.name().into()
            };
            let ends = [LOSSES[0], LOSSES[LOSSES.len() - 1]];
            levels.push(Series::bound(name, ends.map(|loss| (loss, cell.measured.error.mean)).to_vec()));
        }
    }
    series.extend(levels);
    let title = format!("{}: error against the loss", sweep.problem.title);
    let chart = framed(bench, title, Some(PEOPLE), series);
    Chart { x: Axis::log("loss ε"), ..chart }
}

fn framed(bench: &Bench<'_>, title: String, people: Option<u64>, series: Vec<Series>) -> Chart {
    let people = people.map(|people| format!("{} people; ", number(people as f64))).unwrap_or_default();
    let trials = bench.trials();
    Chart {
        title,
        subtitle: Some(format!("{people}mean of {trials} trials, bands are 95 % confidence intervals")),
        y: Axis::log("error (reward lost in a context)"),
        series,
        note: Some(mark(bench.options.seed)),
        ..Chart::default()
    }
}

fn line(line: &Line<'_>) -> Series {
    Series::measured(line.label(), line.points())
        .with_band(line.cells.iter().map(|cell| band(cell)).collect())
}

/// Few trials may have an interval beyond zero, which a logarithm cannot show.
fn band(cell: &Cell) -> (f64, f64) {
    let error = cell.measured.error;
    let [low, high] = error.ci95.unwrap_or([error.mean; 2]);
    (low.max(0.2 * error.mean), high)
}
