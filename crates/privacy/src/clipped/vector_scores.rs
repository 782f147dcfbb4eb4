//! Scores of candidates from a sum of vectors: inner products with public directions, in exact arithmetic.

use super::{Scores, VectorError, VectorSum};

/// Steps of the longest entry of a direction.
const FINE: f64 = 16_777_216.0;
/// Scores are cut to multiples of this many products of steps, so that they fit.
const COARSE: u32 = 20;

impl VectorSum {
    /// The inner product with each direction, where directions longer than one are shortened to it like
    /// records' vectors. The sensitivity is that of two balls, whatever the directions: replacing a record
    /// changes no score by more than 2 (records' and directions' lengths being at most 1).
    pub fn scores_in_ball(&self, directions: &[Vec<f64>]) -> Result<Scores, VectorError> {
        let whole = |direction: &Vec<f64>| {
            let mut one = VectorSum::new(self.dimensions());
            one.add(direction)?;
            Ok(one.steps().to_vec())
        };
        let whole = directions.iter().map(whole).collect::<Result<Vec<_>, VectorError>>()?;
        let radius = u128::from(Self::RADIUS);
        self.scores(&whole, 2 * radius * radius)
    }

    /// The inner product with each direction. Who chooses by scores sees their differences alone, so the
    /// sensitivity is half the largest change of a difference: the largest distance between two directions,
    /// times the largest change of the sum, halved.
    pub fn scores_of_differences(&self, directions: &[Vec<f64>]) -> Result<Scores, VectorError> {
        let most = directions.iter().flatten().fold(0.0, |most: f64, entry| most.max(entry.abs()));
        if !most.is_finite() || directions.iter().flatten().any(|entry| entry.is_nan()) {
            return Err(VectorError::NotFinite);
        }
        let factor = Some(FINE / most).filter(|factor| factor.is_finite()).unwrap_or(0.0);
        let whole: Vec<Vec<i64>> = directions
            .iter()
            .map(|direction| direction.iter().map(|entry| (entry * factor) as i64).collect())
            .collect();
        let apart = largest_distance(&whole);
        // Half of (distance times twice the radius).
        self.scores(&whole, apart * u128::from(Self::RADIUS))
    }

    /// `sensitivity` in products of steps.
    fn scores(&self, directions: &[Vec<i64>], sensitivity: u128) -> Result<Scores, VectorError> {
        if let Some(other) = directions.iter().find(|direction| direction.len() != self.dimensions()) {
            return Err(VectorError::Dimensions { expected: self.dimensions(), got: other.len() });
        }
        let score = |direction: &Vec<i64>| {
            let products = direction.iter().zip(self.steps()).map(|(&a, &b)| i128::from(a) * i128::from(b));
            // A cut score would move alone: too many records for scores are refused instead.
            i64::try_from(products.sum::<i128>() >> COARSE).map_err(|_| VectorError::TooMany)
        };
        let scores = directions.iter().map(score).collect::<Result<Vec<_>, _>>()?;
        // Cutting moves each score by less than one, so a change of two cut scores by at most one more.
        let sensitivity = u64::try_from((sensitivity >> COARSE) + 2).map_err(|_| VectorError::TooMany)?;
        Scores::declared(scores, sensitivity).map_err(|_| VectorError::NotFinite)
    }
}

/// The largest Euclidean distance between two of the vectors, rounded up.
fn largest_distance(vectors: &[Vec<i64>]) -> u128 {
    let square = |a: &[i64], b: &[i64]| -> u128 {
        a.iter().zip(b).map(|(x, y)| u128::from(x.abs_diff(*y)).pow(2)).sum()
    };
    let pairs = vectors.iter().enumerate().flat_map(|(i, a)| vectors[..i].iter().map(move |b| square(a, b)));
    let most = pairs.max().unwrap_or(0);
    let root = most.isqrt();
    if root * root < most { root + 1 } else { root }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sum_of(vectors: &[Vec<f64>]) -> VectorSum {
        let mut sum = VectorSum::new(vectors[0].len());
        for vector in vectors {
            sum.add(vector).unwrap();
        }
        sum
    }

    fn vector() -> impl Strategy<Value = Vec<f64>> {
        proptest::collection::vec(-1.0_f64..1.0, 3)
    }

    proptest! {
        /// The promise itself: between neighbours no score, or no difference of scores, moves by more than is declared.
        #[test]
        fn no_replacement_moves_scores_further(
            rest in proptest::collection::vec(vector(), 0..4), one in vector(), other in vector(),
            directions in proptest::collection::vec(vector(), 2..5),
        ) {
            let [a, b] = [one, other].map(|last| sum_of(&[rest.clone(), vec![last]].concat()));
            let [x, y] = [&a, &b].map(|sum| sum.scores_in_ball(&directions).unwrap());
            let moved = |x: &Scores, y: &Scores| -> Vec<i64> {
                x.steps().iter().zip(y.steps()).map(|(x, y)| x - y).collect()
            };
            prop_assert!(moved(&x, &y).iter().all(|by| by.unsigned_abs() <= x.sensitivity()));
            let [x, y] = [&a, &b].map(|sum| sum.scores_of_differences(&directions).unwrap());
            let by = moved(&x, &y);
            let range = by.iter().max().unwrap() - by.iter().min().unwrap();
            prop_assert!(range.unsigned_abs() <= 2 * x.sensitivity());
        }
    }

    #[test]
    fn the_largest_change_is_nearly_reached() {
        let directions = vec![vec![1.0, 0.0, 0.0], vec![-1.0, 0.0, 0.0]];
        let [a, b] = [1.0, -1.0].map(|x| sum_of(&[vec![x, 0.0, 0.0]]));
        let [x, y] = [&a, &b].map(|sum| sum.scores_of_differences(&directions).unwrap());
        let range = (x.steps()[0] - y.steps()[0]) - (x.steps()[1] - y.steps()[1]);
        assert!(range.unsigned_abs() as f64 > 1.999 * x.sensitivity() as f64);
        let [x, y] = [&a, &b].map(|sum| sum.scores_in_ball(&directions).unwrap());
        assert!((x.steps()[0] - y.steps()[0]) as f64 > 0.999 * x.sensitivity() as f64);
    }

    #[test]
    fn directions_that_do_not_fit_are_refused() {
        let sum = sum_of(&[vec![0.5, 0.5]]);
        assert!(sum.scores_in_ball(&[vec![0.1]]).is_err());
        assert!(sum.scores_of_differences(&[vec![0.1]]).is_err());
        assert!(sum.scores_of_differences(&[vec![f64::NAN, 0.0], vec![1.0, 0.0]]).is_err());
        assert!(sum.scores_of_differences(&[]).is_err());
    }
}
