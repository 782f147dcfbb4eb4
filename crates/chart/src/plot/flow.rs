//! Where people went: one box above, and a column of boxes for each group, with arrows between them. Trials
//! call it a flow diagram.

use super::page::{MARGIN, Page, WIDTH};
use super::palette::{AXIS, INK, STRIPE};
use super::svg::Svg;
use super::text::{Anchor, GROUP, ROW};

/// A flow diagram.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlowChart {
    /// Headline, shown large.
    pub title: String,
    /// The box that everybody is in.
    pub top: FlowBox,
    /// A column for each group, all with the same number of boxes.
    pub columns: Vec<Vec<FlowBox>>,
    /// Small print at the bottom.
    pub note: Option<String>,
}

/// A box.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlowBox {
    /// Its first line, in bold.
    pub title: String,
    /// What is below it.
    pub lines: Vec<String>,
}

const PADDING: f64 = 12.0;
const GAP: f64 = 18.0;
const ARROW: f64 = 30.0;
const HEAD: f64 = 5.0;
const WIDEST: f64 = 420.0;

impl FlowBox {
    fn titles(&self, width: f64) -> Vec<String> {
        GROUP.wrap(&self.title, width - 2.0 * PADDING, 3)
    }

    fn texts(&self, width: f64) -> Vec<String> {
        self.lines.iter().flat_map(|line| ROW.wrap(line, width - 2.0 * PADDING, 4)).collect()
    }

    fn height(&self, width: f64) -> f64 {
        let titles = self.titles(width).len() as f64 * GROUP.line_height();
        2.0 * PADDING + titles + self.texts(width).len() as f64 * ROW.line_height()
    }

    fn draw(&self, svg: &mut Svg, (left, top): (f64, f64), (width, height): (f64, f64)) {
        let place = [("x", left), ("y", top), ("width", width), ("height", height), ("rx", 4.0)];
        svg.tag("rect").nums(place).attr("fill", STRIPE).attr("stroke", AXIS).end();
        let titles = self.titles(width);
        let base = top + PADDING + GROUP.size;
        GROUP.write(svg, &titles, (left + PADDING, base), Anchor::Start);
        let below = base + titles.len() as f64 * GROUP.line_height();
        ROW.write(svg, &self.texts(width), (left + PADDING, below), Anchor::Start);
    }

    fn words(&self) -> String {
        format!("{}: {}", self.title, self.lines.join(", "))
    }
}

impl FlowChart {
    /// Draws the chart as a self-contained SVG document.
    #[must_use]
    pub fn svg(&self) -> String {
        let page = Page::new(&self.title, None, self.note.as_deref());
        let columns = self.columns.len().max(1) as f64;
        let width = ((WIDTH - 2.0 * MARGIN - GAP * (columns - 1.0)) / columns).min(WIDEST);
        let left = (WIDTH - width * columns - GAP * (columns - 1.0)) / 2.0;
        let top_height = self.top.height(WIDEST);
        let rows = self.columns.iter().map(Vec::len).max().unwrap_or(0);
        let heights: Vec<f64> = (0..rows).map(|row| self.row_height(row, width)).collect();
        let bottom = page.top() + top_height + heights.iter().map(|height| ARROW + height).sum::<f64>();
        page.write(bottom, &self.describe(), |svg| {
            let place = ((WIDTH - WIDEST) / 2.0, page.top());
            self.top.draw(svg, place, (WIDEST, top_height));
            for (column, boxes) in self.columns.iter().enumerate() {
                let x = left + (width + GAP) * column as f64;
                let mut y = page.top() + top_height;
                for (row, (one, &height)) in boxes.iter().zip(&heights).enumerate() {
                    // From the middle of everybody's box to the side, then down.
                    let from = if row == 0 { WIDTH / 2.0 } else { x + width / 2.0 };
                    arrow(svg, (from, y), (x + width / 2.0, y + ARROW));
                    one.draw(svg, (x, y + ARROW), (width, height));
                    y += ARROW + height;
                }
            }
        })
    }

    fn row_height(&self, row: usize, width: f64) -> f64 {
        let boxes = self.columns.iter().filter_map(|column| column.get(row));
        boxes.map(|one| one.height(width)).fold(0.0, f64::max)
    }

    fn describe(&self) -> String {
        let boxes = std::iter::once(&self.top).chain(self.columns.iter().flatten());
        let words: Vec<String> = boxes.map(FlowBox::words).collect();
        format!("Flow diagram. {}.", words.join(". "))
    }
}

fn arrow(svg: &mut Svg, (from, top): (f64, f64), (to, bottom): (f64, f64)) {
    let bend = f64::midpoint(top, bottom);
    let line = format!("M{from:.1} {top:.1}V{bend:.1}H{to:.1}V{bottom:.1}");
    svg.tag("path").attr("d", &line).attr("fill", "none").attr("stroke", INK).end();
    let head = format!(
        "M{:.1} {:.1}L{to:.1} {bottom:.1}L{:.1} {:.1}",
        to - HEAD,
        bottom - HEAD,
        to + HEAD,
        bottom - HEAD
    );
    svg.tag("path").attr("d", &head).attr("fill", "none").attr("stroke", INK).end();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(title: &str) -> FlowBox {
        FlowBox { title: title.into(), lines: vec!["about 12 people".into()] }
    }

    #[test]
    fn boxes_are_drawn_joined_and_escaped() {
        let chart = FlowChart {
            top: one("enrolled"),
            columns: vec![
                vec![one("<a>"), one("lost")],
                vec![one("b"), one("lost")],
                vec![one("c"), one("d")],
            ],
            ..FlowChart::default()
        };
        let svg = chart.svg();
        assert!(svg.contains("&lt;a&gt;") && !svg.contains("<a>"));
        assert_eq!(svg.matches("<rect").count(), 8, "the paper, and a box each");
        assert_eq!(svg.matches("<path").count(), 12, "an arrow to each box below, with its head");
        assert!(svg.contains("Flow diagram. enrolled: about 12 people."));
    }

    #[test]
    fn nobody_is_a_picture_too() {
        assert!(FlowChart::default().svg().starts_with("<svg"));
    }
}
