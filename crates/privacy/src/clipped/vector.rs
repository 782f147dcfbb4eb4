//! Sums of vectors in a ball: a statistic of many numbers whose Euclidean sensitivity follows from its type.

use std::num::NonZeroU64;

use super::Neighbours;

/// The sum of vectors of whole steps, none of them longer than [`VectorSum::RADIUS`] steps. Whatever is added
/// is first put on the grid and into the ball, in integers, so one record can change the sum by no more than
/// twice that.
#[derive(Clone, PartialEq, Eq)]
pub struct VectorSum {
    steps: Vec<i64>,
    records: u64,
    scratch: Vec<i64>,
}

crate::clipped::private_debug!(VectorSum);

/// Why a vector was not added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VectorError {
    /// It has another number of entries than the sum.
    #[error("a vector of {got} numbers cannot be added to a sum of {expected}")]
    Dimensions {
        /// How many numbers the sum has.
        expected: usize,
        /// How many numbers the vector has.
        got: usize,
    },
    /// An entry is NaN or infinite.
    #[error("a vector must be of finite numbers; nothing was added")]
    NotFinite,
    /// So many records that the sum could leave the range of integers.
    #[error("a sum holds at most 2^38 records; nothing was added")]
    TooMany,
}

impl VectorSum {
    /// The ball's radius in steps: a vector of length one, as callers see it.
    pub const RADIUS: u32 = 1 << 24;
    /// Then no entry of the sum, nor of two merged sums, can overflow.
    const MOST_RECORDS: u64 = 1 << 38;

    /// Squares of so many steps can be added without care.
    const MOST_COLUMNS: usize = 1 << 15;

    /// The sum of no vectors, of `dimensions` numbers each.
    pub fn new(dimensions: usize) -> VectorSum {
        VectorSum { steps: vec![0; dimensions], records: 0, scratch: vec![0; dimensions] }
    }

    /// How many numbers a vector has.
    pub fn dimensions(&self) -> usize {
        self.steps.len()
    }

    /// How many records were added. Public under [`Neighbours::Replace`] alone.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Adds one record's vector. One that is longer than 1 is shortened to it, and one whose length is beyond
    /// all floats to nothing.
    pub fn add(&mut self, vector: &[f64]) -> Result<(), VectorError> {
        self.check(vector.len(), 1)?;
        if !vector.iter().all(|entry| entry.is_finite()) {
            return Err(VectorError::NotFinite);
        }
        let length = length(vector);
        let mut factor =
            if length > 1.0 { f64::from(Self::RADIUS) / length } else { f64::from(Self::RADIUS) };
        // Cutting towards zero shortens, so this ends at the first turn but for a rounding of the length.
        while !self.fits(vector, factor) {
            factor *= 1.0 - 1e-9;
        }
        for (sum, step) in self.steps.iter_mut().zip(&self.scratch) {
            *sum += step;
        }
        self.records += 1;
        Ok(())
    }

    /// Adds many records' vectors, given number by number: `columns` has one list for each entry of the sum, with an
    /// entry for each record. The sum is the same as if each were added alone, only sooner. If one vector is refused,
    /// none is added.
    pub fn add_columns(&mut self, columns: &[&[f64]]) -> Result<(), VectorError> {
        let records = columns.first().map_or(0, |column| column.len());
        self.check(columns.len(), records as u64)?;
        if let Some(other) = columns.iter().find(|column| column.len() != records) {
            return Err(VectorError::Dimensions { expected: records, got: other.len() });
        }
        let mut squares = vec![0.0; records];
        for column in columns {
            squares.iter_mut().zip(*column).for_each(|(square, entry)| *square += entry * entry);
        }
        let whole = |record: usize| columns.iter().map(|column| column[record]).collect::<Vec<f64>>();
        // Also those that are not numbers.
        let others: Vec<Vec<f64>> =
            (0..records).filter(|&record| !is_short(squares[record])).map(whole).collect();
        if others.iter().flatten().any(|entry| !entry.is_finite()) {
            return Err(VectorError::NotFinite);
        }
        let radius = f64::from(Self::RADIUS);
        let factors: Vec<f64> =
            squares.iter().map(|&square| if is_short(square) { radius } else { 0.0 }).collect();
        let (totals, in_ball) = stepped(columns, &factors);
        if !in_ball || columns.len() > Self::MOST_COLUMNS {
            return (0..records).try_for_each(|record| self.add(&whole(record)));
        }
        self.steps.iter_mut().zip(totals).for_each(|(sum, total)| *sum += total);
        self.records += (records - others.len()) as u64;
        others.iter().try_for_each(|vector| self.add(vector))
    }

