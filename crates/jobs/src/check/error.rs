//! Why a file does not pass.

use reticent_store::files::FileError;

/// Why a file does not pass.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are names and reasons")]
#[non_exhaustive]
pub enum CheckError {
    /// It could not be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// Something else.
    #[error(
        "{file}: this is nothing that reticent publishes; if it is a table of people, keep it to yourself"
    )]
    Unknown { file: String },
    /// Something that is not for publishing.
    #[error("{file}: this is {what}; it is not published, keep it to yourself")]
    Secret { file: String, what: &'static str },
    /// It is not what it says it is.
    #[error("{file}: {fault}")]
    Unsound { file: String, fault: String },
}

impl CheckError {
    /// Whether nothing was said about the file, since it could not be read.
    pub fn is_unreadable(&self) -> bool {
        matches!(self, CheckError::File(_))
    }
}
