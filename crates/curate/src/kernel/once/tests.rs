use reticent_privacy::{Epsilon, NoiseRng, SimSeed, Stream};

use super::*;
use crate::kernel::tests::made::{records, ridge, setting};

fn candidates() -> Points {
    let mut points = Points::new(1);
    for i in 0..=40 {
        points.push(&[f64::from(i) / 40.0]);
    }
    points
}

fn chooser(epsilon: f64, people: usize, seed: u64) -> Chooser {
    let epsilon = Epsilon::new(epsilon).unwrap();
    let population = Population::Uniform;
    let mut one = Chooser::new(&setting(), &population, people as u64, epsilon, candidates(), 2).unwrap();
    one.add(&records(people, 2, 0.1, seed, ridge)).unwrap();
    one
}

/// Each choice is within 0.15 of the best with a chance of 0.9 or more (measured 0.98 in 50); fewer than 60
/// of 100 has a chance below 1e-6.
#[test]
fn choices_are_near_the_best() {
    let near = |epsilon: f64, people: usize| {
        let mut one = chooser(epsilon, people, 3);
        let mut rng = SimSeed(4).stream(0, Stream::Noise);
        let choices: Vec<f64> = (0..100).map(|_| one.choose(&[0.5], &mut rng).unwrap()[0]).collect();
        choices.iter().filter(|&&x| (x - 0.5).abs() < 0.15).count()
    };
    assert!(near(1.0, 10_000) >= 60);
    assert!(near(1e-6, 100) < 60, "at no epsilon the choice is blind");
}

#[test]
fn each_choice_is_paid_for() {
    let mut one = chooser(0.5, 10, 1);
    assert_eq!(one.guarantee().to_string(), "0.5-DP, central model");
    let mut rng = SimSeed(0).stream(0, Stream::Noise);
    for _ in 0..3 {
        one.choose(&[0.5], &mut rng).unwrap();
    }
    let simulated = "simulation, not private (would be 1.5-DP, central model)";
    assert_eq!(one.guarantee().to_string(), simulated);
    one.choose(&[0.5], &mut NoiseRng::from_os().unwrap()).unwrap();
    assert_eq!(one.guarantee().protects(), Some(false), "good noise does not mend the bad");
    let mut other = chooser(0.5, 10, 1);
    other.choose(&[0.5], &mut NoiseRng::from_os().unwrap()).unwrap();
    assert_eq!(
        (other.guarantee().to_string(), other.guarantee().protects()),
        ("0.5-DP, central model".into(), Some(true))
    );
}

#[test]
fn a_fresh_one_has_seen_nobody() {
    let mut one = chooser(0.5, 10, 1);
    let mut rng = SimSeed(0).stream(0, Stream::Noise);
    one.choose(&[0.5], &mut rng).unwrap();
    one.choose(&[0.5], &mut rng).unwrap();
    let mut fresh = one.fresh();
    assert_eq!(fresh.guarantee().to_string(), "0.5-DP, central model");
    assert!(matches!(fresh.choose(&[0.5], &mut rng), Err(ReleaseError::People { expected: 10, got: 0 })));
    fresh.add(&records(10, 2, 0.1, 1, ridge)).unwrap();
    // The same people and the same coins: the same choice.
    let again =
        |chooser: &mut Chooser| chooser.choose(&[0.5], &mut SimSeed(9).stream(0, Stream::Noise)).unwrap();
    assert_eq!(again(&mut fresh), again(&mut one));
}

#[test]
fn another_number_of_people_is_refused() {
    let epsilon = Epsilon::new(1.0).unwrap();
    let new = |people| Chooser::new(&setting(), &Population::Uniform, people, epsilon, candidates(), 1);
    assert!(matches!(new(0), Err(ReleaseError::Nobody)));
    let mut one = new(5).unwrap();
    let mut rng = SimSeed(0).stream(0, Stream::Noise);
    assert!(matches!(one.choose(&[0.5], &mut rng), Err(ReleaseError::People { .. })));
    assert_eq!(one.guarantee().to_string(), "1-DP, central model", "a refusal costs nothing");
}
