//! Names right of the plot area, each beside the end of its line.
//!
//! They replace a legend: no eye movement, and data is never covered.

use super::frame::Area;
use super::palette::{FAINT, Shape, Stroke};
use super::svg::{Svg, path};
use super::text::{Anchor, Font, NAME};

/// Space for the connectors between line ends and names.
const GUTTER: f64 = 26.0;
/// Line sample before the name.
const SAMPLE: f64 = 26.0;
/// Between sample and name.
const GAP: f64 = 8.0;
/// Longest line of a name.
const LONGEST: f64 = 190.0;
/// Empty space between names.
const BETWEEN: f64 = 7.0;

/// One name with its line sample.
#[derive(Debug)]
pub(super) struct EndLabel {
    lines: Vec<String>,
    font: Font,
    stroke: Stroke,
    /// Last point of the line, once the plot is laid out.
    pub(super) end: Option<(f64, f64)>,
}

impl EndLabel {
    pub(super) fn new(name: &str, stroke: Stroke) -> Self {
        Self { lines: NAME.wrap_evenly(name, LONGEST, 3), font: NAME, stroke, end: None }
    }

    /// A name whose line has nothing to show, which must not go unnoticed.
    pub(super) fn without_data(name: &str, stroke: Stroke) -> Self {
        let font = Font { colour: FAINT, ..NAME };
        let lines = font.wrap_evenly(&format!("{name} (no data)"), LONGEST, 3);
        Self { lines, font, stroke, end: None }
    }

    fn height(&self) -> f64 {
        let lines: f64 = self.lines.iter().map(|_| self.font.line_height()).sum();
        lines.max(self.font.line_height()) + BETWEEN
    }

    fn draw(&self, svg: &mut Svg, plot: Area, middle: f64) {
        let (left, right) = (plot.right + GUTTER, plot.right + GUTTER + SAMPLE);
        self.draw_connector(svg, plot, (left, middle));
        let sample = svg.tag("line").nums([("x1", left), ("y1", middle), ("x2", right), ("y2", middle)]);
        self.stroke.paint(sample).end();
        if self.stroke.shape != Shape::Circle {
            self.stroke.mark(svg, (f64::midpoint(left, right), middle));
        }
        let mut above = -self.font.line_height();
        above += self.lines.iter().map(|_| self.font.line_height()).sum::<f64>();
        let at = (right + GAP, middle - above / 2.0 + self.font.half_height());
        self.font.write(svg, &self.lines, at, Anchor::Start);
    }

    /// A hairline from the line's end; only for lines that reach the plot's
    /// edge, as others would be crossed out by it.
    fn draw_connector(&self, svg: &mut Svg, plot: Area, to: (f64, f64)) {
        let Some((x, y)) = self.end else { return };
        if x < plot.right - 0.05 * (plot.right - plot.left) {
            return;
        }
        let d = path([(x + 6.0, y), (plot.right + 8.0, y), (to.0 - 3.0, to.1)]);
        let tag = svg.tag("path").attr("d", &d).attr("fill", "none");
        tag.attr("stroke", self.stroke.colour).num("stroke-opacity", 0.45).end();
    }
}

/// Width needed right of the plot area.
pub(super) fn width(labels: &[EndLabel]) -> f64 {
    let lines = labels.iter().flat_map(|l| &l.lines);
    let widest = lines.map(|line| NAME.width(line)).fold(0.0, f64::max);
    if labels.is_empty() { 0.0 } else { GUTTER + SAMPLE + GAP + widest }
}

/// Height needed to show all names without overlap.
pub(super) fn height(labels: &[EndLabel]) -> f64 {
    labels.iter().map(EndLabel::height).sum()
}

/// Draws all names in the order of their line ends, those without at the bottom.
pub(super) fn draw(svg: &mut Svg, labels: &[EndLabel], plot: Area) {
    let wanted = |label: &EndLabel| label.end.map_or(plot.bottom, |(_, y)| y);
    let mut order: Vec<&EndLabel> = labels.iter().collect();
    order.sort_by(|a, b| {
        let missing = a.end.is_none().cmp(&b.end.is_none());
        missing.then(wanted(a).total_cmp(&wanted(b)))
    });
    let items: Vec<(f64, f64)> = order.iter().map(|l| (wanted(l), l.height())).collect();
    for (label, middle) in order.into_iter().zip(spread(&items, plot.top, plot.bottom)) {
        label.draw(svg, plot, middle);
    }
}

/// Neighbours that touch and therefore move together.
struct Block {
    /// Where each member would like the top of the block to be, added up.
    wishes: f64,
    members: usize,
    top: f64,
    height: f64,
}

impl Block {
    fn settle(&mut self, top: f64, bottom: f64) {
        let wish = self.wishes / self.members as f64;
        self.top = wish.min(bottom - self.height).max(top);
    }
}

/// Middles for items `(wanted middle, height)`, given in order of the wanted
/// middles: in the same order, without overlap, inside the limits if they
/// have room for all, and moved as little as possible (in the sense of least squares).
fn spread(items: &[(f64, f64)], top: f64, bottom: f64) -> Vec<f64> {
    let mut blocks: Vec<Block> = Vec::new();
    for (wanted, height) in items {
        let wish = wanted - height / 2.0;
        let mut block = Block { wishes: wish, members: 1, top: wish, height: *height };
        block.settle(top, bottom);
        while let Some(above) = blocks.pop_if(|above| above.top + above.height > block.top) {
            block.wishes = above.wishes + block.wishes - block.members as f64 * above.height;
            block.members += above.members;
            block.height += above.height;
            block.settle(top, bottom);
        }
        blocks.push(block);
    }
    let mut heights = items.iter().map(|(_, height)| *height);
    let mut middles = Vec::with_capacity(items.len());
    for block in blocks {
        let mut at = block.top;
        for height in heights.by_ref().take(block.members) {
            middles.push(at + height / 2.0);
            at += height;
        }
    }
    middles
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(items: &[(f64, f64)]) -> Vec<f64> {
        let middles = spread(items, 0.0, 400.0);
        assert_eq!(middles.len(), items.len());
        let mut edge: f64 = 0.0;
        for (middle, (_, height)) in middles.iter().zip(items) {
            assert!(middle - height / 2.0 >= edge - 1e-6, "{middles:?}");
            edge = middle + height / 2.0;
        }
        assert!(edge <= 400.0 + 1e-6, "{middles:?}");
        middles
    }

    #[test]
    fn free_labels_stay_where_they_are() {
        assert_eq!(check(&[(50.0, 20.0), (200.0, 20.0)]), [50.0, 200.0]);
    }

    #[test]
    fn crowded_labels_share_the_move() {
        assert_eq!(check(&[(100.0, 20.0), (100.0, 20.0)]), [90.0, 110.0]);
    }

    #[test]
    fn limits_hold_at_both_ends() {
        check(&[(0.0, 20.0), (1.0, 40.0), (2.0, 20.0), (399.0, 20.0), (400.0, 60.0)]);
        check(&[(200.0, 100.0), (200.0, 100.0), (201.0, 100.0), (390.0, 100.0)]);
        assert!(check(&[]).is_empty());
    }
}
