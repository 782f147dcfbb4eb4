//! Draws what a row shows on the axis: limit, value, and the gap between.

use super::super::palette::{BAD, GOOD, INK, PAPER, Shape};
use super::super::svg::{Svg, path};
use super::chart::DotMark;

/// Size of the markers beside those on a line chart.
const MARKER: f64 = 1.25;
/// Half the height of the tick that stands for a limit.
const HALF_TICK: f64 = 6.5;
/// Length and half the height of an arrow's head.
const HEAD: f64 = 8.0;
const HALF_HEAD: f64 = 4.2;
/// How far short of its tip the line of an arrow ends.
pub(super) const INTO_HEAD: f64 = 2.0;
/// Length of an arrow that starts from no limit.
pub(super) const SHAFT: f64 = 20.0;

type Point = (f64, f64);

impl DotMark {
    fn colour(self) -> &'static str {
        match self {
            Self::Good => GOOD,
            Self::Bad => BAD,
        }
    }

    fn shape(self) -> Shape {
        match self {
            Self::Good => Shape::Circle,
            Self::Bad => Shape::Diamond,
        }
    }

    /// A value at its place.
    pub(super) fn draw(self, svg: &mut Svg, at: Point) {
        let tag = self.shape().tag(svg, at, MARKER);
        tag.attr("fill", self.colour()).attr("stroke", PAPER).end();
    }

    /// A value at or below the start of the axis.
    pub(super) fn draw_open(self, svg: &mut Svg, at: Point) {
        // The stroke reaches outwards, where filled markers have their rim.
        let tag = self.shape().tag(svg, at, 0.9 * MARKER);
        tag.attr("fill", PAPER).attr("stroke", self.colour()).num("stroke-width", 1.6).end();
    }

    /// A value beyond the axis; `tip` is the end of the arrow. Good and bad
    /// differ in shape here too: a thin head and a solid one.
    pub(super) fn draw_arrow(self, svg: &mut Svg, tip: Point) {
        let head = [(tip.0 - HEAD, tip.1 - HALF_HEAD), tip, (tip.0 - HEAD, tip.1 + HALF_HEAD)];
        match self {
            Self::Good => {
                let tag = svg.tag("path").attr("d", &path(head)).attr("fill", "none");
                tag.attr("stroke", self.colour()).num("stroke-width", 1.6).end();
            }
            Self::Bad => {
                let d = path(head) + "Z";
                svg.tag("path").attr("d", &d).attr("fill", self.colour()).end();
            }
        }
    }

    /// The way from the limit to the value.
    pub(super) fn draw_gap(self, svg: &mut Svg, from: f64, to: f64, y: f64) {
        let width = match self {
            Self::Good => 1.4,
            Self::Bad => 2.0,
        };
        let tag = svg.tag("line").nums([("x1", from), ("y1", y), ("x2", to), ("y2", y)]);
        tag.attr("stroke", self.colour()).num("stroke-width", width).num("stroke-opacity", 0.5).end();
    }
}

/// A limit.
pub(super) fn draw_limit(svg: &mut Svg, (x, y): Point) {
    let ends = [("x1", x), ("y1", y - HALF_TICK), ("x2", x), ("y2", y + HALF_TICK)];
    svg.tag("line").nums(ends).attr("stroke", INK).num("stroke-width", 1.8).end();
}
