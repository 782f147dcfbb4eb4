//! What is refused, how rarely honest reports alarm, and that forged ones do.

use super::*;
use crate::mab::{AgentKind, AnyAgent};
use reticent_privacy::{Epsilon, SimRng, SimSeed, Stream};
use reticent_protocol::{Answer, Report};

const ARMS: u32 = 3;

fn agent(run: u64) -> AnyAgent {
    let epsilon = Epsilon::new(1.0).unwrap();
    AgentKind::LdpThompson.build(ARMS, epsilon, SimSeed(run).stream(0, Stream::Agent)).unwrap()
}

fn report(agent: &AnyAgent, version: u64, arm: u32, bit: bool) -> Report {
    let experiment = agent.spec().prefix();
    Report { experiment, policy: version, source: None, question: 0, answer: Answer::Bit { arm, bit } }
}

#[test]
fn only_what_was_asked_is_counted() {
    let mut agent = agent(1);
    let policy = agent.policy(1);
    let (version, arm) = (policy.version, policy.arms.last_arm());
    let mut send = |version: u64, arm: u32| {
        let report = report(&agent, version, arm, true);
        agent.absorb(&report)
    };
    assert_eq!(send(version, (arm + 1) % ARMS), Err(AbsorbError::NotAsked));
    assert_eq!(send(version + 1, arm), Err(AbsorbError::NotAsked));
    assert_eq!(send(version, arm), Ok(()));
    assert_eq!(send(version, arm), Err(AbsorbError::TooLate), "a policy for one person is answered once");
    assert_eq!(agent.estimates().iter().map(|arm| arm.reports.unwrap()).sum::<u64>(), 1);
    // A policy for many is answered by many.
    let shared = agent.policy(64);
    for arm in shared.arms.tickets().into_iter().map(|(arm, _)| arm).cycle().take(100) {
        let answer = report(&agent, shared.version, arm, true);
        assert_eq!(agent.absorb(&answer), Ok(()));
    }
}

/// One run of shared policies with a share of people who send `forged` instead of what they should; whether it alarms.
fn alarms(run: u64, share: f64, forged: impl Fn(u32) -> (u32, bool)) -> (bool, AnyAgent) {
    let mut agent = agent(run);
    let mut rng: SimRng = SimSeed(run).stream(1, Stream::Noise);
    let mut alarmed = false;
    for _ in 0..20 {
        let policy = agent.policy(50);
        for _ in 0..50 {
            let arm = policy.arms.draw(&mut rng);
            let mean = 0.4 + 0.05 * f64::from(arm);
            let honest = (arm, rng.uniform() < mean);
            let (arm, bit) = if rng.uniform() < share { forged(arm) } else { honest };
            let answer = report(&agent, policy.version, arm, bit);
            let _ = agent.absorb(&answer);
            alarmed |= !agent.warnings().is_empty();
        }
    }
    (alarmed, agent)
}

/// Looked at after every report, at most one honest run in a thousand alarms: of 2,000 runs 2 are expected at most, and
/// 12 or more come with probability 1e-5. A test that fires for tilts without accounts (the plain 5 % test at each
/// look) would alarm in most runs.
#[test]
fn honest_runs_hardly_ever_alarm() {
    let alarmed = (0..2_000).filter(|&run| alarms(run, 0.0, |arm| (arm, true)).0).count();
    assert!(alarmed < 12, "{alarmed}");
}

/// Votes against one arm, whoever got which, are seen; so are bits that no reward gives.
#[test]
fn piles_and_impossible_bits_alarm() {
    let (alarmed, _) = alarms(5, 0.3, |_| (0, false));
    assert!(alarmed);
    // Half of the people are to get the arm; of 400 reports 280 are of it, ten deviations too many.
    let (mut guard, spec) = (Guard::new(ARMS), agent(1).spec().clone());
    let arms = Lottery::new(vec![(0, 1), (1, 1)]).unwrap();
    let (experiment, squash) = (spec.digest(), reticent_protocol::mab::Squash::CLIP);
    guard.publish(&Policy { experiment, version: 1, question: 0, squash, arms }, 400);
    (0..400_u32).for_each(|at| guard.count(1, u32::from(at % 10 >= 7), at % 2 == 0));
    assert!(matches!(&guard.warnings(&spec)[..], [Warning::PiledOn { arm: 0, reports: 280, .. }]));
    let impossible = |agent: &AnyAgent| {
        agent.warnings().iter().any(|warning| matches!(warning, Warning::Impossible { .. }))
    };
    let (alarmed, agent) = alarms(6, 0.9, |arm| (arm, true));
    assert!(alarmed && impossible(&agent));
}

#[test]
fn what_nobody_was_assigned_is_no_evidence() {
    // 100 were assigned; 100 more came, all ones, of which the mean would be 0.75.
    assert_eq!(without(150.0, 50.0, 100.0, 0.2), (50.0, 50.0));
    assert_eq!(without(150.0, 50.0, 100.0, 0.6), (60.0, 40.0));
    // Or all zeros.
    assert_eq!(without(50.0, 150.0, 100.0, 0.9), (50.0, 50.0));
    assert_eq!(without(10.0, 0.0, 100.0, 0.5), (10.0, 0.0));
}

#[test]
fn a_guard_survives_saving_and_an_older_document_takes_what_is_on_its_way() {
    let (_, mut agent) = alarms(7, 0.3, |_| (0, false));
    let text = crate::mab::save(&agent).unwrap();
    let loaded = crate::mab::load(&text).unwrap();
    assert_eq!(loaded.guard, agent.guard);
    let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
    value["version"] = 2.into();
    value.as_object_mut().unwrap().remove("guard");
    let mut old = crate::mab::load(&value.to_string()).unwrap();
    let late = report(&old, 3, 2, true);
    assert_eq!(old.absorb(&late), Ok(()));
    let next = agent.policy(1).version;
    assert_eq!(old.absorb(&report(&old, next + 5, 2, true)), Err(AbsorbError::NotAsked));
}
