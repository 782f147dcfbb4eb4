//! Draws a dot plot: names, the plot area and notes, row by row.

use super::super::frame::{Area, AxisRange, rule};
use super::super::page::{MARGIN, Page, WIDTH};
use super::super::palette::{AXIS, BAD_TEXT, STRIPE};
use super::super::svg::Svg;
use super::super::text::{Anchor, Font, GROUP, ROW, TICK};
use super::super::x_axis::XAxis;
use super::chart::{DotChart, DotGroup, DotMark, DotRow};
use super::describe::{describe, one_row};
use super::legend::Legend;
use super::range::{self, Spot};
use super::row::{INTO_HEAD, SHAFT, draw_limit};

/// Height of a row, and of a group's heading.
const LINE: f64 = 19.0;
const HEADING: f64 = 28.0;
/// Between the last row and the axis, and the least height of it all.
const FOOT: f64 = 6.0;
const LEAST: f64 = 2.0 * LINE;
/// From this height on, ticks are repeated above the plot.
const TALL: f64 = 16.0 * LINE;
/// Longest name and note.
const LONGEST_NAME: f64 = 330.0;
const LONGEST_NOTE: f64 = 130.0;
/// Rows stand in from their heading.
const INDENT: f64 = 8.0;
/// Where the rows' notes end, a little inside their stripe.
const NOTES_END: f64 = WIDTH - MARGIN - 4.0;
/// Between the plot area and the text beside it.
const GAP: f64 = 14.0;
/// Between the legend and the tick labels.
const BELOW_LEGEND: f64 = 8.0;
/// Empty ends of the plot area, so that markers at its edges are whole and
/// arrows point past every value.
const START: f64 = 10.0;
const END: f64 = 26.0;

/// A dot plot whose places are known.
struct Layout<'a> {
    chart: &'a DotChart,
    axis: XAxis,
    area: Area,
    /// Whether ticks are repeated above.
    tall: bool,
}

/// The chart as an SVG document.
pub(super) fn draw(chart: &DotChart) -> String {
    let page = Page::new(&chart.title, chart.subtitle.as_deref(), chart.note.as_deref());
    let left = MARGIN + beside(names_width(chart));
    let right = WIDTH - MARGIN - beside(notes_width(chart));
    let x = AxisRange { label: &chart.x.label, domain: range::domain(chart), slack: 0.2 };
    let axis = XAxis::new((left + START, right - END), x).with_finer_ticks();
    let legend = Legend::new(chart, &axis.domain);
    let rows: f64 = chart.groups.iter().map(height).sum();
    let tall = rows > TALL;
    let head = if tall || chart.note_name.is_some() { XAxis::height_above() } else { 0.0 };
    let top = page.top() + legend.height() + BELOW_LEGEND + head;
    let area = Area { left, top, right, bottom: top + rows.max(LEAST) + FOOT };
    let bottom = area.bottom + axis.height();
    let layout = Layout { chart, axis, area, tall };
    page.write(bottom, &describe(chart), |svg| {
        legend.draw(svg, page.top());
        layout.draw(svg);
    })
}

