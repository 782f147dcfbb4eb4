//! Tests of the release and its reading.

use faer::Mat;
use reticent_privacy::{Delta, Epsilon, Loss, SimSeed, Stream, TrustModel, VectorSum};

use super::*;
use crate::kernel::tests::made::{records, ridge, setting, unit};
use crate::kernel::{Points, Records};

fn budget(epsilon: f64) -> ReleaseLoss {
    ReleaseLoss::new(Epsilon::new(epsilon).unwrap(), Delta::new(1e-6).unwrap()).unwrap()
}

fn released(records: &Records, epsilon: f64, seed: u64) -> Release {
    let people = records.len() as u64;
    let mut collector = Collector::new(&setting(), &Population::Uniform, people, budget(epsilon), 2).unwrap();
    collector.add(records).unwrap();
    collector.release_with(&mut SimSeed(seed).stream(0, Stream::Noise)).unwrap()
}

/// A release as versions 1 and 2 made it.
fn older(records: &Records, epsilon: f64, seed: u64) -> Release {
    use reticent_privacy::mechanism::Mechanism;
    let (people, budget) = (records.len() as u64, budget(epsilon));
    let design = Design::new(&setting(), &Population::Uniform, people, budget.sigma(), 2).unwrap();
    let mut sum = VectorSum::new(design.rank());
    design.add(&mut sum, records, 1).unwrap();
    let noisy = budget.mechanism.release_with(sum, &mut SimSeed(seed).stream(0, Stream::Noise));
    let mut body = released(records, epsilon, seed).body;
    (body.version, body.parts, body.noisy) = (2, None, noisy);
    body.regulariser = Some(design.regulariser());
    body.points = Some(design.map().points().clone());
    body.check = Some(design.check());
    Release { body }
}

#[test]
fn the_best_action_is_found_and_the_file_gives_the_same_answers() {
    let release = released(&records(20_000, 2, 0.1, 1, ridge), 1.0, 2);
    let surface = Surface::read(&release, 2).unwrap();
    let text = serde_json::to_string(&release).unwrap();
    let again: Release = serde_json::from_str(&text).unwrap();
    assert_eq!(release, again);
    let reread = Surface::read(&again, 1).unwrap();
    for context in [0.1, 0.5, 0.9] {
        let choice = surface.best(&[context]);
        assert!((choice.action[0] - 0.2 - 0.6 * context).abs() < 0.1, "{choice:?}");
        assert!((choice.estimate.mean - 0.8).abs() < 5.0 * choice.estimate.deviation);
        assert_eq!(reread.best(&[context]), choice, "whatever the threads");
    }
}

#[test]
fn a_seed_makes_no_privacy_and_the_file_says_so() {
    let log = records(100, 2, 0.1, 1, ridge);
    let simulated = released(&log, 1.0, 2);
    let guarantee = simulated.guarantee();
    assert_eq!((guarantee.trust_model, guarantee.loss), (TrustModel::NoPrivacy, Loss::Unbounded));
    assert_eq!(guarantee.to_string(), "simulation, not private (would be (1, 0.000001)-DP, central model)");
    let mut collector = Collector::new(&setting(), &Population::Uniform, 100, budget(1.0), 2).unwrap();
    collector.add(&log).unwrap();
    let real = collector.release().unwrap();
    assert_eq!(real.guarantee().to_string(), "(1, 0.000001)-DP, central model");
    assert_eq!((real.guarantee().protects(), simulated.guarantee().protects()), (Some(true), Some(false)));
    for release in [real, simulated] {
        let good = serde_json::to_value(&release).unwrap();
        assert_eq!(good["guarantee"], serde_json::to_value(release.guarantee()).unwrap());
        assert!(release.has_enough_noise());
        let changed = |place: &str, value: serde_json::Value| {
            let mut other = good.clone();
            *other.pointer_mut(place).unwrap() = value;
            serde_json::from_value::<Release>(other).map_err(|error| error.to_string())
        };
        let half = serde_json::json!({ "approximate": { "epsilon": 0.5, "delta": 0.000_001 } });
        for (place, value) in [
            ("/guarantee/loss", half),
            ("/guarantee/noise", "not stated".into()),
            ("/guarantee", serde_json::Value::Null),
            ("/epsilon", 2.0.into()),
            ("/version", 1.into()),
        ] {
            let read = changed(place, value);
            let weaker = place == "/guarantee/noise" && release.guarantee().protects() == Some(true);
            assert!(weaker || read.unwrap_err().contains("its guarantee does not fit"), "{place}");
        }
        let less = changed("/sigma", (release.body.sigma * 0.99).into()).unwrap();
        assert!(!less.has_enough_noise(), "less noise than the loss needs is seen");
    }
}

