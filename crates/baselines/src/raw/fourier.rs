//! `fourier-thompson`: Thompson sampling in random Fourier features (Rahimi and Recht 2007) of three lengths, with a
//! constant: a Gaussian process for each arm.

use reticent_privacy::SimRng;

use super::ridge::Ridge;
use super::{RawBandit, best};

/// Waves of each length, in units of the unit cube.
const LENGTHS: [f64; 3] = [0.1, 0.25, 0.6];
const WAVES: usize = 60;
/// The prior deviation of a reward function, and a reward's own.
const AMPLITUDE: f64 = 0.5;
const NOISE: f64 = 0.4;

/// The bandit.
#[derive(Debug)]
pub struct FourierThompson {
    /// Each wave's direction, then its phase.
    waves: Vec<(Vec<f64>, f64)>,
    arms: Vec<Ridge>,
    features: Vec<f64>,
    rng: SimRng,
}

impl FourierThompson {
    /// For points of `dims` coordinates.
    pub fn new(arms: u32, dims: usize, mut rng: SimRng) -> FourierThompson {
        let mut waves = Vec::new();
        for length in LENGTHS {
            for _ in 0..WAVES {
                let direction = (0..dims).map(|_| rng.normal() / length).collect();
                waves.push((direction, std::f64::consts::TAU * rng.uniform()));
            }
        }
        let features = waves.len() + 1;
        let arms = vec![Ridge::new(features); arms as usize];
        FourierThompson { waves, arms, features: vec![0.0; features], rng }
    }

    fn set(&mut self, point: &[f64]) {
        let scale = AMPLITUDE / NOISE;
        let wave = scale * (2.0 / self.waves.len() as f64).sqrt();
        for (feature, (direction, phase)) in self.features.iter_mut().zip(&self.waves) {
            let angle: f64 = direction.iter().zip(point).map(|(a, b)| a * b).sum();
            *feature = wave * libm::cos(angle + phase);
        }
        if let Some(constant) = self.features.last_mut() {
            *constant = scale;
        }
    }
}

impl RawBandit for FourierThompson {
    fn choose(&mut self, point: &[f64]) -> u32 {
        self.set(point);
        let (features, rng) = (&self.features, &mut self.rng);
        best(self.arms.iter_mut().map(|arm| {
            let (mean, variance) = arm.predict(features);
            mean + NOISE * variance.sqrt() * rng.normal()
        }))
    }

    fn learn(&mut self, point: &[f64], arm: u32, reward: f64) {
        self.set(point);
        self.arms[arm as usize].learn(&self.features, reward);
    }
}
