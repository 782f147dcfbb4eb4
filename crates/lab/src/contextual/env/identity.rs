//! What a world's results depend on.

use serde::{Deserialize, Serialize};

/// What a world's results depend on, stored with them to notice when a world has changed under the same name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs, reason = "the fields are the worlds' parameters")]
pub enum Identity {
    /// Exponential rewards with centres k/K.
    Exponential { dims: usize, arms: u32 },
    /// Exponential rewards with centres k/(K + 1).
    ExponentialCode { dims: usize, arms: u32 },
    /// The symmetric world.
    Symmetric { dims: usize },
    /// A world in which one arm is better by a fixed amount.
    Gap { name: String },
    /// A file: `values` is the FNV-1a hash of all its values as read, in hexadecimal.
    Data { dims: usize, rows: u64, arms: u32, target_group: Option<u32>, values: String },
}
