use reticent_privacy::mechanism::RandomisedResponse;
use reticent_privacy::{Epsilon, SimSeed, Stream};

use super::*;

fn spec() -> Spec {
    Spec::new(3, Epsilon::new(1.0).unwrap()).unwrap()
}

#[test]
fn only_policies_of_the_experiment_are_evaluated() {
    for bad in [vec![1.0], vec![0.5, 0.5, 0.5], vec![1.5, -0.5, 0.0], vec![f64::NAN, 1.0, 0.0]] {
        assert_eq!(Evaluation::new(&spec(), bad).unwrap_err(), TargetError);
    }
}

#[test]
fn what_says_nothing_of_the_target_is_not_used() {
    let mut evaluation = Evaluation::new(&spec(), vec![0.5, 0.5, 0.0]).unwrap();
    let lacks = Lottery::new(vec![(0, 1), (2, 1)]).unwrap();
    (0..100).for_each(|_| evaluation.add(&lacks, 0, true));
    evaluation.add(&lacks, 1, true);
    assert_eq!((evaluation.value(), evaluation.reports, evaluation.used), (None, 100, 0));
}

/// 200 logs of 2,000 reports whose lottery follows what was learned: of intervals that hold with probability 0.95 fewer
/// than 176 of 200 hold once in 30,000 times. The guess that leaves the lottery out is off by six deviations and more.
#[test]
fn holds_although_the_lottery_learns() {
    let keep = RandomisedResponse::new(Epsilon::new(1.0).unwrap()).keep_probability();
    let (means, target) = ([0.2, 0.5, 0.8], vec![0.6, 0.2, 0.2]);
    let truth = 0.6 * 0.2 + 0.2 * 0.5 + 0.2 * 0.8;
    let held = (0..200_u64).filter(|&log| {
        let mut rng = SimSeed(11).stream(log, Stream::Environment);
        let mut evaluation = Evaluation::new(&spec(), target.clone()).unwrap();
        let mut ones = [1_u32; 3];
        for person in 0..2_000 {
            let lottery = if person % 100 == 0 || person < 100 {
                Lottery::new(vec![(0, 40 + ones[0]), (1, 40 + ones[1]), (2, 40 + ones[2])]).unwrap()
            } else {
                Lottery::new(vec![(0, 1), (1, 2), (2, 7)]).unwrap()
            };
            let arm = lottery.draw(&mut rng);
            let reward = rng.uniform() < means[arm as usize];
            let bit = reward == (rng.uniform() < keep);
            ones[arm as usize] += u32::from(bit);
            evaluation.add(&lottery, arm, bit);
        }
        let value = evaluation.value().unwrap();
        (value.interval[0]..=value.interval[1]).contains(&truth)
    });
    let held = held.count();
    assert!(held >= 176, "{held}");
}
