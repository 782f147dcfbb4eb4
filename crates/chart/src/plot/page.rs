//! The sheet a chart is drawn on: document, background, title and note.

use super::palette::PAPER;
use super::svg::{Svg, number};
use super::text::{Anchor, FAMILY, Font, NOTE, SUBTITLE, TITLE};

/// Width of every chart; heights follow the content.
pub(super) const WIDTH: f64 = 960.0;
/// Empty border.
pub(super) const MARGIN: f64 = 28.0;

/// Titles and small print around a chart of any kind.
#[derive(Debug)]
pub(super) struct Page<'a> {
    heading: &'a str,
    title: Vec<String>,
    subtitle: Vec<String>,
    note: Vec<String>,
}

impl<'a> Page<'a> {
    pub(super) fn new(title: &'a str, subtitle: Option<&str>, note: Option<&str>) -> Self {
        let lines = |font: Font, text: &str, most| font.wrap(text, WIDTH - 2.0 * MARGIN, most);
        Self {
            heading: title,
            title: lines(TITLE, title, 3),
            subtitle: lines(SUBTITLE, subtitle.unwrap_or_default(), 4),
            note: lines(NOTE, note.unwrap_or_default(), 6),
        }
    }

    /// Where the body may start.
    pub(super) fn top(&self) -> f64 {
        let heading = height(TITLE, &self.title) + height(SUBTITLE, &self.subtitle);
        let gap = if heading > 0.0 { 22.0 } else { 0.0 };
        MARGIN + heading + gap
    }

    /// The whole document, around a body that ends at `bottom`. The summary
    /// is what a screen reader says about the picture.
    pub(super) fn write(&self, bottom: f64, summary: &str, body: impl FnOnce(&mut Svg)) -> String {
        let gap = if self.note.is_empty() { 0.0 } else { 18.0 };
        let note_top = bottom + gap;
        let mut svg = Svg::default();
        self.open(&mut svg, note_top + height(NOTE, &self.note) + MARGIN, summary);
        let subtitle_top = MARGIN + height(TITLE, &self.title) + 3.0;
        lines_from(&mut svg, TITLE, &self.title, MARGIN);
        lines_from(&mut svg, SUBTITLE, &self.subtitle, subtitle_top);
        body(&mut svg);
        lines_from(&mut svg, NOTE, &self.note, note_top);
        svg.finish()
    }

    fn open(&self, svg: &mut Svg, height: f64, summary: &str) {
        let view = format!("0 0 {} {}", number(WIDTH), number(height));
        let tag = svg.tag("svg").attr("xmlns", "http://www.w3.org/2000/svg").attr("viewBox", &view);
        // A size of its own for image viewers, yet never wider than its page.
        let tag = tag.nums([("width", WIDTH), ("height", height)]);
        let tag = tag.attr("style", "max-width:100%;height:auto").attr("font-family", FAMILY);
        // A label instead of ids, which could clash when charts share a page.
        tag.attr("role", "img").attr("aria-label", self.heading).open();
        svg.tag("title").text(self.heading);
        svg.tag("desc").text(summary);
        let paper = svg.tag("rect").nums([("width", WIDTH), ("height", height)]);
        paper.attr("fill", PAPER).end();
    }
}

fn height(font: Font, lines: &[String]) -> f64 {
    lines.iter().map(|_| font.line_height()).sum()
}

fn lines_from(svg: &mut Svg, font: Font, lines: &[String], top: f64) {
    font.write(svg, lines, (MARGIN, top + font.size), Anchor::Start);
}
