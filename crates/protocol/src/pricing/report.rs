//! The only thing that leaves a record's owner.

/// A privatised record: which question was drawn for it, and one of its oracle's outputs. Both are public.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Report {
    /// The question's number in the spec.
    pub question: u32,
    /// The output.
    pub output: u32,
}

/// Why a report is none of a spec's. Never contains the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A question or an output that the spec does not have.
    #[error(
        "the report names a question or an output that the spec does not have; it was made under another spec"
    )]
    Unknown,
}
