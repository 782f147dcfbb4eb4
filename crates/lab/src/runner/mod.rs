//! Experiments that are repeated: independent trials on several threads, kept on disk as they finish.
//!
//! Whoever brings an experiment of their own implements [`Repeated`] (what one trial is) and [`Numbered`]
//! (how a finished one is kept), and calls [`run_all`]. Whoever brings an agent of their own puts it into an
//! experiment that exists: as a [`mab::Player`](crate::mab::Player) or a
//! [`contextual::Player`](crate::contextual::Player).

mod error;
mod pool;
mod store;
#[cfg(test)]
pub(crate) mod testing;

pub use error::LabError;
pub use pool::{Repeated, run_all};
pub(crate) use store::short_hash;
pub use store::{Finished, Numbered, Store, StoreKey, plain};

/// Points of a regret curve in each decade.
const POINTS_PER_DECADE: f64 = 10.0;
/// More people than anybody has.
pub const MAX_USERS: u64 = 100_000_000_000;
/// More trials than anybody waits for.
pub const MAX_TRIALS: u32 = 1_000_000;

/// How much there is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// People in a trial.
    pub people: u64,
    /// Independent trials.
    pub trials: u32,
}

impl Size {
    /// Neither nothing to do nor more than anybody waits for.
    pub fn check(self) -> Result<(), LabError> {
        let size = |what, got: u64, most: u64| {
            if (1..=most).contains(&got) { Ok(()) } else { Err(LabError::Size { what, most, got }) }
        };
        size("the number of users", self.people, MAX_USERS)?;
        size("the number of trials", self.trials.into(), MAX_TRIALS.into())
    }
}

/// The policy is refreshed after every person.
pub(crate) fn one_by_one() -> u64 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(crate) fn is_one_by_one(batch: &u64) -> bool {
    *batch == 1
}

/// Numbers of people evenly spaced in their logarithm, ending with all.
pub fn checkpoints(users: u64) -> Vec<u64> {
    let steps = (libm::log10(users as f64) * POINTS_PER_DECADE) as i32;
    let mut points: Vec<u64> = (0..=steps)
        .map(|k| libm::round(libm::pow(10.0, f64::from(k) / POINTS_PER_DECADE)) as u64)
        .filter(|&point| point < users)
        .collect();
    points.dedup();
    points.push(users);
    points
}
