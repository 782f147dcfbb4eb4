//! Tables of one problem.

use super::bench::{Bench, epsilon};
use super::rate::Rate;
use super::sweep::{Cell, LOSSES, PEOPLE, Sweep};
use crate::kernel::{Method, Slope, slope};
use reticent_chart::numbers::number;
use reticent_chart::page::Table;

/// Error by people, and the fitted slope.
pub(super) fn by_people(bench: &Bench<'_>, sweep: &Sweep) -> Table {
    let mut rows = Vec::new();
    for line in sweep.lines(bench.people()) {
        let mut cells = vec![line.label()];
        let cell = |people: &u64| line.cells.iter().find(|cell| cell.people == *people);
        cells.extend(
            bench.people().iter().map(|people| cell(people).map_or("–".to_string(), |cell| error(cell))),
        );
        cells.push(exponent(line.slope()));
        let rms = line.cells.last().and_then(|cell| cell.measured.rms);
        cells.push(rms.map_or("–".to_string(), |rms| digits(rms.mean)));
        rows.push((cells, line.method.is_ours()));
    }
    let mut head = head("method", bench);
    head.extend(["slope ± se".to_string(), "surface, rms".to_string()]);
    Table { head, rows }
}

/// Error by loss.
pub(super) fn by_loss(sweep: &Sweep) -> Table {
    let mut rows = Vec::new();
    let used = |method: &&dyn Method| sweep.cell(*method, None, PEOPLE).is_some();
    for method in sweep.methods.iter().copied().filter(used) {
        let losses = LOSSES.map(|loss| Some(epsilon(loss))).into_iter().chain([None]);
        let mut cells = vec![method.name().to_string()];
        cells.extend(losses.map(|loss| sweep.cell(method, loss, PEOPLE).map_or("–".to_string(), error)));
        rows.push((cells, method.is_ours()));
    }
    let mut head = vec!["method".to_string()];
    head.extend(LOSSES.map(|loss| format!("ε = {loss}")));
    head.push("no noise".to_string());
    Table { head, rows }
}

/// The gain and what the theorem makes of it.
pub(super) fn rate(bench: &Bench<'_>, rate: &Rate) -> Table {
    let lines = [("γ", rate.gains().to_vec()), ("√(γ/T)", rate.learning()), ("γ/T", rate.privacy(1.0))];
    let row = |(name, points): (&str, Vec<(f64, f64)>)| {
        let mut cells = vec![name.to_string()];
        cells.extend(points.iter().map(|point| digits(point.1)));
        cells.push(slope(&points).map_or("–".to_string(), |slope| format!("{:.2}", slope.value)));
        (cells, false)
    };
    let mut head = head("rate", bench);
    head.push("slope".to_string());
    Table { head, rows: lines.into_iter().map(row).collect() }
}

fn head(first: &str, bench: &Bench<'_>) -> Vec<String> {
    let people = bench.people().iter().map(|&people| format!("T = {}", number(people as f64)));
    [first.to_string()].into_iter().chain(people).collect()
}

fn error(cell: &Cell) -> String {
    let se = cell.measured.standard_error.map_or(String::new(), |se| format!(" ± {}", digits(se)));
    digits(cell.measured.error.mean) + &se
}

fn exponent(slope: Option<Slope>) -> String {
    let Some(Slope { value, standard_error }) = slope else { return "–".to_string() };
    standard_error.map_or(format!("{value:.2}"), |se| format!("{value:.2} ± {se:.2}"))
}

/// Two or three digits that count.
fn digits(value: f64) -> String {
    match value.abs() {
        v if v >= 0.1 => number(value),
        v if v >= 0.01 => format!("{value:.3}"),
        _ => format!("{value:.4}"),
    }
}
