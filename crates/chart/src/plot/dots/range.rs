//! What the axis covers, and what happens to values outside it.

use super::super::scale::{Domain, Scale};
use super::chart::DotChart;

/// How far a log axis reaches below the smallest limit. Values far below are
/// as good as zero, and showing them would squeeze all others together.
const REACH: f64 = 5.0;
/// Keeps the smallest value off the left edge, where those below the axis are.
const INSIDE: f64 = 0.9;

/// Where a value is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Spot {
    /// At the left edge: the axis starts at or above the value.
    Low,
    /// At its place.
    Inside(f64),
    /// At the right edge: infinite, or too large for any axis.
    Beyond,
}

impl Spot {
    /// Where a row's value is drawn, if it was measured.
    pub(super) fn of_value(value: Option<f64>, domain: &Domain) -> Option<Self> {
        match value {
            Some(value) if value.is_nan() => None,
            Some(value) if value <= domain.lo => Some(Self::Low),
            Some(value) if domain.scale.shows(value) => Some(Self::Inside(value)),
            _ => Some(Self::Beyond),
        }
    }

    /// Where a row's limit is drawn, if it has one on the axis.
    pub(super) fn of_limit(limit: Option<f64>, domain: &Domain) -> Option<Self> {
        let limit = limit.filter(|limit| limit.is_finite());
        limit.and_then(|limit| Self::of_value(Some(limit), domain)).filter(|spot| *spot != Self::Beyond)
    }
}

/// The smallest domain that shows every limit and every value worth its place.
pub(super) fn domain(chart: &DotChart) -> Domain {
    let scale = chart.x.scale;
    let limits = chart.rows().filter_map(|row| row.limit);
    let values = chart.rows().filter_map(|row| row.value).filter(|value| !value.is_nan());
    if scale == Scale::Linear {
        // Privacy losses are never negative, and gaps compare only from zero.
        let all = limits.chain(values).filter(|value| *value > 0.0);
        return Domain { lo: 0.0, ..Domain::around(scale, all.chain([0.0])) };
    }
    let least = |values: &mut dyn Iterator<Item = f64>| values.filter(|v| scale.shows(*v)).reduce(f64::min);
    let lowest = least(&mut limits.clone()).or_else(|| least(&mut values.clone()));
    let floor = lowest.unwrap_or(1.0) / REACH;
    let ends = values.flat_map(|value| [INSIDE * value, value]).map(|end| end.max(floor));
    Domain::around(scale, limits.chain(ends))
}

#[cfg(test)]
mod tests {
    use super::super::chart::{DotGroup, DotRow};
    use super::*;
    use crate::plot::Axis;

    fn chart(x: Axis, rows: &[(f64, f64)]) -> DotChart {
        let row = |(limit, value): &(f64, f64)| DotRow {
            limit: Some(*limit),
            value: Some(*value),
            ..DotRow::default()
        };
        let rows = rows.iter().map(row).collect();
        DotChart { x, groups: vec![DotGroup { name: String::new(), rows }], ..DotChart::default() }
    }

    #[test]
    fn tiny_values_do_not_stretch_a_log_axis() {
        let domain = domain(&chart(Axis::log(""), &[(0.1, 1e-9), (10.0, 0.0), (1.0, 0.7)]));
        assert!((domain.lo - 0.02).abs() < 1e-12, "{domain:?}");
        assert_eq!(domain.hi, 10.0);
        assert_eq!(Spot::of_value(Some(0.0), &domain), Some(Spot::Low));
        assert_eq!(Spot::of_value(Some(1e-9), &domain), Some(Spot::Low));
        assert_eq!(Spot::of_value(Some(0.7), &domain), Some(Spot::Inside(0.7)));
    }

    #[test]
    fn the_smallest_value_is_not_taken_for_less() {
        let domain = domain(&chart(Axis::log(""), &[(f64::NAN, 0.5), (f64::NAN, 2.0)]));
        assert_eq!(Spot::of_value(Some(0.5), &domain), Some(Spot::Inside(0.5)));
    }

    #[test]
    fn a_linear_axis_starts_at_zero() {
        let domain = domain(&chart(Axis::linear(""), &[(4.0, -1.0), (8.0, 7.0)]));
        assert_eq!((domain.lo, domain.hi), (0.0, 8.0));
        assert_eq!(Spot::of_value(Some(-1.0), &domain), Some(Spot::Low));
    }

    #[test]
    fn what_is_not_finite_has_its_place() {
        let domain = domain(&chart(Axis::log(""), &[(1.0, 0.5)]));
        assert_eq!(Spot::of_value(None, &domain), Some(Spot::Beyond));
        assert_eq!(Spot::of_value(Some(f64::INFINITY), &domain), Some(Spot::Beyond));
        assert_eq!(Spot::of_value(Some(f64::NEG_INFINITY), &domain), Some(Spot::Low));
        assert_eq!(Spot::of_value(Some(f64::NAN), &domain), None);
        assert_eq!(Spot::of_limit(Some(f64::INFINITY), &domain), None);
        assert_eq!(Spot::of_limit(Some(0.0), &domain), Some(Spot::Low));
        assert_eq!(Spot::of_limit(None, &domain), None);
    }
}
