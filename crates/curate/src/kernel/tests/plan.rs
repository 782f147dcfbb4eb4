use super::made::plan;
use crate::kernel::{DraftError, Family, Form, KernelSpec};

fn refused(change: impl FnOnce(&mut crate::kernel::Draft)) -> DraftError {
    let mut plan = plan(Family::MaternFiveHalves, 2, 0.3);
    change(&mut plan);
    KernelSpec::try_from(plan).unwrap_err()
}

#[test]
fn impossible_plans_are_refused() {
    assert_eq!(refused(|plan| plan.actions.clear()), DraftError::NoAction);
    assert!(matches!(refused(|plan| plan.contexts[0].high = 0.0), DraftError::Range { .. }));
    assert!(matches!(refused(|plan| plan.contexts[0].low = f64::NAN), DraftError::Range { .. }));
    assert!(matches!(refused(|plan| plan.reward.high = f64::INFINITY), DraftError::Range { .. }));
    assert!(matches!(refused(|plan| plan.contexts[0].column = "y".into()), DraftError::Twice { .. }));
    assert!(matches!(refused(|plan| plan.reward.noise = 1.5), DraftError::Noise { .. }));
    assert!(matches!(refused(|plan| plan.kernel.rank = 0), DraftError::Rank { .. }));
    assert!(matches!(refused(|plan| plan.contexts[1].length = 0.0), DraftError::Kernel(_)));
    let many = |plan: &mut crate::kernel::Draft| plan.contexts = vec![plan.contexts[0].clone(); 30];
    assert!(matches!(refused(many), DraftError::TooMany { .. }));
}

#[test]
fn forms_group_the_inputs() {
    let factors = |form| {
        let mut plan = plan(Family::MaternFiveHalves, 2, 0.3);
        plan.kernel.form = form;
        let setting = KernelSpec::try_from(plan).unwrap();
        setting.kernel().factors().iter().map(|factor| factor.lengths.len()).collect::<Vec<_>>()
    };
    assert_eq!([Form::Joint, Form::Sides, Form::Product].map(factors), [vec![3], vec![1, 2], vec![1, 1, 1]]);
}

#[test]
fn values_are_scaled_and_clipped() {
    let mut plan = plan(Family::MaternFiveHalves, 1, 0.3);
    (plan.actions[0].low, plan.actions[0].high) = (-5.0, 5.0);
    (plan.reward.low, plan.reward.high) = (0.0, 10.0);
    let setting = KernelSpec::try_from(plan).unwrap();
    assert_eq!([-99.0, -5.0, 0.0, 7.0].map(|x| setting.scaled(0, x)), [0.0, 0.0, 0.5, 1.0]);
    assert_eq!([0.0, 0.5, 1.0].map(|x| setting.unscaled(0, x)), [-5.0, 0.0, 5.0]);
    assert_eq!([0.0, 5.0, 10.0, 15.0].map(|y| setting.scaled_reward(y)), [-1.0, 0.0, 1.0, 2.0]);
}
