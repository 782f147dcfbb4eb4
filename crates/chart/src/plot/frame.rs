//! The plot area with its grid, ticks and axis labels.

use super::palette::{AXIS, GRID};
use super::scale::{Domain, Scale};
use super::svg::Svg;
use super::text::{AXIS_LABEL, Anchor, TICK};
use super::ticks::{Ticks, round_out};
use super::x_axis::XAxis;

/// Room between tick labels and the plot area.
pub(super) const TICK_GAP: f64 = 9.0;
/// Wanted distance between ticks along y. On a log axis each decade has its
/// label if at all possible.
const Y_SPACING: f64 = 62.0;
const Y_LOG_SPACING: f64 = 36.0;
/// Between the label of the y axis and the plot area.
const LABEL_GAP: f64 = 14.0;
/// Lengths of tick marks.
const MARK: f64 = 5.0;
const MINOR_MARK: f64 = 3.0;

/// A rectangle; y grows downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

/// What one axis has to show.
#[derive(Clone, Copy, Debug)]
pub(super) struct AxisRange<'a> {
    pub(super) label: &'a str,
    pub(super) domain: Domain,
    /// Empty space, as a part of the axis, allowed for ending on round numbers.
    pub(super) slack: f64,
}

/// A plot area whose axes are laid out.
#[derive(Debug)]
pub(super) struct Frame {
    /// Where data is drawn.
    pub(super) area: Area,
    /// Lower edge of everything, axis label included.
    pub(super) bottom: f64,
    x: XAxis,
    y: Domain,
    y_ticks: Ticks,
    y_label: Vec<String>,
    left: f64,
}

impl Frame {
    /// Lays out axes between `left` and `right`, from `top` down, around a
    /// plot area of the given height.
    pub(super) fn new(
        (left, right): (f64, f64),
        top: f64,
        height: f64,
        x: AxisRange<'_>,
        y: AxisRange<'_>,
    ) -> Self {
        let y_label = AXIS_LABEL.wrap(y.label, right - left, 2);
        let label_height: f64 = y_label.iter().map(|_| AXIS_LABEL.line_height()).sum();
        let top = top + label_height + if y_label.is_empty() { 0.0 } else { LABEL_GAP };
        let spacing = if y.domain.scale == Scale::Log { Y_LOG_SPACING } else { Y_SPACING };
        let y_target = target(height, spacing);
        let y_domain = round_out(y.domain, y_target, y.slack);
        let y_ticks = Ticks::within(&y_domain, y_target);
        let inner = left + widest(&y_ticks) + TICK_GAP;
        let area = Area { left: inner, top, right, bottom: top + height };
        let x = XAxis::new((inner, right), x);
        let bottom = area.bottom + x.height();
        Self { area, bottom, x, y: y_domain, y_ticks, y_label, left }
    }

    /// Where a data point is drawn, if its axes can show it.
    pub(super) fn at(&self, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        let shown = self.x.domain.scale.shows(x) && self.y.scale.shows(y);
        shown.then(|| (self.x.at(x), self.y_at(y)))
    }

    /// Where an interval around a point is drawn, upper end first. A low end
    /// that a log axis cannot reach lies below everything shown: at the bottom.
    pub(super) fn span(&self, point: (f64, f64), (a, b): (f64, f64)) -> Option<((f64, f64), (f64, f64))> {
        self.at(point)?;
        if !a.is_finite() || !b.is_finite() {
            return None;
        }
        let top = self.at((point.0, a.max(b)))?;
        let bottom = self.at((point.0, a.min(b))).unwrap_or((top.0, self.area.bottom));
        Some((top, bottom))
    }

    /// Draws grid, ticks and axis labels. Data goes on top.
    pub(super) fn draw(&self, svg: &mut Svg) {
        self.draw_y(svg);
        let Area { left, top, right, bottom } = self.area;
        self.x.draw_grid(svg, top, bottom);
        self.x.draw(svg, bottom);
        rule(svg, (left, bottom), (right, bottom), AXIS);
        rule(svg, (left, top), (left, bottom), AXIS);
    }

    fn draw_y(&self, svg: &mut Svg) {
        let Area { left, right, .. } = self.area;
        for tick in &self.y_ticks.major {
            let y = self.y_at(tick.value);
            rule(svg, (left, y), (right, y), GRID);
            rule(svg, (left - MARK, y), (left, y), AXIS);
            let at = (left - TICK_GAP, y + TICK.half_height());
            TICK.write_label(svg, &tick.label, at, Anchor::End);
        }
        for value in &self.y_ticks.minor {
            let y = self.y_at(*value);
            rule(svg, (left - MINOR_MARK, y), (left, y), AXIS);
        }
        let label_top = self.area.top - LABEL_GAP - self.lines_above();
        let at = (self.left, label_top + AXIS_LABEL.size);
        AXIS_LABEL.write(svg, &self.y_label, at, Anchor::Start);
    }

    fn lines_above(&self) -> f64 {
        self.y_label.iter().map(|_| AXIS_LABEL.line_height()).sum()
    }

    fn y_at(&self, y: f64) -> f64 {
        self.area.bottom - self.y.fraction(y) * (self.area.bottom - self.area.top)
    }
}

fn widest(ticks: &Ticks) -> f64 {
    ticks.major.iter().map(|t| TICK.label_width(&t.label)).fold(0.0, f64::max)
}

/// How many ticks to aim for; an axis needs two.
pub(super) fn target(length: f64, spacing: f64) -> usize {
    (length / spacing).max(2.0) as usize
}

/// Draws a thin straight line.
pub(super) fn rule(svg: &mut Svg, from: (f64, f64), to: (f64, f64), colour: &str) {
    let tag = svg.tag("line").nums([("x1", from.0), ("y1", from.1), ("x2", to.0), ("y2", to.1)]);
    tag.attr("stroke", colour).end();
}
