//! Points between two cubes with a corner at 0.

use reticent_privacy::SimRng;

/// A point of [0, high]^d outside [0, low]^d whose density is proportional to the power `alpha` of its
/// largest coordinate, R. The cube's surface at R has d faces of size R^(d - 1), so R has a density
/// proportional to R^(d - 1 + alpha), and given R the point is uniform on the faces. As many numbers are
/// drawn for each point.
#[inline]
pub(in crate::pricing::market) fn draw(rng: &mut SimRng, point: &mut [f64], low: f64, high: f64, alpha: f64) {
    let power = point.len() as f64 + alpha;
    let radius = if power == 1.0 {
        low + rng.uniform() * (high - low)
    } else {
        let start = libm::pow(low / high, power);
        high * libm::pow(start + rng.uniform() * (1.0 - start), 1.0 / power)
    };
    let face = match point.len() {
        1 => 0,
        faces => ((rng.uniform() * faces as f64) as usize).min(faces - 1),
    };
    for (number, coordinate) in point.iter_mut().enumerate() {
        *coordinate = if number == face { radius } else { radius * rng.uniform() };
    }
}
