//! Why a report was refused.

/// Why a report was refused. It changed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AbsorbError {
    /// An answer to another partition: its values belong to other bins.
    #[error("the report answers policy version {got}, the current one is {now}; it was not counted")]
    WrongVersion {
        /// The version answered.
        got: u64,
        /// The version that counts.
        now: u64,
    },
    /// A source that the experiment does not have.
    #[error("the report names source {0}, which the experiment does not have; it was not counted")]
    WrongSource(u32),
    /// Not two values for each pair of bin and arm.
    #[error("the report has {got} values, the policy asks for {needed}; it was not counted")]
    WrongLength {
        /// The number of values.
        got: usize,
        /// The number needed.
        needed: usize,
    },
    /// A raw record where values belong, or the other way round.
    #[error("the report's answer is of another channel than the experiment's; it was not counted")]
    WrongKind,
    /// An open record that is none of this experiment.
    #[error("the record's context, arm or reward does not fit the experiment; it was not counted")]
    WrongRecord,
    /// More people than the radius was made for.
    #[error("all {0} people of this source have reported; the report was not counted")]
    Finished(u64),
    /// A sum left 64 bits.
    #[error("the values are too large to be added up; the report was not counted")]
    Overflow,
}
