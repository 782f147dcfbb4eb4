//! The horizontal axis: its grid lines, ticks and label.

use super::frame::{AxisRange, TICK_GAP, rule, target};
use super::palette::{AXIS, GRID};
use super::scale::Domain;
use super::svg::Svg;
use super::text::{AXIS_LABEL, Anchor, TICK};
use super::ticks::{Ticks, round_out};

/// Wanted distance between ticks.
const SPACING: f64 = 85.0;
/// Lengths of tick marks.
const MARK: f64 = 5.0;
const MINOR_MARK: f64 = 3.0;
/// Between tick labels and the axis label.
const LABEL_GAP: f64 = 6.0;

/// A horizontal axis laid out between two positions on the page.
#[derive(Debug)]
pub(super) struct XAxis {
    pub(super) domain: Domain,
    ticks: Ticks,
    label: Vec<String>,
    left: f64,
    right: f64,
}

impl XAxis {
    pub(super) fn new((left, right): (f64, f64), range: AxisRange<'_>) -> Self {
        let domain = round_out(range.domain, target(right - left, SPACING), range.slack);
        let ticks = fitting_ticks(&domain, right - left);
        let label = AXIS_LABEL.wrap(range.label, right - left, 2);
        Self { domain, ticks, label, left, right }
    }

    /// Labels more ticks of a log axis if there is room.
    pub(super) fn with_finer_ticks(self) -> Self {
        let finer = Ticks::in_every_decade(&self.domain);
        let fitting = finer.filter(|ticks| fits(ticks, &self.domain, self.right - self.left));
        match fitting {
            Some(ticks) => Self { ticks, ..self },
            None => self,
        }
    }

    /// Room needed below the plot area.
    pub(super) fn height(&self) -> f64 {
        let label: f64 = self.label.iter().map(|_| AXIS_LABEL.line_height()).sum();
        Self::height_above() + LABEL_GAP + label
    }

    /// Room needed for tick labels above a plot area.
    pub(super) fn height_above() -> f64 {
        TICK_GAP + TICK.line_height()
    }

    /// Where a value lies.
    pub(super) fn at(&self, value: f64) -> f64 {
        self.left + self.domain.fraction(value) * (self.right - self.left)
    }

    /// Draws a line through each labelled tick, between two heights.
    pub(super) fn draw_grid(&self, svg: &mut Svg, top: f64, bottom: f64) {
        for tick in &self.ticks.major {
            let x = self.at(tick.value);
            rule(svg, (x, top), (x, bottom), GRID);
        }
    }

    /// Draws ticks and the axis label below a plot area that ends at `bottom`.
    pub(super) fn draw(&self, svg: &mut Svg, bottom: f64) {
        self.draw_marks(svg, bottom, 1.0);
        self.draw_tick_labels(svg, bottom + TICK_GAP + TICK.size);
        let label_top = bottom + TICK_GAP + TICK.line_height() + LABEL_GAP;
        let at = (f64::midpoint(self.left, self.right), label_top + AXIS_LABEL.size);
        AXIS_LABEL.write(svg, &self.label, at, Anchor::Middle);
    }

    /// Base line of the tick labels above a plot area.
    pub(super) fn base_above(top: f64) -> f64 {
        top - TICK_GAP
    }

    /// Draws ticks once more above a plot area that starts at `top`, so that
    /// a tall one can be read without looking down to its end.
    pub(super) fn draw_above(&self, svg: &mut Svg, top: f64) {
        self.draw_marks(svg, top, -1.0);
        self.draw_tick_labels(svg, Self::base_above(top));
    }

    fn draw_marks(&self, svg: &mut Svg, y: f64, direction: f64) {
        let major = self.ticks.major.iter().map(|tick| (tick.value, MARK));
        let minor = self.ticks.minor.iter().map(|value| (*value, MINOR_MARK));
        for (value, length) in major.chain(minor) {
            let x = self.at(value);
            rule(svg, (x, y), (x, y + direction * length), AXIS);
        }
    }

    fn draw_tick_labels(&self, svg: &mut Svg, base: f64) {
        for tick in &self.ticks.major {
            TICK.write_label(svg, &tick.label, (self.at(tick.value), base), Anchor::Middle);
        }
    }
}

/// As many ticks as fit without their labels touching.
fn fitting_ticks(domain: &Domain, width: f64) -> Ticks {
    let most = target(width, SPACING);
    let candidates = (2..=most).rev().map(|target| Ticks::within(domain, target));
    let mut candidates = candidates.peekable();
    let first = candidates.peek().cloned().unwrap_or_default();
    candidates.find(|ticks| fits(ticks, domain, width)).unwrap_or(first)
}

/// Whether no labels touch.
fn fits(ticks: &Ticks, domain: &Domain, width: f64) -> bool {
    ticks.major.windows(2).all(|pair| {
        let gap = (domain.fraction(pair[1].value) - domain.fraction(pair[0].value)) * width;
        let halves = TICK.label_width(&pair[0].label) + TICK.label_width(&pair[1].label);
        gap >= halves / 2.0 + 10.0
    })
}
