//! What is paid, what is refused, what is said.

use super::*;
use reticent_privacy::{SimSeed, Stream};
use reticent_protocol::gradient::{Model, Response};

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

fn device(model: Model) -> Device<SimRng> {
    let spec = Spec::new(2, 3, model, epsilon(0.5), vec![epsilon(0.25)]).unwrap();
    Device::simulated(&spec, epsilon(1.0), SimSeed(1).stream(0, Stream::Noise))
}

fn policy(parameters: usize) -> Policy {
    Policy { version: 9, parameters: vec![vec![0.0; parameters]; 3], exploration: 0.0 }
}

#[test]
fn bad_input_costs_nothing_and_says_nothing() {
    let mut device = device(Model::Logistic);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let choice = device.choose(&policy(3), &[0.2, 0.3]).unwrap();
        assert!(matches!(device.answer(&policy(3), choice, bad), Err(DeviceError::Reward(_))));
        assert!(matches!(device.choose(&policy(3), &[0.2, bad]), Err(DeviceError::Context(_))));
        let record = device.answer_record(&policy(3), 0, &[bad, 0.2], 1, 0.5);
        assert!(matches!(record, Err(DeviceError::Context(_))));
    }
    assert!(matches!(device.choose(&policy(3), &[0.2]), Err(DeviceError::Dims { dims: 2 })));
    assert!(matches!(device.choose(&policy(4), &[0.2, 0.3]), Err(DeviceError::Policy(_))));
    let unknown = device.answer_record(&policy(3), 1, &[0.2, 0.2], 1, 0.5).unwrap_err();
    assert!(unknown.to_string().contains("no number 1"));
    let arm = device.answer_record(&policy(3), 0, &[0.2, 0.2], 3, 0.5).unwrap_err();
    assert!(arm.to_string().contains("not one of the experiment's 3"));
    assert_eq!(device.ledger().spent_micro(), 0);
}

#[test]
fn each_report_costs_its_own_loss() {
    let mut device = device(Model::Logistic);
    let choice = device.choose(&policy(3), &[0.2, 0.3]).unwrap();
    let report = device.answer(&policy(3), choice, 1.0).unwrap();
    assert_eq!((report.version, report.source), (9, None));
    assert_eq!(device.ledger().spent_micro(), 500_000);
    let report = device.answer_record(&policy(3), 0, &[0.2, 0.3], 2, 1.0).unwrap();
    assert_eq!(report.source, Some(0));
    assert_eq!(device.ledger().spent_micro(), 750_000);
    let choice = device.choose(&policy(3), &[0.2, 0.3]).unwrap();
    assert!(matches!(device.answer(&policy(3), choice, 1.0), Err(DeviceError::Budget(_))));
    device.next_person(epsilon(0.5));
    let choice = device.choose(&policy(3), &[0.2, 0.3]).unwrap();
    assert!(device.answer(&policy(3), choice, 1.0).is_ok());
}

#[test]
fn the_best_arm_is_played_unless_the_device_explores() {
    let mut device = device(Model::Logistic);
    let mut policy = policy(3);
    // Arm 1 for small first coordinates, arm 2 for large ones.
    policy.parameters[1] = vec![0.0, -1.0, 0.0];
    policy.parameters[2] = vec![0.0, 1.0, 0.0];
    assert_eq!(device.choose(&policy, &[0.1, 0.5]).unwrap().arm(), 1);
    assert_eq!(device.choose(&policy, &[0.9, 0.5]).unwrap().arm(), 2);
    // Clipped to 1, and not to anything else.
    assert_eq!(device.choose(&policy, &[9e9, 0.5]).unwrap().arm(), 2);
    policy.exploration = 1.0;
    let mut plays = [0; 3];
    for _ in 0..3000 {
        plays[device.choose(&policy, &[0.9, 0.5]).unwrap().arm() as usize] += 1;
    }
    // Binomial(3000, 1/3) has deviation 26: six of them.
    assert!(plays.iter().all(|&count: &i32| (count - 1000).abs() < 156), "{plays:?}");
}

#[test]
fn nothing_about_the_person_is_printed() {
    let mut device = device(Model::Hidden { units: 4 });
    let choice = device.choose(&policy(17), &[0.123, 0.3]).unwrap();
    assert_eq!(format!("{choice:?}"), "Choice { .. }");
    let report = device.answer(&policy(17), choice, 1.0).unwrap();
    let Response::Signs(draws) = report.response else { panic!("a small loss sends signs") };
    assert_eq!(draws.len(), 1);
    assert!(format!("{device:?}").contains("Scratch { .. }"));
}
