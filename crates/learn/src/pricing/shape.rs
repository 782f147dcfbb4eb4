//! How fast and how far the function may change: chosen by the evidence.

use serde::{Deserialize, Serialize};

use super::axes::START;

/// A prior.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Shape {
    /// An index into [`LENGTHS`] for each axis, the price last.
    pub(super) lengths: Vec<usize>,
    /// The standard deviation around the level.
    pub(super) amplitude: f64,
}

/// What a log-prior takes for an e-fold of amplitude and for a step of a length, squared.
const AMPLITUDE_PENALTY: f64 = 1.0;
const LENGTH_PENALTY: f64 = 0.3;
const TYPICAL: f64 = 0.3;
const AMPLITUDES: std::ops::RangeInclusive<f64> = 0.05..=0.7;
const STEPS: [f64; 2] = [0.7, 1.4];
/// Rounds over all axes.
const ROUNDS: usize = 4;

impl Shape {
    /// Where the search starts.
    pub(super) fn start(axes: usize) -> Shape {
        Shape { lengths: vec![START; axes], amplitude: TYPICAL }
    }

    /// A function that changes faster and farther, by one step each.
    pub(super) fn rougher(&self) -> Shape {
        Shape {
            lengths: self.lengths.iter().map(|length| length.saturating_sub(1)).collect(),
            amplitude: self.amplitude * STEPS[1],
        }
    }

    /// How unlikely it is before anything was seen.
    fn penalty(&self) -> f64 {
        let amplitude = libm::log(self.amplitude / TYPICAL);
        let lengths: f64 = self.lengths.iter().map(|&length| (length as f64 - START as f64).powi(2)).sum();
        AMPLITUDE_PENALTY * amplitude * amplitude + LENGTH_PENALTY * lengths
    }

    /// The shape with the most evidence that is reached from this one by changing one thing at a time.
    /// `longest` is the last length that each axis may have.
    pub(super) fn climbed(self, longest: &[usize], evidence: impl Fn(&Shape) -> f64) -> Shape {
        let score = |shape: &Shape| evidence(shape) - shape.penalty();
        let mut best = (score(&self), self);
        for _ in 0..ROUNDS {
            let before = best.0;
            for change in 0..=best.1.lengths.len() {
                for next in best.1.neighbours(change, longest) {
                    let value = score(&next);
                    if value > best.0 {
                        best = (value, next);
                    }
                }
            }
            if best.0 == before {
                break;
            }
        }
        best.1
    }

    /// The shapes with one length, or the amplitude, a step up or down.
    fn neighbours(&self, change: usize, longest: &[usize]) -> Vec<Shape> {
        match self.lengths.get(change) {
            Some(&length) => {
                [length.checked_sub(1), Some(length + 1).filter(|&next| next <= longest[change])]
                    .into_iter()
                    .flatten()
                    .map(|next| {
                        let mut shape = self.clone();
                        shape.lengths[change] = next;
                        shape
                    })
                    .collect()
            }
            None => STEPS
                .map(|step| Shape { amplitude: self.amplitude * step, ..self.clone() })
                .into_iter()
                .filter(|shape| AMPLITUDES.contains(&shape.amplitude))
                .collect(),
        }
    }
}
