//! The shifted law of a source's contexts: density proportional to |x - 1/2|^gamma in the sup norm (Section 4.1).

use reticent_privacy::SimRng;

/// That law on the unit cube of `dims` dimensions.
///
/// The cube of radius r around the middle has probability (2r)^(dims + gamma), and on its surface the density
/// is constant. (The authors' code draws 2r as u^(1/(dims (gamma + 1))), which is another law unless gamma =
/// 0 or dims = 1.)
pub(super) struct Shift {
    dims: usize,
    exponent: f64,
}

impl Shift {
    pub(super) fn new(dims: usize, gamma: f64) -> Shift {
        Shift { dims, exponent: 1.0 / (dims as f64 + gamma) }
    }

    pub(super) fn draw(&self, rng: &mut SimRng) -> Vec<f64> {
        let radius = 0.5 * libm::pow(rng.uniform(), self.exponent);
        surface_point(self.dims, radius, rng)
    }
}

/// A uniform point on the surface of the cube of that radius around the middle: one coordinate on a face, the
/// others free.
pub(super) fn surface_point(dims: usize, radius: f64, rng: &mut SimRng) -> Vec<f64> {
    let face = rng.uniform() * 2.0 * dims as f64;
    let side = if face < dims as f64 { 0.5 + radius } else { 0.5 - radius };
    let on_face = face as usize % dims;
    (0..dims).map(|i| if i == on_face { side } else { 0.5 + radius * (2.0 * rng.uniform() - 1.0) }).collect()
}
