//! A policy's file.

use std::path::Path;

use reticent_learn::pricing::{Policy, PolicyError};
use serde_json::Value;

use super::PolicyFileError;
use reticent_store::files;

/// What the file of a policy says that it is, and the version that this program reads.
const FORMAT: &str = "reticent-price-policy";
const VERSION: u64 = 1;

/// Reads and checks a policy.
pub fn read_policy(path: &Path) -> Result<Policy, PolicyFileError> {
    let file = || path.display().to_string();
    let text = files::read_text(path)?;
    let damaged = |message: String| PolicyFileError::Damaged { file: file(), message };
    let foreign = |fault: PolicyError| PolicyFileError::Stored { file: file(), fault };
    let Ok(value) = serde_json::from_str::<Value>(&text) else {
        // What is no policy at all is not quoted: it may be somebody's data.
        let begun = text.trim_start().starts_with('{') && text.contains(FORMAT);
        let none = foreign(PolicyError::Stored("it is not JSON; `reticent price fit` makes one"));
        return Err(if begun { damaged("it is cut short or changed".into()) } else { none });
    };
    // What a file is comes first: another format's or a later version's fields would only confuse.
    if value["format"] != FORMAT {
        return Err(foreign(PolicyError::Stored("its format has another name")));
    }
    match value["version"].as_u64() {
        Some(VERSION) | None => serde_json::from_value(value).map_err(|error| damaged(error.to_string())),
        Some(other) => Err(foreign(PolicyError::Version(u32::try_from(other).unwrap_or(u32::MAX)))),
    }
}

/// Writes a policy, whole or not at all.
pub fn write_policy(policy: &Policy, path: &Path) -> Result<(), PolicyFileError> {
    let text = serde_json::to_string(policy).map_err(|error| PolicyFileError::Damaged {
        file: path.display().to_string(),
        message: error.to_string(),
    })?;
    Ok(files::write_whole(path, format!("{text}\n").as_bytes())?)
}
