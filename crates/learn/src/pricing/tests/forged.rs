//! Forged reports: what the counts show, and a rise of demand that nobody is asked to pay for.

use super::*;
use crate::pricing::Sign;

/// An honest log has no sign: at most one in a thousand has, so that of 20 logs one has with probability 2 %, and two
/// with probability 2e-4.
#[test]
fn honest_logs_show_nothing() {
    let found = (0..20).filter(|&trial| !signs(&[even(1, 1.0, 5_000, trial)]).is_empty()).count();
    assert!(found < 2, "{found}");
}

#[test]
fn piles_of_questions_and_of_reports_are_seen() {
    let honest = even(1, 1.0, 20_000, 1);
    let mut asked = honest.clone();
    let outputs = honest.spec().channels()[0].outputs();
    (0..2_000).for_each(|at| asked.add(Report { question: 0, output: at % outputs }).unwrap());
    let found = signs(std::slice::from_ref(&asked));
    assert!(matches!(found[..], [Sign::Question { question: 0, .. }]), "{found:?}");
    let mut loud = honest.clone();
    let questions = honest.spec().channels().len() as u32;
    (0..2_400).for_each(|at| loud.add(Report { question: at % questions, output: 0 }).unwrap());
    let found = signs(&[loud]);
    assert!(found.iter().any(|sign| matches!(sign, Sign::Output { output: 0, .. })), "{found:?}");
    assert!(found[0].to_string().contains("forged"));
}

/// Sales at the top price by a twentieth of the people: without them the best single price is below 0.7, and so it is
/// with them. Told to believe the rise, the top would earn most.
#[test]
fn a_rise_at_the_end_is_not_asked_for() {
    let spec = Spec::designed(terms(1), Epsilon::new(4.0).unwrap(), 100_000).unwrap();
    let chance = |point: &[f64]| if point[1] == 1.0 { 1.0 } else { demand(point, point[1]) };
    let top = |uniform: &mut dyn FnMut() -> f64| {
        let (context, price) = (uniform(), uniform());
        vec![context, if uniform() < 0.05 { 1.0 } else { price }]
    };
    let objective = revenue(&terms(1));
    let forged = fit(&[tally_of(&spec, 100_000, 2, top, chance)]).unwrap();
    assert!(matches!(forged.rises_again(&objective), Some(Sign::RisesAgain { .. })));
    let choice = *forged.policy(objective.clone()).unwrap().choice().unwrap();
    assert!(choice.single < 0.8, "{choice:?}");
    let honest = fit(&[even(1, 4.0, 100_000, 2)]).unwrap();
    assert_eq!(honest.rises_again(&objective), None);
}
