//! Hartmann's functions of six and of three inputs.

use std::f64::consts::PI;

/// Heights, widths and centres of its four bumps.
const HEIGHTS: [f64; 4] = [1.0, 1.2, 3.0, 3.2];
const WIDTHS: [[f64; 6]; 4] = [
    [10.0, 3.0, 17.0, 3.5, 1.7, 8.0],
    [0.05, 10.0, 17.0, 0.1, 8.0, 14.0],
    [3.0, 3.5, 1.7, 10.0, 17.0, 8.0],
    [17.0, 8.0, 0.05, 10.0, 0.1, 14.0],
];
const CENTRES: [[f64; 6]; 4] = [
    [0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886],
    [0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991],
    [0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650],
    [0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381],
];

/// Minus the sum of the bumps.
pub(super) fn value(point: &[f64]) -> f64 {
    let bump = |i: usize| {
        let apart = point.iter().zip(WIDTHS[i]).zip(CENTRES[i]).map(|((x, a), p)| a * (x - p) * (x - p));
        HEIGHTS[i] * libm::exp(-apart.sum::<f64>())
    };
    -(0..4).map(bump).sum::<f64>()
}

/// The mean of the bumps over the cube: a product of error functions each.
pub(super) fn mean() -> f64 {
    let side = |a: f64, p: f64| {
        let root = a.sqrt();
        0.5 * (PI / a).sqrt() * (libm::erf(root * (1.0 - p)) + libm::erf(root * p))
    };
    let bump =
        |i: usize| HEIGHTS[i] * WIDTHS[i].iter().zip(CENTRES[i]).map(|(&a, p)| side(a, p)).product::<f64>();
    (0..4).map(bump).sum()
}

/// The same for three inputs.
const WIDTHS_OF_THREE: [[f64; 3]; 4] =
    [[3.0, 10.0, 30.0], [0.1, 10.0, 35.0], [3.0, 10.0, 30.0], [0.1, 10.0, 35.0]];
const CENTRES_OF_THREE: [[f64; 3]; 4] =
    [[0.3689, 0.1170, 0.2673], [0.4699, 0.4387, 0.7470], [0.1091, 0.8732, 0.5547], [0.0381, 0.5743, 0.8828]];
/// What the bumps of three inputs are on average, about.
pub(super) const MEAN_OF_THREE: f64 = 0.93;

/// Minus the sum of the bumps.
pub(super) fn value_of_three(point: &[f64]) -> f64 {
    let bump = |i: usize| {
        let parts = point.iter().zip(WIDTHS_OF_THREE[i]).zip(CENTRES_OF_THREE[i]);
        HEIGHTS[i] * libm::exp(-parts.map(|((x, a), p)| a * (x - p) * (x - p)).sum::<f64>())
    };
    -(0..4).map(bump).sum::<f64>()
}
