//! Which prices are quoted, what is said of axes, and what a log does not have.

use super::*;

/// People alike: what context there is says nothing.
fn alike(point: &[f64]) -> f64 {
    1.0 / (1.0 + libm::exp(8.0 * (point[point.len() - 1] - 0.5)))
}

fn even_tally(dimension: usize, records: u32, trial: u64, chance: impl Fn(&[f64]) -> f64) -> Tally {
    let spec = Spec::designed(terms(dimension), Epsilon::new(4.0).unwrap(), u64::from(records)).unwrap();
    tally_of(&spec, records, trial, |uniform| (0..=dimension).map(|_| uniform()).collect(), chance)
}

/// 20 logs of people who are alike: at most a tenth of them may be told apart somewhere, 5 or more logs of 20
/// having probability 3e-3 at that rate (the rule itself asks for 95 %); and who differ are told apart.
#[test]
fn people_who_are_alike_have_one_price_and_others_do_not() {
    let apart = |chance: fn(&[f64]) -> f64| {
        let logs = (0..20).filter(|&trial| {
            let policy = fit(&[even_tally(1, 10_000, trial, chance)]).unwrap().policy(revenue(&terms(1)));
            policy.unwrap().choice().unwrap().caution.is_some()
        });
        logs.count()
    };
    let same = apart(alike);
    assert!(same <= 4, "{same}");
    let differ = apart(|point| demand(point, point[1]));
    assert!(differ >= 15, "{differ}");
}

/// 40 logs of a context without effect: each is said to matter with probability 5 % at most, and 7 or more of
/// 40 have probability 3e-3 then; a context with an effect is always shown.
#[test]
fn a_context_without_effect_is_rarely_said_to_matter() {
    let said = |chance: fn(&[f64]) -> f64, logs: u64| {
        let matters = (0..logs).filter(|&trial| {
            let policy = fit(&[even_tally(1, 3_000, trial, chance)]).unwrap().policy(revenue(&terms(1)));
            policy.unwrap().learned().matters(0).unwrap()
        });
        matters.count()
    };
    let wrong = said(alike, 40);
    assert!(wrong <= 6, "{wrong}");
    assert_eq!(said(|point| demand(point, point[1]), 5), 5);
}

/// Three prices that were declared as a range: seen, never quoted in between, and not covered; named, they are.
#[test]
fn a_log_of_three_prices_is_noticed_and_what_never_occurred_is_not_covered() {
    let spec = Spec::designed(terms(1), Epsilon::new(4.0).unwrap(), 30_000).unwrap();
    let three = [0.3, 0.5, 0.8];
    let draw = |uniform: &mut dyn FnMut() -> f64| vec![uniform(), three[((uniform() * 3.0) as usize).min(2)]];
    let fitted = fit(&[tally(&spec, 30_000, 0, draw)]).unwrap();
    let gaps = fitted.gaps();
    assert!(gaps.len() == 1 && gaps[0].0 == "price", "{gaps:?}");
    let policy = fitted.policy(revenue(&terms(1))).unwrap();
    let overlap = fitted.overlap(&policy, None);
    assert!(overlap.covered > 0.9 && overlap.covered_at_price < 0.05, "{overlap:?}");
    let mut named = revenue(&terms(1));
    named.prices = three.to_vec();
    let policy = fitted.policy(named).unwrap();
    assert!(contexts().all(|x| three.contains(&policy.quote(&x).unwrap().price)));
    assert!(fitted.overlap(&policy, None).covered_at_price > 0.9);
    assert!(fit(&[even(1, 4.0, 30_000, 0)]).unwrap().gaps().is_empty());
}

#[test]
fn prices_that_move_with_a_context_are_noticed() {
    let spec = Spec::designed(terms(1), Epsilon::new(4.0).unwrap(), 20_000).unwrap();
    let follow = |uniform: &mut dyn FnMut() -> f64| {
        let x = uniform();
        vec![x, 0.5 * x + 0.5 * uniform()]
    };
    assert_eq!(fit(&[tally(&spec, 20_000, 0, follow)]).unwrap().price_follows(), ["x1"]);
    assert!((0..5).all(|trial| fit(&[even(1, 4.0, 20_000, trial)]).unwrap().price_follows().is_empty()));
}

