//! Branin's function of two inputs.

use std::f64::consts::PI;

/// Its mean over the cube.
pub(super) const MEAN: f64 = 54.307_198_271_9;

/// (v - 5.1/(4 pi^2) u^2 + 5/pi u - 6)^2 + 10 (1 - 1/(8 pi)) cos u + 10 for u in [-5, 10] and v in [0, 15].
pub(super) fn value(point: &[f64]) -> f64 {
    let (u, v) = (15.0 * point[0] - 5.0, 15.0 * point[1]);
    let bend = v - 5.1 / (4.0 * PI * PI) * u * u + 5.0 / PI * u - 6.0;
    bend * bend + 10.0 * (1.0 - 1.0 / (8.0 * PI)) * libm::cos(u) + 10.0
}
