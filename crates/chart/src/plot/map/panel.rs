//! One panel: its title, axes, cells and, below it, the scale of a quantity.

use super::super::frame::{Area, AxisRange, TICK_GAP, rule, target};
use super::super::palette::{AXIS, INK, PAPER};
use super::super::scale::{Domain, Scale};
use super::super::svg::{Svg, path};
use super::super::text::{AXIS_LABEL, Anchor, GROUP, TICK};
use super::super::ticks::Ticks;
use super::super::x_axis::XAxis;
use super::bar::{Bar, scale_of};
use super::chart::{Cells, MapAxis, MapChart, Panel};
use super::fill::Fill;
use super::grid::Grid;
use super::tag;

/// Height of a strip.
const STRIP: f64 = 54.0;
/// Wanted distance between ticks along y.
const SPACING: f64 = 62.0;
const MARK: f64 = 5.0;
/// Between a title or a label and what is below it.
const BELOW_TITLE: f64 = 6.0;
const BELOW_LABEL: f64 = 13.0;
/// Between the x axis and the colour bar.
const ABOVE_BAR: f64 = 14.0;

/// A panel whose width is known.
pub(super) struct Placed<'a> {
    chart: &'a MapChart,
    panel: &'a Panel,
    /// Where its text starts.
    start: f64,
    left: f64,
    right: f64,
    title: Vec<String>,
    y_label: Vec<String>,
    x: XAxis,
    bar: Option<Bar>,
}

impl<'a> Placed<'a> {
    /// Between `start` and `end`, with cells from `left` to `right`.
    pub(super) fn new(
        chart: &'a MapChart,
        panel: &'a Panel,
        (start, end): (f64, f64),
        (left, right): (f64, f64),
    ) -> Self {
        let y_name = panel.y.as_ref().map_or("", |axis| &axis.name);
        let x = AxisRange { label: &panel.x.name, domain: domain(&panel.x), slack: 0.0 };
        Self {
            chart,
            panel,
            start,
            left,
            right,
            title: GROUP.wrap(&panel.title, end - start, 2),
            y_label: AXIS_LABEL.wrap(y_name, end - start, 2),
            x: XAxis::new((left, right), x),
            bar: Bar::new(chart, panel, (left, right)),
        }
    }

    /// Shows its scale elsewhere.
    pub(super) fn without_bar(self) -> Self {
        Self { bar: None, ..self }
    }

    /// Heights of the title and of the label of the y axis.
    pub(super) fn above(&self) -> (f64, f64) {
        let title = self.title.len() as f64 * GROUP.line_height();
        let label = self.y_label.len() as f64 * AXIS_LABEL.line_height();
        let with = |height: f64, gap: f64| if height > 0.0 { height + gap } else { 0.0 };
        (with(title, BELOW_TITLE), with(label, BELOW_LABEL))
    }

    /// Height of the cells and of what is below them.
    pub(super) fn height(&self) -> f64 {
        let bar = self.bar.as_ref().map_or(0.0, |bar| ABOVE_BAR + bar.height());
        self.cells_height() + self.x.height() + bar
    }

    /// Draws the title from `title_top`, the label of the y axis from
    /// `label_top` and the cells from `top` down.
    pub(super) fn draw(&self, svg: &mut Svg, title_top: f64, label_top: f64, top: f64) {
        GROUP.write(svg, &self.title, (self.start, title_top + GROUP.size), Anchor::Start);
        AXIS_LABEL.write(svg, &self.y_label, (self.start, label_top + AXIS_LABEL.size), Anchor::Start);
        let bottom = top + self.cells_height();
        let area = Area { left: self.left, top, right: self.right, bottom };
        self.draw_cells(svg, area);
        self.draw_line(svg, area);
        self.draw_y(svg, area);
        self.x.draw(svg, bottom);
        if let Some(bar) = &self.bar {
            bar.draw(svg, bottom + self.x.height() + ABOVE_BAR);
        }
    }

    fn draw_cells(&self, svg: &mut Svg, area: Area) {
        let panel = self.panel;
        let arms = &self.chart.categories;
        let fills = Fill::of_panel(panel, arms.len(), &scale_of(self.chart, panel));
        let grid = Grid { area, columns: panel.columns, rows: panel.rows, fills };
        grid.draw(svg);
        let Area { left, top, right, bottom } = area;
        let frame = [("x", left), ("y", top), ("width", right - left), ("height", bottom - top)];
        svg.tag("rect").nums(frame).attr("fill", "none").attr("stroke", AXIS).end();
        if matches!(panel.cells, Cells::Arms { .. }) {
            tag::draw(svg, &grid, arms);
        }
    }

    /// Dark on a light rim, to be seen on all colours.
    fn draw_line(&self, svg: &mut Svg, area: Area) {
        let (Some(y), false) = (&self.panel.y, self.panel.line.is_empty()) else { return };
        let (x, y) = (domain(&self.panel.x), domain(y));
        let at = |(a, b): &(f64, f64)| {
            let part = |domain: &Domain, value: f64| domain.fraction(value).clamp(0.0, 1.0);
            let left = area.left + part(&x, *a) * (area.right - area.left);
            (left, area.bottom - part(&y, *b) * (area.bottom - area.top))
        };
        let d = path(self.panel.line.iter().map(at));
        for (colour, width) in [(PAPER, 5.0), (INK, 2.0)] {
            let line = svg.tag("path").attr("d", &d).attr("fill", "none").attr("stroke", colour);
            line.num("stroke-width", width).attr("stroke-linejoin", "round").end();
        }
    }

    fn draw_y(&self, svg: &mut Svg, area: Area) {
        let Some(axis) = &self.panel.y else { return };
        let domain = domain(axis);
        for tick in y_ticks(axis, area.bottom - area.top).major {
            let y = area.bottom - domain.fraction(tick.value) * (area.bottom - area.top);
            rule(svg, (area.left - MARK, y), (area.left, y), AXIS);
            let at = (area.left - TICK_GAP, y + TICK.half_height());
            TICK.write_label(svg, &tick.label, at, Anchor::End);
        }
    }

    fn cells_height(&self) -> f64 {
        if self.panel.is_strip() { STRIP } else { self.right - self.left }
    }
}

/// Room that the tick labels of the y axis need, if the cells are as wide as given.
pub(super) fn beside(panel: &Panel, width: f64) -> f64 {
    let Some(axis) = &panel.y else { return 0.0 };
    let height = if panel.is_strip() { STRIP } else { width };
    let labels = y_ticks(axis, height).major;
    labels.iter().map(|tick| TICK.label_width(&tick.label) + TICK_GAP).fold(0.0, f64::max)
}

fn y_ticks(axis: &MapAxis, height: f64) -> Ticks {
    Ticks::within(&domain(axis), target(height, SPACING))
}

fn domain(axis: &MapAxis) -> Domain {
    Domain::around(Scale::Linear, [axis.low, axis.high])
}
