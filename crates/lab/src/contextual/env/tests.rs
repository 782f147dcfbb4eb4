//! The made-up worlds: means by hand, regret by definition, rewards and contexts by their laws.

use proptest::prelude::*;

use super::testing::{LEVEL, binomial_p, open, rng, uniform_p};
use super::*;

fn with(name: &str, dims: usize, arms: Option<u32>) -> World {
    World::open(name, &WorldOptions { dims: Some(dims), arms, target_group: None }).unwrap()
}

fn close(got: &[f64], expected: &[f64]) {
    assert_eq!(got.len(), expected.len());
    assert!(got.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{got:?}, not {expected:?}");
}

#[test]
fn exponential_means_by_hand() {
    // K = 3: 2e/(1 + e) with e = exp(-18 (x - c)^2). At 1/3 the distances are 0, 1/3, 2/3: e = 1, e^-2, e^-8.
    let by_hand = [1.0, 0.238_405_844_044_235, 0.000_670_700_260_933];
    close(&open("exponential").means(&[1.0 / 3.0, 0.9]).unwrap(), &by_hand);
    close(&open("exponential").means(&[1.0, 0.1]).unwrap(), &[by_hand[2], by_hand[1], by_hand[0]]);
    // Centres 1/4, 1/2, 3/4. At 1/2 the distances are 1/4, 0, 1/4: e = exp(-9/8).
    let side = 0.490_170_026_264_743;
    close(&open("exponential-code").means(&[0.5, 0.5]).unwrap(), &[side, 1.0, side]);
    // The context's other coordinates do not matter.
    assert_eq!(
        with("exponential", 1, None).means(&[0.3]),
        with("exponential", 3, None).means(&[0.3, 0.8, 0.1])
    );
}

#[test]
fn symmetric_means_by_hand() {
    let world = open("symmetric");
    let means = |x: &[f64]| world.means(x).unwrap();
    // The middles of the quadrants: certain, and alike in opposite quadrants.
    close(&means(&[0.75, 0.75]), &[0.0, 1.0]);
    close(&means(&[0.25, 0.25]), &[0.0, 1.0]);
    close(&means(&[0.75, 0.25]), &[1.0, 0.0]);
    close(&means(&[0.25, 0.75]), &[1.0, 0.0]);
    // On the borders nothing can be gained.
    for x in [[0.5, 0.2], [0.2, 0.5], [0.0, 0.7], [0.7, 1.0], [1.0, 0.0]] {
        close(&means(&x), &[0.5, 0.5]);
    }
    // (0.3, 0.4): 2x mod 1 = (0.6, 0.8), m = 1 - 4 max(0.05, 0.15) = 0.4.
    close(&means(&[0.3, 0.4]), &[0.3, 0.7]);
    // Three coordinates below 1/2: a negative product. One of one above: positive.
    close(&with("symmetric", 3, None).means(&[0.25, 0.25, 0.25]).unwrap(), &[1.0, 0.0]);
    close(&with("symmetric", 1, Some(2)).means(&[0.6]).unwrap(), &[0.3, 0.7]);
}

proptest! {
    /// Regret is found without trying all arms; here they are all tried.
    #[test]
    fn regret_is_the_distance_to_the_best(kind in 0_usize..3, dims in 1_usize..5, arms in 2_u32..=50, seed in 0_u64..1 << 40) {
        let arms = if kind == 2 { 2 } else { arms };
        let world = with(law::NAMES[kind], dims, Some(arms));
        let mut rng = rng(seed);
        let mut crowd = world.crowd(1, &mut rng);
        let person = crowd.next(&mut rng).unwrap();
        prop_assert_eq!(person.context().len(), dims);
        let means = world.means(person.context()).unwrap();
        prop_assert!(means.iter().all(|mean| (0.0..=1.0).contains(mean)));
        let best = means.iter().copied().fold(0.0, f64::max);
        for arm in 0..arms {
            let regret = person.regret(arm);
            prop_assert!(regret >= 0.0 && (regret - (best - means[arm as usize])).abs() < 1e-12);
        }
    }
}

#[test]
fn rewards_have_the_stated_means_and_the_test_has_power() {
    for (trial, name) in law::NAMES.into_iter().enumerate() {
        let world = open(name);
        let mut rng = rng(trial as u64);
        let x = &[0.3, 0.4, 0.2, 0.6, 0.1][..world.dims()];
        let (Made::MadeUp { law, .. }, draws) = (&world.made, 100_000) else { panic!("made up") };
        for (arm, mean) in (0..).zip(world.means(x).unwrap()) {
            let person = Person::fixed(x, *law);
            let rewards: Vec<f64> = (0..draws).map(|_| person.reward(arm, &mut rng)).collect();
            assert!(rewards.iter().all(|&y| y == 0.0 || y == 1.0));
            let hits = rewards.iter().sum::<f64>() as u64;
            assert!(binomial_p(hits, draws, mean) > LEVEL, "{name}, arm {arm}: {hits} hits, mean {mean}");
            // Power: a mean that is off by 0.02.
            let off = if mean > 0.5 { mean - 0.02 } else { mean + 0.02 };
            assert!(binomial_p(hits, draws, off) < LEVEL, "{name}, arm {arm}: {hits} hits, mean {mean}");
        }
    }
}

#[test]
fn contexts_are_uniform_in_each_coordinate() {
    let mut rng = rng(10);
    let mut crowd = with("symmetric", 3, None).crowd(1, &mut rng);
    let drawn: Vec<Vec<f64>> =
        (0..50_000).map(|_| crowd.next(&mut rng).unwrap().context().to_vec()).collect();
    for i in 0..3 {
        assert!(uniform_p(drawn.iter().map(|x| x[i])) > LEVEL, "coordinate {i}");
        assert!(uniform_p(drawn.iter().map(|x| 0.98 * x[i])) < LEVEL, "coordinate {i}");
    }
}

/// In the worlds of a fixed gap one arm is better by it, each arm is the best for somebody where more than one is, and
/// even play loses what the docs say.
#[test]
fn one_arm_is_better_by_the_gap() {
    for (name, gap, bests, lost) in [
        ("clusters", 0.3, 3, 0.2),
        ("categories", 0.3, 4, 0.225),
        ("one-better", 0.05, 1, 0.045),
        ("five-axes", 0.3, 3, 0.2),
        ("halves", 0.4, 2, 0.2),
        ("even-halves", 0.4, 2, 0.2),
        ("quarters", 0.3, 2, 0.15),
    ] {
        let (world, mut rng) = (open(name), rng(20));
        let mut crowd = world.crowd(5000, &mut rng);
        let mut best = std::collections::BTreeSet::new();
        for _ in 0..5000 {
            let person = crowd.next(&mut rng).unwrap();
            let regrets: Vec<f64> = (0..world.arms()).map(|arm| person.regret(arm)).collect();
            let (zero, gaps): (Vec<f64>, Vec<f64>) = regrets.iter().partition(|regret| **regret == 0.0);
            assert!(
                zero.len() == 1 && gaps.iter().all(|regret| (regret - gap).abs() < 1e-12),
                "{name}: {regrets:?}"
            );
            let even = regrets.iter().sum::<f64>() / f64::from(world.arms());
            assert!((even - lost).abs() < 1e-9, "{name}: {even}");
            best.insert(regrets.iter().position(|regret| *regret == 0.0));
            for (x, (low, high)) in person.context().iter().zip(world.ranges()) {
                assert!((low..=high).contains(x), "{name}");
            }
        }
        assert_eq!(best.len(), bests, "{name}");
        assert_eq!(world.fields().len(), world.dims());
    }
    assert!(matches!(
        open("clusters").sources(&["people=9,epsilon=1".parse().unwrap()]),
        Err(WorldError::NoMadeUpSources)
    ));
}

#[test]
fn worlds_describe_themselves() {
    let world = open("exponential");
    assert_eq!((world.name(), world.dims(), world.arms()), ("exponential", 2, 3));
    assert_eq!((world.people(), world.ranges()), (None, vec![(0.0, 1.0); 2]));
    assert_eq!(world.labels(), ["arm 0", "arm 1", "arm 2"]);
    let worlds = [
        world,
        open("exponential-code"),
        open("symmetric"),
        open("clusters"),
        open("categories"),
        open("one-better"),
        open("five-axes"),
        with("exponential", 3, None),
        with("exponential", 2, Some(4)),
    ];
    let mut seen: Vec<Identity> = Vec::new();
    for world in &worlds {
        let identity = world.identity();
        let json = serde_json::to_string(&identity).unwrap();
        assert_eq!(serde_json::from_str::<Identity>(&json).unwrap(), identity);
        assert!(!seen.contains(&identity), "{identity:?}");
        seen.push(identity);
    }
}

#[test]
fn what_does_not_belong_is_refused() {
    let none = WorldOptions::default();
    let dims = |dims| WorldOptions { dims: Some(dims), ..none };
    let arms = |arms| WorldOptions { arms: Some(arms), ..none };
    let group = WorldOptions { target_group: Some(0), ..none };
    let cases = [
        (
            "expo",
            none,
            "use one of exponential, exponential-code, symmetric, clusters, categories, one-better, five-axes, halves, even-halves, quarters, or data:",
        ),
        ("exponential", dims(0), "between 1 and 1000 coordinates, got 0"),
        ("symmetric", dims(1001), "between 1 and 1000 coordinates, got 1001"),
        ("exponential", arms(1), "between 2 and 50 arms, got 1"),
        ("exponential-code", arms(51), "between 2 and 50 arms, got 51"),
        ("symmetric", arms(3), "the symmetric world has 2 arms, got 3"),
        ("symmetric", group, "symmetric has no groups"),
        ("clusters", dims(2), "clusters has its own coordinates and arms"),
        ("one-better", arms(10), "one-better has its own coordinates and arms"),
        ("data:none.csv", dims(2), "the file decides"),
        ("data:none.csv", arms(2), "the file decides"),
        ("data:no such file.csv", none, "cannot read no such file.csv"),
    ];
    for (name, options, message) in cases {
        let error = World::open(name, &options).unwrap_err().to_string();
        assert!(error.contains(message), "{name}: {error}");
    }
}

#[test]
#[should_panic(expected = "there is no arm 2")]
fn an_arm_too_many_panics() {
    let mut rng = rng(0);
    let mut crowd = open("symmetric").crowd(1, &mut rng);
    crowd.next(&mut rng).unwrap().reward(2, &mut rng);
}
