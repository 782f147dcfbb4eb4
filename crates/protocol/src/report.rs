//! The only thing that leaves a device, in every problem, and its bytes.
//!
//! Layout, version 2: one byte version (2); four bytes, the experiment's prefix; as LEB128 integers the
//! policy's version, the source plus one (0 for the experiment's own people) and the question; one byte form;
//! and the answer. Forms 0 and 1: that bit, then the arm as an LEB128 integer. Form 2: the number of one
//! output. Form 3: the number of words, then the words, 8 bytes each, lowest first. `docs/protocol.md` has
//! examples.

use reticent_privacy::oracle;
use reticent_schema::Prefix;
use serde::{Deserialize, Serialize};

use crate::DecodeError;
use crate::bytes::{
    self, VERSION, after_version, at_end, take, take_array, take_byte, take_source, take_u32,
};

/// One person's report: which question of which experiment was asked, and a private answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The experiment.
    pub experiment: Prefix,
    /// The policy that the device followed.
    pub policy: u64,
    /// The source that the person belongs to, or the experiment's own people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<u32>,
    /// The question that was asked: a stage, a task or a question of the policy.
    pub question: u32,
    /// What was answered.
    pub answer: Answer,
}

/// All that a report can say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub enum Answer {
    /// A randomised bit about a public arm.
    Bit {
        /// The arm that the person got.
        arm: u32,
        /// The randomised reward.
        bit: bool,
    },
    /// A randomised symbol: one output of a frequency oracle, or a set of symbols.
    Symbol(oracle::Report),
}

/// The form in JSON, in which every number is one that all languages hold.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Raw {
    Bit {
        arm: u32,
        bit: bool,
    },
    Index(u32),
    /// Words of 16 hexadecimal digits.
    Set(Vec<String>),
}

/// A set over the largest domain.
const MAX_WORDS: u64 = 1 << 14;

impl Report {
    /// The bytes of this report.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(16);
        bytes.push(VERSION);
        bytes.extend(self.experiment.bytes());
        bytes::put(&mut bytes, self.policy);
        bytes::put(&mut bytes, self.source.map_or(0, |source| u64::from(source) + 1));
        bytes::put(&mut bytes, self.question.into());
        match &self.answer {
            Answer::Bit { arm, bit } => {
                bytes.push((*bit).into());
                bytes::put(&mut bytes, (*arm).into());
            }
            Answer::Symbol(oracle::Report::Index(index)) => {
                bytes.push(2);
                bytes::put(&mut bytes, (*index).into());
            }
            Answer::Symbol(oracle::Report::Set(words)) => {
                bytes.push(3);
                bytes::put(&mut bytes, words.len() as u64);
                bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
            }
        }
        bytes
    }

    /// Reads one report; accepts exactly what [`encode`](Self::encode) writes.
    pub fn decode(bytes: &[u8]) -> Result<Report, DecodeError> {
        let mut rest = after_version(bytes)?;
        let experiment = Prefix::from_bytes(take_array(&mut rest)?);
        let policy = take(&mut rest)?;
        let source = take_source(&mut rest)?;
        let question = take_u32(&mut rest)?;
        let answer = take_answer(&mut rest)?;
        at_end(rest)?;
        Ok(Report { experiment, policy, source, question, answer })
    }
}

fn take_answer(rest: &mut &[u8]) -> Result<Answer, DecodeError> {
    match take_byte(rest)? {
        bit @ (0 | 1) => Ok(Answer::Bit { arm: take_u32(rest)?, bit: bit == 1 }),
        2 => Ok(oracle::Report::Index(take_u32(rest)?).into()),
        3 => {
            let words = take(rest)?;
            if words > MAX_WORDS {
                return Err(DecodeError::Number);
            }
            let (set, after) = rest.split_at_checked(8 * words as usize).ok_or(DecodeError::Truncated)?;
            *rest = after;
            let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
            Ok(oracle::Report::Set(set.chunks_exact(8).map(word).collect()).into())
        }
        form => Err(DecodeError::Kind(form)),
    }
}

impl From<oracle::Report> for Answer {
    fn from(report: oracle::Report) -> Answer {
        Answer::Symbol(report)
    }
}

impl From<Answer> for Raw {
    fn from(answer: Answer) -> Raw {
        match answer {
            Answer::Bit { arm, bit } => Raw::Bit { arm, bit },
            Answer::Symbol(oracle::Report::Index(index)) => Raw::Index(index),
            Answer::Symbol(oracle::Report::Set(words)) => {
                Raw::Set(words.into_iter().map(|word| format!("{word:016x}")).collect())
            }
        }
    }
}

