//! `lin-ucb` (Li, Chu, Langford, Schapire 2010): a linear model for each arm, and the arm that could be best.

use super::ridge::Ridge;
use super::{RawBandit, best};

/// Deviations of the index; the paper's alpha.
const ALPHA: f64 = 1.0;
/// The deviation of a reward.
const NOISE: f64 = 0.5;

/// A linear bandit.
#[derive(Debug)]
pub struct LinUcb {
    arms: Vec<Ridge>,
    features: Vec<f64>,
}

impl LinUcb {
    /// For points of `dims` coordinates.
    pub fn new(arms: u32, dims: usize) -> LinUcb {
        LinUcb { arms: vec![Ridge::new(dims + 1); arms as usize], features: vec![1.0; dims + 1] }
    }

    fn set(&mut self, point: &[f64]) {
        self.features[..point.len()].copy_from_slice(point);
    }
}

impl RawBandit for LinUcb {
    fn choose(&mut self, point: &[f64]) -> u32 {
        self.set(point);
        let features = &self.features;
        best(self.arms.iter_mut().map(|arm| {
            let (mean, variance) = arm.predict(features);
            mean + ALPHA * NOISE * variance.sqrt()
        }))
    }

    fn learn(&mut self, point: &[f64], arm: u32, reward: f64) {
        self.set(point);
        self.arms[arm as usize].learn(&self.features, reward);
    }
}
