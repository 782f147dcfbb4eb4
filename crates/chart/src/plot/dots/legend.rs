//! What the marks mean, in a line above the plot.

use super::super::number::in_words;
use super::super::page::{MARGIN, WIDTH};
use super::super::scale::Domain;
use super::super::svg::Svg;
use super::super::text::{Anchor, TICK};
use super::chart::{DotChart, DotMark};
use super::range::Spot;
use super::row::draw_limit;

/// Height of a line of entries.
const LINE: f64 = 20.0;
/// Width of a sample.
const SAMPLE: f64 = 14.0;
/// Between sample and text, and between entries.
const GAP: f64 = 5.0;
const BETWEEN: f64 = 22.0;

#[derive(Clone, Copy, Debug)]
enum Sample {
    Limit,
    Value(DotMark),
    Open(DotMark),
    Arrow(DotMark),
}

/// One sample with its meaning and its place.
#[derive(Debug)]
struct Entry {
    sample: Sample,
    text: String,
    left: f64,
    line: f64,
}

/// A legend laid out over as many lines as it needs.
#[derive(Debug)]
pub(super) struct Legend {
    entries: Vec<Entry>,
}

impl Legend {
    pub(super) fn new(chart: &DotChart, domain: &Domain) -> Self {
        let (mut left, mut line) = (MARGIN, 0.0);
        let mut entries = Vec::new();
        for (sample, text) in meanings(chart, domain) {
            let limit = WIDTH - 2.0 * MARGIN - SAMPLE - GAP;
            let Some(text) = TICK.wrap(&text, limit, 1).pop() else { continue };
            let width = SAMPLE + GAP + TICK.width(&text);
            if left > MARGIN && left + width > WIDTH - MARGIN {
                (left, line) = (MARGIN, line + 1.0);
            }
            entries.push(Entry { sample, text, left, line });
            left += width + BETWEEN;
        }
        Self { entries }
    }

    pub(super) fn height(&self) -> f64 {
        self.entries.last().map_or(0.0, |entry| LINE * (entry.line + 1.0))
    }

    pub(super) fn draw(&self, svg: &mut Svg, top: f64) {
        for entry in &self.entries {
            let middle = top + LINE * (entry.line + 0.5);
            entry.sample.draw(svg, (entry.left + SAMPLE / 2.0, middle));
            let at = (entry.left + SAMPLE + GAP, middle + TICK.half_height());
            TICK.write(svg, std::slice::from_ref(&entry.text), at, Anchor::Start);
        }
    }
}

impl Sample {
    fn draw(self, svg: &mut Svg, (x, y): (f64, f64)) {
        match self {
            Self::Limit => draw_limit(svg, (x, y)),
            Self::Value(mark) => mark.draw(svg, (x, y)),
            Self::Open(mark) => mark.draw_open(svg, (x, y)),
            Self::Arrow(mark) => mark.draw_arrow(svg, (x + SAMPLE / 4.0, y)),
        }
    }
}

/// The samples that the rows make necessary.
fn meanings(chart: &DotChart, domain: &Domain) -> Vec<(Sample, String)> {
    let spots = chart.rows().filter_map(|row| Some((row.mark, Spot::of_value(row.value, domain)?)));
    let first = |wanted: Spot| spots.clone().find(|(_, spot)| *spot == wanted).map(|(mark, _)| mark);
    let limits = chart.rows().any(|row| Spot::of_limit(row.limit, domain).is_some());
    let bad = spots.clone().any(|(mark, _)| mark == DotMark::Bad);
    let above = format!("{} above {}", chart.value_name, chart.limit_name);
    let low = format!("{} or less", in_words(domain.lo));
    let entries = [
        limits.then(|| (Sample::Limit, chart.limit_name.clone())),
        Some((Sample::Value(DotMark::Good), chart.value_name.clone())),
        bad.then_some((Sample::Value(DotMark::Bad), above)),
        first(Spot::Low).map(|mark| (Sample::Open(mark), low)),
        first(Spot::Beyond).map(|mark| (Sample::Arrow(mark), "infinite, or beyond the axis".to_owned())),
    ];
    entries.into_iter().flatten().collect()
}
