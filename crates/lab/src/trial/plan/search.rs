//! Finds the least size on the grid that has the power: doubling, then halving, then one line through the sizes
//! near it. Power rises with the root of people on the scale of normal quantiles, so that all trials together tell
//! where it is reached: the first size that happened to pass would be one whose trials were lucky.

use super::{Point, Question};
use crate::runner::LabError;

/// Sizes are 2 % apart: as much as a power that is known to a point can tell.
const APART: f64 = 1.02;
/// The least size.
const LEAST: u64 = 20;
/// Steps on the grid until the power is reached: sizes more than double.
const STRIDE: usize = 40;

/// Sizes from `LEAST` up to the most people that may be had.
pub fn grid(most: u64) -> Vec<u64> {
    let mut sizes = Vec::new();
    let mut size = LEAST;
    while size < most {
        sizes.push(size);
        // Even numbers: arms alike.
        size = (libm::round(size as f64 * APART / 2.0) as u64 * 2).max(size + 2);
    }
    sizes.push(most);
    sizes
}

/// The least size with the wanted power, and all sizes that were tried, in order.
pub fn search(
    question: &Question,
    ask: &dyn Fn(u64) -> Result<Point, LabError>,
) -> Result<(Option<u64>, Vec<Point>), LabError> {
    let sizes = grid(question.most);
    let mut tried: Vec<Point> = Vec::new();
    let mut enough = |place: usize| -> Result<bool, LabError> {
        let point = ask(sizes[place])?;
        let reached = point.power.share >= question.power;
        tried.push(point);
        Ok(reached)
    };
    let (mut below, mut place) = (None, 0);
    let mut reached = enough(place)?;
    while !reached && place + 1 < sizes.len() {
        below = Some(place);
        place = (place + STRIDE).min(sizes.len() - 1);
        reached = enough(place)?;
    }
    if let Some(mut low) = below.filter(|_| reached) {
        let mut high = place;
        while high - low > 1 {
            let middle = usize::midpoint(low, high);
            if enough(middle)? { high = middle } else { low = middle }
        }
    }
    tried.sort_by_key(|point| point.people);
    fit(&mut tried);
    let people = match by_line(question.power, &tried) {
        Some(least) => sizes.into_iter().find(|&size| size as f64 >= least),
        None => tried.iter().find(|point| point.fitted >= question.power).map(|point| point.people),
    };
    if let Some(size) = people.filter(|size| tried.iter().all(|point| point.people != *size)) {
        tried.push(ask(size)?);
        tried.sort_by_key(|point| point.people);
        fit(&mut tried);
    }
    Ok((people, tried))
}

/// Sizes whose power is so near to the wanted one are on the line.
const NEAR: f64 = 0.15;
/// Fewer sizes make no line.
const FEWEST: usize = 3;

/// Where a line through the sizes near the wanted power reaches it: quantiles of power against roots of people, each
/// with its precision. None if they make no rising line, or the place is beyond them.
fn by_line(power: f64, tried: &[Point]) -> Option<f64> {
    let near = |point: &&Point| (point.power.share - power).abs() <= NEAR && point.power.share < 1.0;
    let near: Vec<&Point> = tried.iter().filter(near).collect();
    (near.len() >= FEWEST).then_some(())?;
    let mut sums = [0.0; 5];
    for point in &near {
        let (share, root) = (point.power.share, (point.people as f64).sqrt());
        let quantile = quantile(share);
        let weight = libm::exp(-quantile * quantile) / (share * (1.0 - share));
        let of = [1.0, root, quantile, root * root, root * quantile];
        sums.iter_mut().zip(of).for_each(|(sum, one)| *sum += weight * one);
    }
    let [all, root, height, square, product] = sums;
    let slope = (all * product - root * height) / (all * square - root * root);
    let start = (height - slope * root) / all;
    let least = ((quantile(power) - start) / slope).powi(2);
    let within = near[0].people as f64..=near[near.len() - 1].people as f64;
    (slope > 0.0 && within.contains(&least)).then_some(least)
}

/// The normal quantile of a share, by bisection.
fn quantile(share: f64) -> f64 {
    let (mut low, mut high) = (-8.0, 8.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        let below = 0.5 * libm::erfc(-middle / std::f64::consts::SQRT_2);
        if below < share { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// Isotonic regression: neighbours that fall are averaged until power rises everywhere. Sizes have the same
/// number of trials.
pub fn fit(points: &mut [Point]) {
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for point in points.iter() {
        blocks.push((point.power.share, 1));
        while let [.., (before, many), (last, few)] = blocks[..] {
            if before <= last {
                break;
            }
            let mean = (before * many as f64 + last * few as f64) / (many + few) as f64;
            blocks.truncate(blocks.len() - 2);
            blocks.push((mean, many + few));
        }
    }
    let fitted = blocks.into_iter().flat_map(|(mean, many)| std::iter::repeat_n(mean, many));
    for (point, value) in points.iter_mut().zip(fitted) {
        point.fitted = value;
    }
}
