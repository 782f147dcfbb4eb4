//! What all policies begin with.
//!
//! Layout, version 2: one byte version (2); one byte kind (1 bandit, 2 contextual, 3 prices); the
//! experiment's digest, 32 bytes; the policy's version as an LEB128 integer. Then what the kind says.

use reticent_schema::Digest;

use crate::DecodeError;
use crate::bytes::{self, VERSION, after_version, take, take_array, take_byte};

/// The kinds of policies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PolicyKind {
    Bandit = 1,
    Contextual = 2,
    Prices = 3,
}

/// The bytes that a policy begins with.
pub(crate) fn start(kind: PolicyKind, experiment: Digest, version: u64) -> Vec<u8> {
    let mut bytes = vec![VERSION, kind as u8];
    bytes.extend(experiment.bytes());
    bytes::put(&mut bytes, version);
    bytes
}

/// Reads what [`start`] wrote; the rest of the bytes is the kind's.
pub(crate) fn read(kind: PolicyKind, bytes: &[u8]) -> Result<(Digest, u64, &[u8]), DecodeError> {
    let mut rest = after_version(bytes)?;
    let found = take_byte(&mut rest)?;
    if found != kind as u8 {
        return Err(DecodeError::Kind(found));
    }
    let experiment = Digest::from_bytes(take_array(&mut rest)?);
    let version = take(&mut rest)?;
    Ok((experiment, version, rest))
}
