//! Contextual bandits that see everything: raw contexts, arms and rewards. **Not private**: what learning without
//! a channel in the way can reach on the same people.

mod fourier;
mod linear;
mod nearest;
mod ridge;
#[cfg(test)]
mod tests;

pub use fourier::FourierThompson;
pub use linear::LinUcb;
pub use nearest::NearestThompson;

/// A bandit on raw points.
pub trait RawBandit: std::fmt::Debug + Send {
    /// The arm for a person at this point.
    fn choose(&mut self, point: &[f64]) -> u32;

    /// What came of it, from 0 to 1.
    fn learn(&mut self, point: &[f64], arm: u32, reward: f64);
}

/// The arm with the highest score; the first of equals.
fn best(scores: impl Iterator<Item = f64>) -> u32 {
    let mut best = (0, f64::NEG_INFINITY);
    for (arm, score) in scores.enumerate() {
        if score > best.1 {
            best = (arm as u32, score);
        }
    }
    best.0
}
