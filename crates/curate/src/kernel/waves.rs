//! Plane waves over the unit cube: the features that a released function is written in.
//!
//! A wave goes round a torus that is somewhat larger than the cube, so that functions need not be periodic on the
//! cube itself. Cosine and sine of each frequency come together: the features of any point then have the same
//! length, and nobody's contribution must be shortened. Everything here is public.

use std::f64::consts::SQRT_2;

use faer::Mat;
use serde::{Deserialize, Serialize};

use super::{KernelSpec, Points};

/// How far the torus goes beyond a number's range, in length scales: there the function may turn back.
const MARGIN: f64 = 1.5;
/// The smallest and the largest period of a number, in units of its range.
const PERIODS: (f64, f64) = (1.3, 2.5);

/// Waves, slowest first, as measured in length scales.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waves {
    /// The period of each input, in units of its range.
    periods: Vec<f64>,
    /// How many periods a wave has along each input. Of two opposite frequencies there is one, and none is zero.
    frequencies: Vec<Vec<i32>>,
}

impl Waves {
    /// The slowest waves of a plan, at most so many.
    pub fn slowest(setting: &KernelSpec, count: usize) -> Waves {
        Waves::slowest_of(setting, count, &vec![true; setting.inputs()])
    }

    /// The slowest that do not go along other inputs than these.
    pub(super) fn slowest_of(setting: &KernelSpec, count: usize, has: &[bool]) -> Waves {
        let axes: Vec<Axis> =
            (0..setting.inputs()).map(|input| Axis::of(setting, input, has[input])).collect();
        let fastest = axes.iter().map(Axis::longest).sum();
        let moving = axes.iter().filter(|axis| axis.ends.1 > 0).map(|axis| axis.step * axis.step);
        let mut reach = moving.fold(f64::INFINITY, f64::min);
        let mut found = Vec::new();
        loop {
            within(&axes, reach, &mut Vec::new(), 0.0, &mut found);
            if found.len() >= count || reach > fastest {
                break;
            }
            found.clear();
            reach *= 1.3;
        }
        found.sort_by(|(a, one), (b, other)| a.total_cmp(b).then_with(|| one.cmp(other)));
        found.truncate(count);
        let frequencies = found.into_iter().map(|(_, frequency)| frequency).collect();
        Waves { periods: axes.iter().map(|axis| axis.period).collect(), frequencies }
    }

    /// These and others of the same torus, each once.
    #[must_use]
    pub(super) fn and(mut self, others: Waves) -> Waves {
        self.frequencies.extend(others.frequencies);
        self.frequencies.sort();
        self.frequencies.dedup();
        self
    }

    /// Those that carry most by `variances`, of the constant and then of each wave's cosine and sine.
    #[must_use]
    pub(super) fn largest(&self, variances: &[f64], count: usize) -> Waves {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by(|&a, &b| variances[1 + 2 * b].total_cmp(&variances[1 + 2 * a]).then(a.cmp(&b)));
        order.truncate(count);
        self.with_frequencies(order.into_iter().map(|wave| self.frequencies[wave].clone()).collect())
    }

    /// How many waves there are.
    pub fn len(&self) -> usize {
        self.frequencies.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.frequencies.is_empty()
    }

    /// The period of each input.
    pub fn periods(&self) -> &[f64] {
        &self.periods
    }

    /// Each wave's frequency.
    pub fn frequencies(&self) -> &[Vec<i32>] {
        &self.frequencies
    }

    /// Whether they are waves of a plan: of its inputs, each once, and fit to be computed with.
    pub fn fit(&self, setting: &KernelSpec) -> bool {
        let inputs = setting.inputs();
        let known = |frequency: &Vec<i32>| {
            let first = frequency.iter().find(|&&count| count != 0);
            frequency.len() == inputs
                && first.is_some_and(|&count| count > 0)
                && frequency.iter().all(|count| count.abs() < 4096)
        };
        self.periods.len() == inputs
            && self.periods.iter().all(|period| (1.0..=PERIODS.1).contains(period))
            && self.frequencies.iter().all(known)
    }

    /// A row for each point: one, then cosine and sine of the first `count` waves, times the root of two.
    pub fn rows(&self, points: &Points, count: usize) -> Mat<f64> {
        self.rows_of(points, points.len(), count)
    }

