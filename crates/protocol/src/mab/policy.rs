//! What the server tells the next device.

use serde::{Deserialize, Serialize};

use super::Squash;

/// Which arm the next person gets and how their device squashes the reward. Public.
///
/// A policy cannot change how much privacy a report costs: that is fixed in the [`Spec`](super::Spec) on the device.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// The arm, numbered from 0.
    pub arm: u32,
    /// The question asked: answers to different questions are never mixed.
    pub stage: u32,
    /// The map from rewards to [0, 1].
    pub squash: Squash,
}