    /// Puts the vector on the grid; whether it is then in the ball, in exact arithmetic.
    fn fits(&mut self, vector: &[f64], factor: f64) -> bool {
        let mut square = 0_u64;
        for (step, entry) in self.scratch.iter_mut().zip(vector) {
            // No entry of a vector in the ball is beyond these, and then no square can overflow.
            let beyond = f64::from(Self::RADIUS) + 1.0;
            *step = (entry * factor).clamp(-beyond, beyond) as i64;
            square = square.saturating_add(step.unsigned_abs().pow(2));
        }
        square <= u64::from(Self::RADIUS).pow(2)
    }

    /// Adds another sum of other records.
    pub fn merge(&mut self, other: &VectorSum) -> Result<(), VectorError> {
        self.check(other.dimensions(), other.records)?;
        for (sum, step) in self.steps.iter_mut().zip(&other.steps) {
            *sum += step;
        }
        self.records += other.records;
        Ok(())
    }

    fn check(&self, got: usize, records: u64) -> Result<(), VectorError> {
        if got != self.dimensions() {
            return Err(VectorError::Dimensions { expected: self.dimensions(), got });
        }
        if self.records + records > Self::MOST_RECORDS { Err(VectorError::TooMany) } else { Ok(()) }
    }

    /// The raw sum: for mechanisms only, since it is private.
    pub(crate) fn steps(&self) -> &[i64] {
        &self.steps
    }

    /// The most that one record can change the sum by, in steps, as the length of the difference.
    pub fn sensitivity(neighbours: Neighbours) -> NonZeroU64 {
        let radius = u64::from(Self::RADIUS);
        let most = match neighbours {
            Neighbours::Replace => 2 * radius,
            Neighbours::AddRemove => radius,
        };
        NonZeroU64::new(most).unwrap_or(NonZeroU64::MIN)
    }
}

/// Whether a vector with this squared length, rounded along the way, is surely inside the unit ball.
fn is_short(square: f64) -> bool {
    square < 1.0 - 1e-9
}

/// The sums of all records' steps, each record times its factor, and whether each of them is in the ball, in exact
/// arithmetic: no entry is beyond 1, so that no square of steps is beyond 2^48, and `MOST_COLUMNS` of them do not
/// overflow.
fn stepped(columns: &[&[f64]], factors: &[f64]) -> (Vec<i64>, bool) {
    let mut squares = vec![0_u64; factors.len()];
    let total = |column: &&[f64]| {
        let mut total = 0;
        for ((square, entry), factor) in squares.iter_mut().zip(*column).zip(factors) {
            // Of an entry within -1 and 1, cut towards zero; whatever else there is has a factor of 0.
            let step = (entry * factor) as i32;
            *square = square.wrapping_add(u64::from(step.unsigned_abs()).pow(2));
            total += i64::from(step);
        }
        total
    };
    let totals = columns.iter().map(total).collect();
    let most = u64::from(VectorSum::RADIUS).pow(2);
    (totals, squares.iter().all(|square| *square <= most))
}

