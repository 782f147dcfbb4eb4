//! The only thing that leaves a device, and its bytes.
//!
//! Layout, version 1: one byte version (1); as LEB128 integers the source plus one (0 for the target), the
//! policy's version and the task; one byte form (0 index, 1 set); the index, or the number of words and the
//! words, 8 bytes each, lowest first. Usually 6 to 8 bytes.

use reticent_privacy::oracle;
use serde::{Deserialize, Serialize};

use crate::DecodeError;
use crate::bytes::{self, VERSION, after_version, at_end, take, take_byte, take_u32};

/// One person's report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The source that the person belongs to, or the target.
    pub source: Option<u32>,
    /// The policy that the device followed.
    pub version: u64,
    /// The task that it drew.
    pub task: u32,
    /// The randomised symbol.
    pub answer: oracle::Report,
}

/// A set over the largest domain.
const MAX_WORDS: u64 = 1 << 14;

impl Report {
    /// The bytes of this report.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        bytes::put(&mut bytes, self.source.map_or(0, |source| u64::from(source) + 1));
        bytes::put(&mut bytes, self.version);
        bytes::put(&mut bytes, u64::from(self.task));
        match &self.answer {
            oracle::Report::Index(index) => {
                bytes.push(0);
                bytes::put(&mut bytes, u64::from(*index));
            }
            oracle::Report::Set(words) => {
                bytes.push(1);
                bytes::put(&mut bytes, words.len() as u64);
                bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
            }
        }
        bytes
    }

    /// Reads one report; accepts exactly what [`encode`](Self::encode) writes.
    pub fn decode(bytes: &[u8]) -> Result<Report, DecodeError> {
        let mut rest = after_version(bytes)?;
        let source = take_source(&mut rest)?;
        let version = take(&mut rest)?;
        let task = take_u32(&mut rest)?;
        let answer = match take_byte(&mut rest)? {
            0 => oracle::Report::Index(take_u32(&mut rest)?),
            1 => {
                let words = take(&mut rest)?;
                if words > MAX_WORDS {
                    return Err(DecodeError::Number);
                }
                let (set, after) = rest.split_at_checked(8 * words as usize).ok_or(DecodeError::Truncated)?;
                rest = after;
                let word =
                    |chunk: &[u8]| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
                oracle::Report::Set(set.chunks_exact(8).map(word).collect())
            }
            form => return Err(DecodeError::Kind(form)),
        };
        at_end(rest)?;
        Ok(Report { source, version, task, answer })
    }
}

pub(super) fn take_source(bytes: &mut &[u8]) -> Result<Option<u32>, DecodeError> {
    match take(bytes)? {
        0 => Ok(None),
        source => u32::try_from(source - 1).map(Some).map_err(|_| DecodeError::Number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Golden bytes: what version 1 wrote must be read for ever.
    #[test]
    fn golden_bytes() {
        let report = Report { source: None, version: 300, task: 7, answer: oracle::Report::Index(150) };
        assert_eq!(report.encode(), [1, 0, 0xac, 0x02, 7, 0, 0x96, 0x01]);
        assert_eq!(Report::decode(&report.encode()), Ok(report));
        let set = Report { source: Some(2), version: 0, task: 0, answer: oracle::Report::Set(vec![5]) };
        assert_eq!(set.encode(), [1, 3, 0, 0, 1, 1, 5, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(Report::decode(&[2, 0, 0]), Err(DecodeError::Version(2)));
        assert_eq!(Report::decode(&[1, 0, 0, 0, 9]), Err(DecodeError::Kind(9)));
    }

    fn any_report() -> impl Strategy<Value = Report> {
        let answer = prop_oneof![
            any::<u32>().prop_map(oracle::Report::Index),
            prop::collection::vec(any::<u64>(), 0..4).prop_map(oracle::Report::Set)
        ];
        (prop::option::of(0_u32..40), any::<u64>(), any::<u32>(), answer)
            .prop_map(|(source, version, task, answer)| Report { source, version, task, answer })
    }

    proptest! {
        #[test]
        fn every_report_survives_and_every_cut_is_seen(report in any_report()) {
            let bytes = report.encode();
            prop_assert_eq!(Report::decode(&bytes), Ok(report));
            for cut in 0..bytes.len() {
                prop_assert_eq!(Report::decode(&bytes[..cut]), Err(DecodeError::Truncated));
            }
            prop_assert_eq!(Report::decode(&[bytes, vec![0]].concat()), Err(DecodeError::Trailing));
        }

        #[test]
        fn no_bytes_panic_and_each_report_has_one_spelling(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            if let Ok(report) = Report::decode(&bytes) {
                prop_assert_eq!(report.encode(), bytes);
            }
        }
    }
}
