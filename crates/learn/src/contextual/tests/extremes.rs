//! The ends of what an experiment may be.

use super::*;
use reticent_schema::{Axis, Field};

/// Serves people who all have the same rewards, and looks at what was learned.
fn runs(spec: Spec, people: u64) -> Insight {
    let (cells, arms) = (spec.grid().cells(), spec.arms());
    let good = (0..arms).map(|arm| vec![if arm == 1 { 1.0 } else { 0.0 }; cells]).collect();
    let mut agent = agent(spec, None, 0);
    serve(&mut agent, &Truth::even(good), people, &mut rng(people));
    assert!(agent.plan().policy().version > 0);
    let insight = agent.insight();
    let numbers = insight.arms.iter().flat_map(|arm| arm.mean.iter().chain(&arm.deviation));
    assert!(numbers.chain(&insight.masses).all(|x| x.is_finite()));
    assert!((0.0..=1.0 + 1e-9).contains(&insight.undecided));
    insight
}

#[test]
fn the_smallest_and_the_largest_loss() {
    for epsilon in [0.001, 0.5, 1.762_7, 1.762_8, 50.0, 1024.0] {
        let insight = runs(spec(&[4], 2, epsilon, vec![]), 300);
        if epsilon > 10.0 {
            assert_eq!(insight.best, [1; 4]);
        }
    }
}

#[test]
fn one_cell_ten_axes_and_fifty_arms() {
    assert_eq!(runs(spec(&[1], 2, 4.0, vec![]), 300).best, [1]);
    assert_eq!(runs(spec(&[1, 5, 1], 3, 4.0, vec![]), 300).grid, [1, 5, 1]);
    assert_eq!(runs(spec(&[2; 10], 2, 4.0, vec![]), 50).masses.len(), 1024);
    assert_eq!(runs(spec(&[3, 3], 50, 4.0, vec![]), 300).arms.len(), 50);
}

#[test]
fn categories_beside_numbers() {
    let levels = (0..3).map(|level| format!("level {level}")).collect();
    let fields = vec![
        Field::Category { name: "kind".into(), levels },
        Field::Numeric { name: "age".into(), low: 0.0, high: 1.0 },
    ];
    let axes = vec![Axis::Field { field: "kind".into() }, Axis::Field { field: "age".into() }];
    let spec = Spec::new(2, Encoding::new(fields, axes).unwrap(), loss(8.0)).unwrap();
    assert_eq!(spec.grid().sizes(), [3, 16]);
    // Only people of the middle level are better off with arm 1.
    let good = |arm: usize, cell: usize| if (cell / 16 == 1) == (arm == 1) { 0.9 } else { 0.1 };
    let truth = Truth::even((0..2).map(|arm| (0..48).map(|cell| good(arm, cell)).collect()).collect());
    let mut agent = agent(spec, None, 0);
    serve(&mut agent, &truth, 6000, &mut rng(1));
    let insight = agent.insight();
    let right = (0..48).filter(|&cell| insight.best[cell] == u32::from(cell / 16 == 1)).count();
    assert!(right >= 44, "{right} of 48");
}

/// A source that never gave an arm says nothing about it, and is heard about the others.
#[test]
fn a_source_without_an_arm() {
    let old = vec![source("old", 8.0, 500, &[1.0, 0.0])];
    let mut agent = agent(spec(&[4], 2, 4.0, old), None, 0);
    hear(&mut agent, 0, &Truth::even(vec![vec![0.9; 4], vec![0.9; 4]]), &mut rng(2));
    agent.refresh();
    let known =
        |arm: usize| agent.sources[0].arms[arm].moments(&agent.belief.masses).iter().any(|&m| m != 0.0);
    assert!(known(0) && !known(1));
    let arms = agent.insight().arms;
    assert!(arms[0].mean.iter().all(|&mean| mean > 0.7), "{:?}", arms[0].mean);
    assert!(arms[1].deviation[0] > 3.0 * arms[0].deviation[0]);
}
