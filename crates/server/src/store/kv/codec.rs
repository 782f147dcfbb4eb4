//! Keys and values as bytes. Numbers in keys have the highest byte first, so that they are in order.

use reticent_schema::Prefix;
use reticent_store::Moment;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::super::{Marks, Phase, PublishedPolicy, Segment, StoreError};

/// A key of an experiment's, with a number.
pub(super) fn key(experiment: Prefix, number: u64) -> [u8; 12] {
    let mut key = [0; 12];
    key[..4].copy_from_slice(experiment.bytes());
    key[4..].copy_from_slice(&number.to_be_bytes());
    key
}

/// A key of an experiment's, with a number and sixteen bytes more.
pub(super) fn id_key(experiment: Prefix, number: u64, id: [u8; 16]) -> [u8; 28] {
    let mut whole = [0; 28];
    whole[..12].copy_from_slice(&key(experiment, number));
    whole[12..].copy_from_slice(&id);
    whole
}

/// The number in a key.
pub(super) fn number(key: &[u8]) -> Result<u64, StoreError> {
    let bytes = key.get(4..12).and_then(|bytes| bytes.try_into().ok());
    bytes.map(u64::from_be_bytes).ok_or_else(|| damaged("a key"))
}

pub(super) fn damaged(what: &str) -> StoreError {
    StoreError::Damaged(format!("{what} cannot be read"))
}

pub(super) fn to_json(value: &impl Serialize) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(value).map_err(|_| damaged("what was to be written"))
}

pub(super) fn of_json<T: DeserializeOwned>(bytes: &[u8], what: &str) -> Result<T, StoreError> {
    serde_json::from_slice(bytes).map_err(|_| damaged(what))
}

/// Takes whole numbers off the front of bytes.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (front, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*front)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }
}

impl Marks {
    pub(super) fn encode(&self) -> Vec<u8> {
        let numbers = [self.appended, self.folded, self.oldest, self.newest, self.at.unix() as u64];
        std::iter::once(self.phase.number()).chain(numbers.into_iter().flat_map(u64::to_le_bytes)).collect()
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Marks, StoreError> {
        let read = || {
            let mut rest = Cursor(bytes);
            let [phase] = rest.take()?;
            Some(Marks {
                phase: Phase::of(phase)?,
                appended: rest.u64()?,
                folded: rest.u64()?,
                oldest: rest.u64()?,
                newest: rest.u64()?,
                at: Moment::from_unix(rest.u64()? as i64),
            })
        };
        read().ok_or_else(|| damaged("an experiment's marks"))
    }
}

/// When they came, then each report's length and bytes.
pub(in super::super) fn segment_bytes<'a>(at: Moment, reports: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut bytes = at.unix().to_le_bytes().to_vec();
    for report in reports {
        bytes.extend((report.len() as u32).to_le_bytes());
        bytes.extend(report);
    }
    bytes
}

pub(in super::super) fn segment(first: u64, bytes: &[u8]) -> Result<Segment, StoreError> {
    let read = || {
        let mut rest = Cursor(bytes);
        let at = Moment::from_unix(i64::from_le_bytes(rest.take()?));
        let mut reports = Vec::new();
        while !rest.0.is_empty() {
            let length = u32::from_le_bytes(rest.take()?) as usize;
            let (report, after) = rest.0.split_at_checked(length)?;
            reports.push(report.to_vec());
            rest.0 = after;
        }
        Some(Segment { first, at, reports })
    };
    read().ok_or_else(|| damaged("reports"))
}

/// When it was published, its version, then the policy.
pub(super) fn policy_bytes(at: Moment, version: u64, policy: &[u8]) -> Vec<u8> {
    [at.unix().to_le_bytes().as_slice(), &version.to_le_bytes(), policy].concat()
}

pub(super) fn policy(bytes: &[u8]) -> Result<PublishedPolicy, StoreError> {
    let read = || {
        let mut rest = Cursor(bytes);
        let at = Moment::from_unix(i64::from_le_bytes(rest.take()?));
        Some(PublishedPolicy { at, version: rest.u64()?, bytes: rest.0.to_vec() })
    };
    read().ok_or_else(|| damaged("a policy"))
}

/// When reports came.
pub(super) fn segment_moment(bytes: &[u8]) -> Result<Moment, StoreError> {
    let (at, _) = bytes.split_first_chunk().ok_or_else(|| damaged("reports"))?;
    Ok(Moment::from_unix(i64::from_le_bytes(*at)))
}
