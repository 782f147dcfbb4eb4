//! Draws a line chart.

use super::chart::{Chart, Series, SeriesKind};
use super::describe::describe;
use super::end_labels::{self, EndLabel};
use super::frame::{AxisRange, Frame};
use super::page::{MARGIN, Page, WIDTH};
use super::palette::{self, Shape, Stroke};
use super::scale::Domain;
use super::svg::{Svg, path};

/// Height of the plot area, unless the names need more.
const HEIGHT: f64 = 400.0;
/// Points closer than this on average are drawn without markers.
const SPARSE: f64 = 12.0;
/// A marker closer than this to the one before would hide it.
const OVERLAP: f64 = 7.0;

type Point = (f64, f64);

/// The chart as an SVG document.
pub(super) fn draw(chart: &Chart) -> String {
    let page = Page::new(&chart.title, chart.subtitle.as_deref(), chart.note.as_deref());
    let strokes = strokes(&chart.series);
    let mut labels = labels(chart, &strokes);
    let right = WIDTH - MARGIN - end_labels::width(&labels);
    let height = HEIGHT.max(end_labels::height(&labels));
    let x = AxisRange { label: &chart.x.label, domain: x_domain(chart), slack: 0.04 };
    let y = AxisRange { label: &chart.y.label, domain: y_domain(chart), slack: 1.0 };
    let frame = Frame::new((MARGIN, right), page.top(), height, x, y);
    for (label, series) in labels.iter_mut().zip(&chart.series) {
        label.end = series.points.iter().filter_map(|p| frame.at(*p)).next_back();
    }
    page.write(frame.bottom, &describe(chart), |svg| {
        frame.draw(svg);
        draw_series(svg, &frame, &chart.series, &strokes);
        end_labels::draw(svg, &labels, frame.area);
    })
}

impl Chart {
    /// Whether both axes can show a point.
    pub(super) fn shows(&self, (x, y): Point) -> bool {
        self.x.scale.shows(x) && self.y.scale.shows(y)
    }
}

fn x_domain(chart: &Chart) -> Domain {
    let points = chart.series.iter().flat_map(|s| &s.points);
    Domain::around(chart.x.scale, points.filter(|p| chart.shows(**p)).map(|p| p.0))
}

fn y_domain(chart: &Chart) -> Domain {
    let points = chart.series.iter().flat_map(|s| &s.points);
    let values = points.filter(|p| chart.shows(**p)).map(|p| p.1);
    let bands = chart.series.iter().flat_map(with_band);
    let drawn = bands.filter(|(p, (lo, hi))| chart.shows(*p) && lo.is_finite() && hi.is_finite());
    let ends = drawn.flat_map(|(_, (lo, hi))| [lo, hi]);
    Domain::around(chart.y.scale, values.chain(ends)).include_zero_if_near()
}

/// Each point that has a band, with it.
fn with_band(series: &Series) -> impl Iterator<Item = (Point, Point)> {
    let band = series.band.iter().flatten();
    series.points.iter().copied().zip(band.copied())
}

/// Measured series and bounds count through their styles separately, so that
/// adding a bound recolours nothing.
fn strokes(series: &[Series]) -> Vec<Stroke> {
    let (mut measured, mut bounds) = (0.., 0..);
    let pick = |s: &Series| match s.kind {
        SeriesKind::Measured => palette::measured(measured.next().unwrap_or(0)),
        SeriesKind::Bound => palette::bound(bounds.next().unwrap_or(0)),
    };
    series.iter().map(pick).collect()
}

fn labels(chart: &Chart, strokes: &[Stroke]) -> Vec<EndLabel> {
    let label = |(series, stroke): (&Series, &Stroke)| {
        let empty = !series.points.iter().any(|p| chart.shows(*p));
        let new = if empty { EndLabel::without_data } else { EndLabel::new };
        new(&series.name, *stroke)
    };
    chart.series.iter().zip(strokes).map(label).collect()
}

