//! The only thing that leaves a device, and its bytes.
//!
//! Layout, version 1: one byte version (1); one byte bit (0 or 1); arm and stage as LEB128 integers. That is
//! 4 bytes for up to 128 arms.

use serde::{Deserialize, Serialize};

use crate::DecodeError;
use crate::bytes::{self, VERSION};

/// One person's report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The arm that the policy named.
    pub arm: u32,
    /// The stage that the policy named.
    pub stage: u32,
    /// The privatised reward.
    pub bit: bool,
}

impl Report {
    /// The bytes of this report.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION, u8::from(self.bit)];
        bytes::put(&mut bytes, u64::from(self.arm));
        bytes::put(&mut bytes, u64::from(self.stage));
        bytes
    }

    /// Reads one report; accepts exactly what [`encode`](Self::encode) writes.
    pub fn decode(bytes: &[u8]) -> Result<Report, DecodeError> {
        let mut rest = bytes::after_version(bytes)?;
        let bit = bytes::take_byte(&mut rest)?;
        if bit > 1 {
            return Err(DecodeError::Kind(bit));
        }
        let (arm, stage) = (bytes::take_u32(&mut rest)?, bytes::take_u32(&mut rest)?);
        bytes::at_end(rest)?;
        Ok(Report { arm, stage, bit: bit == 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Golden bytes: what version 1 wrote must be read for ever.
    #[test]
    fn golden_bytes() {
        let report = Report { arm: 3, stage: 0, bit: true };
        assert_eq!(report.encode(), [1, 1, 3, 0]);
        assert_eq!(Report { arm: 300, stage: 2, bit: false }.encode(), [1, 0, 0xac, 0x02, 2]);
        assert_eq!(Report::decode(&[1, 1, 3, 0]), Ok(report));
        assert_eq!(Report::decode(&[1, 2, 3, 0, 3]), Err(DecodeError::Kind(2)), "no number leaves a device");
        assert_eq!(Report::decode(&[2, 1, 3, 0]), Err(DecodeError::Version(2)));
        assert_eq!(Report::decode(&[1, 9, 3, 0]), Err(DecodeError::Kind(9)));
        assert_eq!(Report::decode(&[1, 1, 0x83, 0, 0]), Err(DecodeError::Number));
    }

    fn any_report() -> impl Strategy<Value = Report> {
        (any::<u32>(), any::<u32>(), any::<bool>()).prop_map(|(arm, stage, bit)| Report { arm, stage, bit })
    }

    proptest! {
        #[test]
        fn every_report_survives_and_every_cut_is_seen(report in any_report()) {
            let bytes = report.encode();
            prop_assert_eq!(Report::decode(&bytes), Ok(report));
            for cut in 0..bytes.len() {
                prop_assert_eq!(Report::decode(&bytes[..cut]), Err(DecodeError::Truncated));
            }
            let longer = [bytes, vec![0]].concat();
            prop_assert_eq!(Report::decode(&longer), Err(DecodeError::Trailing));
        }

        #[test]
        fn no_bytes_panic_and_each_report_has_one_spelling(bytes in prop::collection::vec(any::<u8>(), 0..24)) {
            if let Ok(report) = Report::decode(&bytes) {
                prop_assert_eq!(report.encode(), bytes);
            }
        }
    }
}
