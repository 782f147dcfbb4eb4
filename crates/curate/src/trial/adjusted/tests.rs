use reticent_privacy::{Loss, SimRng, SimSeed, Stream};

use super::*;
use crate::trial::spec::Covariate;
use crate::trial::tests::{LEVEL, at_most};
use crate::trial::{Draft, Effect, Outcome, Release, SpecError, Stratum, analyse};

fn adjust(covariates: usize) -> Adjust {
    let covariate = |place: usize| Covariate { column: format!("x{place}"), low: 0.0, high: 10.0 };
    Adjust { delta: 1e-6, covariates: (0..covariates).map(covariate).collect() }
}

fn spec(arms: &[u64], epsilon: f64, covariates: usize, binary: bool) -> TrialSpec {
    let mut plan = Draft::simple("adjusted", arms.iter().sum(), epsilon);
    plan.arms = (0..arms.len()).map(|arm| arm.to_string()).collect();
    plan.outcome = Outcome { binary, ..Outcome::number("y", 0.0, 1.0) };
    TrialSpec::new(plan).unwrap().finished(arms).unwrap().adjusted(adjust(covariates)).unwrap()
}

/// Whatever a person's row, and whatever the predictor, what they add to either sum has length one at most: nothing
/// is shortened, and some rows reach it.
#[test]
fn a_person_is_in_the_ball() {
    let long = |vector: &[f64]| vector.iter().map(|entry| entry * entry).sum::<f64>();
    for arms in [&[50_u64, 90][..], &[40, 40], &[30, 30, 60]] {
        let spec = spec(arms, 1.0, 3, false);
        let form = Form::adjusted(&spec);
        let mut most = 0.0_f64;
        for step in -50..=50 {
            for arm in 0..arms.len() {
                let residual = Some(f64::from(step) / 50.0);
                most = most.max(long(&residual_vector(&form, arms.len(), arm, residual)));
                assert!(long(&residual_vector(&form, arms.len(), arm, None)) <= 1.0);
            }
            for covariates in [[1.0, -1.0, 1.0], [0.3, 0.0, -1.0]] {
                let vector = predictor::vector(&covariates, Some(f64::from(step) / 100.0));
                assert!(vector.len() == predictor::moments(3) && long(&vector) <= 1.0 + 1e-12);
            }
        }
        assert!((most - 1.0).abs() < 1e-12, "{most}");
    }
}

/// A table in which covariates explain half of what varies, and the truth.
fn table(arms: &[u64], binary: bool, effect: f64, lost: f64, rng: &mut SimRng) -> Vec<(Finished, Vec<f64>)> {
    let plan = Draft::simple("any", 2, 1.0);
    let stratum = Stratum::new(&TrialSpec::new(plan).unwrap(), 0).unwrap();
    let each = arms.iter().enumerate().flat_map(|(arm, &people)| std::iter::repeat_n(arm, people as usize));
    let person = |arm: usize| {
        let values: Vec<f64> = (0..2).map(|_| 10.0 * rng.uniform()).collect();
        let told = 0.02 * (values[0] - 5.0) + 0.01 * (values[1] - 5.0);
        let mean = 0.4 + told + effect * arm as f64;
        let drawn = if binary {
            f64::from(u8::from(rng.uniform() < mean))
        } else {
            mean + 0.2 * (rng.uniform() - 0.5)
        };
        let outcome = (rng.uniform() >= lost * arm as f64).then_some(drawn);
        (Finished { stratum, arm, outcome }, values)
    };
    each.map(person).collect()
}

fn effect(spec: &TrialSpec, people: &[(Finished, Vec<f64>)], seed: u64) -> Effect {
    let mut noise = SimSeed(seed).stream(1, Stream::Noise);
    let release = Release::of_adjusted(spec.clone(), people, &mut noise).unwrap();
    let read: Release = serde_json::from_str(&serde_json::to_string(&release).unwrap()).unwrap();
    assert_eq!(read, release);
    analyse(&read).effects.remove(0)
}