/// Version 1 said whether its noise came from the operating system, and nothing else.
#[test]
fn version_1_is_read_with_what_it_said() {
    let mut old = serde_json::to_value(older(&records(100, 2, 0.1, 1, ridge), 1.0, 2)).unwrap();
    old.as_object_mut().unwrap().remove("guarantee");
    old["version"] = 1.into();
    assert!(serde_json::from_value::<Release>(old.clone()).is_err(), "it always said so");
    for private in [true, false] {
        old["private"] = private.into();
        let read: Release = serde_json::from_value(old.clone()).unwrap();
        assert_eq!((read.guarantee().protects(), read.version()), (Some(private), 1));
        assert_eq!(serde_json::to_value(&read).unwrap(), old, "it is stored again as it was");
    }
}

#[test]
fn version_2_is_read_and_a_changed_one_refused() {
    let release = older(&records(5000, 2, 0.1, 1, ridge), 1.0, 2);
    let text = serde_json::to_string(&release).unwrap();
    let again: Release = serde_json::from_str(&text).unwrap();
    let choice = Surface::read(&again, 1).unwrap().best(&[0.5]);
    assert!((choice.action[0] - 0.5).abs() < 0.15, "{choice:?}");
    let mut other = release.clone();
    other.body.people += 1;
    assert_eq!(Surface::read(&other, 1).unwrap_err(), ReadError::Damaged { part: "design" });
    assert!(matches!(release.with_likely_lengths(1), Err(ReadError::Older { got: 2 })));
}

/// Chance of failure below 1e-5 by the normal law: 2000 points that are not independent count as 40
/// functions, each with a share of covered points of standard deviation 0.06 (measured 0.04 to 0.06): a mean
/// below 0.9 is five standard errors from 0.95.
#[test]
fn bands_hold() {
    let mut shares = Vec::new();
    for seed in 0..40 {
        let mut rng = SimSeed(seed).stream(3, Stream::Source);
        let (a, b, c) = (unit(&mut rng), unit(&mut rng), unit(&mut rng));
        let f = |p: &[f64]| 0.7 * libm::sin(3.0 * a + 4.0 * p[0] * b + 3.0 * p[1]) * (0.5 + 0.5 * c);
        let surface = Surface::read(&released(&records(2000, 2, 0.1, seed, f), 1.0, seed), 2).unwrap();
        let points = Points::halton(0..200, 2);
        let inside = |(i, estimate): (usize, &Estimate)| {
            (estimate.mean - f(&points.point(i))).abs() <= 1.96 * estimate.deviation
        };
        let estimates = surface.at(&points);
        let covered = estimates.iter().enumerate().filter(|&pair| inside(pair)).count();
        let typical = estimates.iter().map(|estimate| estimate.deviation).sum::<f64>() / 200.0;
        assert!(typical < 0.3, "a band that says nothing would hold too: {typical}");
        shares.push(covered as f64 / 200.0);
    }
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    assert!(mean > 0.9, "{mean} {shares:?}");
}

/// Outcomes are all or nothing, and the plan says that rewards vary by 0.1. Squared rewards are known to 0.011, so what
/// is found is five deviations from 0.85.
#[test]
fn a_declaration_does_not_outweigh_what_is_seen() {
    let (mut rng, mut log) = (SimSeed(6).stream(0, Stream::Environment), Records::new(2));
    for _ in 0..10_000 {
        let point = [unit(&mut rng), unit(&mut rng)];
        log.push(&point, if unit(&mut rng) < 0.65 { 1.0 } else { -1.0 });
    }
    let surface = Surface::read(&released(&log, 1.0, 7), 2).unwrap();
    let (noise, truth) = (surface.people().unwrap().noise, (1.0_f64 - 0.3 * 0.3).sqrt());
    assert!((noise - truth).abs() < 0.1, "{noise} {truth}");
}

