//! Effects with their intervals, one a row, around a line at no effect: what trials call a forest plot.

use super::chart::Axis;
use super::frame::{AxisRange, rule};
use super::page::{MARGIN, Page, WIDTH};
use super::palette::{AXIS, GOOD, MUTED, STRIPE, Shape};
use super::scale::Domain;
use super::svg::Svg;
use super::text::{Anchor, GROUP, ROW, TICK};
use super::x_axis::XAxis;

/// A forest plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForestChart {
    /// Headline, shown large.
    pub title: String,
    /// One or two grey lines below the title.
    pub subtitle: Option<String>,
    /// Horizontal axis; zero is always on it.
    pub x: Axis,
    /// Rows from top to bottom.
    pub rows: Vec<ForestRow>,
    /// Heading above the rows' notes.
    pub note_name: String,
    /// Small print at the bottom.
    pub note: Option<String>,
}

/// One effect. A row without an estimate is a heading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForestRow {
    /// Name left of the plot.
    pub name: String,
    /// The estimate, as a mark.
    pub estimate: Option<f64>,
    /// The interval, as a thick line.
    pub interval: Option<(f64, f64)>,
    /// A wider interval that holds under weaker conditions, as a thin line.
    pub outer: Option<(f64, f64)>,
    /// Whether this is an average of others: a diamond instead of a square.
    pub average: bool,
    /// The numbers, right of the plot.
    pub note: String,
}

const LINE: f64 = 24.0;
const FOOT: f64 = 6.0;
const LONGEST_NAME: f64 = 300.0;
const GAP: f64 = 16.0;
/// Thin and thick lines.
const OUTER: f64 = 1.2;
const INNER: f64 = 4.0;

impl ForestChart {
    /// Draws the chart as a self-contained SVG document.
    #[must_use]
    pub fn svg(&self) -> String {
        let page = Page::new(&self.title, self.subtitle.as_deref(), self.note.as_deref());
        let widest = |texts: &mut dyn Iterator<Item = f64>| texts.fold(0.0, f64::max);
        let names = widest(&mut self.rows.iter().map(|row| GROUP.width(&row.name).min(LONGEST_NAME)));
        let notes = widest(&mut self.rows.iter().map(|row| ROW.width(&row.note)));
        let left = MARGIN + names + GAP;
        let right = WIDTH - MARGIN - notes.max(TICK.width(&self.note_name)) - GAP;
        let range = AxisRange { label: &self.x.label, domain: self.domain(), slack: 0.2 };
        let axis = XAxis::new((left, right), range);
        let top = page.top() + XAxis::height_above();
        let bottom = top + LINE * self.rows.len() as f64 + FOOT;
        page.write(bottom + axis.height(), &self.describe(), |svg| {
            self.draw_frame(svg, &axis, (left, right), (top, bottom));
            for (place, row) in self.rows.iter().enumerate() {
                draw_row(svg, &axis, row, top + LINE * (place as f64 + 0.5));
            }
        })
    }

    fn domain(&self) -> Domain {
        let ends = self.rows.iter().flat_map(|row| {
            let (low, high) = row.interval.unzip();
            let (lowest, highest) = row.outer.unzip();
            [row.estimate, low, high, lowest, highest]
        });
        Domain::around(self.x.scale, ends.flatten().chain([0.0]))
    }

    fn draw_frame(&self, svg: &mut Svg, axis: &XAxis, (left, right): (f64, f64), (top, bottom): (f64, f64)) {
        for row in (0..self.rows.len()).step_by(2) {
            let place = [("x", MARGIN), ("y", top + LINE * row as f64)];
            let size = [("width", WIDTH - 2.0 * MARGIN), ("height", LINE)];
            svg.tag("rect").nums(place).nums(size).attr("fill", STRIPE).end();
        }
        axis.draw_grid(svg, top, bottom);
        axis.draw(svg, bottom);
        rule(svg, (left, bottom), (right, bottom), AXIS);
        rule(svg, (axis.at(0.0), top), (axis.at(0.0), bottom), MUTED);
        let at = (WIDTH - MARGIN - 4.0, XAxis::base_above(top));
        TICK.write(svg, std::slice::from_ref(&self.note_name), at, Anchor::End);
    }

    fn describe(&self) -> String {
        let rows = self.rows.iter().filter(|row| row.estimate.is_some());
        let rows: Vec<String> = rows.map(|row| format!("{}: {}.", row.name, row.note)).collect();
        format!("Forest plot. Horizontal: {}. {}", self.x.label, rows.join(" "))
    }
}

fn draw_row(svg: &mut Svg, axis: &XAxis, row: &ForestRow, y: f64) {
    let base = y + ROW.half_height();
    let font = if row.average || row.estimate.is_none() { GROUP } else { ROW };
    font.write(svg, &font.wrap(&row.name, LONGEST_NAME, 1), (MARGIN + 4.0, base), Anchor::Start);
    ROW.write(svg, std::slice::from_ref(&row.note), (WIDTH - MARGIN - 4.0, base), Anchor::End);
    for (ends, width) in [(row.outer, OUTER), (row.interval, INNER)] {
        if let Some((low, high)) = ends {
            let line = [("x1", axis.at(low)), ("y1", y), ("x2", axis.at(high)), ("y2", y)];
            let tag = svg.tag("line").nums(line).attr("stroke", GOOD);
            tag.num("stroke-width", width).num("stroke-opacity", 0.65).end();
        }
    }
    if let Some(estimate) = row.estimate {
        let shape = if row.average { Shape::Diamond } else { Shape::Square };
        shape.tag(svg, (axis.at(estimate), y), 1.4).attr("fill", GOOD).attr("stroke", "#ffffff").end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_drawn_and_named_and_escaped() {
        let row = ForestRow {
            name: "<everyone>".into(),
            estimate: Some(0.2),
            interval: Some((-0.1, 0.5)),
            outer: Some((-0.3, 0.7)),
            average: true,
            note: "0.2 (−0.1 to 0.5)".into(),
        };
        let chart = ForestChart { rows: vec![row, ForestRow::default()], ..ForestChart::default() };
        let svg = chart.svg();
        assert!(svg.contains("&lt;everyone&gt;") && !svg.contains("<everyone>"));
        assert_eq!(svg.matches("stroke-opacity=\"0.65\"").count(), 2, "two intervals");
        assert!(svg.contains("Forest plot."));
    }
}