    /// The same for so many points, which may have no inputs.
    pub(super) fn rows_of(&self, points: &Points, people: usize, count: usize) -> Mat<f64> {
        let mut rows = Mat::zeros(people, 1 + 2 * count);
        rows.col_mut(0).fill(1.0);
        let turns = self.turns(points, count);
        let (mut real, mut imaginary) = (vec![0.0; people], vec![0.0; people]);
        for (wave, frequency) in self.frequencies.iter().take(count).enumerate() {
            let mut moving = frequency.iter().enumerate().filter(|(_, times)| **times != 0);
            let turn = |(axis, times): (usize, &i32)| {
                (&turns[axis][times.unsigned_abs() as usize - 1], f64::from(times.signum()))
            };
            if let Some(((cosines, sines), sign)) = moving.next().map(turn) {
                real.iter_mut().zip(cosines).for_each(|(a, c)| *a = SQRT_2 * c);
                imaginary.iter_mut().zip(sines).for_each(|(b, s)| *b = SQRT_2 * s * sign);
            } else {
                real.fill(SQRT_2);
                imaginary.fill(0.0);
            }
            for ((cosines, sines), sign) in moving.map(turn) {
                for (((a, b), c), s) in real.iter_mut().zip(&mut imaginary).zip(cosines).zip(sines) {
                    (*a, *b) = (*a * c - *b * s * sign, *a * s * sign + *b * c);
                }
            }
            for (place, values) in [(1 + 2 * wave, &real), (2 + 2 * wave, &imaginary)] {
                rows.col_as_slice_mut(place).copy_from_slice(values);
            }
        }
        rows
    }

    /// The first `count` waves as they go along the first `inputs` inputs, and along the others.
    pub(super) fn split(&self, inputs: usize, count: usize) -> (Waves, Waves) {
        let part = |range: std::ops::Range<usize>| Waves {
            periods: self.periods[range.clone()].to_vec(),
            frequencies: self.frequencies.iter().take(count).map(|one| one[range.clone()].to_vec()).collect(),
        };
        (part(0..inputs), part(inputs..self.periods.len()))
    }

    /// Other waves of the same torus.
    pub(super) fn with_frequencies(&self, frequencies: Vec<Vec<i32>>) -> Waves {
        Waves { periods: self.periods.clone(), frequencies }
    }

    /// For each input, cosines and sines of one turn, two turns and so on, as many as waves need.
    fn turns(&self, points: &Points, count: usize) -> Vec<Vec<(Vec<f64>, Vec<f64>)>> {
        let one = |(axis, period): (usize, &f64)| {
            let counts = self.frequencies.iter().take(count).map(|frequency| frequency[axis].unsigned_abs());
            let most = counts.max().unwrap_or(0);
            let angles = points.input(axis).iter().map(|x| std::f64::consts::TAU * x / period);
            let (sines, cosines): (Vec<f64>, Vec<f64>) = angles.map(libm::sincos).unzip();
            let mut turns: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
            for _ in 0..most {
                let next = match turns.last() {
                    None => (cosines.clone(), sines.clone()),
                    Some((real, imaginary)) => {
                        let both = real.iter().zip(imaginary).zip(cosines.iter().zip(&sines));
                        both.map(|((a, b), (c, s))| (a * c - b * s, a * s + b * c)).unzip()
                    }
                };
                turns.push(next);
            }
            turns
        };
        self.periods.iter().enumerate().map(one).collect()
    }
}

/// How waves go along an input.
struct Axis {
    period: f64,
    /// What one more period along it counts for.
    step: f64,
    /// The fewest and the most periods.
    ends: (i32, i32),
}

impl Axis {
    fn of(setting: &KernelSpec, input: usize, moves: bool) -> Axis {
        let length = setting.input(input).length;
        if let Some(levels) = setting.input(input).levels.as_ref().map(Vec::len) {
            // So many waves tell all levels apart; a faster one looks like one of them.
            let levels = i32::try_from(levels).unwrap_or(i32::MAX);
            let ends = if moves { (1 - (levels + 1) / 2, levels / 2) } else { (0, 0) };
            return Axis { period: 1.0, step: length, ends };
        }
        let period = (1.0 + MARGIN * length).clamp(PERIODS.0, PERIODS.1);
        Axis { period, step: length / period, ends: if moves { (-4095, 4095) } else { (0, 0) } }
    }

