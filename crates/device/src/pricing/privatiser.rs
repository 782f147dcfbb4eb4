//! From a sale to one randomised symbol.

use std::num::NonZeroU64;

use reticent_privacy::exact::uniform_below;
use reticent_privacy::oracle::{self, Oracle};
use reticent_privacy::{Charge, Epsilon, Generator, Guarantee, UnitGrid};
use reticent_protocol::pricing::{Report, Spec};
use reticent_schema::{MAX_AXES, Value};

use crate::{DeviceError, Problem};

/// A spec as those need it who hold records.
#[derive(Debug)]
pub struct Privatiser {
    spec: Spec,
    questions: NonZeroU64,
}

/// A sale, clipped and scaled to the unit cube, ready to be privatised. Shows nothing.
pub(super) struct Record {
    point: [f64; MAX_AXES + 1],
    outcome: UnitGrid,
}

impl Problem for Privatiser {
    type Spec = Spec;

    fn new(spec: &Spec) -> Privatiser {
        // A spec has at least one question.
        let questions = NonZeroU64::new(spec.channels().len() as u64).unwrap_or(NonZeroU64::MIN);
        Privatiser { spec: spec.clone(), questions }
    }

    fn guarantee(&self) -> Guarantee {
        self.spec.guarantee()
    }
}

impl Privatiser {
    pub(super) fn epsilon(&self) -> Epsilon {
        self.spec.epsilon()
    }

    pub(super) fn record(&self, context: &[Value], price: f64, outcome: f64) -> Result<Record, DeviceError> {
        let mut point = [0.0; MAX_AXES + 1];
        let dimension = self.spec.terms().context().dimension();
        self.spec.terms().context().encode_values(context, &mut point[..dimension])?;
        self.finished(point, price, outcome)
    }

    #[inline]
    pub(super) fn record_of_numbers(
        &self,
        context: &[f64],
        price: f64,
        outcome: f64,
    ) -> Result<Record, DeviceError> {
        let mut point = [0.0; MAX_AXES + 1];
        let dimension = self.spec.terms().context().dimension();
        self.spec.terms().context().encode_numbers(context, &mut point[..dimension])?;
        self.finished(point, price, outcome)
    }

    /// Adds the price behind the context, and the outcome.
    #[inline]
    fn finished(
        &self,
        mut point: [f64; MAX_AXES + 1],
        price: f64,
        outcome: f64,
    ) -> Result<Record, DeviceError> {
        if !price.is_finite() {
            return Err(DeviceError::Price);
        }
        let terms = self.spec.terms();
        point[terms.axes() - 1] = terms.prices().unit(price);
        // A NaN stays one in the unit interval, and is refused; so is an infinity.
        let unit = if outcome.is_finite() { terms.outcome().unit(outcome) } else { f64::NAN };
        Ok(Record { point, outcome: UnitGrid::clip(unit).map_err(DeviceError::Outcome)? })
    }

    /// The randomised symbol. The receipt shows that it was paid for. Which question is drawn does not depend
    /// on the record.
    #[inline]
    pub(super) fn report<G: Generator>(&self, record: &Record, receipt: Charge, rng: &mut G) -> Report {
        drop(receipt);
        let question = uniform_below(self.questions, rng) as u32;
        let channel = &self.spec.channels()[question as usize];
        // Good with probability exactly the outcome: an unbiased rounding to one bit.
        let good = (rng.next_u64() >> (64 - UnitGrid::BITS)) < u64::from(record.outcome.steps());
        let symbol = 2 * channel.cell(&record.point[..self.spec.terms().axes()]) + u32::from(good);
        let oracle = channel.oracle();
        match oracle.randomise(oracle.domain().clip(symbol), rng) {
            oracle::Report::Index(output) => Report { question, output },
            oracle::Report::Set(_) => {
                unreachable!("a channel's oracle reports numbers: checked when it was built")
            }
        }
    }
}
