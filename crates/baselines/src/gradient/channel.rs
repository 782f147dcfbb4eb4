//! How a gradient leaves the device: a public function of the loss and of the model's size.

use reticent_privacy::Epsilon;
use reticent_privacy::mechanism::RandomisedResponse;
use serde::{Deserialize, Serialize};

/// A gradient's coordinate in [-1, 1] is a whole number of steps of 2^-20 in [`Channel::Laplace`].
pub const GRID_BITS: u32 = 20;

/// The two ways to hide a gradient whose arm is a secret too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Channel {
    /// Some coordinates by lot; of each, a randomised sign in the place of the arm and fair coins in the
    /// places of the others.
    Signs {
        /// How many coordinates.
        coordinates: u32,
        /// The loss of each.
        each: Epsilon,
    },
    /// The whole gradient, zero for the other arms, plus discrete Laplace noise on every coordinate of every arm.
    Laplace {
        /// The loss of the report.
        epsilon: Epsilon,
    },
}

impl Channel {
    /// The channel with the smallest noise for `parameters` per arm (at least 1).
    pub fn best(epsilon: Epsilon, parameters: u32) -> Channel {
        // A sign that costs less than one nat is never better than fewer dearer ones.
        let most = (epsilon.value() as u32 + 1).min(parameters);
        let signs = (1..=most).filter_map(|coordinates| {
            let each = Epsilon::from_nano(epsilon.nano() / u64::from(coordinates)).ok()?;
            Some(Channel::Signs { coordinates, each })
        });
        let mut best = Channel::Laplace { epsilon };
        for channel in signs {
            if channel.variance(parameters) < best.variance(parameters) {
                best = channel;
            }
        }
        best
    }

    /// A bound on the mean square of one coordinate of the unbiased estimate, for signs; the noise's
    /// variance, for Laplace.
    pub fn variance(self, parameters: u32) -> f64 {
        let p = f64::from(parameters);
        match self {
            Channel::Signs { coordinates, each } => {
                let gap = keep_gap(each);
                p / (f64::from(coordinates) * gap * gap)
            }
            // 2 b^2 with b = 2 p / epsilon; the grid adds nothing that matters.
            Channel::Laplace { epsilon } => {
                let scale = 2.0 * p / epsilon.value();
                2.0 * scale * scale
            }
        }
    }

    /// What one sign, or one step, is worth in the unbiased estimate of the gradient.
    pub fn worth(self, parameters: u32) -> f64 {
        match self {
            Channel::Signs { coordinates, each } => {
                f64::from(parameters) / (f64::from(coordinates) * keep_gap(each))
            }
            Channel::Laplace { .. } => 1.0 / f64::from(1_u32 << GRID_BITS),
        }
    }
}

/// By how much a sign is more likely to be true than false; in integers, since it nearly cancels at a small loss.
fn keep_gap(epsilon: Epsilon) -> f64 {
    let keep = RandomisedResponse::new(epsilon).keep_of_two_to_64();
    (2 * i128::from(keep) - (1_i128 << 64)) as f64 / (1_u128 << 64) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(epsilon: f64, parameters: u32) -> Channel {
        Channel::best(Epsilon::new(epsilon).unwrap(), parameters)
    }

    #[test]
    fn a_small_loss_buys_one_sign_and_a_large_one_the_whole_gradient() {
        assert!(matches!(best(1.0, 3), Channel::Signs { coordinates: 1, .. }));
        assert!(matches!(best(8.0, 33), Channel::Signs { coordinates: 3 | 4, .. }));
        assert!(matches!(best(1024.0, 33), Channel::Laplace { .. }));
        assert!(matches!(best(1e-9, 4225), Channel::Signs { coordinates: 1, .. }));
    }

    #[test]
    fn the_shares_never_exceed_the_loss_and_no_choice_is_better() {
        for epsilon in [0.1, 1.0, 3.7, 8.0, 40.0, 1024.0] {
            for parameters in [1, 3, 33, 4225] {
                let chosen = best(epsilon, parameters);
                if let Channel::Signs { coordinates, each } = chosen {
                    assert!(coordinates <= parameters);
                    assert!(each.nano() * u64::from(coordinates) <= Epsilon::new(epsilon).unwrap().nano());
                }
                for coordinates in 1..=parameters {
                    let each = Epsilon::new(epsilon / f64::from(coordinates)).unwrap();
                    let other = Channel::Signs { coordinates, each };
                    assert!(chosen.variance(parameters) <= other.variance(parameters) * (1.0 + 1e-6));
                }
            }
        }
    }

    #[test]
    fn the_worth_of_a_sign_undoes_lot_and_randomisation() {
        let each = Epsilon::new(1.0).unwrap();
        let c = (libm::exp(1.0) + 1.0) / (libm::exp(1.0) - 1.0);
        let worth = Channel::Signs { coordinates: 2, each }.worth(6);
        assert!((worth - 3.0 * c).abs() < 1e-12);
    }
}
