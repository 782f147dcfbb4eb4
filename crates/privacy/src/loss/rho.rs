//! The loss of zero-concentrated differential privacy (zCDP), in which Gaussian noise composes without waste.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::decimal::{self, LossError};
use super::{Delta, Epsilon};

/// A privacy loss rho (Bun and Steinke 2016), held exactly as a whole number of 10^-15 and rounded up.
///
/// ```
/// use reticent_privacy::{Delta, Rho};
/// let rho = Rho::new(0.05)?;
/// let epsilon = rho.to_epsilon(Delta::new(1e-6)?).expect("small enough");
/// assert!((1.47..1.48).contains(&epsilon.value()), "{epsilon}");
/// # Ok::<(), reticent_privacy::LossError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Rho {
    femto: NonZeroU64,
}

const PLACES: usize = 15;
const FEMTO: u64 = 1_000_000_000_000_000;
/// Wider than the rounding errors of the float operations below, relative to their largest term.
const SAFETY: f64 = 1e-13;

impl Rho {
    /// The largest loss accepted.
    pub const MAX: Rho = Rho { femto: NonZeroU64::new(1024 * FEMTO).expect("a positive constant") };

    /// Checks `value` and rounds it up to 15 decimal places.
    pub fn new(value: f64) -> Result<Rho, LossError> {
        if !value.is_finite() {
            return Err(LossError::NotANumber { what: "rho", got: value.to_string() });
        }
        let plain = if value >= 1e-15 { decimal::scaled_up(&value.to_string(), PLACES) } else { None };
        Self::checked(plain, || value.to_string())
    }

    /// A loss of exactly `femto` millionths of a billionth.
    pub fn from_femto(femto: u64) -> Result<Rho, LossError> {
        Self::checked(Some(femto), || decimal::display(femto, PLACES))
    }

    /// This loss in millionths of a billionth, exactly.
    pub fn femto(self) -> u64 {
        self.femto.get()
    }

    /// This loss in millionths of a billionth, as the positive number that it is.
    pub fn femto_nonzero(self) -> NonZeroU64 {
        self.femto
    }

    /// The nearest float.
    pub fn value(self) -> f64 {
        self.femto() as f64 / FEMTO as f64
    }

    /// Pure epsilon-DP is epsilon^2 / 2 -zCDP (Bun and Steinke 2016, Proposition 1.4), rounded up; `None`
    /// above [`Rho::MAX`].
    pub fn of_pure(epsilon: Epsilon) -> Option<Rho> {
        let square = u128::from(epsilon.nano()) * u128::from(epsilon.nano());
        // Squares of 10^-9 are 10^-18: a thousandth of the unit.
        let femto = square.div_ceil(2000);
        u64::try_from(femto).ok().and_then(|femto| Rho::from_femto(femto).ok())
    }

    /// The smallest epsilon found for which rho-zCDP is (epsilon, delta)-DP, rounded up (Canonne, Kamath and
    /// Steinke 2020, Proposition 12). `None` for delta 0 or an epsilon above [`Epsilon::MAX`].
    pub fn to_epsilon(self, delta: Delta) -> Option<Epsilon> {
        if delta == Delta::ZERO {
            return None;
        }
        let log = -libm::log(delta.value());
        // Any order gives a valid epsilon, so a poor search would waste privacy but never claim too much.
        let epsilon = |order: f64| {
            let less = (order - 1.0) * libm::log1p(-1.0 / order) - libm::log(order);
            // The two cancel: the margin is on what they were before.
            let up = log + less + SAFETY * (1.0 + log + less.abs());
            (order * self.value() * (1.0 + SAFETY) + up / (order - 1.0)).max(0.0)
        };
        Epsilon::new((smallest(epsilon) * (1.0 + SAFETY)).max(1e-9)).ok()
    }

    /// The smallest delta found for which rho-zCDP is (epsilon, delta)-DP, rounded up and never zero; `None`
    /// if it is nearly 1.
    pub fn to_delta(self, epsilon: Epsilon) -> Option<Delta> {
        let log = |order: f64| {
            let exponent = (order - 1.0) * (order * self.value() - epsilon.value());
            exponent - libm::log(order - 1.0) + order * libm::log1p(-1.0 / order)
        };
        // The margin is on the logarithm, where the error is: it is relative to its largest term.
        let exponent = smallest(log);
        let delta = libm::exp(exponent + 1e-10 * (1.0 + exponent.abs()));
        Delta::new(delta).ok().map(|delta| delta.max(Delta::STEP))
    }

    /// The largest rho found that is (epsilon, delta)-DP; `None` if even the smallest is not.
    pub fn within(epsilon: Epsilon, delta: Delta) -> Option<Rho> {
        let fits = |femto: u64| {
            let rho = Rho::from_femto(femto).ok();
            rho.and_then(|rho| rho.to_epsilon(delta)).is_some_and(|needed| needed <= epsilon)
        };
        let (mut low, mut high) = (0, Self::MAX.femto());
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if fits(middle) { low = middle } else { high = middle - 1 }
        }
        Rho::from_femto(low).ok()
    }

    fn checked(femto: Option<u64>, got: impl Fn() -> String) -> Result<Rho, LossError> {
        match femto.and_then(NonZeroU64::new) {
            Some(femto) if femto <= Self::MAX.femto => Ok(Rho { femto }),
            _ => {
                Err(LossError::OutOfRange { what: "rho", low: "0.000000000000001", high: "1024", got: got() })
            }
        }
    }
}

