//! The device side of the wall: what is paid, what is refused, what is said.

use super::*;
use reticent_privacy::{Epsilon, NotFinite, Provenance, SimRng, SimSeed, Stream};
use reticent_protocol::mab::{Spec, Squash};
use reticent_store::DurableLedger;

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

/// A device with a lifetime of two reports.
fn device() -> Device<SimRng> {
    let spec = Spec::new(2, epsilon(0.5)).unwrap();
    Device::simulated(&spec, epsilon(1.0), SimSeed(1).stream(0, Stream::Noise))
}

const POLICY: Policy = Policy { arm: 1, stage: 4, squash: Squash::CLIP };

#[test]
fn bad_rewards_cost_nothing_and_say_nothing() {
    for squash in [Squash::CLIP, Squash::line(0.0, 2.0).unwrap()] {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut device = device();
            let error = device.answer(&Policy { squash, ..POLICY }, bad).unwrap_err();
            assert!(matches!(error, DeviceError::Reward(NotFinite)));
            assert_eq!(device.ledger().spent_nano(), 0);
        }
    }
}

#[test]
fn an_unknown_arm_costs_nothing() {
    let mut device = device();
    let error = device.answer(&Policy { arm: 2, ..POLICY }, 0.5).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the policy names arm 2, but the experiment has arms 0 to 1; nothing was sent"
    );
    assert_eq!(device.ledger().spent_nano(), 0);
}

#[test]
fn a_lifetime_is_two_halves() {
    let mut device = device();
    assert!(device.answer(&POLICY, 0.5).is_ok());
    assert!(device.answer(&POLICY, 0.5).is_ok());
    assert!(matches!(device.answer(&POLICY, 0.5), Err(DeviceError::Budget(_))));
    device.next_person(epsilon(0.5));
    assert!(device.answer(&POLICY, 0.5).is_ok());
}

#[test]
fn provenance_tells_simulation_from_noise() {
    let spec = Spec::new(2, epsilon(1.0)).unwrap();
    assert_eq!(Device::new(&spec, epsilon(1.0)).unwrap().provenance(), Provenance::SystemEntropy);
    assert_eq!(device().provenance().label(), "simulation, not private");
}

#[test]
fn a_request_is_answered_once_whatever_the_retry_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("budget");
    let spec = Spec::new(2, epsilon(0.5)).unwrap();
    let open = || DurableDevice::new(&spec, DurableLedger::open(&path, epsilon(1.0)).unwrap()).unwrap();
    let mut device = open();
    let first = device.answer("a", &POLICY, 0.5).unwrap();
    assert!(matches!(device.answer("b", &POLICY, f64::NAN), Err(DeviceError::Reward(_))));
    drop(device);
    let mut device = open();
    assert_eq!(device.answer("a", &POLICY, 0.1).unwrap(), first);
    assert_eq!(device.ledger().spent_nano(), 500_000_000);
    assert!(device.answer("b", &POLICY, 0.1).is_ok());
    assert!(matches!(device.answer("c", &POLICY, 0.1), Err(DeviceError::Ledger(_))));
}

#[test]
fn a_missing_reward_is_reported_and_paid_like_any_other() {
    let mut device = device();
    let report = device.answer_missing(&POLICY).unwrap();
    assert_eq!((report.arm, report.stage), (1, 4));
    assert_eq!(device.ledger().spent_nano(), 500_000_000);
    assert!(device.answer_missing(&Policy { arm: 9, ..POLICY }).is_err());
}
