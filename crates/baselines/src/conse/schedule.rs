//! The number sequences of elimination.

use reticent_privacy::Epsilon;

/// `R_e`, `h_e` and `c_e` of an epoch (section 2 for Algorithm 1, appendix A.4 for Algorithm 2), as printed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Schedule {
    /// `R_e`: the length of a batch, in people in Algorithm 1 and, it seems, in pulls of each arm in Algorithm 2.
    pub batch: f64,
    /// `h_e`: what Hoeffding's bound allows a mean.
    pub width: f64,
    /// `c_e`: what the Laplace noise is allowed, with the printed factor 2; 0 without noise.
    pub noise: f64,
}

impl Schedule {
    /// Of epoch `epoch`, from 1, in a trial of `people`; without a loss, of Algorithm 1.
    pub fn of(epoch: u32, people: u64, epsilon: Option<Epsilon>) -> Schedule {
        let squared = f64::from(epoch) * f64::from(epoch);
        let (log16, log8) =
            (libm::log(16.0 * people as f64 * squared), libm::log(8.0 * people as f64 * squared));
        let gap = libm::exp2(-f64::from(epoch));
        // Algorithm 1 has the second term too, with epsilon 1.
        let loss = epsilon.map_or(1.0, Epsilon::value);
        let batch = (32.0 * log16 / (gap * gap)).max(8.0 * log8 / (loss * gap)) + 1.0;
        let noise = epsilon.map_or(0.0, |_| 2.0 * log8 / (batch * loss));
        Schedule { batch, width: (log16 / (2.0 * batch)).sqrt(), noise }
    }

    /// An arm whose mean is worse than the best by more than this is removed: 2 `h_e` + 2 `c_e`.
    pub fn threshold(&self) -> f64 {
        2.0 * self.width + 2.0 * self.noise
    }
}
