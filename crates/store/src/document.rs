//! The header of stored documents: every JSON document says what it is and which version, and that is read
//! before the rest.

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A kind of document: its fields `format` and `version`, and what people call it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// The text of the field `format`.
    pub format: &'static str,
    /// The version that this program writes and reads.
    pub version: u32,
    /// What people call it: "saved agent".
    pub called: &'static str,
}

/// Why a text is no document of its form.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// Cut short, or not what this program writes.
    #[error("the {called} cannot be read: {error}")]
    Syntax {
        /// What was expected.
        called: &'static str,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// Something else's document.
    #[error("this is not a {}: its format is {found:?}, not {:?}", form.called, form.format)]
    Format {
        /// What the document says.
        found: String,
        /// What was expected.
        form: Form,
    },
    /// Values that no run can have produced.
    #[error("the {called} contradicts itself: {what}")]
    Impossible {
        /// What was expected.
        called: &'static str,
        /// What contradicts what.
        what: String,
    },
    /// Written by another version.
    #[error("the {} has version {found}; this program reads version {}", form.called, form.version)]
    Version {
        /// What the document says.
        found: u32,
        /// What was expected.
        form: Form,
    },
}

/// What is read before the rest can be understood.
#[derive(Deserialize)]
struct Header {
    format: String,
    version: u32,
}

impl Form {
    /// Checks the header alone.
    pub fn check(self, text: &str) -> Result<(), DocumentError> {
        let header: Header = serde_json::from_str(text).map_err(|error| self.syntax(error))?;
        if header.format != self.format {
            return Err(DocumentError::Format { found: header.format, form: self });
        }
        if header.version != self.version {
            return Err(DocumentError::Version { found: header.version, form: self });
        }
        Ok(())
    }

    /// Checks the header, then reads the whole document.
    pub fn read<T: DeserializeOwned>(self, text: &str) -> Result<T, DocumentError> {
        self.check(text)?;
        serde_json::from_str(text).map_err(|error| self.syntax(error))
    }

    /// The same for a document that may be of an older version, back to `oldest`.
    pub fn read_since<T: DeserializeOwned>(self, oldest: u32, text: &str) -> Result<T, DocumentError> {
        let header: Header = serde_json::from_str(text).map_err(|error| self.syntax(error))?;
        let form = if header.version >= oldest && header.version <= self.version {
            Form { version: header.version, ..self }
        } else {
            self
        };
        form.read(text)
    }

    /// Refuses a document unless its values are sound.
    pub fn ensure(self, sound: bool, what: &str) -> Result<(), DocumentError> {
        if sound { Ok(()) } else { Err(self.impossible(what)) }
    }

    /// A document whose values no run can have produced.
    pub fn impossible(self, what: &str) -> DocumentError {
        DocumentError::Impossible { called: self.called, what: what.to_string() }
    }

    fn syntax(self, error: serde_json::Error) -> DocumentError {
        DocumentError::Syntax { called: self.called, error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTE: Form = Form { format: "reticent-note", version: 2, called: "stored note" };

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only whether it can be read matters")]
    struct Note {
        format: String,
        version: u32,
        text: String,
    }

    #[test]
    fn the_header_is_judged_before_the_rest() {
        let read = |text: &str| NOTE.read::<Note>(text).map_err(|error| error.to_string());
        assert_eq!(read(r#"{"format":"reticent-note","version":2,"text":"hi"}"#).unwrap().text, "hi");
        let other = read(r#"{"format":"other","version":9,"unknown":1}"#).unwrap_err();
        assert_eq!(other, r#"this is not a stored note: its format is "other", not "reticent-note""#);
        let later = read(r#"{"format":"reticent-note","version":3,"unknown":1}"#).unwrap_err();
        assert_eq!(later, "the stored note has version 3; this program reads version 2");
        assert!(
            read(r#"{"format":"reticent-note","version":2"#)
                .unwrap_err()
                .starts_with("the stored note cannot be read")
        );
        assert!(read(r#"{"format":"reticent-note","version":2}"#).unwrap_err().contains("missing field"));
    }
}