    fn longest(&self) -> f64 {
        let most = f64::from(self.ends.0.abs().max(self.ends.1)) * self.step;
        most * most
    }
}

/// All frequencies of which the squared lengths are within `reach`, one of each two that are opposite.
fn within(axes: &[Axis], reach: f64, so_far: &mut Vec<i32>, square: f64, found: &mut Vec<(f64, Vec<i32>)>) {
    let Some(axis) = axes.get(so_far.len()) else {
        if so_far.iter().any(|&count| count != 0) {
            found.push((square, so_far.clone()));
        }
        return;
    };
    let most = ((reach - square).max(0.0).sqrt() / axis.step) as i32;
    let lead = so_far.iter().all(|&count| count == 0);
    let least = if lead { 0 } else { axis.ends.0.max(-most) };
    for count in least..=axis.ends.1.min(most) {
        let along = f64::from(count) * axis.step;
        so_far.push(count);
        within(axes, reach, so_far, square + along * along, found);
        so_far.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::tests::made::{plan, setting};
    use crate::kernel::{Family, Input};

    #[test]
    fn every_point_has_features_of_the_same_length() {
        let waves = Waves::slowest(&setting(), 40);
        assert_eq!(waves.len(), 40);
        let rows = waves.rows(&Points::halton(0..50, 2), 40);
        for row in rows.row_iter() {
            let square: f64 = row.iter().map(|x| x * x).sum();
            assert!((square - 81.0).abs() < 1e-9, "{square}");
        }
    }

    #[test]
    fn a_row_is_cosines_and_sines() {
        let waves = Waves::slowest(&setting(), 30);
        let points = Points::halton(3..9, 2);
        let rows = waves.rows(&points, 30);
        for (wave, frequency) in waves.frequencies().iter().enumerate() {
            for point in 0..6 {
                let parts = frequency.iter().zip(waves.periods()).zip(points.point(point));
                let angle: f64 = parts.map(|((&k, period), x)| f64::from(k) * x / period).sum::<f64>();
                let (sine, cosine) = libm::sincos(std::f64::consts::TAU * angle);
                let root = SQRT_2;
                assert!((rows[(point, 1 + 2 * wave)] - root * cosine).abs() < 1e-12);
                assert!((rows[(point, 2 + 2 * wave)] - root * sine).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn frequencies_are_the_slowest_each_once_and_none_opposite() {
        let waves = Waves::slowest(&setting(), 60);
        let mut seen: Vec<Vec<i32>> = waves.frequencies().to_vec();
        seen.extend(waves.frequencies().iter().map(|k| k.iter().map(|x| -x).collect()));
        seen.sort();
        let count = seen.len();
        seen.dedup();
        assert_eq!(seen.len(), count);
        let squares: Vec<i32> = waves.frequencies().iter().map(|k| k.iter().map(|x| x * x).sum()).collect();
        assert!(squares.is_sorted(), "both inputs are alike");
        assert!(waves.fit(&setting()));
    }

    #[test]
    fn a_category_has_as_many_waves_as_tell_its_levels_apart() {
        let mut draft = plan(Family::MaternFiveHalves, 0, 0.3);
        let levels = (0..5).map(|level| format!("level {level}")).collect();
        draft.contexts.push(Input::category("c", levels, None).unwrap());
        let setting = KernelSpec::try_from(draft).unwrap();
        let waves = Waves::slowest(&setting, 1000);
        assert!(waves.frequencies().iter().all(|frequency| (-2..=2).contains(&frequency[1])));
        assert_eq!(waves.periods()[1], 1.0);
        let many: Vec<Input> = (0..24).map(|i| Input::number(&format!("x{i}"), 0.0, 1.0, None)).collect();
        let mut draft = plan(Family::MaternFiveHalves, 0, 0.3);
        draft.actions = many;
        assert_eq!(Waves::slowest(&KernelSpec::try_from(draft).unwrap(), 128).len(), 128);
    }
}
