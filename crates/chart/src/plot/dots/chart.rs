//! What a dot plot shows, free of any drawing.

use super::super::chart::Axis;
use super::draw;

/// A horizontal dot plot: rows of measured values against their limits, such
/// as privacy losses found by an audit against the losses claimed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DotChart {
    /// Headline, shown large.
    pub title: String,
    /// One or two grey lines below the title.
    pub subtitle: Option<String>,
    /// Horizontal axis. A linear one starts at zero; a log one reaches a
    /// little below the smallest limit.
    pub x: Axis,
    /// Rows under their headings, from top to bottom.
    pub groups: Vec<DotGroup>,
    /// What the limits are, for the legend: "claimed ε".
    pub limit_name: String,
    /// What the values are, for the legend: "measured lower bound".
    pub value_name: String,
    /// Heading above the rows' notes.
    pub note_name: Option<String>,
    /// Small print at the bottom: provenance, seed, caveats.
    pub note: Option<String>,
}

/// Rows under a common heading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DotGroup {
    /// Heading, shown in bold; none if empty.
    pub name: String,
    /// Rows from top to bottom.
    pub rows: Vec<DotRow>,
}

/// One measured value and its limit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DotRow {
    /// Name left of the plot, on one line.
    pub name: String,
    /// What the value should not exceed: an upright tick. One that is not
    /// finite is left out.
    pub limit: Option<f64>,
    /// What was measured: a dot. `None` and infinity are an arrow at the right
    /// edge; what lies at or below the start of the axis is an open dot at the
    /// left edge; `NaN` was not measured and leaves the row without a dot.
    pub value: Option<f64>,
    /// Whether the value keeps to its limit. The caller decides, as only it
    /// knows the tolerance.
    pub mark: DotMark,
    /// Short text right of the plot, such as the value in digits.
    pub note: Option<String>,
}

/// How a row is to be read, which decides its colour and shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DotMark {
    /// The value keeps to its limit: a blue dot.
    #[default]
    Good,
    /// The value breaks its limit: an orange diamond.
    Bad,
}

impl DotChart {
    /// Draws the chart as a self-contained SVG document.
    #[must_use]
    pub fn svg(&self) -> String {
        draw::draw(self)
    }

    /// All rows, from top to bottom.
    pub(super) fn rows(&self) -> impl Iterator<Item = &DotRow> + Clone {
        self.groups.iter().flat_map(|group| &group.rows)
    }
}
