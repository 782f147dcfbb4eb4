//! Fisher's linear discriminant on the coordinates and on their distances from the median, where a difference of
//! scale shows.

use super::screen::Screen;
use super::{Family, Score};
use crate::sampling::sample::Both;

pub(super) struct Linear;

/// Coordinates that the discriminant uses: those that tell most by themselves.
const COORDINATES: usize = 32;
/// Standardised values are cut here: a few far ones would outweigh all others in the covariance.
const FAR: f64 = 8.0;
/// Keeps the covariance invertible when coordinates depend on each other.
const RIDGE: f64 = 1e-3;

struct Discriminant {
    /// Coordinates with their median and scale.
    centres: Vec<(usize, f64, f64)>,
    weights: Vec<f64>,
}

impl Family for Linear {
    fn fit(&self, runs: Both<'_>, screen: &Screen) -> Vec<Box<dyn Score>> {
        let used = screen.telling.iter().take(COORDINATES);
        let centres: Vec<_> = used.map(|&index| centre(runs, index)).collect();
        if centres.is_empty() {
            return Vec::new();
        }
        let (first, second) = runs.apart();
        let features = |rows: &mut dyn Iterator<Item = &[f64]>| -> Vec<Vec<f64>> {
            rows.map(|seen| features(&centres, seen).collect()).collect()
        };
        let (first, second) = (features(&mut { first }), features(&mut { second }));
        let (mean_a, mean_b) = (mean(&first), mean(&second));
        let mut covariance = vec![vec![0.0; mean_a.len()]; mean_a.len()];
        scatter(&first, &mean_a, &mut covariance);
        scatter(&second, &mean_b, &mut covariance);
        let gap = mean_a.iter().zip(&mean_b).map(|(a, b)| a - b).collect();
        let weights = solve(covariance, gap);
        vec![Box::new(Discriminant { centres, weights })]
    }
}

impl Score for Discriminant {
    fn score(&self, seen: &[f64]) -> f64 {
        features(&self.centres, seen).zip(&self.weights).map(|(x, w)| x * w).sum()
    }

    fn name(&self) -> String {
        "linear discriminant".to_owned()
    }
}

/// Each standardised coordinate and its absolute value; a missing one is as if it were the median.
fn features(centres: &[(usize, f64, f64)], seen: &[f64]) -> impl Iterator<Item = f64> {
    centres.iter().flat_map(move |&(index, median, scale)| {
        let value = seen.get(index).map_or(0.0, |value| ((value - median) / scale).clamp(-FAR, FAR));
        let value = if value.is_nan() { 0.0 } else { value };
        [value, value.abs()]
    })
}

/// The median, and the spread of the middle half or, where that is nothing, of all.
fn centre(runs: Both<'_>, coordinate: usize) -> (usize, f64, f64) {
    let mut values = runs.sorted_coordinate(coordinate);
    values.retain(|value| value.is_finite());
    let at = |quarter: usize| values.get(quarter * values.len() / 4).copied();
    let (Some(low), Some(median), Some(high)) = (at(1), at(2), at(3)) else {
        return (coordinate, 0.0, 1.0);
    };
    let range = values[values.len() - 1] - values[0];
    let scale = [high - low, range].into_iter().find(|width| *width > 0.0 && width.is_finite());
    (coordinate, median, scale.unwrap_or(1.0))
}

fn mean(rows: &[Vec<f64>]) -> Vec<f64> {
    let width = rows.first().map_or(0, Vec::len);
    (0..width).map(|i| rows.iter().map(|row| row[i]).sum::<f64>() / rows.len() as f64).collect()
}

/// Adds the rows' covariance.
fn scatter(rows: &[Vec<f64>], mean: &[f64], covariance: &mut [Vec<f64>]) {
    let share = 1.0 / rows.len() as f64;
    for row in rows {
        for (i, line) in covariance.iter_mut().enumerate() {
            let d = (row[i] - mean[i]) * share;
            for (j, cell) in line.iter_mut().enumerate().take(i + 1) {
                *cell += d * (row[j] - mean[j]);
            }
        }
    }
}

/// Solves (lower triangle of a symmetric matrix + ridge) x = b by Cholesky's decomposition.
fn solve(mut matrix: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let size = b.len();
    for i in 0..size {
        matrix[i][i] += RIDGE;
        for j in 0..=i {
            let dot: f64 = (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum();
            let rest = matrix[i][j] - dot;
            matrix[i][j] = if i == j { rest.max(RIDGE * RIDGE).sqrt() } else { rest / matrix[j][j] };
        }
    }
    for i in 0..size {
        let dot: f64 = (0..i).map(|k| matrix[i][k] * b[k]).sum();
        b[i] = (b[i] - dot) / matrix[i][i];
    }
    for i in (0..size).rev() {
        let dot: f64 = (i + 1..size).map(|k| matrix[k][i] * b[k]).sum();
        b[i] = (b[i] - dot) / matrix[i][i];
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cholesky_solves() {
        let matrix = vec![vec![4.0 - RIDGE, 0.0], vec![1.0, 3.0 - RIDGE]];
        let x = solve(matrix, vec![6.0, 7.0]);
        assert!((x[0] - 1.0).abs() < 1e-12 && (x[1] - 2.0).abs() < 1e-12, "{x:?}");
    }
}
