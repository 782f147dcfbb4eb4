//! What is refused, what is said, and the law of the noise.

use super::*;
use crate::abse::{Bin, SourceSpec};
use reticent_privacy::{Epsilon, NoiseRng, SimRng, SimSeed, Stream};

const STEPS: f64 = UnitGrid::STEPS as f64;

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

/// Two bins on a line: arms 0 and 1 below one half, arm 1 above.
fn policy() -> Policy {
    let bin = |low, high, arms| Bin { low: vec![low], high: vec![high], depth: 1, arms };
    Policy::new(3, vec![bin(0.0, 0.5, vec![0, 1]), bin(0.5, 1.0, vec![1])]).unwrap()
}

fn spec(loss: Option<f64>) -> Spec {
    let loss = loss.map(epsilon);
    let half = loss.map(|loss| Epsilon::from_nano(loss.nano() / 2).unwrap());
    Spec::new(1, 2, loss, 100, vec![SourceSpec { epsilon: half, people: 50 }]).unwrap()
}

fn randomiser(loss: Option<f64>, trial: u64) -> Randomiser<SimRng> {
    Randomiser::new(&spec(loss), SimSeed(20_261_115).stream(trial, Stream::Noise))
}

fn values(report: &Report) -> &[i64] {
    match &report.answer {
        Answer::Values(values) => values,
        Answer::Open(_) => panic!("values expected"),
    }
}

#[test]
fn what_is_wrong_is_refused_and_says_nothing() {
    let mut people = randomiser(Some(1.0), 0);
    let policy = policy();
    for bad in [f64::NAN, f64::INFINITY] {
        assert!(matches!(people.choose(&policy, &[bad]), Err(Refusal::NotFinite(_))));
        let choice = people.choose(&policy, &[0.2]).unwrap();
        assert_eq!(format!("{choice:?}"), "Choice { .. }");
        assert!(matches!(people.answer(&policy, &choice, bad), Err(Refusal::NotFinite(_))));
        assert!(matches!(people.answer_record(&policy, 0, &[bad], 0, 0.5), Err(Refusal::NotFinite(_))));
        assert!(matches!(people.answer_record(&policy, 0, &[0.5], 0, bad), Err(Refusal::NotFinite(_))));
    }
    assert!(matches!(people.choose(&policy, &[0.1, 0.2]), Err(Refusal::WrongContext(1))));
    assert!(matches!(people.choose(&Policy::first(2, 2).unwrap(), &[0.1]), Err(Refusal::WrongPolicy { .. })));
    assert!(matches!(people.choose(&Policy::first(1, 3).unwrap(), &[0.1]), Err(Refusal::WrongPolicy { .. })));
    let old = people.choose(&Policy::first(1, 2).unwrap(), &[0.1]).unwrap();
    assert!(matches!(people.answer(&policy, &old, 0.5), Err(Refusal::StaleChoice { made: 0, asked: 3 })));
    assert!(matches!(people.answer_record(&policy, 1, &[0.1], 0, 0.5), Err(Refusal::UnknownSource(1))));
    assert!(matches!(people.answer_record(&policy, 0, &[0.1], 2, 0.5), Err(Refusal::UnknownArm(2))));
}

#[test]
fn real_noise_never_sends_a_raw_record() {
    let mut real = Randomiser::new(&spec(None), NoiseRng::from_os().unwrap());
    let choice = real.choose(&policy(), &[0.3]).unwrap();
    assert!(matches!(real.answer(&policy(), &choice, 0.5), Err(Refusal::NotPrivate)));
    let mut open = randomiser(None, 2);
    let choice = open.choose(&policy(), &[1.7]).unwrap();
    let report = open.answer(&policy(), &choice, 7.0).unwrap();
    let record = Record { context: vec![1.0], arm: 1, reward: UnitGrid::STEPS };
    assert_eq!(report.answer, Answer::Open(record));
    assert!(open.answer_silent(&policy(), &choice, 0.5).is_err());
}

