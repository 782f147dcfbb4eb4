//! The scale of a quantity: a bar of its colours, with ticks.

use super::super::frame::{Area, TICK_GAP, rule, target};
use super::super::palette::AXIS;
use super::super::scale::{Domain, Scale};
use super::super::svg::Svg;
use super::super::text::{AXIS_LABEL, Anchor, TICK};
use super::super::ticks::Ticks;
use super::chart::{Cells, MapChart, Panel};
use super::fill::Fill;

const HEIGHT: f64 = 11.0;
/// Steps of colour along the bar.
const STEPS: u32 = 96;
/// Wanted distance between ticks, and their length.
const SPACING: f64 = 50.0;
const MARK: f64 = 5.0;
/// Between tick labels and the label of the bar.
const LABEL_GAP: f64 = 6.0;

/// A colour bar laid out between two positions on the page.
#[derive(Debug)]
pub(super) struct Bar {
    domain: Domain,
    ticks: Ticks,
    label: Vec<String>,
    left: f64,
    right: f64,
}

impl Bar {
    /// The bar of a panel that shows a quantity.
    pub(super) fn new(chart: &MapChart, panel: &Panel, (left, right): (f64, f64)) -> Option<Self> {
        let Cells::Level { label, .. } = &panel.cells else { return None };
        let domain = scale_of(chart, panel);
        let ticks = fitting_ticks(&domain, right - left);
        Some(Self { domain, ticks, label: AXIS_LABEL.wrap(label, right - left, 2), left, right })
    }

    pub(super) fn height(&self) -> f64 {
        let label = self.label.len() as f64 * AXIS_LABEL.line_height();
        HEIGHT + TICK_GAP + TICK.line_height() + LABEL_GAP + label
    }

    pub(super) fn draw(&self, svg: &mut Svg, top: f64) {
        let bottom = top + HEIGHT;
        let at = |part: f64| self.left + (self.right - self.left) * part;
        svg.tag("g").attr("shape-rendering", "crispEdges").open();
        for step in 0..STEPS {
            let [from, to] = [step, step + 1].map(|step| f64::from(step) / f64::from(STEPS));
            let area = Area { left: at(from), top, right: self.right.min(at(to) + 1.0), bottom };
            Fill::level(f64::midpoint(from, to)).draw_ground(svg, area);
        }
        svg.close();
        for tick in &self.ticks.major {
            let x = at(self.domain.fraction(tick.value));
            rule(svg, (x, bottom), (x, bottom + MARK), AXIS);
            TICK.write_label(svg, &tick.label, (x, bottom + TICK_GAP + TICK.size), Anchor::Middle);
        }
        let label_top = bottom + TICK_GAP + TICK.line_height() + LABEL_GAP;
        let middle = (at(0.5), label_top + AXIS_LABEL.size);
        AXIS_LABEL.write(svg, &self.label, middle, Anchor::Middle);
    }
}

/// As many ticks as fit without their labels touching; a bar is short, so
/// they may stand closer than on an axis.
fn fitting_ticks(domain: &Domain, width: f64) -> Ticks {
    let fits = |ticks: &Ticks| {
        ticks.major.windows(2).all(|pair| {
            let gap = (domain.fraction(pair[1].value) - domain.fraction(pair[0].value)) * width;
            let halves = TICK.label_width(&pair[0].label) + TICK.label_width(&pair[1].label);
            gap >= halves / 2.0 + 10.0
        })
    };
    let candidates = (2..=target(width, SPACING)).rev().map(|target| Ticks::within(domain, target));
    candidates.into_iter().find(fits).unwrap_or_default()
}

/// The scale that all panels with the label of this one share.
pub(super) fn scale_of(chart: &MapChart, panel: &Panel) -> Domain {
    let Cells::Level { label: wanted, .. } = &panel.cells else { return Domain::around(Scale::Linear, []) };
    let values = chart.panels.iter().filter_map(|panel| match &panel.cells {
        Cells::Level { values, label } if label == wanted => Some(values),
        _ => None,
    });
    Domain::around(Scale::Linear, values.flatten().copied())
}
