//! What the agent says that it has learned.

use super::*;

/// Arm 0 is best in the lower half of the first axis, arm 1 in the upper; the second axis does not matter.
fn two_halves(cells: usize, across: usize) -> Truth {
    let good = |arm: usize, cell: usize| {
        let x = ((cell / across) as f64 + 0.5) / (cells / across) as f64;
        let up = 0.15 + 0.7 * x;
        if arm == 0 { 1.0 - up } else { up }
    };
    Truth::even((0..2).map(|arm| (0..cells).map(|cell| good(arm, cell)).collect()).collect())
}

#[test]
fn undecided_at_first_and_decided_after_many_reports() {
    let truth = two_halves(64, 8);
    let mut agent = agent(spec(&[8, 8], 2, 8.0, vec![]), None, 0);
    let first = agent.insight();
    assert!((first.undecided - 1.0).abs() < 1e-9, "{}", first.undecided);
    assert_eq!((first.grid.clone(), first.best.len(), first.arms.len()), (vec![8, 8], 64, 2));
    serve(&mut agent, &truth, 8000, &mut rng(0));
    let last = agent.insight();
    // In the two rows of the middle the arms differ by less than a tenth.
    assert!(last.undecided < 0.2, "{}", last.undecided);
    let right = (0..64).filter(|&cell| last.probability[cell] > 0.9).filter(|&cell| {
        let best = last.best[cell] as usize;
        truth.good[best][cell] >= truth.good[1 - best][cell]
    });
    assert!(right.count() as f64 > 0.75 * 64.0);
    let total: f64 = last.masses.iter().sum();
    assert!((total - 1.0).abs() < 1e-9);
    assert!(last.lengths[1] > last.lengths[0] && last.lengths[1] >= 1.2, "{:?}", last.lengths);
}

#[test]
fn rewards_are_in_the_units_of_the_experiment() {
    let wide = spec(&[4], 2, 8.0, vec![]).with_rewards(-10.0, 30.0).unwrap();
    let mut agent = agent(wide, None, 0);
    serve(&mut agent, &Truth::even(vec![vec![0.75; 4], vec![0.25; 4]]), 3000, &mut rng(1));
    let arm = &agent.insight().arms[0];
    for (mean, deviation) in arm.mean.iter().zip(&arm.deviation) {
        // 3/4 of the way from -10 to 30.
        assert!((mean - 20.0).abs() < 6.0 * deviation && *deviation < 4.0, "{mean} {deviation}");
    }
}

/// The target's 2000 people contradict the liar in every cell: the effect is large, and the same in each of 4 trials.
#[test]
fn an_honest_source_is_trusted_and_a_permuted_one_is_not() {
    let truth = two_halves(4, 1);
    for trial in 0..4 {
        let both = vec![source("honest", 4.0, 2000, &[0.5, 0.5]), source("liar", 4.0, 2000, &[0.5, 0.5])];
        let mut agent = agent(spec(&[4], 2, 4.0, both), None, trial);
        let mut rng = rng(20 + trial);
        hear(&mut agent, 0, &truth, &mut rng);
        hear(&mut agent, 1, &truth.permuted(), &mut rng);
        agent.refresh();
        serve(&mut agent, &truth, 2000, &mut rng);
        let [honest, liar] = &agent.insight().sources[..] else { panic!("two sources") };
        assert!(honest.weight > 0.8 && liar.weight < 0.2, "trial {trial}: {honest:?} {liar:?}");
        assert_eq!((honest.reports, liar.reports), (2000.0, 2000.0));
        assert!(honest.share_of_information > 0.2 && liar.share_of_information < 0.1);
    }
}

/// One honest source makes the first policy good.
#[test]
fn an_honest_source_helps_from_the_first_person_on() {
    let truth = two_halves(4, 1);
    let first = |people: u64| {
        let old = vec![source("old", 8.0, people.max(1), &[0.5, 0.5])];
        let mut agent = agent(spec(&[4], 2, 1.0, old), None, 0);
        let mut rng = rng(30);
        if people > 0 {
            hear(&mut agent, 0, &truth, &mut rng);
        }
        agent.refresh();
        serve(&mut agent, &truth, 400, &mut rng)
    };
    let (with, without) = (first(4000), first(0));
    assert!(with > 0.75 && with > without + 0.1, "{with} and {without}");
}
