//! How coarse the next questions are.
//!
//! Each coarse cell has the same noise, whatever its size, so half as wide cells have a quarter as much
//! signal in each (in two dimensions). The best size for n reports of variance v balances that with what a
//! cell hides: about (n / v)^(d / (2 + 2 d)) cells (Ma et al. 2025, Theorem 2.6).

use reticent_privacy::Epsilon;
use reticent_protocol::contextual::{Question, QuestionError, Spec};

use super::kernel::LENGTHS;

/// The constant of the rule, measured: docs/contextual.md.
const CELLS_FACTOR: f64 = 0.4;
/// Added to the noise: people of a cell vary too.
const OWN_VARIANCE: f64 = 0.02;
/// With more axes the rule would ask about so many cells that no answer is left in each; rewards seldom
/// depend on all of them, and tasks take turns.
const MOST_AXES: usize = 2;
/// Before so many people the rule would ask about less than one cell.
const FIRST: f64 = 100.0;
/// Each task favours another axis by so much, so that all are asked about in turn.
const TURN: f64 = 1.5;
/// Below it one signed bit is better than two frequencies: e^epsilon = 3 + sqrt 8.
const SIGNED_BELOW: f64 = 1.762_747;
/// Beyond it a count has no noise to speak of, and e^epsilon would overflow.
const NOISELESS: f64 = 50.0;

/// Whether reports are signed bits: then the places have to be asked for.
pub(super) fn is_signed(epsilon: Epsilon) -> bool {
    epsilon.value() < SIGNED_BELOW
}

/// The variance that one report adds to a difference of good and bad in a cell.
pub(super) fn variance(epsilon: Epsilon) -> f64 {
    let e = libm::exp(epsilon.value().min(NOISELESS));
    if is_signed(epsilon) {
        (e + 1.0) * (e + 1.0) / ((e - 1.0) * (e - 1.0))
    } else {
        8.0 * e / ((e - 1.0) * (e - 1.0))
    }
}

/// How many coarse cells `people` reports can tell apart.
pub(super) fn cells(spec: &Spec, people: f64, epsilon: Epsilon) -> f64 {
    let axes = spec.grid().sizes().iter().filter(|&&size| size > 1).count();
    let dimension = axes.clamp(1, MOST_AXES) as f64;
    let reports = people.max(FIRST) / (variance(epsilon) + OWN_VARIANCE);
    CELLS_FACTOR * libm::pow(reports, dimension / (2.0 + 2.0 * dimension))
}

/// Widths with at least `cells` coarse cells, if the grid has them: always the axis is split whose cells are
/// widest against its length scale, with the axis of this turn favoured.
pub(super) fn widths(spec: &Spec, lengths: &[usize], cells: f64, turn: usize) -> Vec<u32> {
    let sizes = spec.grid().sizes();
    let mut widths = sizes.to_vec();
    let score = |axis: usize, width: u32| {
        let relative = f64::from(width) / f64::from(sizes[axis]) / LENGTHS[lengths[axis]];
        if axis == turn % sizes.len() { TURN * relative } else { relative }
    };
    while (spec.grid().coarse_cells(&widths) as f64) < cells {
        let open = (0..sizes.len()).filter(|&axis| widths[axis] > 1);
        let Some(axis) = open.max_by(|&a, &b| score(a, widths[a]).total_cmp(&score(b, widths[b]))) else {
            break;
        };
        // Levels of a category are grouped as they are listed: a coarse cell may be any set of cells.
        widths[axis] = widths[axis].div_ceil(2);
    }
    widths
}

/// The question about the outcome in these cells, in the form that suits the loss.
pub(super) fn about_outcome(
    spec: &Spec,
    widths: Vec<u32>,
    epsilon: Epsilon,
) -> Result<Question, QuestionError> {
    if is_signed(epsilon) {
        Ok(Question::effect(widths))
    } else {
        Question::outcome(spec.grid(), widths, spec.arms(), epsilon)
    }
}

#[cfg(test)]
mod tests {
    use super::super::kernel::START;
    use super::*;
    use reticent_schema::Encoding;

    fn spec(dimension: usize) -> Spec {
        Spec::new(3, Encoding::unit(dimension).unwrap(), Epsilon::new(1.0).unwrap()).unwrap()
    }

    #[test]
    fn the_crossover_is_where_the_variances_meet() {
        let at = |value: f64| variance(Epsilon::new(value).unwrap());
        assert!((at(1.762_746) - at(1.762_748)).abs() < 1e-4);
        assert!(at(1.0) > at(1.7) && at(1.8) > at(4.0) && at(1024.0) < 1e-20);
    }

    #[test]
    fn cells_follow_the_length_scales_and_take_turns() {
        let two = spec(2);
        assert_eq!(widths(&two, &[START, START], 1.0, 0), [16, 16]);
        assert_eq!(widths(&two, &[START, START], 2.0, 0), [8, 16]);
        assert_eq!(widths(&two, &[START, START], 2.0, 1), [16, 8]);
        assert_eq!(widths(&two, &[2, 6], 8.0, 1), [2, 16]);
        assert_eq!(widths(&two, &[START, START], 1e9, 0), [1, 1]);
        let ten = spec(10);
        for turn in 0..10 {
            assert_eq!(widths(&ten, &[START; 10], 2.0, turn)[turn], 1);
        }
        assert!(cells(&two, 1e4, two.epsilon()) < cells(&two, 1e5, two.epsilon()));
    }
}