/// The Euclidean length, without overflow on the way.
fn length(vector: &[f64]) -> f64 {
    let largest = vector.iter().fold(0.0, |largest: f64, entry| largest.max(entry.abs()));
    if largest == 0.0 {
        return 0.0;
    }
    largest * vector.iter().map(|entry| (entry / largest) * (entry / largest)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn one(vector: &[f64]) -> VectorSum {
        let mut sum = VectorSum::new(vector.len());
        sum.add(vector).unwrap();
        sum
    }

    fn square(sum: &VectorSum) -> u128 {
        sum.steps().iter().map(|step| u128::from(step.unsigned_abs()).pow(2)).sum()
    }

    proptest! {
        #[test]
        fn no_vector_leaves_the_ball(vector in proptest::collection::vec(-1e300_f64..1e300, 1..40), power in 0..330) {
            let scaled: Vec<f64> = vector.iter().map(|entry| entry * libm::pow(10.0, -f64::from(power))).collect();
            let sum = one(&scaled);
            prop_assert!(square(&sum) <= u128::from(VectorSum::RADIUS).pow(2));
            if length(&scaled) > 1.0 {
                let least = f64::from(VectorSum::RADIUS) - 10.0;
                prop_assert!(square(&sum) as f64 >= least * least, "and a long one ends at the ball's edge");
            }
        }
    }

    #[test]
    fn a_vector_inside_is_kept_to_a_step() {
        let sum = one(&[0.5, -0.25, 0.0]);
        assert_eq!(sum.steps(), [1 << 23, -(1 << 22), 0]);
        assert_eq!(one(&[3.0, 4.0]).steps().iter().map(|step| *step >> 20).collect::<Vec<_>>(), [9, 12]);
    }

    #[test]
    fn what_is_refused_changes_nothing() {
        let mut sum = one(&[0.5, 0.5]);
        let before = sum.clone();
        assert_eq!(sum.add(&[0.1, f64::NAN]), Err(VectorError::NotFinite));
        assert_eq!(sum.add(&[f64::INFINITY, 0.0]), Err(VectorError::NotFinite));
        assert_eq!(sum.add(&[0.1]), Err(VectorError::Dimensions { expected: 2, got: 1 }));
        assert_eq!(sum.merge(&VectorSum::new(3)), Err(VectorError::Dimensions { expected: 2, got: 3 }));
        sum.records = VectorSum::MOST_RECORDS;
        assert_eq!(sum.add(&[0.1, 0.1]), Err(VectorError::TooMany));
        assert_eq!(sum.steps(), before.steps());
    }

    proptest! {
        #[test]
        fn many_at_once_are_the_same_as_one_by_one(
            rows in proptest::collection::vec(proptest::collection::vec(-1.0_f64..1.0, 7), 0..40),
            scale in 0.1_f64..1.2,
            on_the_edge in 0_usize..40,
        ) {
            let mut rows: Vec<Vec<f64>> =
                rows.into_iter().map(|row| row.into_iter().map(|x| x * scale).collect()).collect();
            if let Some(row) = rows.get_mut(on_the_edge) {
                let long = length(row);
                for x in row.iter_mut() {
                    *x /= long;
                }
            }
            let columns: Vec<Vec<f64>> = (0..7).map(|place| rows.iter().map(|row| row[place]).collect()).collect();
            let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
            let (mut together, mut alone) = (VectorSum::new(7), VectorSum::new(7));
            together.add_columns(&columns).unwrap();
            for row in &rows {
                alone.add(row).unwrap();
            }
            prop_assert_eq!(together.steps(), alone.steps());
            prop_assert_eq!(together.records(), alone.records());
        }
    }

    #[test]
    fn one_of_many_that_is_refused_refuses_all() {
        let mut sum = one(&[0.5, 0.5]);
        let before = sum.clone();
        for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(sum.add_columns(&[&[0.1, 0.2], &[0.1, wrong]]), Err(VectorError::NotFinite));
        }
        let ragged = VectorError::Dimensions { expected: 2, got: 1 };
        assert_eq!(sum.add_columns(&[&[0.1, 0.2], &[0.1]]), Err(ragged));
        assert_eq!(sum.add_columns(&[&[0.1, 0.2]]), Err(ragged));
        assert!(sum == before);
        let huge = [1e300, -1e300, 0.25];
        sum.add_columns(&[&huge, &[0.0; 3]]).unwrap();
        assert_eq!(sum.records(), 4, "one beyond all floats counts as nothing");
    }

    #[test]
    fn parts_merge_to_the_whole() {
        let (mut whole, mut left, mut right) = (VectorSum::new(2), VectorSum::new(2), VectorSum::new(2));
        for i in 0..10_u32 {
            let vector = [f64::from(i) / 20.0, -0.3];
            whole.add(&vector).unwrap();
            if i % 3 == 0 { &mut left } else { &mut right }.add(&vector).unwrap();
        }
        left.merge(&right).unwrap();
        assert_eq!((left.steps(), left.records()), (whole.steps(), 10));
    }
}
