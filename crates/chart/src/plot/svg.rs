//! A writer for well-formed SVG: escaping, number format, nesting.

use std::fmt::Write as _;

/// An SVG document under construction.
#[derive(Debug, Default)]
pub(super) struct Svg {
    out: String,
    open: Vec<&'static str>,
}

/// A start tag that still takes attributes; `end`, `text` or `open` closes it.
#[must_use]
pub(super) struct Tag<'a> {
    svg: &'a mut Svg,
    name: &'static str,
}

impl Svg {
    /// Starts an element.
    pub(super) fn tag(&mut self, name: &'static str) -> Tag<'_> {
        self.out.push('<');
        self.out.push_str(name);
        Tag { svg: self, name }
    }

    /// Closes the innermost element left open.
    pub(super) fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.end_tag(name);
        }
    }

    /// The document, with every element closed.
    pub(super) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.out
    }

    /// Adds text content inside the innermost open element.
    pub(super) fn content(&mut self, text: &str) {
        escape_into(&mut self.out, text);
    }

    fn end_tag(&mut self, name: &str) {
        self.out.push_str("</");
        self.out.push_str(name);
        // A line break inside text would show as a space.
        self.out.push_str(if name == "tspan" { ">" } else { ">\n" });
    }
}

impl Tag<'_> {
    /// Adds a text attribute.
    pub(super) fn attr(self, name: &str, value: &str) -> Self {
        self.svg.out.push(' ');
        self.svg.out.push_str(name);
        self.svg.out.push_str("=\"");
        escape_into(&mut self.svg.out, value);
        self.svg.out.push('"');
        self
    }

    /// Adds a number attribute.
    pub(super) fn num(self, name: &str, value: f64) -> Self {
        self.attr(name, &number(value))
    }

    /// Adds several number attributes.
    pub(super) fn nums<const N: usize>(self, pairs: [(&str, f64); N]) -> Self {
        pairs.into_iter().fold(self, |tag, (name, value)| tag.num(name, value))
    }

    /// Ends an element without content.
    pub(super) fn end(self) {
        self.svg.out.push_str("/>\n");
    }

    /// Ends an element that holds only text.
    pub(super) fn text(self, text: &str) {
        self.svg.out.push('>');
        escape_into(&mut self.svg.out, text);
        self.svg.end_tag(self.name);
    }

    /// Leaves the element open for children, until `Svg::close`.
    pub(super) fn open(self) {
        self.svg.out.push('>');
        self.svg.open.push(self.name);
    }
}

/// The `d` attribute of a path through the given points.
pub(super) fn path(points: impl IntoIterator<Item = (f64, f64)>) -> String {
    let mut d = String::new();
    for (x, y) in points {
        let command = if d.is_empty() { 'M' } else { 'L' };
        // Writing to a string cannot fail.
        let _ = write!(d, "{command}{} {}", number(x), number(y));
    }
    d
}

/// Two decimals; never `NaN`, `inf` or `-0.00`, which would break a viewer
/// or make equal drawings differ.
pub(super) fn number(value: f64) -> String {
    let text = format!("{:.2}", if value.is_finite() { value } else { 0.0 });
    if text == "-0.00" { "0.00".to_owned() } else { text }
}

fn escape_into(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // XML has no way to write control characters, not even escaped.
            '\t' | '\n' | '\r' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_attributes_are_escaped() {
        let mut svg = Svg::default();
        svg.tag("text").attr("a", "\"'<>&").text("</text>&\u{0}\u{1b}\u{ffff}\n");
        let expected =
            "<text a=\"&quot;&#39;&lt;&gt;&amp;\">&lt;/text&gt;&amp;\u{fffd}\u{fffd}\u{fffd} </text>\n";
        assert_eq!(svg.finish(), expected);
    }

    #[test]
    fn finishing_closes_what_is_open() {
        let mut svg = Svg::default();
        svg.tag("svg").open();
        svg.tag("g").open();
        svg.tag("line").num("x1", 1.0).end();
        assert_eq!(svg.finish(), "<svg><g><line x1=\"1.00\"/>\n</g>\n</svg>\n");
    }

    #[test]
    fn numbers_are_finite_with_two_decimals() {
        assert_eq!(number(f64::NAN), "0.00");
        assert_eq!(number(f64::NEG_INFINITY), "0.00");
        assert_eq!(number(-0.001), "0.00");
        assert_eq!(number(1.0 / 3.0), "0.33");
        assert_eq!(path([(0.0, 1.0), (2.0, f64::NAN)]), "M0.00 1.00L2.00 0.00");
    }
}
