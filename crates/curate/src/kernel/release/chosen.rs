//! Bands at recommended actions: they hold whichever action is recommended.
//!
//! A recommended action is where an uncertain mean is largest, so that its error is not any action's. A band that
//! holds at all actions of a context at once holds there too. By how much it is wider than one at a given action is
//! found by draws of the posterior's error along actions, and is one number for a surface.

use faer::Mat;
use reticent_privacy::{SimSeed, Stream};

use super::Surface;
use super::search::start;
use super::surface::squares;
use crate::kernel::Points;
use crate::kernel::algebra;

/// Draws of the error, contexts in which it is looked at, and actions of each, at most.
const DRAWS: usize = 400;
const CONTEXTS: usize = 12;
const ACTIONS: usize = 200;
/// Deviations of a normal variable in a 95 % band.
const BAND: f64 = 1.959_963_984_540_054;

/// How much wider bands must be that hold at all actions of a context, for people at these points.
pub(super) fn widening(surface: &Surface, people: &Points, weights: &[f64]) -> f64 {
    let (grid, _) = start(surface.setting());
    let grid = if grid.dimensions() == 1 { grid } else { grid.range(0..ACTIONS.min(grid.len())) };
    let mut rng = SimSeed(0).stream(0, Stream::Environment);
    let rank = surface.factor.ncols();
    let draws = Mat::from_fn(rank, DRAWS, |_, _| rng.normal());
    let mut largest = Vec::new();
    for person in spaced(weights, CONTEXTS) {
        let context = people.point(person).split_off(grid.dimensions());
        let mut points = Points::new(surface.setting().inputs());
        (0..grid.len()).for_each(|i| points.push(&[grid.point(i), context.clone()].concat()));
        let mut along = algebra::times(surface.features.rows(&points).as_ref(), surface.factor.as_ref());
        let lengths = squares(along.as_ref());
        for column in along.col_iter_mut() {
            column
                .iter_mut()
                .zip(&lengths)
                .for_each(|(x, square)| *x /= square.sqrt().max(f64::MIN_POSITIVE));
        }
        let errors = algebra::times(along.as_ref(), draws.as_ref());
        largest.extend(errors.col_iter().map(|column| column.iter().fold(0.0_f64, |a, b| a.max(b.abs()))));
    }
    largest.sort_by(f64::total_cmp);
    let place = (0.95 * largest.len() as f64) as usize;
    (largest.get(place).copied().unwrap_or(BAND) / BAND).max(1.0)
}

/// So many places, each as often as its weight says.
fn spaced(weights: &[f64], count: usize) -> Vec<usize> {
    let (mut found, mut sum) = (Vec::new(), 0.0);
    for (place, weight) in weights.iter().enumerate() {
        sum += weight;
        while found.len() < count && sum > (found.len() as f64 + 0.5) / count as f64 {
            found.push(place);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::tests::made::{records, ridge, setting};
    use crate::kernel::{Collector, Population, ReleaseLoss};
    use reticent_privacy::{Delta, Epsilon};

    #[test]
    fn people_stand_as_often_as_they_weigh() {
        assert_eq!(spaced(&[0.5, 0.0, 0.25, 0.25], 4), [0, 0, 2, 3]);
    }

    /// An error that all actions share needs no wider band, one that each has for itself needs the most. Four hundred
    /// draws know a quantile of 1.96 to 0.1.
    #[test]
    fn bands_are_wider_by_how_many_actions_err_on_their_own() {
        let budget = ReleaseLoss::new(Epsilon::new(1.0).unwrap(), Delta::new(1e-6).unwrap()).unwrap();
        let mut collector = Collector::new(&setting(), &Population::Uniform, 2000, budget, 1).unwrap();
        collector.add(&records(2000, 2, 0.1, 1, ridge)).unwrap();
        let release = collector.release_with(&mut SimSeed(1).stream(0, Stream::Noise)).unwrap();
        let mut surface = Surface::read(&release, 1).unwrap();
        assert!((1.1..1.7).contains(&surface.chosen), "{}", surface.chosen);
        let (points, rank) = (Points::halton(0..50, 2), surface.weights.nrows());
        let of = |surface: &Surface| widening(surface, &points, &[0.02; 50]);
        surface.factor = Mat::from_fn(rank, 1, |i, _| if i == 0 { 1.0 } else { 0.0 });
        assert!(of(&surface) < 1.12, "{}", of(&surface));
        surface.factor = Mat::from_fn(rank, rank, |i, j| if i == j { 1.0 } else { 0.0 });
        assert!(of(&surface) > 1.3, "{}", of(&surface));
    }
}
