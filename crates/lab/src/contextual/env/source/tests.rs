//! Sources: the law of their contexts, arms and rewards, and how they are written.

use super::super::testing::{LEVEL, binomial_p, chi_square_p, open, rng, uniform_p};
use super::super::{World, WorldError, WorldOptions};
use super::shift::{Shift, surface_point};
use super::*;

fn spec(text: &str) -> SourceSpec {
    text.parse().unwrap()
}

fn radius(x: &[f64]) -> f64 {
    x.iter().map(|xi| 2.0 * (xi - 0.5).abs()).fold(0.0, f64::max)
}

const DRAWS: usize = 50_000;

/// P(2 |x - 1/2| <= r) = r^(d + gamma): through it radii become uniform. The law of the authors' code is refused.
#[test]
fn the_radius_has_the_density_of_the_paper() {
    for (trial, (dims, gamma)) in [(2, 0.0), (2, 1.0), (1, 0.2), (3, 2.0), (10, 0.5)].into_iter().enumerate()
    {
        let mut rng = rng(100 + trial as u64);
        let law = dims as f64 + gamma;
        let shift = Shift::new(dims, gamma);
        let fit = uniform_p((0..DRAWS).map(|_| libm::pow(radius(&shift.draw(&mut rng)), law)));
        assert!(fit > LEVEL, "d = {dims}, gamma = {gamma}: p = {fit}");
    }
    let mut rng = rng(110);
    let code = uniform_p((0..DRAWS).map(|_| {
        let radius_of_code = 0.5 * libm::pow(rng.uniform(), 1.0 / (2.0 * (1.0 + 1.0)));
        libm::pow(radius(&surface_point(2, radius_of_code, &mut rng)), 2.0 + 1.0)
    }));
    assert!(code < LEVEL, "the code's law passes with p = {code}");
}

/// Contexts of gamma = 0 are uniform on the cube: on its 4 x 4 x 4 cells; those of gamma = 0.2 are not.
#[test]
fn without_a_shift_contexts_fill_the_cube() {
    let fit = |gamma| {
        let (shift, mut rng) = (Shift::new(3, gamma), rng(120));
        let mut counts = [0_u64; 64];
        for _ in 0..4 * DRAWS {
            let x = shift.draw(&mut rng);
            counts[x.iter().fold(0, |cell, xi| 4 * cell + ((4.0 * xi) as usize).min(3))] += 1;
        }
        chi_square_p(&counts, &[1.0 / 64.0; 64])
    };
    assert!(fit(0.0) > LEVEL && fit(0.2) < LEVEL);
}

