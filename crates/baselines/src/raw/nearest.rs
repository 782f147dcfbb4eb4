//! `nearest-thompson`: Thompson sampling with, for each arm, the rewards of the nearest people who got it.

use reticent_privacy::SimRng;

use super::{RawBandit, best};

/// Of n people who had an arm, the n^0.4 nearest are asked, and at least three.
const POWER: f64 = 0.4;
const LEAST: usize = 3;

/// The bandit.
#[derive(Debug)]
pub struct NearestThompson {
    dims: usize,
    arms: Vec<Seen>,
    nearest: Vec<(f64, f64)>,
    rng: SimRng,
}

/// Everybody who got an arm.
#[derive(Debug, Clone, Default)]
struct Seen {
    points: Vec<f64>,
    rewards: Vec<f64>,
}

impl NearestThompson {
    /// For points of `dims` coordinates.
    pub fn new(arms: u32, dims: usize, rng: SimRng) -> NearestThompson {
        NearestThompson { dims, arms: vec![Seen::default(); arms as usize], nearest: Vec::new(), rng }
    }
}

impl Seen {
    /// Good and bad rewards of the nearest people.
    fn ask(&self, point: &[f64], nearest: &mut Vec<(f64, f64)>) -> [f64; 2] {
        let wanted = (libm::pow(self.rewards.len() as f64, POWER) as usize).max(LEAST);
        nearest.clear();
        for (other, &reward) in self.points.chunks_exact(point.len()).zip(&self.rewards) {
            let distance: f64 = other.iter().zip(point).map(|(a, b)| (a - b) * (a - b)).sum();
            if nearest.len() < wanted {
                nearest.push((distance, reward));
                if nearest.len() == wanted {
                    nearest.sort_by(|a, b| a.0.total_cmp(&b.0));
                }
            } else if nearest.last().is_some_and(|farthest| distance < farthest.0) {
                nearest.pop();
                let at = nearest.partition_point(|near| near.0 <= distance);
                nearest.insert(at, (distance, reward));
            }
        }
        let good: f64 = nearest.iter().map(|near| near.1).sum();
        [good, nearest.len() as f64 - good]
    }
}

impl RawBandit for NearestThompson {
    fn choose(&mut self, point: &[f64]) -> u32 {
        let (nearest, rng) = (&mut self.nearest, &mut self.rng);
        best(self.arms.iter().map(|arm| {
            let [good, bad] = arm.ask(point, nearest);
            rng.beta(1.0 + good, 1.0 + bad)
        }))
    }

    fn learn(&mut self, point: &[f64], arm: u32, reward: f64) {
        debug_assert_eq!(point.len(), self.dims);
        let seen = &mut self.arms[arm as usize];
        seen.points.extend_from_slice(point);
        seen.rewards.push(reward);
    }
}
