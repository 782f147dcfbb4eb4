//! `private-trial`: an adaptive trial under pure differential privacy.
//!
//! A curator enrols people one by one ([`Trial`], or [`DurableTrial`] with a file). At public counts of
//! people an epoch ends, and one table of noisy counts is published ([`Release`]). Everything else, who gets
//! what in the next epoch and all effects with their intervals ([`analyse`]), is computed from published
//! tables alone. Each person is in one cell of one table, so that the whole trial costs them one epsilon,
//! whatever the number of features, arms, epochs and looks. The proof is in `guarantee.md`, that intervals
//! hold in `analysis/validity.md`.

mod adjusted;
mod allocation;
mod analysis;
mod author;
mod belief;
mod books;
mod durable;
mod enrol;
mod error;
mod finished;
mod lines;
mod log;
mod normal;
mod propensity;
mod release;
mod schedule;
mod spec;
mod table;
#[cfg(test)]
mod tests;
mod verified;
mod whole;

pub use adjusted::share_to_pay;
pub use analysis::{
    Analysis, ArmReport, Effect, Estimator, Interval, Intervals, StratumReport, Verdict, Welfare, analyse,
    uneven,
};
pub use author::{Actor, Author, NoActor};
pub use books::{Amended, Recorded};
pub use durable::DurableTrial;
pub use enrol::{Assignment, Trial};
pub use error::TrialError;
pub use finished::Finished;
pub use lines::Times;
pub use log::{Log, Logged, Step, log};
pub use propensity::{PARTS, Propensities};
pub use release::{Last, NoRelease, Release};
pub use schedule::Schedule;
pub use spec::{
    Adjust, Better, Covariate, Draft, Outcome, PersonError, STEPS, SpecError, Spending, Steps, Stratum,
    TrialSpec,
};
pub use table::{COUNTS, Cell, Table};
pub use verified::{Verified, verify};
pub use whole::{Form, Whole};
