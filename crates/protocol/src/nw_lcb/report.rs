//! The only thing that leaves a device, and its bytes.
//!
//! Layout, version 1: one byte version (1); the number of values as LEB128, then each as zigzag LEB128.

use serde::{Deserialize, Serialize};

use crate::mab::DecodeError;
use crate::varint::{self, Fault};

/// One person's report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// For each cell in the spec's order, W then Z (Algorithm 1) in grid steps of 2^-30.
    pub values: Vec<i64>,
}

const VERSION: u8 = 1;

impl Report {
    /// The bytes of this report.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        varint::put(&mut bytes, self.values.len() as u64);
        for &value in &self.values {
            varint::put_signed(&mut bytes, value);
        }
        bytes
    }

    /// Reads one report; accepts exactly what [`encode`](Self::encode) writes.
    pub fn decode(bytes: &[u8]) -> Result<Report, DecodeError> {
        let (&version, mut rest) = bytes.split_first().ok_or(DecodeError::Truncated)?;
        if version != VERSION {
            return Err(DecodeError::Version(version));
        }
        let count = varint::take(&mut rest).map_err(|fault| within("count", fault))?;
        // Each value has a byte at least: a short report cannot ask for much memory.
        if (rest.len() as u64) < count {
            return Err(DecodeError::Truncated);
        }
        let values =
            (0..count).map(|_| varint::take_signed(&mut rest).map_err(|fault| within("value", fault)));
        let values = values.collect::<Result<_, _>>()?;
        if rest.is_empty() { Ok(Report { values }) } else { Err(DecodeError::Trailing) }
    }
}

fn within(field: &'static str, fault: Fault) -> DecodeError {
    match fault {
        Fault::Truncated => DecodeError::Truncated,
        Fault::Range => DecodeError::Number(field),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Golden bytes: what version 1 wrote must be read for ever.
    #[test]
    fn golden_bytes() {
        let report = Report { values: vec![-2, 1, 1 << 30, -(1 << 30)] };
        let bytes = [1, 4, 3, 2, 0x80, 0x80, 0x80, 0x80, 8, 0xff, 0xff, 0xff, 0xff, 7];
        assert_eq!(report.encode(), bytes);
        assert_eq!(Report::decode(&bytes), Ok(report));
        assert_eq!(Report::decode(&[2, 0]), Err(DecodeError::Version(2)));
        assert_eq!(Report::decode(&[1, 0x80, 0]), Err(DecodeError::Number("count")));
        assert_eq!(Report::decode(&[1, 1, 0x80, 0]), Err(DecodeError::Number("value")));
        assert_eq!(Report::decode(&[1, 0xff, 0xff, 0xff, 0xff, 0xff, 7, 0]), Err(DecodeError::Truncated));
    }

    proptest! {
        #[test]
        fn every_report_survives_and_every_cut_is_seen(values in prop::collection::vec(any::<i64>(), 0..20)) {
            let report = Report { values };
            let bytes = report.encode();
            prop_assert_eq!(Report::decode(&bytes), Ok(report));
            for cut in 0..bytes.len() {
                prop_assert_eq!(Report::decode(&bytes[..cut]), Err(DecodeError::Truncated));
            }
            let longer = [bytes, vec![0]].concat();
            prop_assert_eq!(Report::decode(&longer), Err(DecodeError::Trailing));
        }

        #[test]
        fn no_bytes_panic_and_each_report_has_one_spelling(mut bytes in prop::collection::vec(any::<u8>(), 2..40)) {
            bytes[0] = 1;
            bytes[1] %= 8;
            if let Ok(report) = Report::decode(&bytes) {
                prop_assert_eq!(report.encode(), bytes);
            }
        }
    }
}
