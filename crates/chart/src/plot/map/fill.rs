//! What fills a cell.

use super::super::frame::Area;
use super::super::palette::{GRID, measured};
use super::super::scale::Domain;
use super::super::svg::Svg;
use super::chart::{Cells, Panel};
use super::colour::{sequential, tint};
use super::hatch::Hatch;

/// How many colours there are before hatching tells arms apart.
const COLOURS: usize = 7;
/// Steps of certainty and of quantities: finer than the eye, coarse enough
/// that neighbours are drawn as one.
const CERTAINTY_STEPS: f64 = 24.0;
const LEVEL_STEPS: f64 = 96.0;
/// How much is left of a colour where nothing is certain.
const PALEST: f64 = 0.22;
/// How much of its colour a hatched arm keeps between the lines.
const BETWEEN_LINES: f64 = 0.4;

/// What fills a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    /// An arm, with its certainty in steps.
    Arm { arm: usize, certainty: u8 },
    /// A quantity, in steps.
    Level(u8),
    /// No data.
    Missing,
}

impl Fill {
    /// An arm that is certain.
    pub(super) fn certain(arm: usize) -> Self {
        Self::arm(arm, 1.0)
    }

    pub(super) fn arm(arm: usize, certainty: f64) -> Self {
        // A certainty that is not a number is none.
        let certainty = (certainty.clamp(0.0, 1.0) * CERTAINTY_STEPS).round() as u8;
        Self::Arm { arm, certainty }
    }

    pub(super) fn level(fraction: f64) -> Self {
        Self::Level((fraction.clamp(0.0, 1.0) * LEVEL_STEPS).round() as u8)
    }

    /// The fill of each cell, or none if the values do not fill the grid.
    pub(super) fn of_panel(panel: &Panel, arms: usize, scale: &Domain) -> Vec<Self> {
        let arm = |(best, certainty): (&u32, &f64)| match *best as usize {
            best if best < arms => Self::arm(best, *certainty),
            _ => Self::Missing,
        };
        let shown = |value: &f64| scale.scale.shows(*value).then(|| Self::level(scale.fraction(*value)));
        let fills: Vec<_> = match &panel.cells {
            Cells::Arms { best, certainty } => best.iter().zip(certainty).map(arm).collect(),
            Cells::Level { values, .. } => {
                values.iter().map(|value| shown(value).unwrap_or(Self::Missing)).collect()
            }
        };
        let whole = panel.columns.checked_mul(panel.rows) == Some(fills.len());
        if whole { fills } else { Vec::new() }
    }

    /// Fills a rectangle, hatching included.
    pub(super) fn draw(self, svg: &mut Svg, area: Area) {
        self.draw_ground(svg, area);
        self.draw_hatch(svg, area);
    }

    /// Fills a rectangle with plain colour.
    pub(super) fn draw_ground(self, svg: &mut Svg, Area { left, top, right, bottom }: Area) {
        let place = [("x", left), ("y", top), ("width", right - left), ("height", bottom - top)];
        svg.tag("rect").nums(place).attr("fill", &self.colours().0).end();
    }

    /// Draws the lines of a hatched arm.
    pub(super) fn draw_hatch(self, svg: &mut Svg, area: Area) {
        if let (_, Some((hatch, colour))) = self.colours() {
            hatch.draw(svg, area, &colour);
        }
    }

    /// The colour of the cell and its hatching, if any.
    fn colours(self) -> (String, Option<(Hatch, String)>) {
        match self {
            Self::Missing => (GRID.to_owned(), None),
            Self::Level(step) => (sequential(f64::from(step) / LEVEL_STEPS), None),
            Self::Arm { arm, certainty } => {
                let strength = PALEST + (1.0 - PALEST) * f64::from(certainty) / CERTAINTY_STEPS;
                let base = measured(arm).colour;
                match Hatch::of_round(arm / COLOURS) {
                    Hatch::None => (tint(base, strength), None),
                    hatch => (tint(base, BETWEEN_LINES * strength), Some((hatch, tint(base, strength)))),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_differ_for_28_arms() {
        let mut looks: Vec<_> =
            (0..4 * COLOURS).map(|arm| format!("{:?}", Fill::certain(arm).colours())).collect();
        looks.sort();
        looks.dedup();
        assert_eq!(looks.len(), 28);
    }

    #[test]
    fn hostile_numbers_have_a_fill() {
        assert_eq!(Fill::arm(1, f64::NAN), Fill::arm(1, 0.0));
        assert_eq!(Fill::arm(1, f64::INFINITY), Fill::certain(1));
        assert_eq!(Fill::level(-3.0), Fill::Level(0));
    }
}