/// The smallest value of `f` at orders above 1: golden-section search over the logarithm of order - 1.
fn smallest(f: impl Fn(f64) -> f64) -> f64 {
    let at = |x: f64| f(1.0 + libm::exp(x));
    let golden = 0.618_033_988_749_894_8;
    let (mut low, mut high) = (-20.0, 30.0);
    let mut best = f64::INFINITY;
    for _ in 0..100 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        let (a, b) = (at(left), at(right));
        best = best.min(a).min(b);
        if a < b { high = right } else { low = left }
    }
    best
}

impl FromStr for Rho {
    type Err = LossError;
    fn from_str(text: &str) -> Result<Rho, LossError> {
        let value =
            text.trim().parse().map_err(|_| LossError::NotANumber { what: "rho", got: format!("{text:?}") });
        Rho::new(value?)
    }
}

impl fmt::Display for Rho {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&decimal::display(self.femto(), PLACES))
    }
}

impl TryFrom<f64> for Rho {
    type Error = LossError;
    fn try_from(value: f64) -> Result<Rho, LossError> {
        Rho::new(value)
    }
}

impl From<Rho> for f64 {
    fn from(rho: Rho) -> f64 {
        decimal::float_up(rho.value(), |float| Some(Rho::new(float).ok()?.cmp(&rho)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The true delta of real Gaussian noise with this rho (Balle and Wang 2018, Theorem 8), with mu = sqrt(2 rho).
    fn gaussian_delta(rho: f64, epsilon: f64) -> f64 {
        let mu = (2.0 * rho).sqrt();
        let tail = |x: f64| 0.5 * libm::erfc(x / core::f64::consts::SQRT_2);
        tail(epsilon / mu - mu / 2.0) - libm::exp(epsilon) * tail(epsilon / mu + mu / 2.0)
    }

    #[test]
    fn conversion_is_valid_and_close_for_the_gaussian() {
        for rho in [0.005, 0.05, 0.5, 5.0] {
            for delta in [1e-9, 1e-6, 1e-3] {
                let loss = Rho::new(rho).unwrap();
                let epsilon = loss.to_epsilon(Delta::new(delta).unwrap()).unwrap();
                let truth = gaussian_delta(rho, epsilon.value());
                assert!(truth <= delta, "claimed less than is lost: {rho} {delta}");
                // Tight: the Gaussian itself needs at least 80 % of that epsilon.
                assert!(gaussian_delta(rho, 0.8 * epsilon.value()) > delta, "wasteful: {rho} {delta}");
                // Bun and Steinke's simpler conversion is worse.
                assert!(epsilon.value() < rho + 2.0 * (rho * -libm::log(delta)).sqrt());
                let back = loss.to_delta(epsilon).unwrap().value();
                assert!((0.999..=1.0 + 1e-6).contains(&(back / delta)), "{rho} {delta} {back}");
            }
        }
    }

    #[test]
    fn edges() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1025.0] {
            assert!(Rho::new(bad).is_err(), "{bad}");
        }
        assert_eq!(Rho::of_pure(Epsilon::new(1.0).unwrap()), Rho::new(0.5).ok());
        assert_eq!(Rho::of_pure(Epsilon::MIN).map(Rho::femto), Some(1), "rounded up");
        assert_eq!(Rho::of_pure(Epsilon::MAX), None);
        assert_eq!(Rho::MAX.to_epsilon(Delta::ZERO), None);
        assert_eq!("0.25".parse::<Rho>().unwrap().to_string(), "0.25");
        let tiny = Rho::within(Epsilon::MIN, Delta::new(1e-18).unwrap());
        assert_eq!(tiny, None);
        let known: Rho = serde_json::from_str("999.9999999999812999999").unwrap();
        let read: Rho = serde_json::from_str(&serde_json::to_string(&known).unwrap()).unwrap();
        assert_eq!(read, known, "found by fuzzing");
        // Never pure, however small; and no number where there is none.
        assert!(Rho::new(1e-4).unwrap().to_delta(Epsilon::new(1.0).unwrap()).unwrap() > Delta::ZERO);
        assert_eq!(Rho::MAX.to_delta(Epsilon::MIN), None);
        for text in ["9.123456789012345", "0.000000000000003", "1023.999999999999999"] {
            let rho: Rho = text.parse().unwrap();
            let read: Rho = serde_json::from_str(&serde_json::to_string(&rho).unwrap()).unwrap();
            assert!(read >= rho, "{text}");
        }
        assert!(Rho::within(Epsilon::new(1e-6).unwrap(), Delta::new(1e-6).unwrap()).is_some());
    }

    proptest! {
        #[test]
        fn json_keeps_what_a_float_said(value in 1e-15_f64..1024.0) {
            let rho = Rho::new(value).unwrap();
            let json = serde_json::to_string(&rho).unwrap();
            prop_assert_eq!(serde_json::from_str::<Rho>(&json).unwrap(), rho);
        }

        #[test]
        fn json_never_rounds_down(femto in 1..=Rho::MAX.femto()) {
            let rho = Rho::from_femto(femto).unwrap();
            let json = serde_json::to_string(&rho).unwrap();
            prop_assert!(serde_json::from_str::<Rho>(&json).unwrap_or(Rho::MAX) >= rho);
        }

        #[test]
        fn within_is_the_inverse(nano in 1_000_u64..20_000_000_000, exponent in -12.0_f64..-1.0) {
            let (epsilon, delta) = (Epsilon::from_nano(nano).unwrap(), Delta::new(libm::exp10(exponent)).unwrap());
            let rho = Rho::within(epsilon, delta).unwrap();
            prop_assert!(rho.to_epsilon(delta).unwrap() <= epsilon);
            let more = Rho::from_femto(rho.femto() + 1 + rho.femto() / 1000).unwrap();
            prop_assert!(more.to_epsilon(delta).unwrap() > epsilon);
        }
    }
}
