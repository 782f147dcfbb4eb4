//! The device side of the wall: what is paid, what is refused, what is said.

use super::*;
use reticent_privacy::{SimSeed, Stream};
use reticent_protocol::mab::{Response, Squash};
use reticent_store::DurableLedger;

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

fn device(channel: Channel) -> Device<SimRng> {
    let spec = Spec::new(2, channel).unwrap();
    Device::simulated(&spec, epsilon(1.0), SimSeed(1).stream(0, Stream::Noise))
}

const POLICY: Policy = Policy { arm: 1, stage: 4, squash: Squash::CLIP };

#[test]
fn bad_rewards_cost_nothing_and_say_nothing() {
    for squash in [Squash::CLIP, Squash::SIGMOID, Squash::line(0.0, 2.0).unwrap()] {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut device = device(Channel::Bernoulli { epsilon: epsilon(0.5) });
            let error = device.answer(&Policy { squash, ..POLICY }, bad).unwrap_err();
            assert!(matches!(error, DeviceError::Reward(NotFinite)));
            assert_eq!(device.ledger().spent_micro(), 0);
        }
    }
}

#[test]
fn an_unknown_arm_costs_nothing() {
    let mut device = device(Channel::Bernoulli { epsilon: epsilon(0.5) });
    let error = device.answer(&Policy { arm: 2, ..POLICY }, 0.5).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the policy names arm 2, but the experiment has arms 0 to 1; nothing was sent"
    );
    assert_eq!(device.ledger().spent_micro(), 0);
}

#[test]
fn a_lifetime_is_two_halves() {
    for channel in [Channel::Bernoulli { epsilon: epsilon(0.5) }, Channel::Laplace { epsilon: epsilon(0.5) }]
    {
        let mut device = device(channel);
        assert!(device.answer(&POLICY, 0.5).is_ok());
        assert!(device.answer(&POLICY, 0.5).is_ok());
        let error = device.answer(&POLICY, 0.5).unwrap_err();
        assert!(matches!(error, DeviceError::Budget(_)));
        device.next_person(epsilon(0.5));
        assert!(device.answer(&POLICY, 0.5).is_ok());
    }
}

#[test]
fn the_report_repeats_the_policy_and_the_open_channel_the_reward() {
    let mut device = device(Channel::Open);
    let report = device.answer(&POLICY, 0.25).unwrap();
    assert_eq!((report.arm, report.stage), (1, 4));
    assert_eq!(report.response, Response::Steps(1 << 28));
    assert_eq!(device.answer(&POLICY, 7.0).unwrap().response, Response::Steps(1 << 30));
}

#[test]
fn a_real_device_never_sends_a_raw_reward() {
    let spec = Spec::new(2, Channel::Open).unwrap();
    assert!(matches!(Device::new(&spec, epsilon(1.0)), Err(DeviceError::NotPrivate)));
}

#[test]
fn provenance_tells_simulation_from_noise() {
    let spec = Spec::new(2, Channel::Bernoulli { epsilon: epsilon(1.0) }).unwrap();
    assert_eq!(Device::new(&spec, epsilon(1.0)).unwrap().provenance(), Provenance::SystemEntropy);
    assert_eq!(device(Channel::Open).provenance().label(), "simulation, not private");
}

#[test]
fn prepared_noise_is_used_once_and_is_the_same_noise() {
    let channel = Channel::Laplace { epsilon: epsilon(0.25) };
    let (mut ahead, mut then) = (device(channel), device(channel));
    for _ in 0..4 {
        ahead.prepare();
        ahead.prepare();
        assert_eq!(ahead.answer(&POLICY, 0.5).unwrap(), then.answer(&POLICY, 0.5).unwrap());
    }
}

#[test]
fn a_request_is_answered_once_whatever_the_retry_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("budget");
    let spec = Spec::new(2, Channel::Laplace { epsilon: epsilon(0.5) }).unwrap();
    let open = || DurableDevice::new(&spec, DurableLedger::open(&path, epsilon(1.0)).unwrap()).unwrap();
    let mut device = open();
    let first = device.answer("a", &POLICY, 0.5).unwrap();
    assert!(matches!(device.answer("b", &POLICY, f64::NAN), Err(DeviceError::Reward(_))));
    drop(device);
    let mut device = open();
    assert_eq!(device.answer("a", &POLICY, 0.1).unwrap(), first);
    assert_eq!(device.ledger().spent_micro(), 500_000);
    assert!(device.answer("b", &POLICY, 0.1).is_ok());
    assert!(matches!(device.answer("c", &POLICY, 0.1), Err(DeviceError::Ledger(_))));
    let open_channel = Spec::new(2, Channel::Open).unwrap();
    drop(device);
    let ledger = DurableLedger::open(&path, epsilon(1.0)).unwrap();
    assert!(matches!(DurableDevice::new(&open_channel, ledger), Err(DeviceError::NotPrivate)));
}

#[test]
fn a_missing_reward_is_reported_and_paid_like_any_other() {
    let mut device = device(Channel::Bernoulli { epsilon: epsilon(0.5) });
    let report = device.answer_missing(&POLICY).unwrap();
    assert_eq!((report.arm, report.stage), (1, 4));
    assert_eq!(device.ledger().spent_micro(), 500_000);
    assert!(device.answer_missing(&Policy { arm: 9, ..POLICY }).is_err());
}