#[test]
fn behaviours_are_probabilities() {
    for arms in [2, 3, 50] {
        for kappa in [0.0, 0.2, 1.0] {
            let behaviour = behaviour(arms, kappa);
            assert!(behaviour.iter().all(|p| (0.0..=1.0).contains(p)));
            assert!((behaviour.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }
    let world = open("exponential");
    let by_hand = [0.4 / 3.0, 0.4 / 3.0 + 0.2, 0.4 / 3.0 + 0.4];
    assert!(world.behaviour(0.4).iter().zip(by_hand).all(|(a, b)| (a - b).abs() < 1e-12));
    assert_eq!(world.behaviour(1.0), [1.0 / 3.0; 3]);
}

#[test]
fn arms_follow_the_behaviour() {
    let world = open("exponential");
    let text = format!("people={DRAWS},kappa=0.4,epsilon=1");
    let source = &world.sources(&[spec(&text)]).unwrap()[0];
    let mut counts = [0_u64; 3];
    for record in source.records(&mut rng(130)) {
        counts[record.arm as usize] += 1;
    }
    assert!(chi_square_p(&counts, source.behaviour()) > LEVEL, "{counts:?}");
    assert!(chi_square_p(&counts, &world.behaviour(0.3)) < LEVEL, "{counts:?}");
    // A first arm of probability zero never occurs.
    let never = &world.sources(&[spec("people=5000,kappa=0,epsilon=1")]).unwrap()[0];
    assert!(never.records(&mut rng(131)).all(|record| record.arm > 0));
}

/// Rewards near the middle of arm 0's bump, where arms 0, 1 and 2 earn about 1, 0.24 and 0.0007 in this
/// order, and about 0.24, 0.0007 and 1 in a permuted source. Hits are held against the mean of the people's
/// own means.
#[test]
fn rewards_follow_the_world_or_the_permuted_world() {
    let world = open("exponential");
    let specs = [spec("people=200000,epsilon=1"), spec("people=200000,epsilon=1,permuted")];
    for (source, shift) in world.sources(&specs).unwrap().iter().zip([0, 1]) {
        let (mut hits, mut seen, mut expected) = ([0_u64; 3], [0_u64; 3], [0.0; 3]);
        for record in source.records(&mut rng(140)).filter(|r| (r.context[0] - 1.0 / 3.0).abs() < 0.05) {
            let arm = record.arm as usize;
            hits[arm] += record.reward as u64;
            seen[arm] += 1;
            expected[arm] += world.means(&record.context).unwrap()[(arm + shift) % 3];
        }
        for arm in 0..3 {
            // A sum of coins of unequal bias varies less than one of equal bias: the p-value errs to the safe side.
            let p = |mean| binomial_p(hits[arm], seen[arm], mean);
            assert!(p(expected[arm] / seen[arm] as f64) > LEVEL, "{shift} {arm}: {hits:?} of {seen:?}");
            let other = world.means(&[1.0 / 3.0, 0.5]).unwrap()[(arm + 1 - shift) % 3];
            assert!(p(other.min(0.999)) < LEVEL, "{shift} {arm}: {hits:?} of {seen:?}");
        }
    }
}

#[test]
fn sources_describe_themselves() {
    let specs = [spec("people=7,epsilon=8"), spec("people=0,gamma=2,epsilon=0.5")];
    let sources = open("symmetric").sources(&specs).unwrap();
    assert_eq!((sources[0].label(), sources[1].label()), ("source 1", "source 2"));
    assert_eq!((sources[0].people(), sources[0].epsilon()), (7, Some(specs[0].epsilon())));
    assert_eq!(sources[0].records(&mut rng(0)).size_hint(), (7, Some(7)));
    assert_eq!(sources[0].records(&mut rng(0)).count(), 7);
    assert_eq!(sources[1].records(&mut rng(0)).count(), 0);
    let record = sources[0].records(&mut rng(0)).next().unwrap();
    assert_eq!((record.context.len(), format!("{record:?}").as_str()), (2, "Record { .. }"));
}

#[test]
fn the_other_groups_of_data_are_sources() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.csv");
    let rows: Vec<String> = (0..3000).map(|i| format!("{i},{},{}", i % 3, i % 4)).collect();
    std::fs::write(&path, format!("x1,label,group\n{}\n", rows.join("\n"))).unwrap();
    let options = WorldOptions { target_group: Some(1), ..WorldOptions::default() };
    let world = World::open(&format!("data:{}", path.display()), &options).unwrap();
    let sources = world.sources(&[]).unwrap();
    let labels: Vec<&str> = sources.iter().map(Source::label).collect();
    assert_eq!(labels, ["group 0", "group 2", "group 3"]);
    assert_eq!((sources[1].people(), sources[1].epsilon()), (750, None));
    assert_eq!(sources[1].behaviour(), [1.0 / 3.0; 3]);
    let records: Vec<Record> = sources[1].records(&mut rng(150)).collect();
    assert!(records.iter().all(|r| r.reward == f64::from(u8::from(r.context[0] as u32 % 3 == r.arm))));
    let mut rows: Vec<u32> = records.iter().map(|r| r.context[0] as u32).collect();
    assert!(!rows.is_sorted());
    rows.sort_unstable();
    assert_eq!(rows, (0..750).map(|i| 4 * i + 2).collect::<Vec<u32>>());
    let counts = [0, 1, 2].map(|arm| records.iter().filter(|r| r.arm == arm).count() as u64);
    assert!(chi_square_p(&counts, &[1.0 / 3.0; 3]) > LEVEL, "{counts:?}");
    let refused = world.sources(&[spec("people=1,epsilon=1")]);
    assert!(matches!(refused, Err(WorldError::SourcesAreGroups)));
}

#[test]
fn specs_are_read_as_they_are_written() {
    for text in ["people=5000,gamma=0,kappa=1,epsilon=8", "people=1,gamma=0.2,kappa=0.4,epsilon=0.5,permuted"]
    {
        let parsed = spec(text);
        assert_eq!(parsed.to_string(), text);
        let json = serde_json::to_string(&parsed).unwrap();
        assert_eq!(
            (json.as_str(), serde_json::from_str(&json).unwrap()),
            (format!("{text:?}").as_str(), parsed)
        );
    }
    assert_eq!(spec(" permuted, epsilon = 8 ,people=3,"), spec("people=3,epsilon=8,permuted"));
    assert!(serde_json::from_str::<SourceSpec>("\"people=1,kappa=2,epsilon=1\"").is_err());
    let cases = [
        ("", "a source needs `people`"),
        ("people=5", "a source needs `epsilon`"),
        ("people=5,epsilon=1,size=3", "no `size`; its fields are people, gamma, kappa, epsilon and permuted"),
        ("people=5,people=6,epsilon=1", "has `people` only once"),
        ("people,epsilon=1", "`people` of a source: needs a value after `=`"),
        ("people=5,epsilon=1,permuted=no", "`permuted` of a source: takes no value"),
        (
            "people=-5,epsilon=1",
            "`people` of a source must be a whole number of at most 1000000000000, got \"-5\"",
        ),
        ("people=1000000000001,epsilon=1", "`people` of a source must be"),
        ("people=5,epsilon=1,gamma=-1", "`gamma` of a source must be a number from 0 to 1000, got \"-1\""),
        ("people=5,epsilon=1,gamma=nan", "`gamma` of a source must be"),
        ("people=5,epsilon=1,kappa=1.5", "`kappa` of a source must be a number from 0 to 1, got \"1.5\""),
        ("people=5,epsilon=1,kappa=x", "`kappa` of a source must be"),
        ("people=5,epsilon=0", "`epsilon` of a source: "),
    ];
    for (text, message) in cases {
        let error = text.parse::<SourceSpec>().unwrap_err().to_string();
        assert!(error.contains(message), "{text:?}: {error}");
    }
}
