//! The models: a score for each arm, and the gradient of the logistic loss.

use crate::gradient::Model;

/// The score whose logistic function is the predicted reward; it alone decides which arm is best.
#[inline]
pub(super) fn score(model: Model, parameters: &[f64], features: &[f64]) -> f64 {
    match model {
        Model::Logistic => dot(parameters, features),
        Model::Hidden { units } => {
            let (layer, output) = parameters.split_at(units as usize * features.len());
            let hidden = layer.chunks_exact(features.len()).map(|unit| libm::tanh(dot(unit, features)));
            output[0] + output[1..].iter().zip(hidden).map(|(weight, unit)| weight * unit).sum::<f64>()
        }
    }
}

/// Writes into `out` the gradient in the parameters of -y ln m - (1 - y) ln(1 - m) for prediction m and
/// reward y in [0, 1], each coordinate clipped to [-1, 1].
///
/// The logistic model's coordinates are (m - y) times a feature and need no clipping; those of a hidden layer
/// are clipped if the output's weights exceed 1.
#[inline]
pub(super) fn gradient(model: Model, parameters: &[f64], features: &[f64], reward: f64, out: &mut Vec<f64>) {
    out.clear();
    let error = logistic(score(model, parameters, features)) - reward;
    match model {
        Model::Logistic => out.extend(features.iter().map(|x| error * x)),
        Model::Hidden { units } => {
            let (layer, output) = parameters.split_at(units as usize * features.len());
            for (unit, weight) in layer.chunks_exact(features.len()).zip(&output[1..]) {
                let hidden = libm::tanh(dot(unit, features));
                let back = error * weight * (1.0 - hidden * hidden);
                out.extend(features.iter().map(|x| back * x));
            }
            out.push(error);
            let hidden = layer.chunks_exact(features.len()).map(|unit| libm::tanh(dot(unit, features)));
            out.extend(hidden.map(|unit| error * unit));
        }
    }
    for value in out {
        *value = clip(*value);
    }
}

/// Into [-1, 1] whatever the value: the privacy rests on it. A NaN, which no checked policy makes, becomes 0
/// and is not refused, because a refusal would tell about the person.
#[inline]
pub(super) fn clip(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(-1.0, 1.0) }
}

#[inline]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[inline]
fn logistic(score: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-score))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HIDDEN: Model = Model::Hidden { units: 3 };

    fn of(model: Model, parameters: &[f64], features: &[f64], reward: f64) -> Vec<f64> {
        let mut out = Vec::new();
        gradient(model, parameters, features, reward, &mut out);
        out
    }

    fn loss(model: Model, parameters: &[f64], features: &[f64], reward: f64) -> f64 {
        let m = logistic(score(model, parameters, features));
        -reward * libm::log(m) - (1.0 - reward) * libm::log(1.0 - m)
    }

    proptest! {
        #[test]
        fn every_gradient_is_clipped(
            parameters in prop::collection::vec(-1e6_f64..=1e6, 13),
            (a, b) in (-1.0_f64..=1.0, -1.0_f64..=1.0),
            reward in 0.0_f64..=1.0,
        ) {
            let features = [1.0, a, b];
            for (model, count) in [(Model::Logistic, 3), (HIDDEN, 13)] {
                let out = of(model, &parameters[..count], &features, reward);
                prop_assert_eq!(out.len(), count);
                prop_assert!(out.iter().all(|value| (-1.0..=1.0).contains(value)));
            }
        }

        #[test]
        fn clipping_holds_whatever_the_value(value in prop::num::f64::ANY) {
            prop_assert!((-1.0..=1.0).contains(&clip(value)));
        }

        /// The derivative by a central difference: a forgotten factor would show.
        #[test]
        fn the_gradient_is_the_derivative_of_the_loss(
            parameters in prop::collection::vec(-0.9_f64..0.9, 13),
            (a, b) in (-1.0_f64..=1.0, -1.0_f64..=1.0),
            reward in 0.0_f64..=1.0,
        ) {
            let features = [1.0, a, b];
            for (model, count) in [(Model::Logistic, 3), (HIDDEN, 13)] {
                let out = of(model, &parameters[..count], &features, reward);
                for i in 0..count {
                    let at = |shift: f64| {
                        let mut moved = parameters[..count].to_vec();
                        moved[i] += shift;
                        loss(model, &moved, &features, reward)
                    };
                    let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
                    prop_assert!((out[i] - slope).abs() < 1e-6, "{} against {}", out[i], slope);
                }
            }
        }
    }
}
