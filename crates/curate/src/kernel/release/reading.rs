//! The released numbers, in the units of what they are about.

use reticent_privacy::VectorSum;

use super::sketch::Parts;

/// What was released, each with the variance of its noise.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Observed {
    /// The sum over people of a reward times waves.
    pub(super) sum: Vec<f64>,
    pub(super) sum_noise: Vec<f64>,
    /// The mean over people of waves.
    pub(super) places: Vec<f64>,
    pub(super) places_noise: Vec<f64>,
    /// The mean of squared rewards.
    pub(super) square: f64,
    pub(super) square_noise: f64,
    /// The share of rewards that were clipped, with its noise's deviation.
    pub(super) clipped: f64,
    pub(super) clipped_noise: f64,
}

impl Observed {
    pub(super) fn new(parts: &Parts, noisy: &[i64], people: u64, sigma: f64) -> Observed {
        let (step, people) = (1.0 / f64::from(VectorSum::RADIUS), people as f64);
        let value = |place: usize, weight: f64| noisy[place] as f64 * step / weight.sqrt();
        let numbers = 1 + 2 * parts.rough();
        let weight = |place: usize| parts.function[place.div_ceil(2)];
        let places = 2 * parts.places.len();
        let last = numbers + places;
        Observed {
            sum: (0..numbers).map(|place| value(place, weight(place))).collect(),
            sum_noise: (0..numbers).map(|place| sigma * sigma / weight(place)).collect(),
            places: (0..places)
                .map(|place| value(numbers + place, parts.places[place / 2]) / people)
                .collect(),
            places_noise: (0..places)
                .map(|place| sigma * sigma / parts.places[place / 2] / (people * people))
                .collect(),
            square: value(last, parts.varies) / people,
            square_noise: sigma * sigma / parts.varies / (people * people),
            clipped: value(last + 1, parts.clipped) / people,
            clipped_noise: sigma / parts.clipped.sqrt() / people,
        }
    }
}
