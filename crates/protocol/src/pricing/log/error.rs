//! Why a privatised log cannot be read or written. All of a log is public, but no message contains a report.

use super::{MAX_HEADER, VERSION};

/// Why a privatised log cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// Another kind of file.
    #[error("this is no privatised log; `reticent price privatise` makes one from a table of sales")]
    NotALog,
    /// Made by a program that is newer, or by none.
    #[error(
        "the log has version {0}, but only versions up to {VERSION} are known here; read it with the program that made it"
    )]
    Version(u32),
    /// The header is not what was written.
    #[error("the log's header is damaged; take another copy")]
    Header,
    /// The header is whole, but its spec is none.
    #[error("the log's spec is refused: {0}")]
    Spec(String),
    /// The header states a guarantee that is not its spec's.
    #[error(
        "the log states another guarantee than its spec gives, or does not say where its noise came from; it was changed"
    )]
    Guarantee,
    /// The experiment's name is none.
    #[error("an experiment is named by 64 hexadecimal digits in lower case")]
    Experiment,
    /// A block is not what was written. The first is 1.
    #[error("block {0} of the log is damaged, missing or in the wrong place; take another copy")]
    Block(u64),
    /// The end is missing.
    #[error("the log is cut short: its end is missing; take another copy")]
    CutShort,
    /// More than a log.
    #[error("there are bytes behind the log's end; logs are given one by one, not joined into one file")]
    Trailing,
    /// A report that the spec does not have. The first block is 1.
    #[error("block {0} of the log has a report that its spec does not have; it was not made by this spec")]
    Code(u64),
    /// A report to write that the spec does not have.
    #[error("the report names a question or an output that the log's spec does not have")]
    Report,
    /// A spec too long to write.
    #[error("the spec needs more than {MAX_HEADER} bytes; give its categories shorter names")]
    LongSpec,
    /// Reading or writing failed.
    #[error(transparent)]
    Io(std::io::Error),
}

impl From<std::io::Error> for LogError {
    fn from(error: std::io::Error) -> LogError {
        match error.kind() {
            std::io::ErrorKind::UnexpectedEof => LogError::CutShort,
            _ => LogError::Io(error),
        }
    }
}
