//! Type styles, and writing text in them.

use super::number::Label;
use super::palette::{FAINT, INK, MUTED};
use super::svg::{Svg, Tag};
use super::wrap;

/// `system-ui` where the chart is viewed; the PNG renderer maps `sans-serif`
/// to its embedded font.
pub(super) const FAMILY: &str = "system-ui, sans-serif";

pub(super) const TITLE: Font = Font { size: 20.0, colour: INK, weight: "600" };
pub(super) const SUBTITLE: Font = Font { size: 14.0, colour: FAINT, weight: "400" };
pub(super) const AXIS_LABEL: Font = Font { size: 13.0, colour: MUTED, weight: "400" };
pub(super) const TICK: Font = Font { size: 12.0, colour: MUTED, weight: "400" };
pub(super) const NAME: Font = Font { size: 13.0, colour: INK, weight: "400" };
pub(super) const ROW: Font = Font { size: 12.0, colour: INK, weight: "400" };
pub(super) const GROUP: Font = Font { size: 13.0, colour: INK, weight: "600" };
pub(super) const NOTE: Font = Font { size: 11.0, colour: FAINT, weight: "400" };

/// Exponent size relative to its base.
const EXPONENT: f64 = 0.75;

/// A type style.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Font {
    pub(super) size: f64,
    pub(super) colour: &'static str,
    pub(super) weight: &'static str,
}

/// Which part of the text stands at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Font {
    /// Distance between base lines.
    pub(super) fn line_height(self) -> f64 {
        (self.size * 1.32).round()
    }

    /// From the middle of a line down to its base line.
    pub(super) fn half_height(self) -> f64 {
        self.size * 0.36
    }

    /// Estimated width of a line of text.
    pub(super) fn width(self, text: &str) -> f64 {
        wrap::width(text, self.bold_size())
    }

    /// Estimated width of a number label.
    pub(super) fn label_width(self, label: &Label) -> f64 {
        wrap::width(&label.base, self.size) + wrap::width(&label.exponent, self.size * EXPONENT)
    }

    /// Breaks text into at most `most` lines.
    pub(super) fn wrap(self, text: &str, limit: f64, most: usize) -> Vec<String> {
        wrap::wrap(text, self.bold_size(), limit, most)
    }

    /// Breaks text into at most `most` lines of similar length.
    pub(super) fn wrap_evenly(self, text: &str, limit: f64, most: usize) -> Vec<String> {
        wrap::wrap_evenly(text, self.bold_size(), limit, most)
    }

    /// Bold runs wider than the estimate made for regular.
    fn bold_size(self) -> f64 {
        if self.weight == "400" { self.size } else { 1.08 * self.size }
    }

    /// Writes lines below each other; `at` is the first base line.
    pub(super) fn write(self, svg: &mut Svg, lines: &[String], at: (f64, f64), anchor: Anchor) {
        let mut y = at.1;
        for line in lines {
            self.tag(svg, (at.0, y), anchor).text(line);
            y += self.line_height();
        }
    }

    /// Writes a number label, its exponent raised.
    pub(super) fn write_label(self, svg: &mut Svg, label: &Label, at: (f64, f64), anchor: Anchor) {
        if label.exponent.is_empty() {
            return self.tag(svg, at, anchor).text(&label.base);
        }
        self.tag(svg, at, anchor).open();
        svg.content(&label.base);
        let raised = svg.tag("tspan").num("dy", -0.4 * self.size);
        raised.num("font-size", EXPONENT * self.size).text(&label.exponent);
        svg.close();
    }

    fn tag(self, svg: &mut Svg, at: (f64, f64), anchor: Anchor) -> Tag<'_> {
        let tag = svg.tag("text").nums([("x", at.0), ("y", at.1), ("font-size", self.size)]);
        let tag = tag.attr("fill", self.colour);
        // Only what differs from SVG's defaults.
        let tag = if self.weight == "400" { tag } else { tag.attr("font-weight", self.weight) };
        match anchor {
            Anchor::Start => tag,
            Anchor::Middle => tag.attr("text-anchor", "middle"),
            Anchor::End => tag.attr("text-anchor", "end"),
        }
    }
}
