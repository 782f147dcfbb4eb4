//! What a line chart shows, free of any drawing.

use super::line;
use super::scale::Scale;

/// A line chart: one x axis, one y axis, any number of series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// Headline, shown large.
    pub title: String,
    /// One or two grey lines below the title.
    pub subtitle: Option<String>,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Lines to draw, in colour order.
    pub series: Vec<Series>,
    /// Small print at the bottom: provenance, seed, caveats.
    pub note: Option<String>,
}

/// Name and scale of one axis. Its range always follows the data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Axis {
    /// What the axis measures, with its unit.
    pub label: String,
    /// Linear or logarithmic.
    pub scale: Scale,
}

/// One named line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Name shown beside the end of the line.
    pub name: String,
    /// Points `(x, y)` in drawing order. A point that its axes cannot show
    /// (non-finite, or not positive on a log axis) leaves a gap.
    pub points: Vec<(f64, f64)>,
    /// Uncertainty `(low, high)` for each point, in the same order. On a log
    /// axis a low end of zero or less reaches the bottom of the plot.
    pub band: Option<Vec<(f64, f64)>>,
    /// Whether the band's lower end is drawn as a line too, for bands that overlap.
    pub lower_edge: bool,
    /// Points of the line to be seen first, such as a choice: rings on top of it.
    pub marks: Vec<(f64, f64)>,
    /// Measured data or a theoretical bound.
    pub kind: SeriesKind,
}

/// How a series is to be read, which decides how it looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeriesKind {
    /// Observed values: a solid coloured line.
    #[default]
    Measured,
    /// A reference curve: thin, dashed and grey.
    Bound,
}

impl Chart {
    /// Draws the chart as a self-contained SVG document.
    #[must_use]
    pub fn svg(&self) -> String {
        line::draw(self)
    }
}

impl Axis {
    /// A linear axis.
    #[must_use]
    pub fn linear(label: impl Into<String>) -> Self {
        let label = label.into();
        let scale = Scale::Linear;
        Self { label, scale }
    }

    /// A base-10 logarithmic axis.
    #[must_use]
    pub fn log(label: impl Into<String>) -> Self {
        let label = label.into();
        let scale = Scale::Log;
        Self { label, scale }
    }
}

impl Series {
    /// A measured series without a band.
    #[must_use]
    pub fn measured(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        let name = name.into();
        Self { name, points, ..Self::default() }
    }

    /// A reference curve.
    #[must_use]
    pub fn bound(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        let kind = SeriesKind::Bound;
        Self { kind, ..Self::measured(name, points) }
    }

    /// Adds an uncertainty band, one `(low, high)` for each point.
    #[must_use]
    pub fn with_band(self, band: Vec<(f64, f64)>) -> Self {
        Self { band: Some(band), ..self }
    }

    /// Draws the band's lower end as a line.
    #[must_use]
    pub fn with_lower_edge(self) -> Self {
        Self { lower_edge: true, ..self }
    }

    /// Adds rings around some of the line's points.
    #[must_use]
    pub fn with_marks(self, marks: Vec<(f64, f64)>) -> Self {
        Self { marks, ..self }
    }
}
