//! Finds the least size on the grid that has the power: doubling, then halving, then one rising fit through
//! all sizes tried.

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
    let people = tried.iter().find(|point| point.fitted >= question.power).map(|point| point.people);
    Ok((people, tried))
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
