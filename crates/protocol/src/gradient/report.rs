//! The only thing that leaves a device, and its bytes.
//!
//! Layout, version 1: one byte version (1); one byte kind (bit 0: from an auxiliary source; bit 1: steps and not signs); the policy's version, the
//! source if any, and the number of values as LEB128 integers; then for signs the coordinate and the signs of each draw as LEB128, for steps each
//! value's zigzag LEB128.

use serde::{Deserialize, Serialize};

use super::DecodeError;
use crate::varint::{self, Fault};

/// One coordinate, chosen by lot, and a sign for each arm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draw {
    /// Which of an arm's parameters.
    pub coordinate: u32,
    /// Bit k is 1 for plus and 0 for minus at arm k.
    pub signs: u64,
}

/// A privatised gradient.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Response {
    /// From [`Channel::Signs`](super::Channel::Signs), in increasing order of the coordinates.
    Signs(Vec<Draw>),
    /// From [`Channel::Laplace`](super::Channel::Laplace): steps of 2^-20, all parameters of arm 0, then of arm 1 and so on.
    Steps(Vec<i64>),
}

/// One person's report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The version of the policy at whose parameters the gradient was taken.
    pub version: u64,
    /// The auxiliary source that the person belongs to; none for the target.
    pub source: Option<u32>,
    /// The privatised gradient.
    pub response: Response,
}

const VERSION: u8 = 1;
const FROM_SOURCE: u8 = 1;
const STEPS: u8 = 2;

impl Report {
    /// The bytes of this report.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION, self.kind()];
        varint::put(&mut bytes, self.version);
        if let Some(source) = self.source {
            varint::put(&mut bytes, u64::from(source));
        }
        match &self.response {
            Response::Signs(draws) => {
                varint::put(&mut bytes, draws.len() as u64);
                for draw in draws {
                    varint::put(&mut bytes, u64::from(draw.coordinate));
                    varint::put(&mut bytes, draw.signs);
                }
            }
            Response::Steps(values) => {
                varint::put(&mut bytes, values.len() as u64);
                for &steps in values {
                    varint::put(&mut bytes, ((steps << 1) ^ (steps >> 63)) as u64);
                }
            }
        }
        bytes
    }

    /// Reads one report; accepts exactly what [`encode`](Self::encode) writes.
    pub fn decode(bytes: &[u8]) -> Result<Report, DecodeError> {
        let (&layout, rest) = bytes.split_first().ok_or(DecodeError::Truncated)?;
        if layout != VERSION {
            return Err(DecodeError::Version(layout));
        }
        let (&kind, mut rest) = rest.split_first().ok_or(DecodeError::Truncated)?;
        if kind > FROM_SOURCE | STEPS {
            return Err(DecodeError::Kind(kind));
        }
        let version = take(&mut rest, "version")?;
        let source = (kind & FROM_SOURCE != 0).then(|| take_u32(&mut rest, "source")).transpose()?;
        // Nothing is reserved by this number: it is only what the bytes claim.
        let count = take(&mut rest, "length")?;
        let response = if kind & STEPS == 0 {
            Response::Signs((0..count).map(|_| take_draw(&mut rest)).collect::<Result<_, _>>()?)
        } else {
            Response::Steps((0..count).map(|_| take_steps(&mut rest)).collect::<Result<_, _>>()?)
        };
        if rest.is_empty() { Ok(Report { version, source, response }) } else { Err(DecodeError::Trailing) }
    }

    fn kind(&self) -> u8 {
        let steps = if matches!(self.response, Response::Steps(_)) { STEPS } else { 0 };
        steps | if self.source.is_some() { FROM_SOURCE } else { 0 }
    }
}

fn take_u32(bytes: &mut &[u8], field: &'static str) -> Result<u32, DecodeError> {
    u32::try_from(take(bytes, field)?).map_err(|_| DecodeError::Number(field))
}

fn take_draw(bytes: &mut &[u8]) -> Result<Draw, DecodeError> {
    let coordinate = take_u32(bytes, "coordinate")?;
    Ok(Draw { coordinate, signs: take(bytes, "signs")? })
}

fn take_steps(bytes: &mut &[u8]) -> Result<i64, DecodeError> {
    let zigzag = take(bytes, "value")?;
    Ok((zigzag >> 1) as i64 ^ -((zigzag & 1) as i64))
}

fn take(bytes: &mut &[u8], field: &'static str) -> Result<u64, DecodeError> {
    varint::take(bytes).map_err(|fault| match fault {
        Fault::Truncated => DecodeError::Truncated,
        Fault::Range => DecodeError::Number(field),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Golden bytes: what version 1 wrote must be read for ever.
    #[test]
    fn golden_bytes() {
        let draws = vec![Draw { coordinate: 2, signs: 5 }];
        let signs = Report { version: 300, source: None, response: Response::Signs(draws) };
        assert_eq!(signs.encode(), [1, 0, 0xac, 0x02, 1, 2, 5]);
        let steps = Report { version: 1, source: Some(4), response: Response::Steps(vec![-2, 1]) };
        assert_eq!(steps.encode(), [1, 3, 1, 4, 2, 3, 2]);
        assert_eq!(Report::decode(&[1, 3, 1, 4, 2, 3, 2]), Ok(steps));
        assert_eq!(Report::decode(&[2, 0, 0, 0]), Err(DecodeError::Version(2)));
        assert_eq!(Report::decode(&[1, 4, 0, 0]), Err(DecodeError::Kind(4)));
        let endless = [1, 2, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        assert_eq!(Report::decode(&endless), Err(DecodeError::Truncated));
    }

    fn any_report() -> impl Strategy<Value = Report> {
        let draw = (any::<u32>(), any::<u64>()).prop_map(|(coordinate, signs)| Draw { coordinate, signs });
        let response = prop_oneof![
            prop::collection::vec(draw, 0..5).prop_map(Response::Signs),
            prop::collection::vec(any::<i64>(), 0..12).prop_map(Response::Steps),
        ];
        (any::<u64>(), any::<Option<u32>>(), response).prop_map(|(version, source, response)| Report {
            version,
            source,
            response,
        })
    }

    proptest! {
        #[test]
        fn every_report_survives_and_every_cut_is_seen(report in any_report()) {
            let bytes = report.encode();
            for cut in 0..bytes.len() {
                prop_assert_eq!(Report::decode(&bytes[..cut]), Err(DecodeError::Truncated));
            }
            prop_assert_eq!(Report::decode(&bytes), Ok(report));
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
