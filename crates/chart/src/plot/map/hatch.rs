//! Hatching, which tells arms apart once colours repeat. Drawn as lines: a
//! pattern would need an id, which could clash when charts share a page.

use std::fmt::Write as _;

use super::super::frame::Area;
use super::super::svg::{Svg, number};

/// Distance between lines along either axis, and their width.
const SPACING: f64 = 7.0;
const WIDTH: f64 = 2.2;

/// How an arm is hatched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hatch {
    None,
    Rising,
    Falling,
    Crossed,
}

impl Hatch {
    /// The hatching of the n-th round through the colours.
    pub(super) fn of_round(round: usize) -> Self {
        [Self::None, Self::Rising, Self::Falling, Self::Crossed][round.min(3)]
    }

    /// Hatches a rectangle. Lines of neighbouring rectangles meet.
    pub(super) fn draw(self, svg: &mut Svg, area: Area, colour: &str) {
        let mut d = String::new();
        if matches!(self, Self::Rising | Self::Crossed) {
            lines(&mut d, area, false);
        }
        if matches!(self, Self::Falling | Self::Crossed) {
            lines(&mut d, area, true);
        }
        if !d.is_empty() {
            let tag = svg.tag("path").attr("d", &d).attr("fill", "none");
            tag.attr("stroke", colour).num("stroke-width", WIDTH).end();
        }
    }
}

/// The parts inside the area of the lines x + y = k spacing, or x - y for falling ones.
fn lines(d: &mut String, area: Area, falling: bool) {
    let sign = if falling { -1.0 } else { 1.0 };
    let ends = [sign * area.top, sign * area.bottom];
    let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    let mut k = ((area.left + low) / SPACING).ceil();
    while k * SPACING < area.right + high {
        let sum = k * SPACING;
        let (from, to) = (area.left.max(sum - high), area.right.min(sum - low));
        let y = |x: f64| number(sign * (sum - x));
        // Writing to a string cannot fail.
        let _ = write!(d, "M{} {}L{} {}", number(from), y(from), number(to), y(to));
        k += 1.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_inside() {
        let area = Area { left: 103.0, top: 51.0, right: 140.0, bottom: 60.0 };
        for hatch in [Hatch::Rising, Hatch::Falling, Hatch::Crossed] {
            let mut svg = Svg::default();
            hatch.draw(&mut svg, area, "#000000");
            let text = svg.finish();
            let d = text.split("d=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
            let points = d.split(['M', 'L']).filter(|point| !point.is_empty());
            let points: Vec<(f64, f64)> = points
                .map(|point| point.split_once(' ').unwrap())
                .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
                .collect();
            assert!(points.len() >= 12, "{text}");
            assert!(points.iter().all(|(x, y)| (103.0..=140.0).contains(x) && (51.0..=60.0).contains(y)));
        }
    }
}