/// Five prices that were declared as a range, 4 logs: none asks for nothing, as the lowest price of a stretch that
/// begins at zero would.
#[test]
fn a_log_of_five_prices_does_not_end_at_the_lowest() {
    let spec = Spec::designed(terms(1), Epsilon::new(4.0).unwrap(), 3_000).unwrap();
    let draw = |uniform: &mut dyn FnMut() -> f64| {
        vec![uniform(), 0.1 + 0.2 * f64::from(((uniform() * 5.0) as u8).min(4))]
    };
    for trial in 0..4 {
        let policy = fit(&[tally(&spec, 3_000, trial, draw)]).unwrap().policy(revenue(&terms(1))).unwrap();
        let mean = contexts().map(|x| policy.quote_point(&x).price).sum::<f64>() / 100.0;
        assert!((0.25..0.8).contains(&mean), "{trial}: {:?}", policy.choice());
    }
}

/// Contexts and prices that are uneven but independent, 200 logs: each is said to have prices that move with the
/// context with probability 0.1 %, and 4 or more of 200 have probability 6e-5 then.
#[test]
fn prices_of_uneven_logs_are_rarely_said_to_move_with_a_context() {
    let spec = Spec::designed(terms(1), Epsilon::new(2.0).unwrap(), 2_000).unwrap();
    let axes = axes::Axes::new(spec.terms());
    let said = |follow: f64, logs: u64| {
        let moved = (0..logs).filter(|&trial| {
            let draw = |uniform: &mut dyn FnMut() -> f64| {
                let (x, other) = (uniform().powi(3), uniform().powi(2));
                vec![x, follow * x + (1.0 - follow) * other]
            };
            let answers = answers::Answers::of(&tally(&spec, 2_000, trial, draw), &axes).unwrap();
            follows::contexts(&answers, 2)[0]
        });
        moved.count()
    };
    let wrong = said(0.0, 200);
    assert!(wrong <= 3, "{wrong}");
    assert_eq!(said(0.7, 10), 10);
}

/// A log too coarse or too small to show that prices are all around covers none; one that shows it does.
#[test]
fn a_price_is_covered_only_where_the_log_shows_prices_all_around() {
    let covered = |epsilon: f64, records: u32| {
        let fitted = fit(&[even(1, epsilon, records, 0)]).unwrap();
        let policy = fitted.policy(revenue(&terms(1))).unwrap();
        fitted.overlap(&policy, None).covered_at_price
    };
    assert_eq!(covered(1.0, 2_000), 0.0);
    assert!(covered(4.0, 30_000) > 0.9);
}

/// Six contexts of which one matters: the policy earns more than one price for everybody, and says which.
#[test]
fn one_of_six_contexts_is_found_and_used() {
    let fitted = fit(&[even(6, 4.0, 30_000, 0)]).unwrap();
    let policy = fitted.policy(revenue(&terms(6))).unwrap();
    let matters: Vec<bool> = (0..6).map(|axis| policy.learned().matters(axis).unwrap()).collect();
    assert_eq!(matters, [true, false, false, false, false, false], "{:?}", policy.learned().evidence);
    let at = |x: f64| policy.quote_point(&[x, 0.5, 0.5, 0.5, 0.5, 0.5]).price;
    assert!(at(0.9) > at(0.1) + 0.1, "{} {}", at(0.1), at(0.9));
    let earned = |price: &dyn Fn(&[f64]) -> f64| {
        contexts()
            .map(|x| [&x[..], &[0.5; 5]].concat())
            .map(|x| price(&x) * demand(&x, price(&x)))
            .sum::<f64>()
    };
    let single = policy.choice().unwrap().single;
    assert!(earned(&|x| policy.quote_point(x).price) > 1.01 * earned(&|_| single));
}

/// A policy of the first version has no choice, and takes the highest pessimistic value as it always did.
#[test]
fn a_policy_of_the_first_version_is_still_read() {
    let policy = fit(&[even(1, 2.0, 5_000, 0)]).unwrap().policy(revenue(&terms(1))).unwrap();
    let mut document = serde_json::to_value(&policy).unwrap();
    let fields = document.as_object_mut().unwrap();
    fields.insert("version".into(), 1.into());
    fields.remove("choice");
    fields.remove("score");
    fields["learned"].as_object_mut().unwrap().remove("evidence");
    let old: Policy = serde_json::from_value(document.clone()).unwrap();
    assert!(old.choice().is_none() && old.learned().matters(0).is_none());
    for x in contexts() {
        let best = old.curve(&x).iter().map(|(_, _, lower)| *lower).fold(f64::NEG_INFINITY, f64::max);
        assert_eq!(old.quote(&x).unwrap().lower, best);
    }
    assert_eq!(serde_json::to_value(&old).unwrap(), document);
}