/// The reading against Gaussian conditioning by plain elimination, with every matrix written out.
#[test]
fn the_reading_is_the_dense_posterior() {
    let release = older(&records(500, 2, 0.1, 4, ridge), 4.0, 5);
    let design = release.design(1).unwrap();
    let (rank, sigma) = (release.rank(), release.body.sigma);
    let moments = &design.moments;
    let prior = design::Prior { variance: 0.25, smoothness: 0.5 };
    let sum = Mat::from_fn(rank, 1, |i, _| release.body.noisy[i] as f64 / f64::from(VectorSum::RADIUS));
    let (mean, covariance) = older::one_posterior(prior, moments, sum.as_ref(), sigma, 0.1).unwrap();
    let p = prior.coefficients(&moments.eigenvalues);
    let reward = prior.reward(0.1);
    let a = |i: usize, j: usize| moments.signal[(i, j)];
    let mut joint: Vec<Vec<f64>> = (0..rank)
        .map(|i| {
            let entry = |j: usize| {
                let signal: f64 = (0..rank).map(|k| a(i, k) * p[k] * a(j, k)).sum();
                signal + reward * moments.spread[(i, j)] + if i == j { sigma * sigma } else { 0.0 }
            };
            (0..rank).map(entry).collect()
        })
        .collect();
    // Right-hand sides: the sum, then A P column by column.
    let mut sides: Vec<Vec<f64>> = (0..rank)
        .map(|i| std::iter::once(sum[(i, 0)]).chain((0..rank).map(|k| a(i, k) * p[k])).collect())
        .collect();
    eliminate(&mut joint, &mut sides);
    for k in 0..rank {
        let expected: f64 = (0..rank).map(|i| a(i, k) * p[k] * sides[i][0]).sum();
        assert!((mean[(k, 0)] - expected).abs() < 1e-8, "{} {expected}", mean[(k, 0)]);
        for l in 0..rank {
            let explained: f64 = (0..rank).map(|i| a(i, k) * p[k] * sides[i][1 + l]).sum();
            let expected = if k == l { p[k] } else { 0.0 } - explained;
            assert!((covariance[(k, l)] - expected).abs() < 1e-8);
        }
    }
}

/// Gauss-Jordan with pivots: slow and plain.
fn eliminate(matrix: &mut [Vec<f64>], sides: &mut [Vec<f64>]) {
    let size = matrix.len();
    for column in 0..size {
        let pivot = (column..size)
            .max_by(|&i, &j| matrix[i][column].abs().total_cmp(&matrix[j][column].abs()))
            .unwrap();
        matrix.swap(column, pivot);
        sides.swap(column, pivot);
        let (row, side) = (matrix[column].clone(), sides[column].clone());
        for i in (0..size).filter(|&i| i != column) {
            let factor = matrix[i][column] / row[column];
            matrix[i].iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
            sides[i].iter_mut().zip(&side).for_each(|(x, y)| *x -= factor * y);
        }
    }
    for i in 0..size {
        let pivot = matrix[i][i];
        sides[i].iter_mut().for_each(|x| *x /= pivot);
    }
}

#[test]
fn the_sum_has_the_stated_moments() {
    // Without noise the mean of contributions over many people is what the reading expects: T E[c phi'] theta
    // for a function in the span.
    let (people, f) = (200_000, |p: &[f64]| 0.5 * libm::sin(3.0 * p[0] + 2.0 * p[1]));
    let release = released(&records(people, 2, 0.0, 8, f), 1000.0, 9);
    let surface = Surface::read(&release, 2).unwrap();
    let points = Points::halton(0..500, 2);
    let worst =
        surface.means(&points).into_iter().enumerate().map(|(i, mean)| (mean - f(&points.point(i))).abs());
    assert!(worst.fold(0.0, f64::max) < 0.03, "with hardly any noise the function is seen");
}

#[test]
fn noise_has_the_stated_size() {
    // Nobody has a reward: what is released is noise alone.
    let (nobody, sigma) =
        (records(1000, 2, 0.0, 1, |_| 0.0), budget(1.0).sigma() * f64::from(VectorSum::RADIUS));
    let sketch = Sketch::new(&setting(), &Population::Uniform, 1000, budget(1.0).sigma());
    let numbers = 1 + 2 * sketch.parts().rough();
    let (mut square, mut degrees) = (0.0, 0.0);
    for seed in 0..50 {
        let mut collector = Collector::of_sketch(sketch.clone(), budget(1.0), 1);
        collector.add(&nobody).unwrap();
        let release = collector.release_with(&mut SimSeed(seed).stream(0, Stream::Noise)).unwrap();
        degrees += numbers as f64;
        square += release.noisy()[..numbers]
            .iter()
            .map(|&step| (step as f64 / sigma) * (step as f64 / sigma))
            .sum::<f64>();
    }
    // A chi-square of so many degrees: six standard deviations, which see a sigma that is off by a tenth.
    let width = 6.0 * (2.0 * degrees).sqrt();
    assert!((square - degrees).abs() < width, "{square} for {degrees}");
    assert!((square / 1.21 - degrees).abs() > width && (square / 0.81 - degrees).abs() > width);
}