impl TryFrom<Raw> for Answer {
    type Error = &'static str;
    fn try_from(raw: Raw) -> Result<Answer, Self::Error> {
        let word = |text: &String| {
            let digits = text.len() == 16 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
            u64::from_str_radix(text, 16).ok().filter(|_| digits)
        };
        Ok(match raw {
            Raw::Bit { arm, bit } => Answer::Bit { arm, bit },
            Raw::Index(index) => Answer::Symbol(oracle::Report::Index(index)),
            Raw::Set(words) => {
                let words = words.iter().map(word).collect::<Option<_>>();
                Answer::Symbol(oracle::Report::Set(words.ok_or("a word of a set has 16 hexadecimal digits")?))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn report(policy: u64, source: Option<u32>, question: u32, answer: Answer) -> Report {
        Report { experiment: Prefix::from_bytes([0xab, 1, 2, 3]), policy, source, question, answer }
    }

    fn index(index: u32) -> Answer {
        oracle::Report::Index(index).into()
    }

    /// Golden bytes: what version 2 wrote must be read for ever.
    #[test]
    fn golden_bytes() {
        let start = [2, 0xab, 1, 2, 3];
        let cases: [(Report, &[u8]); 4] = [
            (report(5, None, 0, Answer::Bit { arm: 3, bit: true }), &[5, 0, 0, 1, 3]),
            (report(300, None, 7, Answer::Bit { arm: 300, bit: false }), &[0xac, 2, 0, 7, 0, 0xac, 2]),
            (report(1, Some(2), 7, index(150)), &[1, 3, 7, 2, 0x96, 1]),
            (
                report(0, None, 0, oracle::Report::Set(vec![5]).into()),
                &[0, 0, 0, 3, 1, 5, 0, 0, 0, 0, 0, 0, 0],
            ),
        ];
        for (report, end) in cases {
            let bytes = [&start, end].concat();
            assert_eq!(report.encode(), bytes);
            assert_eq!(Report::decode(&bytes), Ok(report));
        }
        assert_eq!(Report::decode(&[1, 1, 3, 0]), Err(DecodeError::Version(1)));
        assert_eq!(
            Report::decode(&[2, 0, 0, 0, 0, 0, 0, 0, 9]),
            Err(DecodeError::Kind(9)),
            "no number leaves"
        );
        assert_eq!(Report::decode(&[2, 0, 0, 0, 0, 0x83, 0, 0]), Err(DecodeError::Number));
    }

    #[test]
    fn json_names_everything() {
        let text = serde_json::to_string(&report(5, None, 0, Answer::Bit { arm: 3, bit: true })).unwrap();
        assert_eq!(
            text,
            r#"{"experiment":"ab010203","policy":5,"question":0,"answer":{"bit":{"arm":3,"bit":true}}}"#
        );
        assert!(serde_json::from_str::<Report>(&text.replace("\"bit\":true", "\"reward\":0.7")).is_err());
    }

    fn any_report() -> impl Strategy<Value = Report> {
        let answer = prop_oneof![
            (any::<u32>(), any::<bool>()).prop_map(|(arm, bit)| Answer::Bit { arm, bit }),
            any::<u32>().prop_map(index),
            prop::collection::vec(any::<u64>(), 0..4).prop_map(|words| oracle::Report::Set(words).into())
        ];
        (any::<u64>(), prop::option::of(0_u32..40), any::<u32>(), answer)
            .prop_map(|(policy, source, question, answer)| report(policy, source, question, answer))
    }

    proptest! {
        #[test]
        fn every_report_survives_and_every_cut_is_seen(report in any_report()) {
            let bytes = report.encode();
            prop_assert_eq!(Report::decode(&bytes), Ok(report.clone()));
            for cut in 0..bytes.len() {
                prop_assert_eq!(Report::decode(&bytes[..cut]), Err(DecodeError::Truncated));
            }
            prop_assert_eq!(Report::decode(&[bytes, vec![0]].concat()), Err(DecodeError::Trailing));
            let json = serde_json::to_string(&report).unwrap();
            prop_assert_eq!(serde_json::from_str::<Report>(&json).unwrap(), report);
        }

        #[test]
        fn no_bytes_panic_and_each_report_has_one_spelling(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            if let Ok(report) = Report::decode(&bytes) {
                prop_assert_eq!(report.encode(), bytes);
            }
        }
    }
}
