//! Colours and line styles.

use super::svg::{Svg, Tag, path};

/// Background of every chart.
pub(super) const PAPER: &str = "#ffffff";
/// Titles and names.
pub(super) const INK: &str = "#1f2328";
/// Axis labels and ticks.
pub(super) const MUTED: &str = "#57606a";
/// Subtitles and notes; still 4.5:1 on white.
pub(super) const FAINT: &str = "#6e7681";
/// Grid lines, light enough to stay behind the data.
pub(super) const GRID: &str = "#e9ebee";
/// Base line and tick marks.
pub(super) const AXIS: &str = "#aab0b7";

/// Okabe and Ito's colours, which stay apart for colour-blind readers, the
/// most different first. Their yellow is left out: it is lost on white.
const SERIES: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// Values that keep to what was claimed, and values that break it.
pub(super) const GOOD: &str = SERIES[0];
pub(super) const BAD: &str = SERIES[1];
/// The same, dark enough for small text.
pub(super) const BAD_TEXT: &str = "#a84a00";
/// Every other row of a long list, barely darker than the paper.
pub(super) const STRIPE: &str = "#f6f7f9";

/// Greys for reference curves; the dashes tell them apart.
const BOUNDS: [(&str, &str); 4] =
    [("#5b626a", "6 4"), ("#7d848c", "2 3"), ("#454b52", "10 4 2 4"), ("#8f969e", "4 2")];

/// Shape drawn at each point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Circle,
    Square,
    Diamond,
    Triangle,
}

/// How a line looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stroke {
    pub(super) colour: &'static str,
    pub(super) width: f64,
    pub(super) dash: Option<&'static str>,
    pub(super) shape: Shape,
}

/// The look of the n-th measured series. Shapes change once colours repeat.
pub(super) fn measured(n: usize) -> Stroke {
    let shapes = [Shape::Circle, Shape::Square, Shape::Diamond, Shape::Triangle];
    Stroke {
        colour: SERIES[n % SERIES.len()],
        width: 2.0,
        dash: None,
        shape: shapes[n / SERIES.len() % shapes.len()],
    }
}

/// The look of the n-th reference curve.
pub(super) fn bound(n: usize) -> Stroke {
    let (colour, dash) = BOUNDS[n % BOUNDS.len()];
    Stroke { colour, width: 1.4, dash: Some(dash), shape: Shape::Circle }
}

impl Stroke {
    /// Adds this look to an element.
    pub(super) fn paint(self, tag: Tag<'_>) -> Tag<'_> {
        let tag = tag.attr("stroke", self.colour).num("stroke-width", self.width);
        match self.dash {
            Some(dash) => tag.attr("stroke-dasharray", dash),
            None => tag,
        }
    }

    /// Draws a marker; its white rim keeps it apart from lines it lies on.
    pub(super) fn mark(self, svg: &mut Svg, (x, y): (f64, f64)) {
        self.shape.tag(svg, (x, y), 1.0).attr("fill", self.colour).attr("stroke", PAPER).end();
    }

    /// Draws a ring that stands out among markers.
    pub(super) fn ring(self, svg: &mut Svg, (x, y): (f64, f64)) {
        let ring = svg.tag("circle").nums([("cx", x), ("cy", y), ("r", 6.5)]).attr("fill", PAPER);
        ring.attr("stroke", self.colour).num("stroke-width", 3.0).end();
    }
}

impl Shape {
    /// The outline of a marker, still without paint. A size of 1 suits points
    /// on a line.
    pub(super) fn tag(self, svg: &mut Svg, (x, y): (f64, f64), size: f64) -> Tag<'_> {
        let corners: &[(f64, f64)] = match self {
            Self::Circle => return svg.tag("circle").nums([("cx", x), ("cy", y), ("r", 3.2 * size)]),
            Self::Square => &[(-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0)],
            Self::Diamond => &[(0.0, -4.2), (4.2, 0.0), (0.0, 4.2), (-4.2, 0.0)],
            Self::Triangle => &[(0.0, -4.2), (4.0, 3.0), (-4.0, 3.0)],
        };
        let d = path(corners.iter().map(|(dx, dy)| (x + size * dx, y + size * dy))) + "Z";
        svg.tag("path").attr("d", &d)
    }
}
