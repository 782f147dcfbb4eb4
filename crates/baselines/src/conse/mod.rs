//! `ConSE` and DP-ConSE (paper 001, "private adaptive experiments"), to the letter: baselines to compare with.
//!
//! [`Conse`] runs both, person by person: [`Conse::new`] is `conse`, Algorithm 1, and [`Conse::private`] is `dp-conse`,
//! Algorithm 2 of the paper's appendix A.4. **`dp-conse` does not keep the promise that the paper makes for it**:
//! `guarantee.md` beside this file shows where the proof fails, and the lab's auditor measures it. Its [`Guarantee`] is
//! therefore none, and [`Conse::claimed`] is the paper's word.
//!
//! Where the paper is silent or contradicts itself a choice had to be made; each is marked "our reading" in the code.
//!
//! [`Guarantee`]: reticent_privacy::Guarantee

mod design;
mod error;
mod feature;
mod lap_plus;
mod machine;
mod noise;
mod schedule;
#[cfg(test)]
mod tests;

pub use design::Design;
pub use error::ConseError;
pub use feature::Surviving;
pub use lap_plus::LapPlus;
pub use machine::{Conse, Phase};
pub use schedule::Schedule;
