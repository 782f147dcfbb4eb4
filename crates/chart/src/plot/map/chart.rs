//! What a map shows, free of any drawing.

use super::draw;

/// Panels of coloured cells, up to three side by side: the arm that a policy
/// gives to each context, or how much it would lose there. Panels along a
/// line are strips below each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapChart {
    /// Headline, shown large.
    pub title: String,
    /// One or two grey lines below the title.
    pub subtitle: Option<String>,
    /// Panels in reading order.
    pub panels: Vec<Panel>,
    /// Names of the arms, in colour order; the same in all panels.
    pub categories: Vec<String>,
    /// Small print at the bottom: provenance, seed, caveats.
    pub note: Option<String>,
}

/// One grid of cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// Heading, shown in bold; none if empty.
    pub title: String,
    /// Horizontal axis.
    pub x: MapAxis,
    /// Vertical axis; none for a strip.
    pub y: Option<MapAxis>,
    /// Cells side by side.
    pub columns: usize,
    /// Cells above each other; a single row is drawn as a strip.
    pub rows: usize,
    /// What the cells show.
    pub cells: Cells,
    /// A line drawn over the cells, in the axes' units; none if empty. It needs a vertical axis.
    pub line: Vec<(f64, f64)>,
}

/// One value for each cell, row by row from the bottom, each row from the
/// left. A panel whose values do not fill its grid is drawn empty.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// The best arm of each cell.
    Arms {
        /// Its place among the categories. One that is not there is drawn as
        /// "no data".
        best: Vec<u32>,
        /// How certain that is, from 0 (pale) to 1.
        certainty: Vec<f64>,
    },
    /// A quantity, from dark to bright. Panels with the same label share one
    /// scale; a value that is not finite is drawn as "no data".
    Level {
        /// The values.
        values: Vec<f64>,
        /// What they measure, with its unit.
        label: String,
    },
}

/// Name and ends of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct MapAxis {
    /// What the axis measures, with its unit.
    pub name: String,
    /// Value at the left or the lower edge.
    pub low: f64,
    /// Value at the right or the upper edge.
    pub high: f64,
}

impl MapChart {
    /// Draws the chart as a self-contained SVG document.
    #[must_use]
    pub fn svg(&self) -> String {
        draw::draw(self)
    }
}

impl Panel {
    /// Whether this is a strip along one axis.
    pub(super) fn is_strip(&self) -> bool {
        self.rows == 1
    }
}

impl Default for Cells {
    fn default() -> Self {
        Self::Arms { best: Vec::new(), certainty: Vec::new() }
    }
}

impl Default for MapAxis {
    fn default() -> Self {
        Self { name: String::new(), low: 0.0, high: 1.0 }
    }
}
