//! Which colour is which arm, above the panels or beside a single one.

use super::super::frame::Area;
use super::super::svg::Svg;
use super::super::text::{Anchor, TICK};
use super::chart::{Cells, MapChart};
use super::fill::Fill;

/// Height of a line of entries.
const LINE: f64 = 21.0;
/// Lines of text of one entry, where entries are below each other.
const MOST_LINES: usize = 3;
/// Size of a sample, and of one that shows a range.
const SAMPLE: (f64, f64) = (18.0, 13.0);
const RANGE: f64 = 54.0;
/// Between sample and text, and between entries.
const GAP: f64 = 6.0;
const BETWEEN: f64 = 20.0;

#[derive(Clone, Copy, Debug)]
enum Sample {
    One(Fill),
    /// From uncertain to certain.
    Range,
}

#[derive(Debug)]
struct Entry {
    sample: Sample,
    text: Vec<String>,
    left: f64,
    top: f64,
}

/// A legend laid out over as many lines as it needs.
#[derive(Debug)]
pub(super) struct Legend {
    entries: Vec<Entry>,
}

impl Legend {
    /// Entries beside each other between two positions, or below each other if `stacked`.
    pub(super) fn new(chart: &MapChart, (start, end): (f64, f64), stacked: bool) -> Self {
        let (mut left, mut top) = (start, 0.0);
        let mut entries: Vec<Entry> = Vec::new();
        for (sample, text) in meanings(chart) {
            let limit = end - start - sample.width() - GAP;
            let text = TICK.wrap(&text, limit, if stacked { MOST_LINES } else { 1 });
            let longest = text.iter().map(|line| TICK.width(line)).fold(0.0, f64::max);
            let width = sample.width() + GAP + longest;
            if left > start && (stacked || left + width > end) {
                (left, top) = (start, entries.last().map_or(0.0, Entry::bottom));
            }
            entries.push(Entry { sample, text, left, top });
            left += width + BETWEEN;
        }
        Self { entries }
    }

    pub(super) fn height(&self) -> f64 {
        self.entries.last().map_or(0.0, Entry::bottom)
    }

    pub(super) fn draw(&self, svg: &mut Svg, top: f64) {
        for entry in &self.entries {
            let middle = top + entry.top + LINE / 2.0;
            entry.sample.draw(svg, (entry.left, middle));
            let at = (entry.left + entry.sample.width() + GAP, middle + TICK.half_height());
            TICK.write(svg, &entry.text, at, Anchor::Start);
        }
    }
}

impl Entry {
    fn bottom(&self) -> f64 {
        self.top + LINE + TICK.line_height() * self.text.len().saturating_sub(1) as f64
    }
}

impl Sample {
    fn width(self) -> f64 {
        match self {
            Self::One(_) => SAMPLE.0,
            Self::Range => RANGE,
        }
    }

    fn draw(self, svg: &mut Svg, (left, middle): (f64, f64)) {
        let (top, bottom) = (middle - SAMPLE.1 / 2.0, middle + SAMPLE.1 / 2.0);
        match self {
            Self::One(fill) => fill.draw(svg, Area { left, top, right: left + SAMPLE.0, bottom }),
            Self::Range => {
                let width = RANGE / 3.0;
                for (i, certainty) in [0.0, 0.5, 1.0].into_iter().enumerate() {
                    let left = left + width * i as f64;
                    Fill::arm(0, certainty).draw(svg, Area { left, top, right: left + width, bottom });
                }
            }
        }
    }
}

/// The samples that the panels make necessary.
fn meanings(chart: &MapChart) -> Vec<(Sample, String)> {
    let arms = chart.panels.iter().any(|panel| matches!(panel.cells, Cells::Arms { .. }));
    let pale = chart.panels.iter().any(|panel| match &panel.cells {
        Cells::Arms { certainty, .. } => certainty.iter().any(|certainty| *certainty < 1.0),
        Cells::Level { .. } => false,
    });
    let names = chart.categories.iter().filter(|_| arms).enumerate();
    let named = names.map(|(arm, name)| (Sample::One(Fill::certain(arm)), name.clone()));
    let range = pale.then(|| (Sample::Range, "uncertain to certain".to_owned()));
    let missing = super::draw::has_gaps(chart).then(|| (Sample::One(Fill::Missing), "no data".to_owned()));
    named.chain(range).chain(missing).collect()
}