/// Bands lowest, bounds above them, measured lines on top.
fn draw_series(svg: &mut Svg, frame: &Frame, series: &[Series], strokes: &[Stroke]) {
    for (one, stroke) in series.iter().zip(strokes) {
        draw_band(svg, frame, one, *stroke);
    }
    for kind in [SeriesKind::Bound, SeriesKind::Measured] {
        for (one, stroke) in series.iter().zip(strokes).filter(|(s, _)| s.kind == kind) {
            svg.tag("g").open();
            svg.tag("title").text(&one.name);
            draw_line(svg, frame, one, *stroke);
            svg.close();
        }
    }
    for (one, stroke) in series.iter().zip(strokes) {
        for at in one.marks.iter().filter_map(|mark| frame.at(*mark)) {
            stroke.ring(svg, at);
        }
    }
}

fn draw_band(svg: &mut Svg, frame: &Frame, series: &Series, stroke: Stroke) {
    for run in runs(with_band(series).map(|(point, band)| frame.span(point, band))) {
        if let [(top, bottom)] = run[..] {
            // A lone point has no area to fill: an error bar instead.
            let bar = svg.tag("path").attr("d", &path([top, bottom]));
            bar.attr("stroke", stroke.colour).num("stroke-width", 5.0).num("stroke-opacity", 0.25).end();
            continue;
        }
        let upper = run.iter().map(|(top, _)| *top);
        let lower = run.iter().rev().map(|(_, bottom)| *bottom);
        let d = path(upper.chain(lower)) + "Z";
        svg.tag("path").attr("d", &d).attr("fill", stroke.colour).num("fill-opacity", 0.17).end();
        if series.lower_edge {
            let edge = svg.tag("path").attr("d", &path(run.iter().map(|(_, bottom)| *bottom)));
            let edge = edge.attr("fill", "none").attr("stroke", stroke.colour).num("stroke-width", 1.4);
            edge.attr("stroke-dasharray", "2 3").end();
        }
    }
}

fn draw_line(svg: &mut Svg, frame: &Frame, series: &Series, stroke: Stroke) {
    let runs = runs(series.points.iter().map(|p| frame.at(*p)));
    let shown = runs.iter().map(Vec::len).sum();
    let gap = marker_gap(stroke, shown, frame.area.right - frame.area.left);
    for run in &runs {
        if run.len() > 1 {
            let line = svg.tag("path").attr("d", &path(run.iter().copied())).attr("fill", "none");
            stroke.paint(line).attr("stroke-linejoin", "round").end();
        }
        if run.len() == 1 || gap.is_some() {
            for at in apart(run, gap.unwrap_or(0.0)) {
                stroke.mark(svg, at);
            }
        }
    }
}

/// How far apart markers are, if there are any: at each point while that is
/// readable; on dense lines only where the colour alone does not tell.
fn marker_gap(stroke: Stroke, points: usize, width: f64) -> Option<f64> {
    let sparse = points as f64 * SPARSE < width;
    match (stroke.dash, stroke.shape) {
        (None, _) if sparse => Some(OVERLAP),
        (Some(_), _) | (None, Shape::Circle) => None,
        (None, _) => Some(4.0 * SPARSE),
    }
}

/// Leaves out points closer than `gap` to the one kept before.
fn apart(run: &[Point], gap: f64) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for (x, y) in run {
        let near = kept.last().is_some_and(|(a, b)| (x - a) * (x - a) + (y - b) * (y - b) < gap * gap);
        if !near {
            kept.push((*x, *y));
        }
    }
    kept
}

/// Splits at the gaps.
fn runs<T>(items: impl Iterator<Item = Option<T>>) -> Vec<Vec<T>> {
    let mut runs = vec![Vec::new()];
    for item in items {
        match (item, runs.last_mut()) {
            (Some(item), Some(run)) => run.push(item),
            _ => runs.push(Vec::new()),
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}
