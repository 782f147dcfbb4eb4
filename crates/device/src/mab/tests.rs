//! The device side of the wall: what is paid, what is refused, what is said.

use super::*;
use reticent_privacy::{Epsilon, Provenance, SimRng, SimSeed, Stream};
use reticent_protocol::Answer;
use reticent_protocol::mab::{Lottery, Spec, Squash};
use reticent_store::DurableLedger;

use crate::Wallet;

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

fn spec() -> Spec {
    Spec::new(2, epsilon(0.5)).unwrap()
}

/// A device with a lifetime of two reports.
fn device() -> Device<SimRng> {
    Device::simulated(&spec(), epsilon(1.0), SimSeed(1).stream(0, Stream::Noise))
}

fn policy_of(spec: &Spec, arm: u32, squash: Squash) -> Policy {
    Policy { experiment: spec.digest(), version: 9, question: 4, squash, arms: Lottery::one(arm) }
}

fn policy() -> Policy {
    policy_of(&spec(), 1, Squash::CLIP)
}

fn answer(device: &mut Device<SimRng>, reward: f64) -> Result<Report, DeviceError> {
    let choice = device.choose(&policy())?;
    device.answer(choice, reward)
}

/// 3,000 bits of a missing reward: half of them ones, within 6 deviations (2e-9); those of a good reward are
/// 0.62 of ones, 13 deviations away.
#[test]
fn whatever_the_reward_is_a_report_is_paid_and_sent() {
    for squash in [Squash::CLIP, Squash::line(0.0, 2.0).unwrap()] {
        for missing in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut device = device();
            let mut ones = 0;
            for _ in 0..3_000 {
                device.next_person(epsilon(1.0));
                let choice = device.choose(&policy_of(&spec(), 1, squash)).unwrap();
                let report = device.answer(choice, missing).unwrap();
                assert_eq!(device.ledger().spent_nano(), 500_000_000);
                ones += i32::from(matches!(report.answer, Answer::Bit { bit: true, .. }));
            }
            assert!((ones - 1_500).abs() < 165, "{ones}");
        }
    }
    let mut device = device();
    let choice = device.choose(&policy()).unwrap();
    let report = device.answer_missing(choice).unwrap();
    assert_eq!((report.policy, report.question, report.source), (9, 4, None));
    assert_eq!(device.ledger().spent_nano(), 500_000_000);
}

#[test]
fn refusals_depend_on_public_things_alone_and_cost_nothing() {
    let mut device = device();
    let error = device.choose(&policy_of(&spec(), 2, Squash::CLIP)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the policy names arm 2, but the experiment has arms 0 to 1; nothing was sent"
    );
    let louder = Spec::new(2, epsilon(8.0)).unwrap();
    assert!(matches!(device.choose(&policy_of(&louder, 1, Squash::CLIP)), Err(DeviceError::Bandit(_))));
    assert_eq!(device.ledger().spent_nano(), 0);
}

#[test]
fn a_lifetime_is_two_halves() {
    let mut device = device();
    assert!(answer(&mut device, 0.5).is_ok());
    assert!(answer(&mut device, 0.5).is_ok());
    assert!(matches!(answer(&mut device, 0.5), Err(DeviceError::Budget(_))));
    device.next_person(epsilon(0.5));
    assert!(answer(&mut device, 0.5).is_ok());
}

/// A receipt of another loss pays for nothing.
#[test]
fn a_receipt_is_compared_with_what_it_pays_for() {
    let mut ledger = reticent_privacy::Ledger::new(epsilon(1.0));
    let cheap = ledger.charge(epsilon(0.000_001)).unwrap();
    let privatiser = <Privatiser as crate::Problem>::new(&spec());
    let mut noise = SimSeed(1).stream(0, Stream::Noise);
    let choice = device().choose(&policy()).unwrap();
    let refused = crate::Problem::report(&privatiser, Record::new(choice, 1.0), cheap, &mut noise);
    assert!(matches!(refused, Err(DeviceError::OtherReceipt)));
}

#[test]
fn a_seeded_device_promises_nothing() {
    let private = Device::new(&spec(), epsilon(1.0)).unwrap();
    assert_eq!(private.provenance(), Provenance::SystemEntropy);
    assert_eq!(private.guarantee().protects(), Some(true));
    assert_eq!(device().provenance().label(), "simulation, not private");
    assert_eq!(device().guarantee().protects(), Some(false));
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn wallet(&self, lifetime: f64) -> Wallet {
        DurableLedger::open(&self.0.path().join("budget"), epsilon(lifetime)).unwrap().into()
    }
}

fn visit(device: &mut DurableDevice, spec: &Spec, request: &str, reward: f64) -> Result<Report, DeviceError> {
    let choice = device.choose(&policy_of(spec, 1, Squash::CLIP))?;
    device.answer(request, choice, reward)
}

#[test]
fn a_request_is_answered_once_whatever_the_retry_says() {
    let folder = Folder(tempfile::tempdir().unwrap());
    let open = || DurableDevice::new(&spec(), folder.wallet(1.0)).unwrap();
    let mut device = open();
    let first = visit(&mut device, &spec(), "a", 0.5).unwrap();
    drop(device);
    let mut device = open();
    assert_eq!(visit(&mut device, &spec(), "a", 0.1).unwrap(), first);
    assert_eq!(device.wallet().ledger().spent_nano(), 500_000_000);
    assert!(visit(&mut device, &spec(), "b", f64::NAN).is_ok());
    assert!(matches!(visit(&mut device, &spec(), "c", 0.1), Err(DeviceError::Ledger(_))));
}

/// Attack: experiment B, at a small loss, asks for the request that A was answered at a large one.
#[test]
fn a_stored_report_is_given_to_nobody_but_who_asked_for_it() {
    let folder = Folder(tempfile::tempdir().unwrap());
    let wallet = folder.wallet(10.0);
    let (loud, quiet) = (Spec::new(2, epsilon(8.0)).unwrap(), Spec::new(2, epsilon(0.01)).unwrap());
    let mut a = DurableDevice::new(&loud, wallet.clone()).unwrap();
    let mut b = DurableDevice::new(&quiet, wallet.clone()).unwrap();
    let report = visit(&mut a, &loud, "visit-1", 1.0).unwrap();
    let other = visit(&mut b, &quiet, "visit-1", 1.0).unwrap();
    assert_eq!((report.experiment, other.experiment), (loud.prefix(), quiet.prefix()));
    assert_eq!(wallet.ledger().spent_nano(), 8_010_000_000, "both were paid for, from one lifetime");
    // Another policy of the same experiment asks something else, too.
    let choice = a.choose(&Policy { version: 10, ..policy_of(&loud, 0, Squash::CLIP) }).unwrap();
    assert!(
        a.answer("visit-1", choice, 1.0).is_err(),
        "not the stored report, and too little is left to pay"
    );
}
