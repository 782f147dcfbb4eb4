//! From data values to a position between 0 and 1 along an axis.

/// Largest magnitude drawn; beyond it, differences of values could overflow.
const LARGEST: f64 = 1e300;
/// Smallest value drawn on a log axis; below it, floats lose their precision.
const SMALLEST_LOG: f64 = 1e-300;
/// Relative spread below which values count as equal: ticks could no longer
/// be told apart by their labels.
const EQUAL: f64 = 1e-9;

/// How values are spaced along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equally far apart.
    #[default]
    Linear,
    /// Equal ratios are equally far apart; only positive values exist.
    Log,
}

impl Scale {
    /// Whether a value has a place on this scale.
    pub(super) fn shows(self, value: f64) -> bool {
        match self {
            Self::Linear => value.abs() <= LARGEST,
            Self::Log => (SMALLEST_LOG..=LARGEST).contains(&value),
        }
    }

    /// The value in the units in which the axis is evenly spaced.
    fn even(self, value: f64) -> f64 {
        match self {
            Self::Linear => value,
            Self::Log => libm::log10(value),
        }
    }
}

/// The values an axis covers; `lo < hi`, both shown by the scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Domain {
    pub(super) scale: Scale,
    pub(super) lo: f64,
    pub(super) hi: f64,
}

impl Domain {
    /// The smallest domain around all values the scale can show; a stand-in
    /// when there are none, and some room around when all are equal.
    pub(super) fn around(scale: Scale, values: impl IntoIterator<Item = f64>) -> Self {
        let shown = values.into_iter().filter(|v| scale.shows(*v));
        let range = shown.fold(None, |range: Option<(f64, f64)>, v| {
            Some(range.map_or((v, v), |(lo, hi)| (lo.min(v), hi.max(v))))
        });
        let (lo, hi) = match (range, scale) {
            (Some((lo, hi)), _) if !nearly_equal(lo, hi) => (lo, hi),
            (Some((lo, hi)), _) => room_around(scale, f64::midpoint(lo, hi)),
            (None, Scale::Linear) => (0.0, 1.0),
            (None, Scale::Log) => (1.0, 10.0),
        };
        Self { scale, lo, hi }
    }

    /// Starts a linear domain at zero when the values come near it anyway,
    /// so that heights can be compared.
    pub(super) fn include_zero_if_near(self) -> Self {
        let near = self.lo > 0.0 && self.lo < 0.25 * self.hi;
        let lo = if self.scale == Scale::Linear && near { 0.0 } else { self.lo };
        Self { lo, ..self }
    }

    /// Where a value lies: 0 at the low end, 1 at the high end. Values that
    /// the scale cannot show lie at the low end.
    pub(super) fn fraction(&self, value: f64) -> f64 {
        if !self.scale.shows(value) {
            return 0.0;
        }
        let (lo, hi) = (self.scale.even(self.lo), self.scale.even(self.hi));
        (self.scale.even(value) - lo) / (hi - lo)
    }
}

fn nearly_equal(lo: f64, hi: f64) -> bool {
    hi - lo <= EQUAL * lo.abs().max(hi.abs()) || hi - lo < SMALLEST_LOG
}

/// A domain with one value in the middle of it.
fn room_around(scale: Scale, value: f64) -> (f64, f64) {
    match scale {
        // Clamping keeps the ends inside what the scale shows.
        Scale::Log => ((value / 2.0).max(SMALLEST_LOG), (value * 2.0).min(LARGEST)),
        Scale::Linear if value.abs() < SMALLEST_LOG => (-1.0, 1.0),
        Scale::Linear => {
            let room = 0.1 * value.abs();
            ((value - room).max(-LARGEST), (value + room).min(LARGEST))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_map_to_zero_and_one() {
        for scale in [Scale::Linear, Scale::Log] {
            let domain = Domain::around(scale, [1.0, 50.0, 1e6]);
            assert!(domain.fraction(1.0).abs() < 1e-12);
            assert!((domain.fraction(1e6) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn log_spaces_ratios_evenly() {
        let domain = Domain::around(Scale::Log, [1.0, 100.0]);
        assert!((domain.fraction(10.0) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn hostile_values_still_give_a_domain() {
        let hostile = [f64::NAN, f64::INFINITY, -f64::INFINITY, f64::MAX, f64::MIN];
        let extremes = [1e300, -1e300, 1e-300, 5e-324, 0.0, -0.0];
        for scale in [Scale::Linear, Scale::Log] {
            for value in hostile.into_iter().chain(extremes) {
                let domain = Domain::around(scale, [value, value]);
                assert!(domain.lo < domain.hi, "{scale:?} {value}: {domain:?}");
                assert!(domain.fraction(value).is_finite());
            }
        }
    }
}
