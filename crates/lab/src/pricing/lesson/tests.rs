use crate::named::Named;
use reticent_baselines::nw_lcb::Spec;
use reticent_baselines::nw_lcb::agent::Sums;
use reticent_baselines::nw_lcb::randomiser::Randomiser;
use reticent_privacy::{Epsilon, SimSeed, Stream};

use super::faithful::shortcut;
use super::*;
use crate::pricing::market::{CurveSpec, OutcomeKind, Target};

const REPEATS: usize = 3000;

/// The sums of some people's values by the devices' own code, and by the shortcut: one value of a cell with
/// people, and one without.
fn sums(count: u64, by_devices: bool, repeat: u64) -> [f64; 2] {
    let epsilon = Epsilon::new(1.0).unwrap();
    let spec = Spec::new(1, 2, epsilon).unwrap();
    let mut noise = SimSeed(11 + u64::from(by_devices)).stream(repeat, Stream::Noise);
    let sums = if by_devices {
        let mut people = Randomiser::new(&spec, noise);
        let mut sums = Sums::new(spec);
        for _ in 0..count {
            sums.add(&people.report(&[0.1], 0.9, 0.5).unwrap()).unwrap();
        }
        sums
    } else {
        let mut totals = vec![0.0; 8];
        let cell = spec.cell(&[0.1], 0.9).unwrap();
        (totals[2 * cell], totals[2 * cell + 1]) = (count as f64, 0.5 * count as f64);
        shortcut(&spec, count, &totals, &mut noise).unwrap()
    };
    let own = 2 * sums.spec().cell(&[0.1], 0.9).unwrap();
    let other = 2 * sums.spec().cell(&[0.9], 0.1).unwrap();
    [sums.values()[own + 1] as f64, sums.values()[other] as f64]
}

/// The largest distance of two samples' distribution functions.
fn distance(a: &mut [f64], b: &mut [f64]) -> f64 {
    a.sort_by(f64::total_cmp);
    b.sort_by(f64::total_cmp);
    let share = |sample: &[f64], x: f64| sample.partition_point(|y| *y <= x) as f64 / sample.len() as f64;
    a.iter().chain(b.iter()).map(|&x| (share(a, x) - share(b, x)).abs()).fold(0.0, f64::max)
}

/// Two samples of 3,000: a distance above 0.0696 has probability 1e-6 each if the laws are the same (Smirnov,
/// asymptotic). Six people instead of five are told apart.
#[test]
fn the_shortcut_has_the_law_of_the_devices_reports() {
    let sample = |people: u64, by_devices: bool, which: usize| -> Vec<f64> {
        (0..REPEATS as u64).map(|repeat| sums(people, by_devices, repeat)[which]).collect()
    };
    for which in [0, 1] {
        let far = distance(&mut sample(5, true, which), &mut sample(5, false, which));
        assert!(far < 0.0696, "{which}: {far}");
    }
    let other = distance(&mut sample(5, true, 1), &mut sample(12, false, 1));
    assert!(other > 0.0696, "{other}");
}

fn setting(records: u64, epsilon: Option<f64>, outcome: OutcomeKind) -> Setting {
    let market = CurveSpec { target: Target::Beta, outcome, ..CurveSpec::default() }.into();
    Setting {
        market,
        records,
        epsilon: epsilon.map(|epsilon| Epsilon::new(epsilon).unwrap()),
        side: None,
        forgers: None,
    }
}

#[test]
fn every_method_runs_and_ours_is_better_than_the_papers_at_the_same_loss() {
    let one = |kind, setting: &Setting| run(kind, setting, SimSeed(5), 0, &|_| true).unwrap().unwrap();
    let ours = one(MethodName::PrivatePricing, &setting(20_000, Some(4.0), OutcomeKind::Reward));
    let demand = one(MethodName::PrivatePricing, &setting(20_000, Some(4.0), OutcomeKind::Sale));
    let faithful = one(MethodName::LdpNwLcb, &setting(20_000, Some(4.0), OutcomeKind::Reward));
    let raw = one(MethodName::NwLcb, &setting(20_000, None, OutcomeKind::Reward));
    assert!(ours.suboptimality < 0.05 && demand.suboptimality < 0.05, "{ours:?} {demand:?}");
    assert!(ours.suboptimality < faithful.suboptimality && raw.suboptimality < 0.2, "{faithful:?} {raw:?}");
    assert!(ours.standing.unwrap().gap > 0.0);
    assert_eq!(one(MethodName::NwLcb, &setting(20_000, None, OutcomeKind::Reward)), raw);
}

#[test]
fn whoever_asks_to_stop_is_heard_and_missing_losses_are_told() {
    let usual = setting(1_000, Some(1.0), OutcomeKind::Reward);
    for &kind in MethodName::ALL {
        assert_eq!(run(kind, &usual, SimSeed(5), 0, &|_| false).unwrap(), None);
    }
    let none = setting(1_000, None, OutcomeKind::Reward);
    let error = run(MethodName::LdpNwLcb, &none, SimSeed(5), 0, &|_| true).unwrap_err();
    assert!(matches!(error, LessonError::NoEpsilon));
    let many = setting(1 << 40, None, OutcomeKind::Reward);
    assert!(run(MethodName::NwLcb, &many, SimSeed(5), 0, &|_| true).is_err());
}