/// With hardly any noise the values are V and U: the sensitivity of each vector is 2, and of a report 4.
#[test]
fn only_the_persons_own_pair_is_not_zero() {
    let mut people = randomiser(Some(1024.0), 3);
    let policy = policy();
    let near = |report: &Report, expected: [f64; 6]| {
        // Noise of scale 4/1024: beyond 0.15 with probability e^-38, for a source's 8/1024 with e^-19.
        values(report).iter().zip(expected).all(|(&v, e)| (v as f64 / STEPS - e).abs() < 0.15)
    };
    for (context, arm, expected) in [
        (0.1, 0, [0.75, 1.0, 0.0, 0.0, 0.0, 0.0]),
        (0.1, 1, [0.0, 0.0, 0.75, 1.0, 0.0, 0.0]),
        (0.9, 1, [0.0, 0.0, 0.0, 0.0, 0.75, 1.0]),
        (0.9, 0, [0.0; 6]),
        (-3.0, 0, [0.75, 1.0, 0.0, 0.0, 0.0, 0.0]),
        (0.5, 1, [0.0, 0.0, 0.0, 0.0, 0.75, 1.0]),
    ] {
        let report = people.answer_record(&policy, 0, &[context], arm, 0.75).unwrap();
        assert!(near(&report, expected), "{context} {arm} {report:?}");
    }
    let choice = people.choose(&policy, &[0.7]).unwrap();
    assert!(near(&people.answer(&policy, &choice, 0.75).unwrap(), [0.0, 0.0, 0.0, 0.0, 0.75, 1.0]));
}

/// A chi-square of 7 degrees of freedom exceeds this with probability 10^-6.
const CHI_SQUARE_7: f64 = 40.522;
const DRAWS: usize = 20_000;

/// Pearson's statistic of the octiles of Laplace(scale) around `centres`, for each coordinate.
fn octiles(reports: &[Vec<i64>], centres: [f64; 6], scale: f64) -> [f64; 6] {
    std::array::from_fn(|i| {
        let mut counts = [0.0; 8];
        for report in reports {
            let z = (report[i] as f64 / STEPS - centres[i]) / scale;
            let cdf = if z < 0.0 { libm::exp(z) / 2.0 } else { 1.0 - libm::exp(-z) / 2.0 };
            counts[((cdf * 8.0) as usize).min(7)] += 1.0;
        }
        let expected = reports.len() as f64 / 8.0;
        counts.iter().map(|count| (count - expected) * (count - expected) / expected).sum()
    })
}

#[test]
fn every_coordinate_has_noise_of_scale_four_over_epsilon() {
    let policy = policy();
    for (trial, loss) in [0.5, 1.0, 8.0].into_iter().enumerate() {
        let mut people = randomiser(Some(loss), 10 + trial as u64);
        let reports: Vec<Vec<i64>> = (0..DRAWS)
            .map(|_| {
                let choice = people.choose(&policy, &[0.8]).unwrap();
                values(&people.answer(&policy, &choice, 0.25).unwrap()).to_vec()
            })
            .collect();
        let centres = [0.0, 0.0, 0.0, 0.0, 0.25, 1.0];
        let right = octiles(&reports, centres, 4.0 / loss);
        assert!(right.iter().all(|&statistic| statistic < CHI_SQUARE_7), "{loss}: {right:?}");
        // Power: a scale off by a tenth is seen in each coordinate.
        let wrong = octiles(&reports, centres, 3.6 / loss);
        assert!(wrong.iter().all(|&statistic| statistic > CHI_SQUARE_7), "{loss}: {wrong:?}");
    }
}

#[test]
fn the_arm_is_uniform_among_the_active() {
    let policy = policy();
    let mut people = randomiser(Some(1.0), 20);
    let mut draws = |context: f64| -> i64 {
        (0..10_000).map(|_| i64::from(people.choose(&policy, &[context]).unwrap().arm())).sum()
    };
    // Hoeffding: off by more than 270 of 10 000 with probability below 10^-6.
    assert!((draws(0.3) - 5_000).abs() < 270);
    assert_eq!(draws(0.6), 10_000);
}

#[test]
fn the_published_codes_report_shows_the_bin() {
    let policy = policy();
    let mut people = randomiser(Some(1.0), 30);
    let choice = people.choose(&policy, &[0.8]).unwrap();
    let silent = people.answer_silent(&policy, &choice, 0.5).unwrap();
    assert_eq!(values(&silent)[..4], [0; 4]);
    assert!(values(&silent)[4..].iter().all(|&value| value != 0));
    assert_eq!(people.silent_guarantee().to_string(), "not private");
    let honest = people.answer(&policy, &choice, 0.5).unwrap();
    assert!(values(&honest).iter().all(|&value| value != 0));
}

/// A server that shows two policies of one version must not learn a bin from silence.
#[test]
fn a_bin_that_a_second_policy_of_the_version_lacks_is_answered_all_the_same() {
    let whole = Bin { low: vec![0.0], high: vec![1.0], depth: 0, arms: vec![0, 1] };
    let fewer = Policy::new(3, vec![whole]).unwrap();
    for context in [0.2, 0.8] {
        let mut people = randomiser(Some(1.0), 9);
        let choice = people.choose(&policy(), &[context]).unwrap();
        let report = people.answer(&fewer, &choice, 1.0).unwrap();
        assert_eq!(values(&report).len(), 4);
    }
}
