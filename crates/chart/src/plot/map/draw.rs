//! Draws a map: the legend, and panels in rows.

use super::super::page::{MARGIN, Page, WIDTH};
use super::super::svg::Svg;
use super::bar::{Bar, scale_of};
use super::chart::{MapChart, Panel};
use super::describe::describe;
use super::fill::Fill;
use super::legend::Legend;
use super::panel::{Placed, beside};

/// Most panels side by side.
const MOST: usize = 3;
/// Between panels, and between rows of them.
const GAP: f64 = 26.0;
const ROW_GAP: f64 = 26.0;
/// Room for half of the last tick label.
const END: f64 = 12.0;
/// Width of a single panel; its key is beside it.
const SINGLE: f64 = 520.0;
const BESIDE: f64 = 24.0;
/// Between the legend and the panels.
const BELOW_LEGEND: f64 = 12.0;

/// The chart as an SVG document.
pub(super) fn draw(chart: &MapChart) -> String {
    let page = Page::new(&chart.title, chart.subtitle.as_deref(), chart.note.as_deref());
    match chart.panels.as_slice() {
        [panel] if !panel.is_strip() => draw_single(chart, panel, &page),
        _ => draw_rows(chart, &page),
    }
}

/// One panel with its key on the right.
fn draw_single(chart: &MapChart, panel: &Panel, page: &Page<'_>) -> String {
    let slot = (MARGIN, MARGIN + SINGLE);
    let key = (slot.1 + BESIDE, WIDTH - MARGIN - END);
    let placed = place(chart, panel, slot, beside(panel, SINGLE)).without_bar();
    let (title, label) = placed.above();
    let (top, cells_top) = (page.top(), page.top() + title + label);
    let legend = Legend::new(chart, key, true);
    let bar = Bar::new(chart, panel, key);
    let below = bar.as_ref().map_or(0.0, |bar| bar.height() + BELOW_LEGEND);
    let bottom = cells_top + placed.height().max(below + legend.height());
    page.write(bottom, &describe(chart), |svg| {
        placed.draw(svg, top, top + title, cells_top);
        legend.draw(svg, cells_top + below);
        if let Some(bar) = &bar {
            bar.draw(svg, cells_top);
        }
    })
}

/// Several panels, or strips, below a common legend.
fn draw_rows(chart: &MapChart, page: &Page<'_>) -> String {
    let strips = chart.panels.iter().all(Panel::is_strip);
    let columns = if strips { 1 } else { MOST.min(chart.panels.len()) };
    let width = (WIDTH - 2.0 * MARGIN - GAP * (columns - 1) as f64) / columns as f64;
    // One for all, so that all cells have the same width.
    let inset = chart.panels.iter().map(|panel| beside(panel, width)).fold(0.0, f64::max);
    let slot = |i: usize| {
        let start = MARGIN + (width + GAP) * i as f64;
        (start, start + width)
    };
    let placed = chart.panels.iter().enumerate();
    let placed: Vec<_> = placed.map(|(i, panel)| place(chart, panel, slot(i % columns), inset)).collect();
    let rows: Vec<_> = placed.chunks(columns).collect();
    let legend = Legend::new(chart, (MARGIN, WIDTH - MARGIN), false);
    let gap = if legend.height() > 0.0 { BELOW_LEGEND } else { 0.0 };
    let top = page.top() + legend.height() + gap;
    let bottom = top + rows.iter().map(|row| ROW_GAP + row_height(row)).sum::<f64>() - ROW_GAP;
    page.write(bottom.max(top), &describe(chart), |svg| {
        legend.draw(svg, page.top());
        let mut top = top;
        for row in &rows {
            draw_row(svg, row, top);
            top += row_height(row) + ROW_GAP;
        }
    })
}

fn place<'a>(chart: &'a MapChart, panel: &'a Panel, slot: (f64, f64), inset: f64) -> Placed<'a> {
    Placed::new(chart, panel, slot, (slot.0 + inset, slot.1 - END))
}

/// Panels whose cells start at the same height.
fn draw_row(svg: &mut Svg, row: &[Placed<'_>], top: f64) {
    let (title, label) = above(row);
    for placed in row {
        let own = placed.above();
        let label_top = top + title + label - own.1;
        placed.draw(svg, top + title - own.0, label_top, top + title + label);
    }
}

fn row_height(row: &[Placed<'_>]) -> f64 {
    let (title, label) = above(row);
    title + label + row.iter().map(Placed::height).fold(0.0, f64::max)
}

fn above(row: &[Placed<'_>]) -> (f64, f64) {
    let most = |a: (f64, f64), b: (f64, f64)| (a.0.max(b.0), a.1.max(b.1));
    row.iter().map(Placed::above).fold((0.0, 0.0), most)
}

/// Whether some cell has nothing to show.
pub(super) fn has_gaps(chart: &MapChart) -> bool {
    chart.panels.iter().any(|panel| {
        let fills = Fill::of_panel(panel, chart.categories.len(), &scale_of(chart, panel));
        fills.is_empty() || fills.contains(&Fill::Missing)
    })
}
