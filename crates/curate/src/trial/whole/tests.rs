use reticent_privacy::{SimSeed, Stream};

use super::super::{Draft, Outcome, TrialSpec};
use super::*;

fn forms() -> Vec<(TrialSpec, Form)> {
    let mut all = Vec::new();
    for (arms, strata, binary, expected, ratio, [public, finished]) in [
        (2, 1, true, None, None, [false; 2]),
        (2, 1, true, Some(0.02), Some(vec![1.0, 2.0]), [false; 2]),
        (2, 1, false, Some(0.22), None, [false; 2]),
        (2, 3, false, None, None, [false; 2]),
        (2, 3, false, Some(0.2), None, [false, true]),
        (2, 3, false, Some(0.2), None, [true, false]),
        (2, 6, true, None, Some(vec![3.0, 1.0]), [false; 2]),
        (3, 1, false, None, None, [false; 2]),
        (3, 4, false, Some(0.3), None, [true; 2]),
        (5, 8, true, None, None, [false; 2]),
        (5, 8, false, None, None, [false, true]),
    ] {
        let mut plan = Draft::simple("form", 400, 1.0);
        plan.arms = (0..arms).map(|arm| arm.to_string()).collect();
        plan.outcome = Outcome { binary, expected, ..Outcome::number("y", 0.0, 1.0) };
        (plan.ratio, plan.public_strata, plan.finished) = (ratio, public, finished);
        let plan = if strata > 1 { plan.with_levels("x", strata) } else { plan };
        let spec = TrialSpec::new(plan).unwrap();
        let form = Form::new(&spec);
        all.push((spec, form));
    }
    all
}

fn exact(spec: &TrialSpec, form: Form, row: Row) -> Vec<i64> {
    let mut sums = WholeSums::new(form, spec);
    sums.add(row);
    let WholeSums { sums, counts, everyone, squares, middles, missing, .. } = sums;
    [sums.concat(), counts, everyone, squares, middles, missing].concat()
}

/// However a person is replaced, all numbers together move by no more than the noise is made for: all pairs of
/// a fine grid of outcomes, or none, in two strata; and nothing is given away.
#[test]
fn one_person_moves_the_table_by_the_sensitivity_at_most() {
    for (spec, form) in forms() {
        let grid: Vec<u32> = if spec.draft().outcome.binary {
            vec![0, STEPS]
        } else {
            (0..=64).map(|place| place * (STEPS / 64)).chain([1, 77_777, STEPS - 1]).collect()
        };
        let outcomes: Vec<Option<Steps>> =
            grid.into_iter().map(|step| Some(Steps(step))).chain([None]).collect();
        let mut most = 0;
        for arm in 0..spec.arms() {
            // A stratum that is public is the same for both.
            for stratum in 0..spec.strata().min(if spec.counts_exactly() { 1 } else { 2 }) {
                for one in &outcomes {
                    for other in &outcomes {
                        let a = exact(&spec, form, Row { stratum: 0, arm, outcome: *one });
                        let b = exact(&spec, form, Row { stratum, arm, outcome: *other });
                        let moved: i64 = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).sum();
                        most = most.max(moved as u64);
                    }
                }
            }
        }
        let stated = form.sensitivity_in_units();
        assert!(most <= stated, "{most} {stated} {form:?}");
        assert!(most + 40 >= stated, "the noise is made for more than can happen: {most} {stated} {form:?}");
    }
}

#[test]
fn a_form_is_what_its_plan_says() {
    for (spec, form) in forms() {
        assert!(form.is_sound(&spec), "{form:?}");
        let whole =
            WholeSums::new(form, &spec).release(spec.epsilon(), &mut SimSeed(1).stream(0, Stream::Noise));
        assert!(whole.fits(&spec));
        let other = spec.draft().clone().with_levels("another", 2);
        assert!(!whole.fits(&TrialSpec::new(other).unwrap()));
        let broken = Form { square: 1.5 * (1.0 + form.pooled) * (1.0 + form.everyone), ..form };
        assert!(!broken.is_sound(&spec));
        let known = Form { middle: 0.1, square: 0.1, ..form };
        assert!(known.is_sound(&spec) != (spec.counts_exactly() || spec.draft().outcome.binary));
    }
}
