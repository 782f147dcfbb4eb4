use reticent_curate::trial::Draft;
use reticent_jobs::Silent;
use statrs::distribution::{ContinuousCDF, Normal};

use super::*;
use crate::trial::{Conditions, Noise};

const LEVEL: f64 = 1e-6;

fn question() -> Question {
    let world = World {
        spec: TrialSpec::new(Draft::simple("made up", 100, 1.0)).unwrap(),
        arrivals: Arrivals::equal(1),
        means: vec![vec![0.35, 0.65]],
        noise: Noise::Coin,
        conditions: Conditions::default(),
    };
    Question { world, power: 0.8, every_stratum: false, margin: None, most: 2000, trials: 120, seed: 5 }
}

fn point(people: u64, share: f64) -> Point {
    Point {
        design: Design::Planned,
        people,
        power: Share { share, error: 0.0 },
        fitted: share,
        on_worse_arms: 0.0,
        half_width: 0.0,
        half_width_of_strata: 0.0,
    }
}

/// Two shares of independent trials differ by this many deviations with probability 1e-6 if power is the
/// same; common seeds make it less.
#[test]
fn power_rises_with_people() {
    let ask = |people| question().ask(Design::Planned, people, 2, &Silent).unwrap();
    let (few, many) = (ask(56), ask(2700));
    let error = few.power.error.hypot(many.power.error).max(1.0 / 120.0);
    let z = Normal::standard().inverse_cdf(1.0 - LEVEL);
    assert!(many.power.share - few.power.share > z * error, "{few:?} {many:?}");
    assert!(many.half_width < few.half_width);
}

#[test]
fn the_search_finds_where_power_is_reached() {
    // A power that is exactly 0.8 at 330 people, as that of a test of two means is; and the same with luck that differs
    // from size to size.
    let normal = Normal::standard();
    let power = |people: u64| normal.cdf(0.841_621 + 0.15 * ((people as f64).sqrt() - 330_f64.sqrt()));
    let lucky =
        |people: u64| Ok(point(people, power(people) + if people.is_multiple_of(4) { 0.01 } else { -0.01 }));
    let (people, _) = search(&question(), &lucky).unwrap();
    assert!(people.is_some_and(|people| people.abs_diff(330) <= 14), "{people:?}");
    let ask = |people: u64| Ok(point(people, power(people)));
    let (people, tried) = search(&question(), &ask).unwrap();
    let expected = grid(2000).into_iter().find(|&size| size >= 330);
    assert_eq!(people, expected);
    assert!(people.is_some_and(|people| people < 340));
    assert!(tried.windows(2).all(|pair| pair[0].people < pair[1].people));
    let (never, tried) = search(&question(), &|people| Ok(point(people, 0.3))).unwrap();
    assert_eq!((never, tried.last().unwrap().people), (None, 2000), "the most is tried too");
    let (at_once, _) = search(&question(), &|people| Ok(point(people, 0.9))).unwrap();
    assert_eq!(at_once, Some(grid(2000)[0]));
}

#[test]
fn the_fit_rises_and_keeps_the_mean() {
    let mut points: Vec<Point> = [0.1, 0.5, 0.3, 0.7, 0.65, 0.6]
        .iter()
        .zip(1..)
        .map(|(&share, people)| point(people, share))
        .collect();
    fit(&mut points);
    let fitted: Vec<f64> = points.iter().map(|point| point.fitted).collect();
    for (seen, expected) in fitted.iter().zip([0.1, 0.4, 0.4, 0.65, 0.65, 0.65]) {
        assert!((seen - expected).abs() < 1e-12, "{fitted:?}");
    }
}

#[test]
fn the_grid_ends_with_the_most() {
    assert_eq!(grid(28), [20, 22, 24, 26, 28]);
    assert_eq!(grid(21), [20, 21]);
    assert_eq!(grid(20), [20]);
    assert!(grid(5000).windows(2).all(|pair| pair[1] - pair[0] <= 2 + pair[0] / 45));
    assert!(grid(5_000_000).windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn designs_change_what_they_say() {
    let world = question().world;
    let spec = |design: Design| design.world(&world, 500).unwrap().spec;
    assert_eq!(spec(Design::Planned).draft().people, 500);
    assert!(
        spec(Design::NotPrivate).epsilon().is_none()
            && spec(Design::NotPrivate).draft().alpha == spec(Design::Planned).draft().alpha
    );
    assert!(spec(Design::Even).epsilon().is_some() && spec(Design::Even).draft().alpha == 0.0);
}

#[test]
fn a_plan_without_privacy_says_so_in_its_file() {
    let spec = Design::Classical.world(&question().world, 90).unwrap().spec;
    let text = reticent_jobs::trial::plan_file(&spec);
    assert!(text.contains("private = false") && !text.contains("epsilon"));
    assert_eq!(toml::from_str::<TrialSpec>(&text).unwrap(), spec);
}
