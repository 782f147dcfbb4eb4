//! The experiments of section 5: no features, two arms with vectors, normal rewards.

use reticent_privacy::SimRng;

use super::{Sample, dml, md};

/// One of the two experiments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearTrial {
    /// The arms' vectors.
    pub arms: [[f64; 2]; 2],
    /// The arms' mean rewards.
    pub means: [f64; 2],
    /// The standard deviation of rewards.
    pub sd: f64,
}

impl LinearTrial {
    /// Experiment 1: orthogonal arms, equally good.
    pub const REGULAR: LinearTrial =
        LinearTrial { arms: [[1.0, 0.0], [0.0, 1.0]], means: [1.0, 1.0], sd: 1.0 };
    /// Experiment 2: arms that are nearly the same vector, and far apart in reward: theta = (1, 2000).
    pub const ILL_CONDITIONED: LinearTrial =
        LinearTrial { arms: [[1.0, 0.001], [1.0, 0.0]], means: [3.0, 1.0], sd: 1.0 };

    /// So many people, each with a coin's arm.
    pub fn randomise(&self, people: u64, rng: &mut SimRng) -> Vec<Sample> {
        let person = |_| {
            let arm = u32::from(rng.uniform() < 0.5);
            (arm, self.means[arm as usize] + self.sd * rng.normal())
        };
        (0..people).map(person).collect()
    }

    /// The true effect of arm 1 against arm 0.
    pub fn effect(&self) -> f64 {
        self.means[1] - self.means[0]
    }

    /// Squared errors of the difference of means, of ridge on everybody, and of ridge on the first half.
    pub fn squared_errors(&self, people: &[Sample]) -> [f64; 3] {
        let half = &people[..people.len() / 2];
        let estimates = [md(people), dml(people, self.arms), dml(half, self.arms)];
        estimates.map(|estimate| (estimate - self.effect()) * (estimate - self.effect()))
    }
}
