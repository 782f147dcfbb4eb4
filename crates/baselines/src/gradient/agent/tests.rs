//! What is refused, which way a report moves the policy, and that no report breaks it. Learning from people
//! is tested where devices and agents meet: `crates/baselines/tests/gradient.rs`.

use crate::gradient::{Draw, Model, Report, Response, Spec};
use proptest::prelude::*;
use reticent_privacy::{Epsilon, SimSeed, Stream};

use super::*;

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

/// Signs from the target, steps from the source.
fn agent(model: Model) -> Descent {
    let spec = Spec::new(2, 3, model, epsilon(1.0), vec![epsilon(1024.0)]).unwrap();
    Descent::new(spec, SimSeed(1).stream(0, Stream::Agent))
}

fn signs(version: u64, draws: &[(u32, u64)]) -> Report {
    let draws = draws.iter().map(|&(coordinate, signs)| Draw { coordinate, signs }).collect();
    Report { version, source: None, response: Response::Signs(draws) }
}

fn steps(count: usize, value: i64) -> Report {
    Report { version: 0, source: Some(0), response: Response::Steps(vec![value; count]) }
}

#[test]
fn a_report_that_does_not_fit_changes_nothing() {
    let mut agent = agent(Model::Logistic);
    let before = agent.policy().clone();
    let source = |number, report: Report| Report { source: number, ..report };
    for (bad, why) in [
        (signs(1, &[(0, 1)]), AbsorbError::Version { got: 1, now: 0 }),
        (signs(0, &[(3, 1)]), AbsorbError::Shape),
        (signs(0, &[(0, 8)]), AbsorbError::Shape),
        (signs(0, &[]), AbsorbError::Shape),
        (signs(0, &[(0, 1), (1, 1)]), AbsorbError::Shape),
        (steps(8, 0), AbsorbError::Shape),
        (source(Some(0), signs(0, &[(0, 1)])), AbsorbError::WrongKind),
        (source(None, steps(9, 0)), AbsorbError::WrongKind),
        (source(Some(1), steps(9, 0)), AbsorbError::UnknownSource),
    ] {
        assert_eq!(agent.absorb(&bad), Err(why));
    }
    assert_eq!(agent.policy(), &before);
    assert!(agent.absorb(&steps(9, 0)).is_ok());
}

#[test]
fn a_sign_moves_its_coordinate_of_each_arm_against_it() {
    let mut agent = agent(Model::Logistic);
    agent.absorb(&signs(0, &[(1, 0b101)])).unwrap();
    let moved: Vec<Vec<f64>> = agent
        .policy()
        .parameters
        .iter()
        .map(|arm| arm.iter().map(|x| x.signum() * f64::from(u8::from(*x != 0.0))).collect())
        .collect();
    assert_eq!(moved, [[0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0]]);
    assert_eq!(agent.policy().version, 1);
    // An older policy's report still counts.
    agent.absorb(&signs(0, &[(0, 0)])).unwrap();
    assert!(agent.policy().parameters.iter().all(|arm| arm[0] > 0.0));
}

#[test]
fn a_source_with_a_larger_loss_counts_for_more() {
    let (mut weak, mut strong) = (agent(Model::Logistic), agent(Model::Logistic));
    for _ in 0..100 {
        weak.absorb(&signs(0, &[(0, 0)])).unwrap();
        strong.absorb(&steps(9, 0)).unwrap();
    }
    assert!(strong.policy().exploration < 0.2 && weak.policy().exploration > 0.5);
}

#[test]
fn a_hidden_layer_starts_at_weights_of_its_own_and_repeats_with_its_seed() {
    let (one, same) = (agent(Model::Hidden { units: 4 }), agent(Model::Hidden { units: 4 }));
    assert_eq!(one.policy(), same.policy());
    let parameters = &one.policy().parameters;
    assert_ne!(parameters[0], parameters[1]);
    assert_ne!(parameters[0][..3], parameters[0][3..6], "equal units would stay equal");
    assert!(parameters.iter().all(|arm| arm[12] == 0.0));
}

proptest! {
    /// Whatever is sent, devices can follow the policy.
    #[test]
    fn no_report_breaks_the_policy(
        reports in prop::collection::vec((0_u32..3, 0_u64..8, any::<i64>(), any::<bool>()), 1..200),
    ) {
        let mut agent = agent(Model::Logistic);
        let mut exploration = 1.0;
        for (coordinate, bits, value, from_source) in reports {
            let report = if from_source { steps(9, value) } else { signs(0, &[(coordinate, bits)]) };
            agent.absorb(&report).unwrap();
            prop_assert!(agent.policy().check(agent.spec()).is_ok());
            prop_assert!(agent.policy().exploration <= exploration);
            exploration = agent.policy().exploration;
            for arm in &agent.policy().parameters {
                let norm: f64 = arm.iter().map(|x| x * x).sum::<f64>().sqrt();
                prop_assert!(norm <= descent::RADIUS * (1.0 + 1e-9));
            }
        }
    }
}
