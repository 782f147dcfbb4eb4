//! What is refused, what is said.

use super::*;
use crate::gradient::{Model, Response};
use reticent_privacy::{SimRng, SimSeed, Stream};

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

fn randomiser(model: Model) -> Randomiser<SimRng> {
    let spec = Spec::new(2, 3, model, epsilon(0.5), vec![epsilon(0.25)]).unwrap();
    Randomiser::new(&spec, SimSeed(1).stream(0, Stream::Noise))
}

fn policy(parameters: usize) -> Policy {
    Policy { version: 9, parameters: vec![vec![0.0; parameters]; 3], exploration: 0.0 }
}

#[test]
fn bad_input_is_refused_and_says_nothing() {
    let mut people = randomiser(Model::Logistic);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let choice = people.choose(&policy(3), &[0.2, 0.3]).unwrap();
        assert!(matches!(people.answer(&policy(3), choice, bad), Err(Refusal::Reward(_))));
        assert!(matches!(people.choose(&policy(3), &[0.2, bad]), Err(Refusal::Context(_))));
        let record = people.answer_record(&policy(3), 0, &[bad, 0.2], 1, 0.5);
        assert!(matches!(record, Err(Refusal::Context(_))));
    }
    assert!(matches!(people.choose(&policy(3), &[0.2]), Err(Refusal::Dims { dims: 2 })));
    assert!(matches!(people.choose(&policy(4), &[0.2, 0.3]), Err(Refusal::Policy(_))));
    let unknown = people.answer_record(&policy(3), 1, &[0.2, 0.2], 1, 0.5).unwrap_err();
    assert!(unknown.to_string().contains("no number 1"));
    let arm = people.answer_record(&policy(3), 0, &[0.2, 0.2], 3, 0.5).unwrap_err();
    assert!(arm.to_string().contains("not one of the experiment's 3"));
}

#[test]
fn the_best_arm_is_played_unless_people_explore() {
    let mut people = randomiser(Model::Logistic);
    let mut policy = policy(3);
    // Arm 1 for small first coordinates, arm 2 for large ones.
    policy.parameters[1] = vec![0.0, -1.0, 0.0];
    policy.parameters[2] = vec![0.0, 1.0, 0.0];
    assert_eq!(people.choose(&policy, &[0.1, 0.5]).unwrap().arm(), 1);
    assert_eq!(people.choose(&policy, &[0.9, 0.5]).unwrap().arm(), 2);
    // Clipped to 1, and not to anything else.
    assert_eq!(people.choose(&policy, &[9e9, 0.5]).unwrap().arm(), 2);
    policy.exploration = 1.0;
    let mut plays = [0; 3];
    for _ in 0..3000 {
        plays[people.choose(&policy, &[0.9, 0.5]).unwrap().arm() as usize] += 1;
    }
    // Binomial(3000, 1/3) has deviation 26: six of them.
    assert!(plays.iter().all(|&count: &i32| (count - 1000).abs() < 156), "{plays:?}");
}

#[test]
fn nothing_about_the_person_is_printed() {
    let mut people = randomiser(Model::Hidden { units: 4 });
    let choice = people.choose(&policy(17), &[0.123, 0.3]).unwrap();
    assert_eq!(format!("{choice:?}"), "Choice { .. }");
    let report = people.answer(&policy(17), choice, 1.0).unwrap();
    let Response::Signs(draws) = report.response else { panic!("a small loss sends signs") };
    assert_eq!(draws.len(), 1);
    assert!(format!("{people:?}").contains("Scratch { .. }"));
}