/// Intervals hold, of numbers and of coins, with missing outcomes and with three arms, whether or not the predictor
/// is of use. Fewer hits than a coverage of 93 % has once in a million times would be a fault.
#[test]
fn adjusted_intervals_hold() {
    let tables = 300;
    for (arms, binary, epsilon, lost) in [
        (&[300_u64, 700][..], false, 1.0, 0.0),
        (&[500, 500], false, 8.0, 0.2),
        (&[500, 500], true, 8.0, 0.0),
        (&[400, 300, 300], false, 8.0, 0.1),
    ] {
        let spec = spec(arms, epsilon, 2, binary);
        let mut hits = 0;
        for seed in 0..tables {
            let people = table(arms, binary, 0.08, lost, &mut SimSeed(seed).stream(0, Stream::Environment));
            let one = effect(&spec, &people, seed).planned.unwrap().augmented;
            hits += u64::from(one.low <= 0.08 && 0.08 <= one.high);
        }
        assert!(at_most(hits, tables, 0.93) > LEVEL, "{arms:?} {binary} {hits}");
    }
    assert!(at_most(tables * 80 / 100, tables, 0.93) < LEVEL, "the test has power");
}

/// Where people are many the interval is shorter than without adjustment at the same epsilon, as public numbers
/// foretell; where they are few it is not, and they foretell that too.
#[test]
fn it_pays_where_it_is_said_to() {
    for (half, pays) in [(400, false), (20_000, true)] {
        let arms = [half, half];
        let adjusted = spec(&arms, 1.0, 2, false);
        let plain = TrialSpec::new(Draft { adjust: None, ..adjusted.draft().clone() }).unwrap();
        let people = table(&arms, false, 0.08, 0.0, &mut SimSeed(3).stream(0, Stream::Environment));
        let width = |effect: Effect| {
            let one = effect.planned.unwrap().augmented;
            one.high - one.low
        };
        let rows = people.iter().map(|one| one.0);
        let release = Release::of_finished(plain, rows, &mut SimSeed(3).stream(0, Stream::Noise)).unwrap();
        let (with, without) =
            (width(effect(&adjusted, &people, 3)), width(analyse(&release).effects.remove(0)));
        assert_eq!(with < without, pays, "{with} {without}");
        assert_eq!(share_to_pay(&adjusted).unwrap() < 0.5, pays);
    }
}

#[test]
fn an_adjusted_plan_says_what_it_is() {
    let spec = spec(&[60, 60], 1.0, 2, false);
    let Loss::Concentrated { rho } = spec.guarantee().loss else { panic!("not concentrated") };
    let delta = reticent_privacy::Delta::new(1e-6).unwrap();
    assert!(rho.to_epsilon(delta).unwrap() <= spec.epsilon().unwrap());
    let draft = spec.draft().clone();
    let refused = |change: &dyn Fn(&mut Draft)| {
        let mut plan = draft.clone();
        change(&mut plan);
        TrialSpec::new(plan).unwrap_err()
    };
    assert_eq!(refused(&|plan| plan.finished = false), SpecError::Adjusted);
    assert_eq!(refused(&|plan| plan.private = false), SpecError::Adjusted);
    assert_eq!(refused(&|plan| plan.public_strata = true), SpecError::Adjusted);
    assert_eq!(refused(&|plan| *plan = plan.clone().with_levels("x", 2)), SpecError::Adjusted);
    assert_eq!(refused(&|plan| plan.adjust.as_mut().unwrap().delta = 0.0), SpecError::Delta);
    assert_eq!(refused(&|plan| plan.adjust = Some(adjust(0))), SpecError::Covariates(16));
    let twice = |plan: &mut Draft| plan.adjust.as_mut().unwrap().covariates[1].column = "x0".into();
    assert_eq!(refused(&twice), SpecError::SameColumn("x0".into()));
    let none = |plan: &mut Draft| plan.adjust.as_mut().unwrap().covariates[0].high = -1.0;
    assert_eq!(refused(&none), SpecError::Covariate("x0".into()));
}