impl Layout<'_> {
    fn draw(&self, svg: &mut Svg) {
        self.draw_axes(svg);
        let mut top = self.area.top;
        for group in &self.chart.groups {
            self.draw_group(svg, group, top);
            top += height(group);
        }
    }

    fn draw_axes(&self, svg: &mut Svg) {
        let Area { left, top, right, bottom } = self.area;
        self.axis.draw(svg, bottom);
        rule(svg, (left, bottom), (right, bottom), AXIS);
        if self.tall {
            self.axis.draw_above(svg, top);
            rule(svg, (left, top), (right, top), AXIS);
        }
        if let Some(name) = &self.chart.note_name {
            let at = (NOTES_END, XAxis::base_above(top));
            TICK.write(svg, &TICK.wrap(name, LONGEST_NOTE, 1), at, Anchor::End);
        }
    }

    fn draw_group(&self, svg: &mut Svg, group: &DotGroup, top: f64) {
        let rows_top = top + heading(group);
        if !group.name.is_empty() {
            let name = GROUP.wrap(&group.name, WIDTH - 2.0 * MARGIN, 1);
            GROUP.write(svg, &name, (MARGIN, rows_top - 7.0), Anchor::Start);
        }
        for row in (0..group.rows.len()).step_by(2) {
            let place = [("x", MARGIN), ("y", rows_top + LINE * row as f64)];
            let size = [("width", WIDTH - 2.0 * MARGIN), ("height", LINE)];
            svg.tag("rect").nums(place).nums(size).attr("fill", STRIPE).end();
        }
        self.axis.draw_grid(svg, rows_top, rows_top + LINE * group.rows.len() as f64);
        for (i, row) in group.rows.iter().enumerate() {
            self.draw_row(svg, row, rows_top + LINE * (i as f64 + 0.5));
        }
    }

    fn draw_row(&self, svg: &mut Svg, row: &DotRow, middle: f64) {
        svg.tag("g").open();
        svg.tag("title").text(&one_row(self.chart, row));
        let base = middle + ROW.half_height();
        ROW.write(svg, &ROW.wrap(&row.name, LONGEST_NAME, 1), (MARGIN + INDENT, base), Anchor::Start);
        let note = row.note.as_deref().unwrap_or_default();
        let font = note_font(row);
        let note = font.wrap(note, LONGEST_NOTE, 1);
        font.write(svg, &note, (NOTES_END, base), Anchor::End);
        self.draw_marks(svg, row, middle);
        svg.close();
    }

    /// The limit is on top: a value close to it must not cut it into pieces.
    fn draw_marks(&self, svg: &mut Svg, row: &DotRow, y: f64) {
        let limit = Spot::of_limit(row.limit, &self.axis.domain).map(|spot| self.at(spot));
        if let Some(spot) = Spot::of_value(row.value, &self.axis.domain) {
            self.draw_value(svg, row.mark, spot, (limit, y));
        }
        if let Some(x) = limit {
            draw_limit(svg, (x, y));
        }
    }

    /// A value and the gap to its limit, if it has one.
    fn draw_value(&self, svg: &mut Svg, mark: DotMark, spot: Spot, (limit, y): (Option<f64>, f64)) {
        let x = self.at(spot);
        let gap = match spot {
            Spot::Beyond => Some((limit.unwrap_or(x - SHAFT), x - INTO_HEAD)),
            _ => limit.map(|limit| (limit, x)),
        };
        if let Some((from, to)) = gap {
            mark.draw_gap(svg, from, to, y);
        }
        match spot {
            Spot::Low => mark.draw_open(svg, (x, y)),
            Spot::Inside(_) => mark.draw(svg, (x, y)),
            Spot::Beyond => mark.draw_arrow(svg, (x, y)),
        }
    }

    fn at(&self, spot: Spot) -> f64 {
        match spot {
            Spot::Low => self.axis.at(self.axis.domain.lo),
            Spot::Inside(value) => self.axis.at(value),
            Spot::Beyond => self.area.right,
        }
    }
}

fn heading(group: &DotGroup) -> f64 {
    if group.name.is_empty() { FOOT } else { HEADING }
}

fn height(group: &DotGroup) -> f64 {
    heading(group) + LINE * group.rows.len() as f64
}

/// Notes of bad rows stand out, in colour and in weight.
fn note_font(row: &DotRow) -> Font {
    match row.mark {
        DotMark::Good => ROW,
        DotMark::Bad => Font { colour: BAD_TEXT, weight: "600", ..ROW },
    }
}

fn names_width(chart: &DotChart) -> f64 {
    let names = chart.rows().map(|row| ROW.width(&row.name).min(LONGEST_NAME));
    names.reduce(f64::max).map_or(0.0, |widest| INDENT + widest)
}

fn notes_width(chart: &DotChart) -> f64 {
    let notes = chart.rows().filter_map(|row| Some((note_font(row), row.note.as_deref()?)));
    let all = notes.chain(chart.note_name.as_deref().map(|name| (TICK, name)));
    all.map(|(font, text)| font.width(text).min(LONGEST_NOTE)).fold(0.0, f64::max)
}

/// The width of a column with its distance to the plot area.
fn beside(column: f64) -> f64 {
    if column > 0.0 { column + GAP } else { 0.0 }
}