#[test]
fn few_people_and_constant_rewards_work() {
    for (count, reward) in [(1, 0.9), (2, -1.0), (300, 0.5), (300, 0.0)] {
        let surface = Surface::read(&released(&records(count, 2, 0.0, 1, |_| reward), 1.0, 1), 1).unwrap();
        let estimate = surface.best(&[0.5]).estimate;
        assert!(estimate.mean.is_finite() && estimate.deviation > 0.01, "{estimate:?}");
    }
    let same = |_: &[f64]| 0.5;
    let mut identical = Records::new(2);
    for _ in 0..500 {
        identical.push(&[0.3, 0.3], same(&[]));
    }
    assert!(Surface::read(&released(&identical, 1.0, 1), 1).is_ok(), "all people at one point");
}

#[test]
fn what_does_not_fit_is_refused() {
    let new = |people| Collector::new(&setting(), &Population::Uniform, people, budget(1.0), 1);
    assert!(matches!(new(0), Err(ReleaseError::Nobody)));
    let mut collector = new(10).unwrap();
    collector.add(&records(9, 2, 0.1, 1, ridge)).unwrap();
    let mut rng = SimSeed(1).stream(0, Stream::Noise);
    assert!(matches!(collector.release_with(&mut rng), Err(ReleaseError::People { expected: 10, got: 9 })));
    let mut collector = new(10).unwrap();
    assert!(collector.add(&records(5, 3, 0.1, 1, ridge)).is_ok(), "further inputs are not read");
}

#[test]
fn damaged_files_are_refused() {
    let release = released(&records(100, 2, 0.1, 1, ridge), 1.0, 1);
    let good = serde_json::to_value(&release).unwrap();
    let change = |field: &str, value: serde_json::Value| {
        let mut other = good.clone();
        other[field] = value;
        serde_json::from_value::<Release>(other).map_err(|error| error.to_string())
    };
    assert!(change("format", "x".into()).unwrap_err().contains("no released function"));
    assert!(change("version", 4.into()).unwrap_err().contains("later"));
    assert!(change("noisy", serde_json::json!([1, 2])).unwrap_err().contains("noisy"));
    assert!(change("people", 0.into()).is_err());
    assert!(change("sigma", (-1.0).into()).is_err());
    assert!(change("regulariser", 0.5.into()).unwrap_err().contains("what people contributed"));
    assert!(change("parts", serde_json::Value::Null).unwrap_err().contains("what people contributed"));
    assert!(change("surprise", 1.into()).is_err());
    let mut heavier = good["parts"].clone();
    heavier["varies"] = 0.5.into();
    assert!(change("parts", heavier).unwrap_err().contains("what people contributed"), "longer than one");
}

#[test]
fn a_sample_of_two_contexts_meets_every_action() {
    for rows in [2, 128, 1000] {
        let mut sample = Points::new(1);
        (0..rows).for_each(|row| sample.push(&[f64::from(row % 2)]));
        let points = Population::Sample(sample).points(&setting(), 0..4096);
        for context in [0.0, 1.0] {
            let pairs = points.input(0).iter().zip(points.input(1));
            let actions: Vec<f64> = pairs.filter(|(_, c)| **c == context).map(|(a, _)| *a).collect();
            let mean = actions.iter().sum::<f64>() / actions.len() as f64;
            assert!((mean - 0.5).abs() < 0.02 && actions.len() > 1900, "{rows} {context}: {mean}");
        }
    }
}

#[test]
fn where_people_are_need_not_be_declared() {
    // Most contexts are small. With a public sample that says so, or without: the release tells.
    let mut rng = SimSeed(3).stream(0, Stream::Environment);
    let (mut log, mut sample) = (Records::new(2), Points::new(1));
    for _ in 0..20_000 {
        let context = unit(&mut rng) * unit(&mut rng);
        let point = [unit(&mut rng), context];
        log.push(&point, ridge(&point));
        sample.push(&[unit(&mut rng) * unit(&mut rng)]);
    }
    let error = |population: &Population| {
        let mut collector = Collector::new(&setting(), population, 20_000, budget(8.0), 2).unwrap();
        collector.add(&log).unwrap();
        let release = collector.release_with(&mut SimSeed(5).stream(0, Stream::Noise)).unwrap();
        let surface = Surface::read(&release, 2).unwrap();
        let points = Points::halton(0..200, 2);
        let means = surface.means(&points);
        let squares = means.iter().enumerate().map(|(i, mean)| (mean - ridge(&points.point(i))).powi(2));
        (squares.sum::<f64>() / 200.0).sqrt()
    };
    let (uniform, known) = (error(&Population::Uniform), error(&Population::Sample(sample)));
    assert!(known < 0.12 && uniform < 0.12, "{known} {uniform}");
}
