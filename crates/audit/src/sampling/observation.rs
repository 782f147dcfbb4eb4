//! What an attacker sees of one run.

/// The numbers that one run shows. Their count may differ between runs: silence is an observation too.
///
/// An integer beyond 2^53 is shown as the nearest float, and what that leaves follows behind the other numbers: nothing
/// is lost.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Observation(Vec<f64>);

impl Observation {
    /// The run showed nothing.
    pub fn silence() -> Observation {
        Observation::default()
    }

    /// What was seen, in order.
    pub fn values(&self) -> &[f64] {
        &self.0
    }
}

/// One number of an observation.
pub trait Seen: Copy {
    /// The number, as the nearest float.
    fn seen(self) -> f64;

    /// What the nearest float leaves of it.
    fn left(self) -> f64 {
        0.0
    }
}

impl Seen for bool {
    fn seen(self) -> f64 {
        f64::from(u8::from(self))
    }
}

/// Numbers that a cast turns into the nearest float.
macro_rules! seen_by_cast {
    ($($number:ty),*) => {$(
        impl Seen for $number {
            #[expect(clippy::allow_attributes, reason = "a lossless cast for some of the types only")]
            #[allow(clippy::cast_lossless, trivial_numeric_casts, reason = "one rule for all widths")]
            fn seen(self) -> f64 {
                self as f64
            }
        }
    )*};
}
seen_by_cast!(f64, f32, u8, u16, u32, i8, i16, i32);

/// Integers that may lie beyond 2^53.
macro_rules! seen_with_rest {
    ($($number:ty),*) => {$(
        impl Seen for $number {
            fn seen(self) -> f64 {
                self as f64
            }

            #[expect(clippy::allow_attributes, reason = "a lossless cast for some of the types only")]
            #[allow(clippy::cast_lossless, reason = "one rule for all widths")]
            fn left(self) -> f64 {
                // At most 2^10 in size, so exact.
                (self as i128 - self as f64 as i128) as f64
            }
        }
    )*};
}
seen_with_rest!(u64, usize, i64, isize);

/// The numbers, and behind them what floats leave of them, if anything.
fn shown<S: Seen>(values: impl Iterator<Item = S> + Clone) -> Observation {
    let mut all: Vec<f64> = values.clone().map(Seen::seen).collect();
    if values.clone().any(|value| value.left() != 0.0) {
        all.extend(values.map(Seen::left));
    }
    Observation(all)
}

impl<S: Seen> From<S> for Observation {
    fn from(value: S) -> Observation {
        shown(std::iter::once(value))
    }
}

impl<S: Seen> From<&[S]> for Observation {
    fn from(values: &[S]) -> Observation {
        shown(values.iter().copied())
    }
}

impl<S: Seen> From<Vec<S>> for Observation {
    fn from(values: Vec<S>) -> Observation {
        values.as_slice().into()
    }
}

impl<S: Seen, const N: usize> From<[S; N]> for Observation {
    fn from(values: [S; N]) -> Observation {
        values.as_slice().into()
    }
}

impl<S: Seen> From<Option<S>> for Observation {
    fn from(value: Option<S>) -> Observation {
        shown(value.into_iter())
    }
}

impl<A: Into<Observation>, B: Into<Observation>> From<(A, B)> for Observation {
    fn from((a, b): (A, B)) -> Observation {
        let mut all = a.into();
        all.0.extend(b.into().0);
        all
    }
}

impl<A: Into<Observation>, B: Into<Observation>, C: Into<Observation>> From<(A, B, C)> for Observation {
    fn from((a, b, c): (A, B, C)) -> Observation {
        ((a, b), c).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_mechanism_returns() {
        let values = |seen: Observation| seen.values().to_vec();
        assert_eq!(values(true.into()), [1.0]);
        assert_eq!(values((3_u8, -2_i64).into()), [3.0, -2.0]);
        assert_eq!(values((false, [0.5, 1.5], Some(7_u32)).into()), [0.0, 0.5, 1.5, 7.0]);
        assert_eq!(values(vec![1_i64, 2].into()), [1.0, 2.0]);
        assert_eq!(values(None::<f64>.into()), values(Observation::silence()));
    }

    #[test]
    fn integers_that_no_float_holds_are_told_apart() {
        let values = |seen: Observation| seen.values().to_vec();
        let large = 1_u64 << 60;
        assert_eq!(values(large.into()), [large as f64]);
        assert_eq!(values((large + 1).into()), [large as f64, 1.0]);
        assert_eq!(values([3, -(1_i64 << 60) - 7].into()), [3.0, -(large as f64), 0.0, -7.0]);
        assert_eq!(values(u64::MAX.into())[1], -1.0);
    }
}
