//! The only thing that leaves a device, and its bytes.
//!
//! Layout, version 1: one byte version (1); one byte kind (0 values, 1 open record); the policy's version and the source
//! (0 for the target, else its number plus 1) as LEB128 integers. Values: their number, then each as zigzag LEB128. Record:
//! arm, reward and the number of coordinates as LEB128, then each coordinate as eight bytes, little end first.

use serde::{Deserialize, Serialize};

use crate::mab::DecodeError;
use crate::varint::{self, Fault};

/// One person's report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The version of the policy that was answered.
    pub version: u64,
    /// The auxiliary source that the person belongs to, if any.
    pub source: Option<u32>,
    /// The answer.
    pub answer: Answer,
}

/// A privatised record, or for the non-private baseline the record itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// For each bin and each active arm in the policy's order, V then U (equation (12)) in grid steps of 2^-30.
    Values(Vec<i64>),
    /// The raw record: simulations only, a device with real noise never sends it.
    Open(Record),
}

/// What happened to one person: their context, arm and reward. Only simulations of the non-private baseline send it.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The context, clipped to the cube.
    pub context: Vec<f64>,
    /// The arm.
    pub arm: u32,
    /// The reward in grid steps of 2^-30.
    pub reward: u32,
}

/// Shows nothing, so that no log can.
impl std::fmt::Debug for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Record { .. }")
    }
}

const VERSION: u8 = 1;

impl Report {
    /// The bytes of this report.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION, u8::from(matches!(self.answer, Answer::Open(_)))];
        varint::put(&mut bytes, self.version);
        varint::put(&mut bytes, self.source.map_or(0, |source| u64::from(source) + 1));
        match &self.answer {
            Answer::Values(values) => {
                varint::put(&mut bytes, values.len() as u64);
                for &value in values {
                    varint::put_signed(&mut bytes, value);
                }
            }
            Answer::Open(record) => {
                varint::put(&mut bytes, u64::from(record.arm));
                varint::put(&mut bytes, u64::from(record.reward));
                varint::put(&mut bytes, record.context.len() as u64);
                record.context.iter().for_each(|x| bytes.extend(x.to_bits().to_le_bytes()));
            }
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
        if kind > 1 {
            return Err(DecodeError::Kind(kind));
        }
        let version = take(&mut rest, "policy version")?;
        let source = match take(&mut rest, "source")? {
            0 => None,
            number => Some(u32::try_from(number - 1).map_err(|_| DecodeError::Number("source"))?),
        };
        let answer = if kind == 0 { take_values(&mut rest)? } else { take_record(&mut rest)? };
        if rest.is_empty() { Ok(Report { version, source, answer }) } else { Err(DecodeError::Trailing) }
    }
}

fn take_values(bytes: &mut &[u8]) -> Result<Answer, DecodeError> {
    let count = take_count(bytes, 1)?;
    let values = (0..count).map(|_| varint::take_signed(bytes).map_err(|fault| within("value", fault)));
    Ok(Answer::Values(values.collect::<Result<_, _>>()?))
}

fn take_record(bytes: &mut &[u8]) -> Result<Answer, DecodeError> {
    let arm = u32::try_from(take(bytes, "arm")?).map_err(|_| DecodeError::Number("arm"))?;
    let reward = u32::try_from(take(bytes, "reward")?).map_err(|_| DecodeError::Number("reward"))?;
    let count = take_count(bytes, 8)?;
    let context = (0..count).map(|_| {
        let (chunk, rest) = bytes.split_first_chunk::<8>().ok_or(DecodeError::Truncated)?;
        *bytes = rest;
        Ok(f64::from_bits(u64::from_le_bytes(*chunk)))
    });
    let context: Vec<f64> = context.collect::<Result<_, _>>()?;
    if context.iter().all(|x| (0.0..=1.0).contains(x)) {
        Ok(Answer::Open(Record { context, arm, reward }))
    } else {
        Err(DecodeError::Number("context"))
    }
}

/// A count of items of at least `size` bytes, which must be there: a short report cannot ask for much memory.
fn take_count(bytes: &mut &[u8], size: usize) -> Result<usize, DecodeError> {
    let count = usize::try_from(take(bytes, "count")?).map_err(|_| DecodeError::Number("count"))?;
    if bytes.len() / size < count { Err(DecodeError::Truncated) } else { Ok(count) }
}

fn take(bytes: &mut &[u8], field: &'static str) -> Result<u64, DecodeError> {
    varint::take(bytes).map_err(|fault| within(field, fault))
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
        let report = Report { version: 300, source: None, answer: Answer::Values(vec![-2, 1]) };
        assert_eq!(report.encode(), [1, 0, 0xac, 2, 0, 2, 3, 2]);
        let record = Record { context: vec![0.5], arm: 1, reward: 5 };
        let open = Report { version: 0, source: Some(0), answer: Answer::Open(record) };
        assert_eq!(open.encode(), [1, 1, 0, 1, 1, 5, 1, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f]);
        assert_eq!(Report::decode(&[2, 0, 0, 0, 0]), Err(DecodeError::Version(2)));
        assert_eq!(Report::decode(&[1, 9, 0, 0, 0]), Err(DecodeError::Kind(9)));
        assert_eq!(Report::decode(&[1, 0, 0x83, 0, 0]), Err(DecodeError::Number("policy version")));
    }

    fn any_report() -> impl Strategy<Value = Report> {
        let record = (prop::collection::vec(0.0_f64..=1.0, 0..4), any::<u32>(), any::<u32>())
            .prop_map(|(context, arm, reward)| Record { context, arm, reward });
        let answer = prop_oneof![
            prop::collection::vec(any::<i64>(), 0..20).prop_map(Answer::Values),
            record.prop_map(Answer::Open)
        ];
        (any::<u64>(), prop::option::of(any::<u32>()), answer).prop_map(|(version, source, answer)| Report {
            version,
            source,
            answer,
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
        fn no_bytes_panic_and_each_report_has_one_spelling(mut bytes in prop::collection::vec(any::<u8>(), 2..40)) {
            bytes[0] = 1;
            bytes[1] &= 1;
            if let Ok(report) = Report::decode(&bytes) {
                prop_assert_eq!(report.encode(), bytes);
            }
        }
    }
}
