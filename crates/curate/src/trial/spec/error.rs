//! What can be wrong with a plan, or with a person's row. No message repeats a value of a person.

use reticent_privacy::LossError;
use reticent_schema::FeatureError;

/// A plan that cannot be carried out.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// Another problem's experiment.
    #[error("the experiment is of kind {0:?}, not \"trial\"")]
    Kind(&'static str),
    /// A feature that is a range.
    #[error("feature {0:?}: give either `levels` (exact values) or `bins` (bounds of ranges)")]
    Column(String),
    /// Neither private nor declared not to be.
    #[error(
        "the plan has no epsilon: add `epsilon = 1.0`, or `private = false` for a baseline that protects nobody"
    )]
    NoEpsilon,
    /// A plan that does not say which way is good.
    #[error(
        "the plan does not say which outcomes are good ones: add `better = \"higher\"` if more of the outcome is better (alive, well, earned), or `better = \"lower\"` if less is (died, pain, days in bed)"
    )]
    NoDirection,
    /// A field that is no longer needed.
    #[error(
        "`late_share` is not needed any more: late outcomes are counted by epoch, however many they are; leave it out"
    )]
    LateShare,
    /// A ratio that is not one for each arm.
    #[error("`ratio` needs one number for each arm, such as ratio = [1, 2]")]
    Ratio,
    /// A chance to be wrong with nothing to spend it on.
    #[error(
        "`spending` needs looks to spend on: give `first_epoch` (people until the first) and `growth` (1.0 for looks at equal distances)"
    )]
    Looks,
    /// Chances that follow tables show features.
    #[error(
        "`public_strata` needs a trial with one table at its end: leave out `first_epoch` and keep alpha at 0"
    )]
    PublicStrata,
    /// A covariate that is no range.
    #[error("covariate {0:?}: `low` must be below `high`, and both must be numbers")]
    Covariate(String),
    /// None, or too many.
    #[error("[adjust] needs 1 to {0} covariates: the few that tell most of the outcome; each costs noise")]
    Covariates(usize),
    /// A delta that no noise is made for.
    #[error(
        "[adjust] needs a `delta` between 1e-15 and 0.01, such as 1e-6: the chance that the loss may be larger than epsilon"
    )]
    Delta,
    /// Adjusted where it cannot be.
    #[error(
        "an adjusted release is of a finished trial (`trial analyse`), for everyone and private: leave out [[feature]] and keep epsilon; a feature may be a covariate instead"
    )]
    Adjusted,
    /// An expected mean that is not one.
    #[error("the outcome's `expected` must lie between its `low` and its `high`")]
    Expected,
    /// Clipping of what has two values alone.
    #[error("a binary outcome cannot be clipped: leave `clip` out, or declare it as a number")]
    Clip,
    /// An invalid loss.
    #[error(transparent)]
    Loss(#[from] LossError),
    /// Too few arms, or two of the same name.
    #[error("`arms` needs 2 to 64 different names, the control first")]
    Arms,
    /// A range without a middle.
    #[error("the outcome's `low` must be below its `high`, and both must be numbers")]
    Range,
    /// A feature whose levels cannot be told apart.
    #[error(transparent)]
    Feature(#[from] FeatureError),
    /// One column for two features.
    #[error("feature {0:?} is declared twice; declare each column once")]
    SameColumn(String),
    /// Shares that are not one for each arm.
    #[error("`observed` needs one share for each arm, or one for each arm of every stratum")]
    Observed,
    /// A number outside its range.
    #[error("`{name}` must be between {low} and {high}")]
    Number {
        /// Which.
        name: &'static str,
        /// At least this.
        low: f64,
        /// At most this.
        high: f64,
    },
    /// Too many tables.
    #[error("the plan has more than {0} epochs, and each adds noise: raise `growth` or `first_epoch`")]
    TooManyEpochs(u64),
    /// A product that is too large.
    #[error("the features have more than {0} combinations with the arms: declare fewer levels")]
    TooManyCells(usize),
}

/// A row that does not fit the plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PersonError {
    /// A level that was not declared.
    #[error("feature {0:?} has a value that the plan does not declare; nobody was enrolled")]
    Level(String),
    /// A row that is too short.
    #[error("feature {0:?} has no value; nobody was enrolled")]
    NoValue(String),
}
