//! What several releases cost together, in exact decimals.
//!
//! **Sequential** (the same people): pure and approximate losses add up (Dwork et al. 2006); concentrated
//! losses add up in rho (Bun and Steinke 2016, Lemma 1.7), and a pure loss among them counts as epsilon^2/2.
//! **Parallel** (each person is in one of the parts, and which one is public or does not change between
//! neighbours): the largest loss. If replacing a record can move it to another part, two parts change:
//! compose those sequentially. Both hold for adaptively chosen mechanisms whose *losses* are fixed in
//! advance.

use crate::{Delta, Epsilon, Loss, Rho};

/// What releases about the same people cost together; `None` for no release at all.
///
/// ```
/// use reticent_privacy::{composition, Epsilon, Loss};
/// let tenth = Loss::Pure { epsilon: Epsilon::new(0.1)? };
/// let all = composition::sequential(&[tenth; 10]);
/// assert_eq!(all, Some(Loss::Pure { epsilon: Epsilon::new(1.0)? }), "ten tenths are one, exactly");
/// # Ok::<(), reticent_privacy::LossError>(())
/// ```
pub fn sequential(losses: &[Loss]) -> Option<Loss> {
    losses.iter().copied().reduce(then)
}

/// What releases about separate groups of people cost any one person; `None` for no release at all. Which
/// group a person is in must not depend on what is protected.
///
/// Losses of different kinds have no largest one: they are first brought to a common kind, rounded up, or to
/// no bound where there is none.
pub fn parallel(losses: &[Loss]) -> Option<Loss> {
    losses.iter().copied().reduce(worse)
}

fn then(a: Loss, b: Loss) -> Loss {
    match (a, b) {
        (Loss::Pure { epsilon: x }, Loss::Pure { epsilon: y }) => {
            Epsilon::from_nano(x.nano() + y.nano()).map_or(Loss::Unbounded, |epsilon| Loss::Pure { epsilon })
        }
        (Loss::Concentrated { rho: x }, Loss::Concentrated { rho: y }) => add_rho(x, Some(y)),
        (Loss::Concentrated { rho }, Loss::Pure { epsilon })
        | (Loss::Pure { epsilon }, Loss::Concentrated { rho }) => add_rho(rho, Rho::of_pure(epsilon)),
        (a, b) => match (approximate(a), approximate(b)) {
            (Some((x, d)), Some((y, e))) => {
                let sum = Epsilon::from_nano(x.nano() + y.nano()).ok().zip(d.plus(e));
                sum.map_or(Loss::Unbounded, |(epsilon, delta)| Loss::Approximate { epsilon, delta })
            }
            _ => Loss::Unbounded,
        },
    }
}

fn worse(a: Loss, b: Loss) -> Loss {
    match (a, b) {
        (Loss::Pure { epsilon: x }, Loss::Pure { epsilon: y }) => Loss::Pure { epsilon: x.max(y) },
        (Loss::Concentrated { rho: x }, Loss::Concentrated { rho: y }) => {
            Loss::Concentrated { rho: x.max(y) }
        }
        (Loss::Concentrated { rho }, Loss::Pure { epsilon })
        | (Loss::Pure { epsilon }, Loss::Concentrated { rho }) => {
            Rho::of_pure(epsilon).map_or(Loss::Unbounded, |other| Loss::Concentrated { rho: rho.max(other) })
        }
        (a, b) => match (approximate(a), approximate(b)) {
            (Some((x, d)), Some((y, e))) => Loss::Approximate { epsilon: x.max(y), delta: d.max(e) },
            _ => Loss::Unbounded,
        },
    }
}

fn add_rho(x: Rho, y: Option<Rho>) -> Loss {
    let sum = y.and_then(|y| Rho::from_femto(x.femto() + y.femto()).ok());
    sum.map_or(Loss::Unbounded, |rho| Loss::Concentrated { rho })
}

/// Beside an approximate loss a concentrated one is converted at this delta: far below any that is claimed.
const CONVERSION_DELTA: f64 = 1e-12;

fn approximate(loss: Loss) -> Option<(Epsilon, Delta)> {
    match loss {
        Loss::Pure { epsilon } => Some((epsilon, Delta::ZERO)),
        Loss::Approximate { epsilon, delta } => Some((epsilon, delta)),
        Loss::Concentrated { rho } => {
            let delta = Delta::new(CONVERSION_DELTA).ok()?;
            Some((rho.to_epsilon(delta)?, delta))
        }
        Loss::Unbounded => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pure(value: f64) -> Loss {
        Loss::Pure { epsilon: Epsilon::new(value).unwrap() }
    }

    fn zcdp(value: f64) -> Loss {
        Loss::Concentrated { rho: Rho::new(value).unwrap() }
    }

    fn approx(epsilon: f64, delta: f64) -> Loss {
        Loss::Approximate { epsilon: Epsilon::new(epsilon).unwrap(), delta: Delta::new(delta).unwrap() }
    }

    #[test]
    fn kinds_compose() {
        assert_eq!(sequential(&[]), None);
        assert_eq!(sequential(&[zcdp(0.1), zcdp(0.2)]), Some(zcdp(0.3)));
        assert_eq!(sequential(&[zcdp(0.1), pure(1.0)]), Some(zcdp(0.6)));
        assert_eq!(sequential(&[pure(1.0), approx(0.5, 1e-6), approx(0.5, 1e-6)]), Some(approx(2.0, 2e-6)));
        assert_eq!(sequential(&[pure(1.0), Loss::Unbounded]), Some(Loss::Unbounded));
        assert_eq!(
            sequential(&[pure(1000.0), pure(1000.0)]),
            Some(Loss::Unbounded),
            "beyond what is accepted"
        );
        assert_eq!(sequential(&[approx(1.0, 0.6), approx(1.0, 0.6)]), Some(Loss::Unbounded));
        assert_eq!(parallel(&[pure(1.0), pure(0.3), pure(0.7)]), Some(pure(1.0)));
        assert_eq!(parallel(&[zcdp(0.1), pure(1.0)]), Some(zcdp(0.5)));
        assert_eq!(parallel(&[approx(1.0, 1e-6), pure(2.0)]), Some(approx(2.0, 1e-6)));
    }

    #[test]
    fn a_concentrated_loss_beside_an_approximate_one_is_converted() {
        let Some(Loss::Approximate { epsilon, delta }) = sequential(&[zcdp(0.05), approx(1.0, 1e-6)]) else {
            panic!("not approximate")
        };
        assert!(
            (3.0..3.4).contains(&epsilon.value()) && delta > Delta::new(1e-6).unwrap(),
            "{epsilon} {delta}"
        );
    }

    proptest! {
        #[test]
        fn sums_are_exact_and_in_any_order(mut nano in prop::collection::vec(1_u64..1_000_000_000, 1..40)) {
            let losses = |nano: &[u64]| {
                nano.iter().map(|&n| Loss::Pure { epsilon: Epsilon::from_nano(n).unwrap() }).collect::<Vec<_>>()
            };
            let total = Loss::Pure { epsilon: Epsilon::from_nano(nano.iter().sum()).unwrap() };
            prop_assert_eq!(sequential(&losses(&nano)), Some(total));
            nano.reverse();
            prop_assert_eq!(sequential(&losses(&nano)), Some(total));
            let most = Loss::Pure { epsilon: Epsilon::from_nano(nano.iter().copied().max().unwrap()).unwrap() };
            prop_assert_eq!(parallel(&losses(&nano)), Some(most));
        }
    }
}
