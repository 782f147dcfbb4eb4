//! The only thing that leaves a device, and its bytes.
//!
//! Layout, version 1: one byte version (1); one byte kind (0 bit false, 1 bit true, 2 grid steps); arm and stage as
//! LEB128 integers; for kind 2 the zigzag LEB128 of the value. A bit costs 4 bytes for up to 127 arms.

use serde::{Deserialize, Serialize};

use crate::varint::{self, Fault};

/// A privatised reward, or for the non-private baseline the reward itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Response {
    /// From [`Channel::Bernoulli`](super::Channel::Bernoulli).
    Bit(bool),
    /// Grid steps of 2^-30, from [`Channel::Laplace`](super::Channel::Laplace) or
    /// [`Channel::Open`](super::Channel::Open).
    Steps(i64),
}

/// One person's report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The arm that the policy named.
    pub arm: u32,
    /// The stage that the policy named.
    pub stage: u32,
    /// The answer.
    pub response: Response,
}

/// Why bytes are no report. Never shows the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// A version that this program does not know.
    #[error("the report has version {0}; this program reads version 1")]
    Version(u8),
    /// A kind that version 1 does not have.
    #[error("the report's kind {0} is unknown")]
    Kind(u8),
    /// Bytes are missing.
    #[error("the report is cut short")]
    Truncated,
    /// A number does not fit its field or is not in its shortest form.
    #[error("the report's {0} is out of range")]
    Number(&'static str),
    /// Bytes are left over.
    #[error("the report has bytes after its end")]
    Trailing,
}

const VERSION: u8 = 1;

impl Report {
    /// The bytes of this report.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION, self.kind()];
        varint::put(&mut bytes, u64::from(self.arm));
        varint::put(&mut bytes, u64::from(self.stage));
        if let Response::Steps(steps) = self.response {
            varint::put_signed(&mut bytes, steps);
        }
        bytes
    }

    /// Reads one report; accepts exactly what [`encode`](Self::encode) writes.
    pub fn decode(bytes: &[u8]) -> Result<Report, DecodeError> {
        let (&version, rest) = bytes.split_first().ok_or(DecodeError::Truncated)?;
        if version != VERSION {
            return Err(DecodeError::Version(version));
        }
        let (&kind, mut rest) = rest.split_first().ok_or(DecodeError::Truncated)?;
        let arm = take_u32(&mut rest, "arm")?;
        let stage = take_u32(&mut rest, "stage")?;
        let response = match kind {
            0 | 1 => Response::Bit(kind == 1),
            2 => Response::Steps(varint::take_signed(&mut rest).map_err(|fault| within("value", fault))?),
            _ => return Err(DecodeError::Kind(kind)),
        };
        if rest.is_empty() { Ok(Report { arm, stage, response }) } else { Err(DecodeError::Trailing) }
    }

    fn kind(&self) -> u8 {
        match self.response {
            Response::Bit(bit) => u8::from(bit),
            Response::Steps(_) => 2,
        }
    }
}

fn take_u32(bytes: &mut &[u8], field: &'static str) -> Result<u32, DecodeError> {
    let value = varint::take(bytes).map_err(|fault| within(field, fault))?;
    u32::try_from(value).map_err(|_| DecodeError::Number(field))
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
        let bit = Report { arm: 3, stage: 0, response: Response::Bit(true) };
        assert_eq!(bit.encode(), [1, 1, 3, 0]);
        let steps = Report { arm: 300, stage: 2, response: Response::Steps(-2) };
        assert_eq!(steps.encode(), [1, 2, 0xac, 0x02, 2, 3]);
        assert_eq!(Report::decode(&[1, 1, 3, 0]), Ok(bit));
        assert_eq!(Report::decode(&[2, 1, 3, 0]), Err(DecodeError::Version(2)));
        assert_eq!(Report::decode(&[1, 9, 3, 0]), Err(DecodeError::Kind(9)));
        assert_eq!(Report::decode(&[1, 1, 0x83, 0, 0]), Err(DecodeError::Number("arm")));
    }

    fn any_report() -> impl Strategy<Value = Report> {
        let response =
            prop_oneof![any::<bool>().prop_map(Response::Bit), any::<i64>().prop_map(Response::Steps)];
        (any::<u32>(), any::<u32>(), response).prop_map(|(arm, stage, response)| Report {
            arm,
            stage,
            response,
        })
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
