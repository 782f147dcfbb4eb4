//! Several charts in one picture, below each other.

use std::fmt::Write;

/// What sizes a chart on a page of its own; inside a picture it would undo the chart's place.
const OWN_STYLE: &str = " style=\"max-width:100%;height:auto\"";

/// One SVG document out of several of the same width.
pub fn stack(charts: &[String]) -> String {
    if let [one] = charts {
        return one.clone();
    }
    let width = charts.iter().map(|svg| size(svg, "width")).fold(0.0, f64::max);
    let height: f64 = charts.iter().map(|svg| size(svg, "height")).sum();
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.2} {height:.2}\" width=\"{width:.2}\" height=\"{height:.2}\"{OWN_STYLE}>\n"
    );
    let mut top = 0.0;
    for svg in charts {
        let inner = svg.replacen(OWN_STYLE, "", 1);
        // Writing to a string cannot fail.
        let _ = write!(out, "<svg y=\"{top:.2}\"{}", inner.trim_start_matches("<svg"));
        top += size(svg, "height");
    }
    out + "</svg>\n"
}

/// A number among the attributes of the document's first tag.
fn size(svg: &str, name: &str) -> f64 {
    let tag = svg.split('>').next().unwrap_or_default();
    let after = tag.split_once(&format!(" {name}=\"")).map_or("", |(_, after)| after);
    after.split('"').next().and_then(|number| number.parse().ok()).unwrap_or(0.0)
}
