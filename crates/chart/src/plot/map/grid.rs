//! A grid of fills on the page, drawn in runs of equal cells.

use super::super::frame::Area;
use super::super::svg::Svg;
use super::fill::Fill;

/// Cells on the page; row 0 is at the bottom.
#[derive(Debug)]
pub(super) struct Grid {
    pub(super) area: Area,
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// Row by row; empty if there is nothing to show.
    pub(super) fills: Vec<Fill>,
}

impl Grid {
    /// Fills the area, in as few rectangles as rows allow.
    pub(super) fn draw(&self, svg: &mut Svg) {
        // Without this, seams show where smoothed edges of cells meet.
        svg.tag("g").attr("shape-rendering", "crispEdges").open();
        if self.fills.is_empty() {
            Fill::Missing.draw_ground(svg, self.area);
        }
        // Edges are rounded to whole pixels, each on its own: reaching under the next cell leaves no gap.
        let Area { right, bottom, .. } = self.area;
        self.each_run(|fill, area| {
            let area =
                Area { right: right.min(area.right + 1.0), bottom: bottom.min(area.bottom + 1.0), ..area };
            fill.draw_ground(svg, area);
        });
        svg.close();
        self.each_run(|fill, area| fill.draw_hatch(svg, area));
    }

    /// From the top down, and from the left.
    fn each_run(&self, mut draw: impl FnMut(Fill, Area)) {
        for row in (0..self.drawn_rows()).rev() {
            for (from, to) in self.runs(row, |a, b| a == b) {
                draw(self.fills[row * self.columns + from], self.cells(row, from, to));
            }
        }
    }

    /// The columns `from..to` of neighbours in a row that are the same.
    pub(super) fn runs(&self, row: usize, same: impl Fn(Fill, Fill) -> bool) -> Vec<(usize, usize)> {
        let cells = &self.fills[row * self.columns..(row + 1) * self.columns];
        let mut from = 0;
        let runs = cells.chunk_by(|a, b| same(*a, *b)).map(|run| {
            let start = from;
            from += run.len();
            (start, from)
        });
        runs.collect()
    }

    /// The rectangle of the cells `from..to` of a row.
    pub(super) fn cells(&self, row: usize, from: usize, to: usize) -> Area {
        let Area { left, right, bottom, .. } = self.area;
        let at = |column: usize| left + (right - left) * column as f64 / self.columns as f64;
        let height = self.row_height();
        let bottom = bottom - height * row as f64;
        Area { left: at(from), top: bottom - height, right: at(to), bottom }
    }

    pub(super) fn row_height(&self) -> f64 {
        (self.area.bottom - self.area.top) / self.rows as f64
    }

    /// Rows that have cells.
    pub(super) fn drawn_rows(&self) -> usize {
        if self.fills.is_empty() { 0 } else { self.rows }
    }
}
