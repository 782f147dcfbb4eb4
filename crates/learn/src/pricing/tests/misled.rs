//! Logs whose outcomes grow with the price, and logs without contexts.

use super::*;

/// People who would pay more, which the log does not say, were asked for more.
fn confounded(epsilon: f64, records: u32, trial: u64) -> Tally {
    let spec = Spec::designed(terms(1), Epsilon::new(epsilon).unwrap(), u64::from(records)).unwrap();
    let eager = std::cell::Cell::new(0.0);
    let draw = |uniform: &mut dyn FnMut() -> f64| {
        let hidden = f64::from(u8::from(uniform() < 0.5));
        eager.set(0.5 * hidden);
        vec![uniform(), 0.1 + 0.4 * hidden + 0.35 * uniform()]
    };
    tally_of(&spec, records, trial, draw, |point| {
        1.0 / (1.0 + libm::exp(8.0 * (point[1] - 0.1 - 0.2 * point[0] - eager.get())))
    })
}

/// 5 logs of the one kind are all noticed, and have one price. Of 60 logs in which nobody looks at the price, each is
/// said to have such outcomes with probability 1 % at most; 4 or more have probability 3e-3 then.
#[test]
fn outcomes_that_grow_with_the_price_are_noticed() {
    for trial in 0..5 {
        let fitted = fit(&[confounded(4.0, 20_000, trial)]).unwrap();
        let (low, high) = fitted.outcomes_rise(&revenue(&terms(1))).unwrap();
        assert!(low < high && high > 0.4, "{low} {high}");
        assert_eq!(fitted.policy(revenue(&terms(1))).unwrap().choice().unwrap().caution, None);
        // A reward may grow with the price.
        assert_eq!(fitted.outcomes_rise(&Objective::new(&terms(1), Earns::Outcome)), None);
    }
    let spec = Spec::designed(terms(1), Epsilon::new(2.0).unwrap(), 3_000).unwrap();
    let said = (0..60).filter(|&trial| {
        let flat = tally_of(&spec, 3_000, trial, |uniform| vec![uniform(), uniform()], |_| 0.5);
        fit(&[flat]).unwrap().outcomes_rise(&revenue(&terms(1))).is_some()
    });
    let said = said.count();
    assert!(said <= 3, "{said}");
}

/// A log without contexts has one price, near the best: 0.35 earns most, and 0.25 to 0.45 nine tenths of it.
#[test]
fn a_log_without_contexts_has_one_price() {
    let chance = |price: f64| 1.0 / (1.0 + libm::exp(8.0 * (price - 0.4)));
    let earns = |price: f64| price * chance(price);
    let best = (0..=100).map(|price| earns(f64::from(price) / 100.0)).fold(0.0, f64::max);
    let spec = Spec::designed(terms(0), Epsilon::new(2.0).unwrap(), 10_000).unwrap();
    let tally = tally_of(&spec, 10_000, 0, |uniform| vec![uniform()], |point| chance(point[0]));
    let policy = fit(&[tally]).unwrap().policy(revenue(&terms(0))).unwrap();
    let quote = policy.quote(&[]).unwrap();
    assert_eq!(policy.choice().unwrap().caution, None);
    assert!(earns(quote.price) > 0.95 * best && quote.lower < earns(quote.price), "{quote:?}");
    let again: Policy = serde_json::from_str(&serde_json::to_string(&policy).unwrap()).unwrap();
    assert_eq!(again.quote(&[]).unwrap(), quote);
}
